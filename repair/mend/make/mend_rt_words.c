/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bitmap of a realtime group and its summary (ondisk 09; 12, S12, S13): realtime extents of which no block is
 * claimed are free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/rt_build.h"
#include "check/locate/evidence.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend_rt.h"
#include "repair.h"
#include "check/walk/walker.h"

/* Free realtime extents that follow each other. */
struct free_extents {
	uint64_t start, len;
};

struct words {
	struct mend *m;
	uint32_t rgno;
	struct free_extents *runs; /* in order, none touching another */
	size_t nruns, room;
	size_t next;	   /* the first run that may reach into the bitmap block at hand */
	uint32_t *block;   /* words of one bitmap block */
	uint32_t *summary; /* words of all summary blocks */
};

static int add_run(struct words *w, uint64_t from, uint64_t to)
{
	if (from >= to)
		return 0;
	return array_add(w->runs, w->room, w->nruns, (struct free_extents){ from, to - from });
}

/* Find the runs of free extents. 0 or -ENOMEM. */
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

/* Fill in the summary: how many runs of each size begin in each bitmap block. */
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

/* The words of one bitmap block; blocks must be asked for in ascending order. */
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
 * The file's map with gaps among the first `blocks` blocks filled with new blocks, and no extent unwritten.  The caller
 * frees *ret_map in any case.  0, -ENOSPC or another negative errno.
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

/* True if the map has all of the first `blocks` blocks, and none of them unwritten. */
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

/* Write the first `blocks` blocks of a file, to where its map leads. */
static int write_blocks(struct words *w, xino_t ino, uint32_t magic, const struct bmap_record *map, size_t count,
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
		ret = write_blocks(w, ino, magic, fork->extents, fork->count, blocks);
	} else {
		ret = map_whole(w->m, fork, blocks, &map, &count);
		if (!ret)
			ret = write_blocks(w, ino, magic, map, count, blocks);
		if (!ret)
			ret = mend_fork_store(w->m, &inode, DATA_FORK, map, count);
		if (!ret)
			ret = mend_inode_store(w->m, &inode);
	}
	free(map);
	mend_inode_free(&inode);
	return ret;
}

int mend_rt_words(struct mend *m, uint32_t rgno, const struct use *claims, size_t nclaims)
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
