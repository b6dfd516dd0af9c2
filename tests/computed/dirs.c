/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dirs.h"

#include <err.h>
#include <stdlib.h>

#include "disk/dir.h"
#include "libxfs/dinode.h"

#define SHORT_MAX 2048u

static void *some(void *memory)
{
	if (!memory)
		err(2, "a directory");
	return memory;
}

void dir_begin(struct dir *dir, enum shift down, enum shift up)
{
	*dir = (struct dir){ .down = down, .up = up };
	dir_add(dir, (const uint8_t *)".", 1, FT_DIR, 0);
	dir_add(dir, (const uint8_t *)"..", 2, FT_DIR, 0);
}

void dir_add(struct dir *dir, const uint8_t *name, uint8_t namelen, uint8_t ftype, uint64_t ino)
{
	if (dir->count == dir->room) {
		dir->room = dir->room ? 2 * dir->room : 8;
		dir->names = some(realloc(dir->names, dir->room * sizeof(*dir->names)));
	}
	dir->names[dir->count++] = (struct dir_name){
		{ ino }, name, namelen, ftype, da_hashname(name, namelen, false), .address = 0, .doubted = false
	};
}

void dir_end(struct dir *dir)
{
	free(dir->names);
	dir->names = NULL;
}

uint32_t dir_blocks(const struct dir *dir)
{
	return dir->data + dir->index + dir->frees;
}

static uint32_t count_data(const struct geometry *g, struct dir *dir)
{
	const struct da_expect nowhere = { .fork = DATA_FORK };
	uint8_t *scratch = some(malloc(g->block_size));
	uint32_t blocks = 0;
	uint16_t best;

	for (size_t i = 0; i < dir->count; blocks++)
		i += dir_build_data(g, scratch, &nowhere, dir->names + i, dir->count - i, &best);
	free(scratch);
	return blocks;
}

static uint32_t parts(size_t count, size_t each)
{
	return (uint32_t)((count + each - 1) / each);
}

void dir_measure(const struct geometry *g, struct dir *dir, uint32_t room)
{
	/* with the widest numbers */
	uint32_t most = 2 + (uint32_t)(dir->count - 1) * (uint32_t)sizeof(be64_t);

	for (size_t i = 2; i < dir->count; i++)
		most += (uint32_t)sizeof(struct dir_sf_entry_disk) + dir->names[i].namelen + 1;
	dir->data = 1;
	if (most <= room) {
		dir->form = DIR_SHORT;
		dir->data = 0;
		return;
	}
	dir->size = g->block_size;
	dir->form = DIR_BLOCK;
	if (dir_build_fits_block(g, dir->names, dir->count))
		return;
	dir->data = count_data(g, dir);
	dir->size = (uint64_t)dir->data * g->block_size;
	dir->form = DIR_LEAF;
	dir->index = dir->leaves = 1;
	if (dir->count <= dir_build_leaf_room(g, dir->data))
		return;
	dir->form = DIR_NODE;
	dir->leaves = parts(dir->count, dir_build_leaf_room(g, 0));
	dir->index = dir->leaves + (dir->leaves > 1);
	dir->frees = parts(dir->data, dir_build_free_room(g));
	if (dir->leaves > da_build_node_room(g, DATA_FORK))
		errx(2, "a directory has too many names for one node");
}

/* The first block of the index, and of free index blocks, in the fork. */
static uint32_t index_start(const struct geometry *g)
{
	return (uint32_t)(DIR_LEAF_OFFSET >> g->block_log);
}

static uint32_t free_start(const struct geometry *g)
{
	return (uint32_t)(DIR_FREE_OFFSET >> g->block_log);
}

uint32_t dir_extents(const struct dir *dir, struct bmap_record *records)
{
	uint32_t count = 0;

	if (dir->data)
		records[count++] = (struct bmap_record){ { 0 }, { dir->data_at }, dir->data, false };
	if (dir->index)
		records[count++] =
			(struct bmap_record){ { DIR_LEAF_OFFSET >> 12 }, { dir->index_at }, dir->index, false };
	if (dir->frees)
		records[count++] =
			(struct bmap_record){ { DIR_FREE_OFFSET >> 12 }, { dir->free_at }, dir->frees, false };
	return count;
}

/* ---- short form ---- */

#define WIDE (1ull << 40) /* makes numbers wide while the form is built */

/* Records that the number at byte `at` moves, and removes WIDE from it. */
static void shift_short(struct pattern *pattern, uint32_t block, size_t at, enum shift shift, bool wide)
{
	uint8_t *bytes = pattern->blocks[block].bytes;
	be64_t number;

	if (wide && shift != SHIFT_NONE) {
		memcpy(&number, bytes + at, sizeof(number));
		number = be64_put(be64_get(number) - WIDE);
		memcpy(bytes + at, &number, sizeof(number));
	} else if (shift != SHIFT_NONE) {
		shift = shift == SHIFT_INO ? SHIFT_INO_32 : SHIFT_AG_INO_32;
	}
	pattern_shift(pattern, block, at, shift);
}

void dir_put_short(struct pattern *pattern, uint32_t block, size_t at, uint32_t room, struct dir *dir, bool wide)
{
	struct dir_name *names = some(malloc(dir->count * sizeof(*names)));
	uint8_t *fork = pattern->blocks[block].bytes + at;
	uint32_t size;

	memcpy(names, dir->names, dir->count * sizeof(*names));
	for (size_t i = 1; i < dir->count && wide; i++)
		names[i].ino.v += (i == 1 ? dir->up : dir->down) == SHIFT_NONE ? 0 : WIDE;
	if (!dir_build_sf(pattern->geo, fork, room, names, dir->count, &size))
		errx(2, "a directory is too long for the short form");
	free(names);
	dir->size = size;
	wide = fork[1]; /* absolute numbers have their real width */
	shift_short(pattern, block, at + 2, dir->up, wide);
	at += 2 + (wide ? 8 : 4);
	for (size_t i = 2; i < dir->count; i++) {
		at += sizeof(struct dir_sf_entry_disk) + dir->names[i].namelen + 1u;
		shift_short(pattern, block, at, dir->down, wide);
		at += wide ? 8 : 4;
	}
}

/* ---- blocks ---- */

/* Records the numbers that move in a block with entries up to `end`. */
static void shift_entries(struct pattern *pattern, uint32_t block, uint32_t end, bool first, const struct dir *dir)
{
	const uint8_t *bytes = pattern->blocks[block].bytes;

	pattern_shift(pattern, block, offsetof(struct dir_blkhdr_disk, blkno), SHIFT_DADDR);
	pattern_shift(pattern, block, offsetof(struct dir_blkhdr_disk, owner),
		      dir->down == SHIFT_NONE ? SHIFT_NONE : dir->down);
	for (uint32_t at = DA_HEADER_SIZE, n = 0; at < end; n++) {
		const struct dir_unused_disk *unused = (const void *)(bytes + at);
		const struct dir_entry_disk *entry = (const void *)(bytes + at);

		if (be16_get(unused->freetag) == DIR_FREETAG) {
			at += be16_get(unused->length);
			continue;
		}
		pattern_shift(pattern, block, at, first && n == 1 ? dir->up : dir->down);
		at += (uint32_t)(sizeof(*entry) + entry->namelen + 1u + DIR_TAG_SIZE + DIR_ALIGN - 1) &
		      ~(DIR_ALIGN - 1);
	}
}

static void shift_index(struct pattern *pattern, uint32_t block, const struct dir *dir)
{
	pattern_shift(pattern, block, offsetof(struct da_blkinfo_disk, blkno), SHIFT_DADDR);
	pattern_shift(pattern, block, offsetof(struct da_blkinfo_disk, owner), dir->down);
}

static struct da_expect place_of(const struct geometry *g, uint64_t owner, uint32_t block, uint32_t dablk)
{
	return (struct da_expect){
		{ owner }, { (uint64_t)block << (g->block_log - SECTOR_LOG) }, { dablk }, DATA_FORK
	};
}

static void put_data(struct pattern *pattern, const struct dir *dir, uint64_t owner, struct dir_name *names,
		     uint16_t *bests)
{
	const struct geometry *g = pattern->geo;
	size_t done = 0;

	for (uint32_t i = 0; i < dir->data; i++) {
		const uint32_t block = dir->data_at + i;
		const struct da_expect place = place_of(g, owner, block, i);
		uint8_t *bytes = pattern_bytes(pattern, block, offsetof(struct dir_blkhdr_disk, crc));

		if (dir->form == DIR_BLOCK) {
			dir_build_block(g, bytes, &place, names, dir->count);
			shift_entries(pattern, block, g->block_size - 8 - 8 * (uint32_t)dir->count, true, dir);
			return;
		}
		done += dir_build_data(g, bytes, &place, names + done, dir->count - done, &bests[i]);
		shift_entries(pattern, block, g->block_size, i == 0, dir);
	}
}

static void put_leaves(struct pattern *pattern, const struct dir *dir, uint64_t owner, const struct dir_name *names)
{
	const struct geometry *g = pattern->geo;
	const uint32_t start = index_start(g), nodes = dir->index - dir->leaves;
	struct da_child *children = some(calloc(dir->leaves, sizeof(*children)));
	struct da_expect place = place_of(g, owner, dir->index_at, start);

	for (uint32_t i = 0; i < dir->leaves; i++) {
		const size_t from = dir->count * i / dir->leaves, to = dir->count * (i + 1) / dir->leaves;
		const uint32_t dablk = start + nodes + i, block = dir->index_at + nodes + i;
		const struct da_siblings siblings = { { i + 1 < dir->leaves ? dablk + 1 : 0 }, { i ? dablk - 1 : 0 } };

		place = place_of(g, owner, block, dablk);
		dir_build_leafn(g, pattern_bytes(pattern, block, offsetof(struct da_blkinfo_disk, crc)), &place,
				names + from, to - from, siblings);
		shift_index(pattern, block, dir);
		children[i] = (struct da_child){ names[to - 1].hash, { dablk } };
	}
	if (nodes) {
		place = place_of(g, owner, dir->index_at, start);
		da_build_node(g, pattern_bytes(pattern, dir->index_at, offsetof(struct da_blkinfo_disk, crc)), &place,
			      1, (struct da_children){ children, dir->leaves }, (struct da_siblings){ 0 });
		shift_index(pattern, dir->index_at, dir);
	}
	free(children);
}

static void put_frees(struct pattern *pattern, const struct dir *dir, uint64_t owner, const uint16_t *bests)
{
	const struct geometry *g = pattern->geo;
	const uint32_t each = (uint32_t)dir_build_free_room(g);

	for (uint32_t i = 0; i < dir->frees; i++) {
		const uint32_t block = dir->free_at + i, first = i * each;
		const struct da_expect place = place_of(g, owner, block, free_start(g) + i);
		const struct dir_bests some_bests = { bests + first,
						      dir->data - first < each ? dir->data - first : each };

		dir_build_free(g, pattern_bytes(pattern, block, offsetof(struct dir_blkhdr_disk, crc)), &place, first,
			       some_bests);
		pattern_shift(pattern, block, offsetof(struct dir_blkhdr_disk, blkno), SHIFT_DADDR);
		pattern_shift(pattern, block, offsetof(struct dir_blkhdr_disk, owner), dir->down);
	}
}

void dir_put_blocks(struct pattern *pattern, const struct dir *dir, uint64_t owner)
{
	const struct geometry *g = pattern->geo;
	struct dir_name *names = some(malloc(dir->count * sizeof(*names)));
	uint16_t *bests = some(calloc(dir->data, sizeof(*bests)));
	const struct da_expect place = place_of(g, owner, dir->index_at, index_start(g));

	memcpy(names, dir->names, dir->count * sizeof(*names));
	put_data(pattern, dir, owner, names, bests);
	if (dir->form != DIR_BLOCK)
		qsort(names, dir->count, sizeof(*names), dir_name_order);
	if (dir->form == DIR_LEAF) {
		dir_build_leaf1(g, pattern_bytes(pattern, dir->index_at, offsetof(struct da_blkinfo_disk, crc)), &place,
				names, dir->count, (struct dir_bests){ bests, dir->data });
		shift_index(pattern, dir->index_at, dir);
	} else if (dir->form == DIR_NODE) {
		put_leaves(pattern, dir, owner, names);
		put_frees(pattern, dir, owner, bests);
	}
	free(bests);
	free(names);
}
