/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the places in a cell: chunks, each followed by the blocks of its inodes, with free extents between.  Records
 * the used blocks as records of the group's btrees.
 */
#include <err.h>
#include <stdlib.h>

#include "libxfs/bmap_build.h"
#include "libxfs/btree.h"
#include "plan.h"

#define MANY_EXTENTS 600u
#define SOME_EXTENTS 80u

uint64_t plan_ino(const struct plan *plan, uint32_t index)
{
	return ((uint64_t)plan->chunks[index / 64] << plan->geo->inopb_log) + index % 64;
}

static void skip_blocks(struct plan *plan, uint32_t blocks)
{
	plan->gap += blocks;
	plan->cursor += blocks;
}

static uint32_t take_blocks(struct plan *plan, uint32_t blocks)
{
	const uint32_t at = plan->cursor;
	const struct record unused = { .start = at - plan->gap, .len = plan->gap };

	if (plan->gap) {
		records_add(&plan->cell->records[BT_BNO], &unused);
		records_add(&plan->cell->records[BT_CNT], &unused);
		plan->cell->free_blocks += plan->gap;
	}
	plan->gap = 0;
	plan->cursor += blocks;
	return at;
}

static void own(struct plan *plan, uint32_t at, uint32_t blocks, uint32_t index, uint64_t offset, uint8_t flags)
{
	const struct record record = { at, blocks, plan_ino(plan, index), offset, flags, WHOSE_CELL };

	records_add(&plan->cell->records[BT_RMAP], &record);
}

/* ---- extents of files ---- */

static struct bmap_record *add_extent(struct file *file, uint64_t off, uint32_t at, uint32_t len, bool unwritten)
{
	if (file->extents == file->extents_room) {
		file->extents_room = file->extents_room ? 2 * file->extents_room : 4;
		file->map = realloc(file->map, file->extents_room * sizeof(*file->map));
		if (!file->map)
			err(2, "a cell");
	}
	file->map[file->extents++] = (struct bmap_record){ { off }, { at }, len, unwritten };
	return &file->map[file->extents - 1];
}

static uint64_t end_of(const struct file *file)
{
	const struct bmap_record *last = &file->map[file->extents - 1];

	return file->extents ? last->off.v + last->len : 0;
}

/* Returns a random length; most files are small. */
static uint32_t random_length(struct plan *plan)
{
	static const uint32_t most[] = { 2, 2, 2, 2, 2, 8, 8, 8, 32, 100 };

	return 1 + plan_random(plan, most[plan_random(plan, 10)]);
}

/* Adds extents that nothing would merge: each is followed by a hole in the file, or by free space on the disk. */
static void place_extents(struct plan *plan, uint32_t index, uint32_t count)
{
	struct file *file = &plan->files[index];

	for (uint32_t i = 0; i < count; i++) {
		const bool hole = i && plan_random(plan, 2);
		const uint32_t len = count > SOME_EXTENTS / 2 ? 1 + plan_random(plan, 2) : random_length(plan);
		uint32_t at;

		if (i && !hole)
			skip_blocks(plan, 1 + plan_random(plan, 3));
		at = take_blocks(plan, len);
		add_extent(file, end_of(file) + hole, at, len, plan_random(plan, 20) == 0);
		own(plan, at, len, index, file->map[file->extents - 1].off.v,
		    file->map[file->extents - 1].unwritten ? RMAP_UNWRITTEN : 0);
	}
	file->size = end_of(file) * plan->geo->block_size - plan_random(plan, 4000);
}

static uint32_t random_count(struct plan *plan, uint32_t index)
{
	const uint32_t chance = plan_random(plan, 1000);

	if (plan_is_fragmented(index))
		return index / 64 == 9 ? MANY_EXTENTS : SOME_EXTENTS;
	return chance < 30 ? 0 : chance < 80 ? 2 + plan_random(plan, 4) : 1;
}

static void place_bmbt(struct plan *plan, uint32_t index)
{
	struct file *file = &plan->files[index];

	if (file->extents * sizeof(struct bmbt_rec_disk) <= plan_fork_room(plan, file))
		return;
	file->bmbt_leaves = (file->extents + bmbt_leaf_room(plan->geo) - 1) / bmbt_leaf_room(plan->geo);
	file->bmbt_at = take_blocks(plan, file->bmbt_leaves);
	own(plan, file->bmbt_at, file->bmbt_leaves, index, 0, RMAP_BMBT);
}

/* ---- shared extents ---- */

/* True for a file whose one extent others may share. */
static bool may_lend(const struct file *file)
{
	return file->used && file->ftype == FT_REG && file->extents == 1 && file->map->len >= 3 && !file->shares &&
	       !file->map->unwritten;
}

static uint32_t next_lender(const struct plan *plan, uint32_t index)
{
	do {
		if (++index == CELL_INODES)
			errx(2, "a cell has too few files");
	} while (!may_lend(&plan->files[index]));
	return index;
}

/* Makes a file share all but the last block of another one, and perhaps a third one as well. */
static void share(struct plan *plan, uint32_t index)
{
	const uint32_t from = index > 100 ? index - 100 + plan_random(plan, 90) : 0;
	struct file *file = &plan->files[index], *lender = &plan->files[from];
	struct record shared;

	if (!index || !may_lend(lender) || !file->extents || file->shares)
		return;
	shared = (struct record){ .start = (uint32_t)lender->map->start.v, .len = lender->map->len - 1, .owner = 2 };
	for (uint32_t i = index; i < index + 2 && i < CELL_INODES; i++) {
		struct file *borrower = &plan->files[i];

		if (i > index && (!borrower->used || borrower->ftype != FT_REG || borrower->shares ||
				  borrower->extents != 1 || plan_random(plan, 2)))
			break;
		own(plan, shared.start, shared.len, i, end_of(borrower) + 1, 0);
		add_extent(borrower, end_of(borrower) + 1, shared.start, shared.len, false);
		borrower->size = end_of(borrower) * plan->geo->block_size;
		borrower->shares = true;
		shared.owner += i > index;
	}
	lender->shares = true;
	records_add(&plan->cell->records[BT_REFC], &shared);
}

/* ---- other inodes ---- */

static void place_dir(struct plan *plan, uint32_t index)
{
	struct dir *dir = &plan->files[index].dir;
	uint32_t *const at[] = { &dir->data_at, &dir->index_at, &dir->free_at };
	const uint32_t blocks[] = { dir->data, dir->index, dir->frees };
	struct bmap_record records[3];

	for (unsigned i = 0; i < 3; i++) {
		if (!blocks[i])
			continue;
		*at[i] = take_blocks(plan, blocks[i]);
		skip_blocks(plan, plan_random(plan, 2));
	}
	for (uint32_t i = 0, n = dir_extents(dir, records); i < n; i++) {
		add_extent(&plan->files[index], records[i].off.v, (uint32_t)records[i].start.v, records[i].len, false);
		own(plan, (uint32_t)records[i].start.v, records[i].len, index, records[i].off.v, 0);
	}
	if (dir->form == DIR_LEAF && !plan->cell->victims.dir_block)
		plan->cell->victims.dir_block = dir->data_at;
}

static void place_attrs(struct plan *plan, uint32_t index)
{
	struct attrs *attrs = &plan->files[index].attrs;
	struct bmap_record records[2];

	if (!attrs->leaf)
		return;
	attrs->leaf_at = take_blocks(plan, 1);
	skip_blocks(plan, 1);
	if (attrs->value_blocks)
		attrs->value_at = take_blocks(plan, attrs->value_blocks);
	for (uint32_t i = 0, n = attrs_extents(attrs, records); i < n; i++)
		own(plan, (uint32_t)records[i].start.v, records[i].len, index, records[i].off.v, RMAP_ATTR);
}

static void place_file(struct plan *plan, uint32_t index)
{
	struct file *file = &plan->files[index];

	if (plan_random(plan, 12) == 0)
		skip_blocks(plan, 1 + plan_random(plan, 12));
	if (file->ftype == FT_DIR)
		place_dir(plan, index);
	if (file->ftype == FT_REG)
		place_extents(plan, index, random_count(plan, index));
	if (file->ftype == FT_SYMLINK)
		file->size = file->target;
	if (file->ftype == FT_SYMLINK && file->target > plan_fork_room(plan, file)) {
		add_extent(file, 0, take_blocks(plan, 1), 1, false);
		own(plan, (uint32_t)file->map->start.v, 1, index, 0, 0);
	}
	if (!file->extents)
		file->size = file->ftype == FT_SYMLINK ? file->target : 0;
	place_bmbt(plan, index);
	place_attrs(plan, index);
	if (file->ftype == FT_REG && !plan->cell->victims.file && index > 200 && file->nlink == 1 && !file->attrs.leaf)
		plan->cell->victims.file = (uint32_t)plan_ino(plan, index);
}

static void place_chunk(struct plan *plan, uint32_t chunk)
{
	const struct geometry *g = plan->geo;
	struct record inodes = { .len = 0 }, owner = { .len = g->chunk_blocks, .owner = OWNER_INODES };

	skip_blocks(plan, -plan->cursor & (g->chunk_blocks - 1));
	owner.start = plan->chunks[chunk] = take_blocks(plan, g->chunk_blocks);
	records_add(&plan->cell->records[BT_RMAP], &owner);
	inodes.start = plan->chunks[chunk] << g->inopb_log;
	for (uint32_t i = 0; i < 64; i++)
		inodes.owner |= (uint64_t)!plan->files[chunk * 64 + i].used << i;
	inodes.len = (uint32_t)__builtin_popcountll(inodes.owner);
	plan->cell->inodes_free += inodes.len;
	records_add(&plan->cell->records[BT_INO], &inodes);
	if (inodes.len)
		records_add(&plan->cell->records[BT_FINO], &inodes);
}

/*
 * Gives a file with one extent the last blocks, up to the next possible chunk, so that free extents end within the
 * cell.
 */
static void place_rest(struct plan *plan)
{
	const uint32_t index = next_lender(plan, 300);
	uint32_t blocks, at;

	blocks = plan->geo->chunk_blocks - (plan->cursor & (plan->geo->chunk_blocks - 1));
	at = take_blocks(plan, blocks);
	own(plan, at, blocks, index, end_of(&plan->files[index]) + 1, 0);
	add_extent(&plan->files[index], end_of(&plan->files[index]) + 1, at, blocks, false);
	plan->files[index].size = end_of(&plan->files[index]) * plan->geo->block_size;
}

/* ---- large numbers of extents ---- */

/* Adds the extents of the huge file: a block, a free one, and so on. */
static void place_huge(struct plan *plan)
{
	struct cell *cell = plan->cell;

	for (uint32_t i = 0; i < plan->options.huge_extents; i++) {
		struct record record = { .len = 1, .owner = plan->options.huge_file, .offset = i, .whose = WHOSE_HUGE };

		record.start = take_blocks(plan, 1);
		if (i == 0)
			cell->huge_at = record.start;
		records_add(&cell->records[BT_RMAP], &record);
		skip_blocks(plan, 1);
	}
}

#define SHARED_OF_ONE 4000u /* with more extents the root of a file's bmbt would not fit into the inode */

/* Adds files with one long extent each, of which others share every second block. */
static void share_many(struct plan *plan)
{
	uint32_t index = 1000;

	for (uint32_t left = plan->options.shared, count; left; left -= count) {
		struct file *lender, *borrower;
		uint32_t at;

		count = left < SHARED_OF_ONE ? left : SHARED_OF_ONE;
		index = next_lender(plan, index);
		lender = &plan->files[index];
		at = take_blocks(plan, 2 * count);
		own(plan, at, 2 * count, index, end_of(lender) + 1, 0);
		add_extent(lender, end_of(lender) + 1, at, 2 * count, false);
		lender->size = end_of(lender) * plan->geo->block_size;
		lender->shares = true;
		index = next_lender(plan, index);
		borrower = &plan->files[index];
		for (uint32_t i = 0; i < count; i++) {
			const struct record shared = { .start = at + 2 * i, .len = 1, .owner = 2 };

			own(plan, shared.start, 1, index, end_of(borrower) + 1, 0);
			add_extent(borrower, end_of(borrower) + 1, shared.start, 1, false);
			records_add(&plan->cell->records[BT_REFC], &shared);
		}
		borrower->size = end_of(borrower) * plan->geo->block_size;
		borrower->shares = true;
		place_bmbt(plan, index);
	}
}

/* Records files that have names in another directory as well. */
static void note_more_names(struct plan *plan)
{
	struct cell *cell = plan->cell;

	cell->named = calloc(CELL_INODES, sizeof(*cell->named));
	if (!cell->named)
		err(2, "a cell");
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		if (!plan->files[i].used || plan->files[i].ftype != FT_REG)
			continue;
		plan->files[i].nlink += plan->options.more_names;
		cell->named[cell->nnamed++] = (uint32_t)plan_ino(plan, i);
	}
}

void plan_space(struct plan *plan)
{
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		if (i % 64 == 0)
			place_chunk(plan, i / 64);
		if (plan->files[i].used)
			place_file(plan, i);
	}
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		const struct file *file = &plan->files[i];

		if (file->used && file->ftype == FT_REG && !file->bmbt_leaves && file->extents < 4 &&
		    plan_random(plan, 30) == 0)
			share(plan, i);
	}
	if (plan->options.shared)
		share_many(plan);
	place_huge(plan);
	if (plan->options.more_names)
		note_more_names(plan);
	place_rest(plan);
	plan->cell->length = plan->cursor;
	for (enum btree_kind kind = 0; kind < BT_AG_NR; kind++)
		records_sort(&plan->cell->records[kind], kind);
}
