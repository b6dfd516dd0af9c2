/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directory blocks, which may be larger than fs blocks, in several extents. */
#include "mend_dir_block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "libxfs/crc.h"
#include "libxfs/dir_build.h"
#include "mend/base/mend.h"
#include "repair.h"
#include "sets/sort.h"

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

/*
 * Directory data blocks with a damaged header (ondisk 06, invariant 1).  The header can be derived: the extent map
 * gives the place, and entries and their tags the rest.  If it does not name the owner, that must be verified, because
 * a map may be wrong, and a block stale.
 */

/* The hash index's evidence about the entries of a block. */
struct tally {
	const struct dir_index *index;
	size_t names, known, denied; /* number of entries; in the index; with another hash in the index */
};

static void count_entry(void *ctx, const struct dir_entry *entry)
{
	struct tally *t = ctx;
	uint32_t hash;

	if (entry->kind != ENTRY_NAME)
		return;
	t->names++;
	if (!dir_index_hash(t->index, entry->address, &hash))
		return;
	t->known += hash == entry->hash;
	t->denied += hash != entry->hash;
}

bool dir_header_dot(const struct geometry *geo, const uint8_t *block, xino_t *ret_ino)
{
	const struct dir_entry_disk *dot = (const void *)(block + (geo->crc ? DA_HEADER_SIZE : DA_HEADER_SIZE_V4));

	ret_ino->v = be64_get(dot->inumber);
	return dot->namelen == 1 && dot->name[0] == '.';
}

/* True if the header names another owner or place: the block is stale or misplaced. */
static bool says_foreign(const struct mend *m, const uint8_t *block, const struct da_expect *expect)
{
	const struct dir_blkhdr_disk *hdr = (const void *)block;
	const struct dir_table *dirs = &m->now->dirs;
	const xino_t owner = { be64_get(hdr->owner) };

	return be64_get(hdr->blkno) != expect->daddr.v || dir_table_find(dirs, owner) < dirs->count;
}

/* True if the header can't have been written here, so that its owner is noise. */
static bool is_noise(const struct geometry *geo, const uint8_t *block)
{
	const struct dir_blkhdr_disk *hdr = (const void *)block;

	return !ino_valid(geo, (xino_t){ be64_get(hdr->owner) }) ||
	       memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) != 0;
}

/* True if nothing in the header is of this place or of this file system: it is a block of another one. */
static bool is_of_another_fs(const struct geometry *geo, const uint8_t *block, const struct da_expect *expect)
{
	const struct dir_blkhdr_disk *hdr = (const void *)block;

	return be64_get(hdr->blkno) != expect->daddr.v && be64_get(hdr->owner) != expect->owner.v &&
	       memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) != 0;
}

/* True if the contents of a block, whose header has been corrected, are the directory's. noise: see is_noise(). */
static bool contents_fit(const struct mend *m, const uint8_t *block, const struct da_expect *expect,
			 const struct dir_index *index, bool noise)
{
	const struct geometry *geo = &m->now->geo;
	const struct dir_table *dirs = &m->now->dirs;
	const struct check check = check_silent(geo);
	struct tally t = { .index = index };
	struct dir_data data;
	xino_t dot;

	if (!dir_data_decode(&check, block, expect, count_entry, &t, &data))
		return false;
	if (expect->dablk.v == 0 && dir_header_dot(geo, block, &dot) &&
	    (dot.v == expect->owner.v || dir_table_find(dirs, dot) < dirs->count))
		return dot.v == expect->owner.v;
	if (t.known != t.denied)
		return t.known > t.denied;
	return noise && t.names;
}

bool dir_header_settle(const struct mend *m, uint8_t *block, const struct da_expect *expect,
		       const struct dir_index *index)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const struct dir_blkhdr_disk *hdr = (const void *)block;
	const enum da_magic magic = da_identify(&check, block, geo->dir_block_size);
	const bool is_kind = magic == DA_DIR_BLOCK || magic == DA_DIR_DATA;
	const bool whole = geo->crc && crc_is_right(block, geo->dir_block_size, offsetof(struct dir_blkhdr_disk, crc));
	bool foreign, noise;

	if (is_kind && (!geo->crc || be64_get(hdr->owner) == expect->owner.v || !says_foreign(m, block, expect)))
		return true;
	foreign = is_kind && is_of_another_fs(geo, block, expect);
	if (whole || (foreign && index->alone)) /* that index is of another file system, too */
		return false;
	noise = !foreign && (!is_kind || is_noise(geo, block));
	/* as a data block, a single-block directory has the same entries: its index does not look like entries */
	dir_build_header(geo, block, expect, DA_DIR_DATA);
	return contents_fit(m, block, expect, index, noise);
}

/* The live entries of a directory's leaves, or of the index in its only block, for look-up by address. */

struct index_collector {
	const struct geometry *geo;
	xino_t dir;
	struct dir_index *index;
	bool alone;    /* the directory has only one block, with the index at its end */
	uint64_t most; /* maximum number of entries in the data blocks */
	uint32_t last; /* previous hash in the block */
	int error;
};

static void add_hash(void *ctx, uint32_t hash, uint32_t address)
{
	struct index_collector *c = ctx;
	struct dir_index *index = c->index;

	if (!c->error && index->count == c->most)
		c->error = -E2BIG; /* the extent map repeats the same leaves */
	if (!c->error && array_grow(&index->entries, &index->room, index->count, sizeof(*index->entries)))
		c->error = -ENOMEM;
	if (!c->error)
		index->entries[index->count++] = (uint64_t)address << 32 | hash;
	index->unsound |= hash < c->last;
	c->last = hash;
}

static int add_block(void *ctx, uint64_t off, const struct mend_dir_block *block)
{
	struct index_collector *c = ctx;
	const struct check check = check_silent(c->geo);
	const struct da_expect expect = { c->dir, block->daddr, { (uint32_t)off }, DATA_FORK };
	struct dir_data data;
	struct dir_leaf leaf;

	c->last = 0;
	if (c->geo->crc && (off || c->alone)) /* alone: either an entry or its hash may be damaged */
		c->index->unsound |= !crc_is_right(block->bytes, c->geo->dir_block_size,
						   off ? offsetof(struct da_blkinfo_disk, crc)
						       : offsetof(struct dir_blkhdr_disk, crc));
	/* the owner is not checked: an index that does not match the entries is useless */
	if (!off && c->alone)
		dir_build_header(c->geo, block->bytes, &expect, DA_DIR_BLOCK);
	if (!off)
		dir_block_decode(&check, block->bytes, &expect, dir_ignore_entry, add_hash, c, &data);
	else
		dir_leaf_decode(&check, block->bytes, &expect, add_hash, c, &leaf);
	return c->error;
}

int dir_index_collect(struct mend *m, const struct mend_inode *dir, struct dir_index *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_fork *fork = &dir->fork[DATA_FORK];
	const uint64_t leaves = DIR_LEAF_OFFSET >> geo->block_log, end = DIR_FREE_OFFSET >> geo->block_log;
	struct index_collector c = { .geo = geo, .dir = dir->ino, .index = ret };
	int error;

	ret->alone = c.alone = fork->count && fork->extents[fork->count - 1].off.v < 1u << geo->dirblk_log;
	for (size_t i = 0; i < fork->count && fork->extents[i].off.v < leaves; i++)
		c.most += ((uint64_t)fork->extents[i].len << geo->block_log) / DIR_ENTRY_MIN;
	error = mend_dir_block_each(m, fork, 0, 1u << geo->dirblk_log, add_block, &c);
	if (!error)
		error = mend_dir_block_each(m, fork, leaves, end, add_block, &c);
	if (ret->count)
		sort_words(ret->entries, ret->count, 1);
	return error == -E2BIG ? 0 : error;
}

void dir_index_free(struct dir_index *index)
{
	free(index->entries);
}

static bool entry_below(const void *element, const void *key)
{
	return *(const uint64_t *)element >> 32 < *(const uint32_t *)key;
}

bool dir_index_hash(const void *ctx, uint32_t address, uint32_t *ret_hash)
{
	const struct dir_index *index = ctx;
	const uint64_t *entries = index->entries;
	size_t at = array_lower_bound(entries, index->count, sizeof(*entries), &address, entry_below);

	if (at == index->count || entries[at] >> 32 != address ||
	    (at + 1 < index->count && entries[at + 1] >> 32 == address))
		return false;
	*ret_hash = (uint32_t)entries[at];
	return true;
}
