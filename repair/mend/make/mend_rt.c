/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the btrees of a realtime group from the claims of files (ondisk 09; 12, S14 to S16).  Their blocks are on the
 * data device, below a root in an inode of the metadata tree.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check/locate/evidence.h"
#include "check/walk/walker.h"
#include "libxfs/btree_build.h"
#include "libxfs/rt_build.h"
#include "mend/base/mend_map.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend_records.h"
#include "mend_rt.h"
#include "repair.h"

static void rmap_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->rmap = ag_rmap_of(&((const struct ag_records *)ctx)->rmaps[index]);
}

static void refcount_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->refcount = ((const struct ag_records *)ctx)->refcounts[index];
}

static int take_blocks(struct mend *m, uint64_t *blocks, uint32_t count)
{
	uint32_t done = 0;
	int ret = 0;

	while (done < count && !ret) {
		fsbno_t start;
		uint32_t len = 0;

		ret = mend_space_take(m, count - done, &start, &len);
		for (uint32_t i = 0; i < len && !ret; i++)
			blocks[done++] = start.v + i;
	}
	return ret;
}

static int write_blocks(struct mend *m, struct btree_build *build)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *block = malloc(geo->block_size);
	int ret = block ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < build->shape.blocks && !ret; i++) {
		const fsbno_t fsbno = { build->blocks[i] };

		btree_build_next(build, block);
		ret = mend_write(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size);
	}
	free(block);
	return ret;
}

/* Sets the inode's nblocks, with `blocks` of the btree and its attribute fork; with zones, also the used blocks. */
static void put_counts(const struct geometry *geo, struct mend_inode *inode, enum btree_kind kind,
		       const struct ag_records *records, uint32_t blocks)
{
	struct dinode_disk *disk = mend_inode_disk(inode);
	const struct mend_fork *attr = &inode->fork[ATTR_FORK];
	uint64_t used = 0;

	for (size_t i = 0; i < records->nrmaps; i++)
		used += records->rmaps[i].len;
	disk->nblocks = be64_put(blocks + attr->nodes + mend_map_blocks(attr->extents, attr->count));
	if (geo->zoned && kind == BT_RTRMAP)
		disk->cowextsize = be32_put((uint32_t)used); /* zoned: the used blocks (ondisk 09) */
}

static int write_tree(struct mend *m, struct mend_inode *inode, enum btree_kind kind, struct ag_records *records)
{
	const struct geometry *geo = &m->now->geo;
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct btree_build build = { .geo = geo, .kind = kind, .owner = inode->ino.v, .ctx = records };
	uint64_t count = kind == BT_RTRMAP ? records->nrmaps : records->nrefcounts, *blocks;
	int ret = -ENOMEM;

	if (!bmdr_shape(geo, kind, count, SLACK_USUAL, of->size, &build.shape) &&
	    !bmdr_shape(geo, kind, count, SLACK_NONE, of->size, &build.shape))
		return -ENOSPC;
	build.source = kind == BT_RTRMAP ? rmap_source : refcount_source;
	build.blocks = blocks = calloc(build.shape.blocks + 1, sizeof(*blocks));
	build.children = calloc(build.shape.blocks + 1, sizeof(*build.children));
	if (build.blocks && build.children)
		ret = take_blocks(m, blocks, build.shape.blocks);
	if (!ret)
		ret = write_blocks(m, &build);
	if (!ret) {
		bmdr_build(&build, inode->bytes + (of->bytes - inode->bytes), of->size);
		put_counts(geo, inode, kind, records, build.shape.blocks);
		ret = mend_inode_store(m, inode);
	}
	free(blocks);
	free(build.children);
	return ret;
}

/*
 * Writes a group's rtrmapbt or rtrefcountbt, from claims like for ag_records_derive(), to new blocks below a root in
 * the inode (ondisk 09; 12, S14 to S16).  The old blocks become unowned.  Returns as mend_rt_write().
 */
static int mend_rt_tree(struct mend *m, uint32_t rgno, enum btree_kind kind, struct use *claims, size_t *nclaims)
{
	const struct geometry *geo = &m->now->geo;
	const enum rtfile file = kind == BT_RTRMAP ? RTFILE_RMAP : RTFILE_REFCOUNT;
	const struct rt_group *group = &m->now->traverse->rt.group[rgno];
	struct ag_records records = { 0 };
	struct mend_inode inode;
	uint64_t collision;
	int ret = group->file[file].count == 1 ? mend_inode_load(m, group->file[file].ino, &inode) : -ENOENT;

	if (ret)
		return ret;
	if (inode.inode.fork[DATA_FORK].format != FMT_META_BTREE || !inode.inode.fork[DATA_FORK].ok)
		ret = -ENOENT;
	if (!ret)
		ret = ag_records_derive(geo, group_of_rg(geo, rgno), claims, nclaims, &records, &collision);
	if (!ret)
		ret = write_tree(m, &inode, kind, &records);
	ag_records_free(&records);
	mend_inode_free(&inode);
	return ret;
}

/* ---- bitmap and summary (ondisk 09; 12, S12, S13): realtime extents without claimed blocks are free ---- */

/* Consecutive free realtime extents. */
struct free_extents {
	uint64_t start, len;
};

struct words {
	struct mend *m;
	uint32_t rgno;
	struct free_extents *runs; /* sorted, not adjacent */
	size_t nruns, room;
	size_t next;	   /* the first run that may reach into the current bitmap block */
	uint32_t *block;   /* words of one bitmap block */
	uint32_t *summary; /* words of all summary blocks */
};

static int add_run(struct words *w, uint64_t from, uint64_t to)
{
	if (from >= to)
		return 0;
	return array_add(w->runs, w->room, w->nruns, (struct free_extents){ from, to - from });
}

/* Finds the runs of free extents. 0 or -ENOMEM. */
static int find_runs(struct words *w, const struct use *claims, size_t nclaims)
{
	const struct geometry *geo = &w->m->now->geo;
	uint64_t extents = group_length(geo, group_of_rg(geo, w->rgno)) / geo->rextsize, end = 0;
	int ret = 0;

	for (size_t i = 0; i < nclaims && !ret; i++) {
		uint64_t start = claims[i].start / geo->rextsize;
		uint64_t behind = (claims[i].start + claims[i].len - 1) / geo->rextsize + 1;

		ret = add_run(w, end, start);
		end = behind > end ? behind : end;
	}
	return ret ? ret : add_run(w, end, extents);
}

/* Fills in the summary: how many runs of each size start in each bitmap block. */
static void count_runs(struct words *w)
{
	const struct geometry *geo = &w->m->now->geo;

	for (size_t i = 0; i < w->nruns; i++) {
		uint32_t level = 63u - (uint32_t)__builtin_clzll(w->runs[i].len);
		uint64_t block = w->runs[i].start / rt_block_extents(geo);

		w->summary[(uint64_t)level * geo->rbmblocks + block]++;
	}
}

static void set_bits(uint32_t *words, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t word_end = (from / RT_WORD_BITS + 1) * RT_WORD_BITS, end = to < word_end ? to : word_end;

		words[from / RT_WORD_BITS] |= (uint32_t)(((1ull << (end - from)) - 1) << from % RT_WORD_BITS);
		from = end;
	}
}

/* Returns the words of one bitmap block; blocks must be requested in ascending order. */
static const uint32_t *bitmap_words(struct words *w, uint64_t block)
{
	uint32_t bits = rt_block_extents(&w->m->now->geo);
	uint64_t first = block * bits, end = first + bits;

	memset(w->block, 0, bits / 8);
	while (w->next < w->nruns && w->runs[w->next].start + w->runs[w->next].len <= first)
		w->next++;
	for (size_t i = w->next; i < w->nruns && w->runs[i].start < end; i++) {
		uint64_t from = w->runs[i].start > first ? w->runs[i].start : first;
		uint64_t to = w->runs[i].start + w->runs[i].len;

		set_bits(w->block, from - first, (to < end ? to : end) - first);
	}
	return w->block;
}

static const uint32_t *summary_words(struct words *w, uint64_t block)
{
	return w->summary + block * rt_block_words(&w->m->now->geo);
}

/*
 * Gets the file's map with holes in the first `blocks` blocks filled with new blocks, and no unwritten extents.  The
 * caller frees *ret_map in any case.  0, -ENOSPC or another negative errno.
 */
static int map_whole(struct mend *m, const struct mend_fork *fork, uint64_t blocks, struct bmap_record **ret_map,
		     size_t *ret_count)
{
	struct bmap_record *map = NULL;
	size_t count = 0, room = 0;
	uint64_t at = 0;
	int ret = 0;

	for (size_t i = 0; (i < fork->count || at < blocks) && !ret;) {
		struct bmap_record next = { .off = { at } };
		uint64_t gap_end = i < fork->count && fork->extents[i].off.v < blocks ? fork->extents[i].off.v : blocks;

		if (at < gap_end) {
			ret = mend_space_take(m, (uint32_t)(gap_end - at), &next.start, &next.len);
		} else {
			next = fork->extents[i++];
			next.unwritten = false;
			if (next.off.v < at)
				continue;
		}
		at = next.off.v + next.len;
		if (!ret)
			ret = array_add(map, room, count, next);
	}
	*ret_map = map;
	*ret_count = count;
	return ret;
}

/* True if the map has all of the first `blocks` blocks, none of them unwritten. */
static bool is_whole(const struct mend_fork *fork, uint64_t blocks)
{
	uint64_t end = 0;

	for (size_t i = 0; i < fork->count && end < blocks; i++) {
		if (fork->extents[i].off.v != end || fork->extents[i].unwritten)
			return false;
		end += fork->extents[i].len;
	}
	return fork->whole && end >= blocks;
}

/* Writes the first `blocks` blocks of a file, through its map. */
static int write_words(struct words *w, xino_t ino, uint32_t magic, const struct bmap_record *map, size_t count,
		       uint64_t blocks)
{
	const struct geometry *geo = &w->m->now->geo;
	uint8_t *block = malloc(geo->block_size);
	int ret = block ? 0 : -ENOMEM;

	for (size_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < map[i].len && map[i].off.v + k < blocks && !ret; k++) {
			uint64_t index = map[i].off.v + k;
			const struct rt_expect place = { ino, daddr_of_fsbno(geo, (fsbno_t){ map[i].start.v + k }),
							 index, w->rgno };

			rt_build_block(geo, block, magic, &place,
				       magic == RTBITMAP_MAGIC ? bitmap_words(w, index) : summary_words(w, index));
			ret = mend_write(w->m, block, bytes_of_daddr(place.daddr), geo->block_size);
		}
	}
	free(block);
	return ret;
}

static int write_file(struct words *w, xino_t ino, uint32_t magic, uint64_t blocks)
{
	struct bmap_record *map = NULL;
	struct mend_inode inode;
	struct mend_fork *fork;
	size_t count = 0;
	int ret = mend_inode_load(w->m, ino, &inode);

	if (ret)
		return ret;
	fork = &inode.fork[DATA_FORK];
	if (!inode.inode.rtfile || !inode.inode.fork[DATA_FORK].ok) {
		ret = -ENOENT;
	} else if (is_whole(fork, blocks)) {
		ret = write_words(w, ino, magic, fork->extents, fork->count, blocks);
	} else {
		ret = map_whole(w->m, fork, blocks, &map, &count);
		if (!ret)
			ret = write_words(w, ino, magic, map, count, blocks);
		if (!ret)
			ret = mend_fork_store(w->m, &inode, DATA_FORK, map, count);
		if (!ret)
			ret = mend_inode_store(w->m, &inode);
	}
	free(map);
	mend_inode_free(&inode);
	return ret;
}

/* Writes a group's bitmap and summary. Returns as mend_rt_write(). */
static int mend_rt_words(struct mend *m, uint32_t rgno, const struct use *claims, size_t nclaims)
{
	const struct geometry *geo = &m->now->geo;
	const struct rt_group *group = &m->now->traverse->rt.group[rgno];
	struct words w = { .m = m, .rgno = rgno };
	int ret;

	if (group->file[RTFILE_BITMAP].count != 1 || group->file[RTFILE_SUMMARY].count != 1)
		return -ENOENT;
	w.block = calloc(rt_block_words(geo), sizeof(*w.block));
	w.summary = calloc((size_t)geo->rsumblocks * rt_block_words(geo), sizeof(*w.summary));
	ret = w.block && w.summary ? find_runs(&w, claims, nclaims) : -ENOMEM;
	if (!ret) {
		count_runs(&w);
		ret = write_file(&w, group->file[RTFILE_BITMAP].ino, RTBITMAP_MAGIC, geo->rbmblocks);
	}
	if (!ret)
		ret = write_file(&w, group->file[RTFILE_SUMMARY].ino, RTSUMMARY_MAGIC, geo->rsumblocks);
	free(w.runs);
	free(w.block);
	free(w.summary);
	return ret;
}

/* ---- all parts ---- */

unsigned mend_rt_kinds(const struct geometry *geo)
{
	unsigned kinds = geo->zoned ? 0 : RT_WORDS;

	if (geo->metadir && geo->rmapbt)
		kinds |= RT_RMAP;
	if (geo->metadir && geo->reflink)
		kinds |= RT_REFCOUNT;
	return kinds;
}

int mend_rt_write(struct mend *m, uint32_t rgno, unsigned kinds, struct use *claims, size_t nclaims)
{
	const unsigned of_group = kinds & mend_rt_kinds(&m->now->geo);
	int ret = 0;

	if (of_group & RT_WORDS)
		ret = mend_rt_words(m, rgno, claims, nclaims);
	if (of_group & RT_RMAP && !ret)
		ret = mend_rt_tree(m, rgno, BT_RTRMAP, claims, &nclaims);
	if (of_group & RT_REFCOUNT && !ret)
		ret = mend_rt_tree(m, rgno, BT_RTREFC, claims, &nclaims);
	return ret;
}
