/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directory blocks, which may be larger than those of the file system, and then lie in several extents. */
#include "mend/base/mend.h"
#include "mend_dir_block.h"
#include "repair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int mend_dir_block_read(struct mend *m, const struct mend_fork *fork, size_t *first, uint64_t off,
			struct mend_dir_block *block)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t at = off, end = off + (1u << geo->dirblk_log);

	memset(block->bytes, 0, geo->dir_block_size);
	block->begins = block->whole = false;
	while (*first < fork->count && fork->extents[*first].off.v + fork->extents[*first].len <= off)
		++*first;
	for (size_t i = *first; i < fork->count && at < end && fork->extents[i].off.v < end; i++) {
		const struct bmap_record *e = &fork->extents[i];
		uint64_t from = e->off.v > at ? e->off.v : at, to = e->off.v + e->len < end ? e->off.v + e->len : end;
		xdaddr_t daddr = daddr_of_fsbno(geo, (fsbno_t){ e->start.v + (from - e->off.v) });
		int ret;

		if (from >= to)
			continue;
		ret = mend_read(m, block->bytes + ((from - off) << geo->block_log), bytes_of_daddr(daddr),
				(size_t)(to - from) << geo->block_log);
		if (ret == -ENOMEM)
			return ret;
		if (from == off) {
			block->daddr = daddr;
			block->begins = block->whole = true;
		}
		block->whole &= from == at && !ret;
		at = to;
	}
	block->whole &= at == end;
	return 0;
}

int mend_dir_block_each(struct mend *m, const struct mend_fork *fork, uint64_t from, uint64_t end,
			mend_dir_block_fn *fn, void *ctx)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t step = 1u << geo->dirblk_log;
	struct mend_dir_block block = { .bytes = malloc(geo->dir_block_size) };
	uint64_t next = from;
	size_t first = 0;
	int ret = block.bytes ? 0 : -ENOMEM;

	for (size_t i = 0; i < fork->count && !ret; i++) {
		const uint64_t behind = fork->extents[i].off.v + fork->extents[i].len;
		uint64_t off = fork->extents[i].off.v & ~(step - 1);

		for (off = off < next ? next : off; !ret && off < end && off < behind; off += step) {
			next = off + step;
			ret = mend_exhausted(m) ? -E2BIG : mend_dir_block_read(m, fork, &first, off, &block);
			if (!ret)
				ret = fn(ctx, off, &block);
		}
	}
	free(block.bytes);
	return ret;
}
