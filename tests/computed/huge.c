/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "huge.h"

#include <err.h>

#include "disk/btree.h"
#include "disk/dir.h"
#include "group.h"
#include "huge_parts.h"
#include "libxfs/bmap_build.h"
#include "libxfs/dinode.h"

static uint32_t parts(uint64_t count, uint64_t each)
{
	return (uint32_t)((count + each - 1) / each);
}

uint64_t huge_names(const struct computed *computed)
{
	return computed->huge.names;
}

/* ---- the file ---- */

static uint32_t fork_room(const struct geometry *g)
{
	return g->inode_size - (uint32_t)sizeof(struct dinode_disk);
}

static uint32_t plan_file(struct computed *computed, uint32_t at)
{
	const struct geometry *g = &computed->geo;
	struct huge *huge = &computed->huge;
	uint32_t blocks = parts(huge->extents, bmbt_leaf_room(g) * 3 / 4);

	huge->bmbt_at = at;
	for (;; blocks = parts(blocks, bmbt_node_room(g) * 3 / 4)) {
		if (huge->bmbt_levels == HUGE_LEVELS)
			errx(2, "a file has too many extents");
		huge->bmbt_width[huge->bmbt_levels++] = blocks;
		huge->bmbt_blocks += blocks;
		if (blocks <= bmbt_root_room(fork_room(g)))
			return at + huge->bmbt_blocks;
	}
}

static struct bmap_record huge_extent(const struct computed *computed, uint64_t index)
{
	const struct cells *cells = &computed->cells;
	const uint64_t cell = index / cells->huge, agno = cell / cells->count;
	const uint32_t agbno = cells->base + (uint32_t)(cell % cells->count) * cells->length + computed->cell.huge_at +
			       2 * (uint32_t)(index % cells->huge);

	return (struct bmap_record){
		{ index }, fsbno_of(&computed->geo, (agno_t){ (uint32_t)agno }, (agbno_t){ agbno }), 1, false
	};
}

/* The first extent below a block of a level; index may be the number of blocks. */
static uint64_t first_extent(const struct huge *huge, uint32_t level, uint64_t index)
{
	for (; level; level--)
		index = (uint64_t)huge->bmbt_width[level - 1] * index / huge->bmbt_width[level];
	return huge->extents * index / huge->bmbt_width[0];
}

static void read_bmbt(const struct computed *computed, uint32_t index, uint8_t *block)
{
	const struct geometry *g = &computed->geo;
	const struct huge *huge = &computed->huge;
	const uint32_t self = huge->bmbt_at + index;
	struct bmbt_place place = { { ROOT_INO + HUGE_FILE_SLOT }, { self }, { self - 1 }, { self + 1 } };
	struct bmap_record records[512];
	struct bmbt_child children[512];
	uint32_t level = 0, below = 0, before = 0, count;
	uint64_t from, items;

	for (; index >= huge->bmbt_width[level]; index -= huge->bmbt_width[level++]) {
		below = before;
		before += huge->bmbt_width[level];
	}
	items = level ? huge->bmbt_width[level - 1] : huge->extents;
	from = items * index / huge->bmbt_width[level];
	count = (uint32_t)(items * (index + 1) / huge->bmbt_width[level] - from);
	if (!index)
		place.left.v = NULL_FSBNO;
	if (index + 1 == huge->bmbt_width[level])
		place.right.v = NULL_FSBNO;
	for (uint32_t i = 0; i < count; i++) {
		if (level)
			children[i] = (struct bmbt_child){ { first_extent(huge, level - 1, from + i) },
							   { huge->bmbt_at + below + from + i } };
		else
			records[i] = huge_extent(computed, from + i);
	}
	if (level)
		bmbt_build_node(g, block, &place, level, children, count);
	else
		bmbt_build_leaf(g, block, &place, records, count);
}

static void put_file(const struct computed *computed, struct dinode_disk *core)
{
	const struct geometry *g = &computed->geo;
	const struct huge *huge = &computed->huge;
	const uint32_t top = huge->bmbt_levels - 1, width = huge->bmbt_width[top];
	const uint32_t first = huge->bmbt_at + huge->bmbt_blocks - width;
	struct bmbt_child children[32];

	for (uint32_t i = 0; i < width; i++)
		children[i] = (struct bmbt_child){ { first_extent(huge, top, i) }, { first + i } };
	core->mode = be16_put(MODE_REG | 0644);
	core->nlink = be32_put(1);
	core->format = DINODE_FMT_BTREE;
	core->size = be64_put(huge->extents << g->block_log);
	core->nblocks = be64_put(huge->extents + huge->bmbt_blocks);
	core->large_nextents = be64_put(huge->extents);
	bmbt_build_root((uint8_t *)(core + 1), fork_room(g), top + 1, children, width);
}

/* ---- the directory ---- */

static uint32_t plan_dir(struct computed *computed, uint32_t at)
{
	const struct geometry *g = &computed->geo;
	struct huge *huge = &computed->huge;
	uint32_t blocks = parts(huge->names + 2, dir_build_leaf_room(g, 0) * 3 / 4);

	huge_dir_order(huge);
	huge->data_at = at;
	huge->data = huge_dir_blocks(huge->names);
	for (huge->da_levels = 0;; blocks = parts(blocks, da_build_node_room(g, DATA_FORK) * 3 / 4)) {
		if (huge->da_levels == HUGE_LEVELS)
			errx(2, "a directory has too many names");
		huge->da_width[huge->da_levels++] = blocks;
		huge->index += blocks;
		if (blocks == 1)
			break;
	}
	huge->index_at = huge->data_at + huge->data;
	huge->free_at = huge->index_at + huge->index;
	huge->frees = parts(huge->data, dir_build_free_room(g));
	return huge->free_at + huge->frees;
}

static void put_dir(const struct computed *computed, struct dinode_disk *core)
{
	const struct huge *huge = &computed->huge;
	const struct bmap_record extents[] = {
		{ { 0 }, { huge->data_at }, huge->data, false },
		{ { DIR_LEAF_OFFSET >> 12 }, { huge->index_at }, huge->index, false },
		{ { DIR_FREE_OFFSET >> 12 }, { huge->free_at }, huge->frees, false },
	};
	struct bmbt_rec_disk *packed = (void *)(core + 1);

	core->mode = be16_put(MODE_DIR | 0755);
	core->nlink = be32_put(2);
	core->size = be64_put((uint64_t)huge->data << computed->geo.block_log);
	core->nblocks = be64_put(huge->data + huge->index + huge->frees);
	core->large_nextents = be64_put(3);
	for (unsigned i = 0; i < 3; i++)
		packed[i] = bmap_record_put(&extents[i]);
}

/* ---- both ---- */

uint32_t huge_plan(struct computed *computed, uint32_t at)
{
	const uint64_t cells = (uint64_t)computed->options.groups * computed->cells.count;
	struct huge *huge = &computed->huge;

	*huge = (struct huge){ 0 };
	if (computed->options.huge_file) {
		computed->cells.huge = (uint32_t)computed->options.huge_file;
		huge->extents = cells * computed->cells.huge;
		at = plan_file(computed, at);
	}
	if (computed->options.huge_dir) {
		huge->names = cells * computed->cell.nnamed * computed->options.huge_dir;
		at = plan_dir(computed, at);
	}
	return at;
}

void huge_put(const struct computed *computed, struct pattern *pattern)
{
	uint8_t *block = pattern->blocks[CHUNK_AGBNO].bytes;

	if (computed->options.huge_file)
		put_file(computed, (void *)(block + HUGE_FILE_SLOT * pattern->geo->inode_size));
	if (computed->options.huge_dir)
		put_dir(computed, (void *)(block + HUGE_DIR_SLOT * pattern->geo->inode_size));
}

bool huge_read(const struct computed *computed, uint32_t agbno, uint8_t *block)
{
	const struct huge *huge = &computed->huge;

	if (agbno >= huge->bmbt_at && agbno - huge->bmbt_at < huge->bmbt_blocks)
		read_bmbt(computed, agbno - huge->bmbt_at, block);
	else if (agbno >= huge->data_at && agbno - huge->data_at < huge->data)
		huge_dir_read_data(computed, agbno - huge->data_at, block);
	else if (agbno >= huge->index_at && agbno - huge->index_at < huge->index)
		huge_dir_read_index(computed, agbno - huge->index_at, block);
	else if (agbno >= huge->free_at && agbno - huge->free_at < huge->frees)
		huge_dir_read_free(computed, agbno - huge->free_at, block);
	else
		return false;
	return true;
}
