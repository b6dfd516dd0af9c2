/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new chunk of inodes, placed as the kernel would (ondisk 00, section 3; 03, inobt): aligned as the superblock says,
 * in blocks that are free by two witnesses, in the AG with the most room that has any for the chunk and for the inode
 * btrees with it.
 */
#include "mend_new_chunk.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/inobt.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend_chunks.h"
#include "repair.h"
#include "check/walk/walker.h"

#define CHUNKS_MAX (65536u / 256 / INODES_PER_CHUNK) /* in the largest block, with the smallest inodes */

/* Records for `count` new inodes from `first` on: of whole chunks, or of one that has holes. Returns how many. */
static size_t put_records(const struct geometry *geo, agino_t first, uint32_t count,
			  struct inobt_record records[CHUNKS_MAX])
{
	const uint32_t align = geo->cluster_align << geo->inopb_log;
	size_t n = 0;

	if (count >= INODES_PER_CHUNK) {
		for (uint32_t at = 0; at < count; at += INODES_PER_CHUNK)
			records[n++] = (struct inobt_record){ .start = { first.v + at },
							      .count = INODES_PER_CHUNK,
							      .freecount = INODES_PER_CHUNK,
							      .free = UINT64_MAX };
		return n;
	}
	records[0] = (struct inobt_record){ .start = { first.v / align * align },
					    .holemask = UINT16_MAX,
					    .count = (uint8_t)count,
					    .freecount = (uint8_t)count,
					    .free = UINT64_MAX };
	for (uint32_t at = first.v % align, end = at + count; at < end; at += INODES_PER_HOLEMASKBIT)
		records[0].holemask &= (uint16_t) ~(1u << at / INODES_PER_HOLEMASKBIT);
	return 1;
}

/* Make inodes in these blocks. -ENOSPC: the group has no room for new inode btrees, or its inobt is damaged. */
static int make_at(struct mend *m, fsbno_t start, uint32_t blocks, xino_t *ret_first, uint32_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const agno_t agno = agno_of_fsbno(geo, start);
	const agino_t first = { agbno_of_fsbno(geo, start).v << geo->inopb_log };
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	const uint32_t count = blocks << geo->inopb_log;
	struct inobt_record records[CHUNKS_MAX];
	xino_t ino = ino_of(geo, agno, first);
	size_t nrecords = put_records(geo, first, count, records);
	int ret = ag_tree_whole(ag, BT_INO) ? mend_ag_inodes_add(m, agno, records, nrecords) : -ENOSPC;

	*ret_first = ino;
	*ret_count = count;
	for (uint32_t i = 0; i < count && !ret; i++, ino.v++)
		ret = mend_inode_put_free(m, ino);
	return ret;
}

/* Try one group after the other, until inodes could be made in one. */
static int make_somewhere(struct mend *m, const struct space_run *run, xino_t *ret_first, uint32_t *ret_count)
{
	bool *seen = calloc(m->now->geo.agcount, sizeof(*seen));
	int ret = seen ? -ENOSPC : -ENOMEM;

	while (ret == -ENOSPC) {
		fsbno_t start;

		ret = mend_space_take_run(m, run, seen, &start);
		if (ret)
			break;
		ret = make_at(m, start, run->len, ret_first, ret_count);
	}
	free(seen);
	return ret;
}

int mend_new_chunk(struct mend *m, xino_t *ret_first, uint32_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const struct space_run whole = { geo->chunk_blocks, geo->cluster_align, geo->cluster_align };
	const struct space_run part = { geo->sparse_align, geo->sparse_align, geo->cluster_align };
	int ret = make_somewhere(m, &whole, ret_first, ret_count);

	if (ret == -ENOSPC && geo->sparse_align && geo->sparse_align < geo->chunk_blocks)
		ret = make_somewhere(m, &part, ret_first, ret_count);
	return ret;
}
