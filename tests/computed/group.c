/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "group.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "attrs.h"
#include "disk/dir.h"
#include "libxfs/bmap_build.h"
#include "libxfs/dinode_mend.h"

#define DIRS_AGBNO (CHUNK_AGBNO + 8u) /* blocks of directories follow the first chunk */

unsigned group_kind_of(const struct computed *computed, agno_t agno)
{
	return (agno.v == 0 ? GROUP_FIRST : 0) | (agno.v == computed->options.groups / 2 ? GROUP_LOG : 0) |
	       (computed->options.damaged && agno.v % 10 == 1 ? GROUP_LEAK : 0);
}

/* ---- directories ---- */

static uint8_t *number_name(struct computed *computed, uint32_t number)
{
	char digits[NUMBER_NAME_LEN + 1];

	snprintf(digits, sizeof(digits), "%08x", number);
	return memcpy(computed->names[number], digits, NUMBER_NAME_LEN);
}

static uint32_t place_dir(const struct geometry *g, struct dir *dir, uint32_t room, uint32_t at)
{
	dir_measure(g, dir, room);
	dir->data_at = at;
	dir->index_at = dir->data_at + dir->data;
	dir->free_at = dir->index_at + dir->index;
	return at + dir_blocks(dir);
}

/* Fills the directory of a group, and the root directory, whose blocks follow in the first group. */
static void plan_dirs(struct computed *computed)
{
	const struct geometry *g = &computed->geo;
	const uint32_t most = computed->cells.count > g->agcount ? computed->cells.count : g->agcount;
	struct dir *group = &computed->dirs[0], *root = &computed->dirs[1];
	uint32_t at;

	computed->names = calloc(most, sizeof(*computed->names));
	if (!computed->names)
		err(2, "names");
	for (uint32_t i = 0; i < most; i++)
		number_name(computed, i);
	dir_begin(group, SHIFT_AG_INO, SHIFT_NONE);
	group->names[0].ino.v = ROOT_INO + GROUP_DIR_SLOT;
	group->names[1].ino.v = ROOT_INO;
	for (uint32_t i = 0; i < computed->cells.count; i++) /* inodes are set when the base of the cells is known */
		dir_add(group, computed->names[i], NUMBER_NAME_LEN, FT_DIR, i);
	dir_begin(root, SHIFT_NONE, SHIFT_NONE);
	root->names[0].ino.v = root->names[1].ino.v = ROOT_INO;
	for (uint32_t i = 0; i < g->agcount; i++) /* likewise: they depend on the size of groups */
		dir_add(root, computed->names[i], NUMBER_NAME_LEN, FT_DIR, i);
	if (computed->options.huge_file)
		dir_add(root, (const uint8_t *)"huge_file", 9, FT_REG, ROOT_INO + HUGE_FILE_SLOT);
	if (computed->options.huge_dir)
		dir_add(root, (const uint8_t *)"huge_dir", 8, FT_DIR, ROOT_INO + HUGE_DIR_SLOT);
	at = place_dir(g, group, 0, DIRS_AGBNO);
	place_dir(g, root, g->inode_size - (uint32_t)sizeof(struct dinode_disk), at);
}

static uint32_t dirs_end(const struct computed *computed, unsigned kind)
{
	const uint32_t end = DIRS_AGBNO + dir_blocks(&computed->dirs[0]);

	return kind & GROUP_FIRST ? end + dir_blocks(&computed->dirs[1]) : end;
}

/* ---- records and trees ---- */

static void add(struct records *records, uint32_t start, uint32_t len, uint64_t owner)
{
	const struct record record = { .start = start, .len = len, .owner = owner };

	records_add(records, &record);
}

/* Adds reverse mappings of a directory's blocks. */
static void add_dir(struct records *records, const struct dir *dir, uint64_t owner, enum whose whose)
{
	struct bmap_record extents[3];

	for (uint32_t i = 0, n = dir_extents(dir, extents); i < n; i++) {
		const struct record record = {
			(uint32_t)extents[i].start.v, extents[i].len, owner, extents[i].off.v, 0, (uint8_t)whose
		};

		records_add(records, &record);
	}
}

/* Number of records of a btree before the cells, and after them. */
static uint32_t count_fixed(const struct computed *computed, unsigned kind, enum btree_kind tree)
{
	struct bmap_record extents[3];
	uint32_t dirs = dir_extents(&computed->dirs[0], extents);

	if (kind & GROUP_FIRST)
		dirs += dir_extents(&computed->dirs[1], extents) + (computed->options.huge_file ? 1 : 0) +
			(computed->options.huge_dir ? 3 : 0);
	switch (tree) {
	case BT_BNO:
	case BT_CNT:
		return 3;
	case BT_RMAP:
		return 6 + dirs + !!(kind & GROUP_LOG);
	default:
		return tree == BT_REFC ? 0 : 1;
	}
}

/* Chooses the number of blocks of btrees, and their places, after the directories.  Returns their end. */
static uint32_t place_trees(struct computed *computed, unsigned kind)
{
	static const enum btree_kind order[] = { BT_BNO, BT_CNT, BT_RMAP, BT_INO, BT_FINO, BT_REFC };
	uint32_t at = dirs_end(computed, kind);

	if (kind & GROUP_FIRST)
		at = huge_plan(computed, at);
	for (unsigned i = 0; i < BT_AG_NR; i++) {
		struct group_tree *tree = &computed->kinds[kind].trees[order[i]];
		const uint64_t records = count_fixed(computed, kind, order[i]) +
					 (uint64_t)computed->cells.count * computed->cell.records[order[i]].count;

		if (!btree_shape(&computed->geo, order[i], records, SLACK_USUAL, &tree->shape))
			errx(2, "a tree of a group is too high");
		tree->base = at;
		at += tree->shape.blocks;
	}
	return at;
}

static uint64_t free_inodes_of_first_chunk(const struct computed *computed, unsigned kind)
{
	uint64_t used = UINT64_C(1) << GROUP_DIR_SLOT;

	if (kind & GROUP_FIRST)
		used |= 7 | (uint64_t) !!computed->options.huge_file << HUGE_FILE_SLOT |
			(uint64_t) !!computed->options.huge_dir << HUGE_DIR_SLOT;
	return ~used;
}

static uint32_t blocks_of(const struct group_kind *kind, enum btree_kind tree)
{
	return kind->trees[tree].shape.blocks;
}

static void add_huge(struct records *records, const struct huge *huge)
{
	const struct record all[] = {
		{ huge->bmbt_at, huge->bmbt_blocks, ROOT_INO + HUGE_FILE_SLOT, 0, RMAP_BMBT, WHOSE_NONE },
		{ huge->data_at, huge->data, ROOT_INO + HUGE_DIR_SLOT, 0, 0, WHOSE_NONE },
		{ huge->index_at, huge->index, ROOT_INO + HUGE_DIR_SLOT, DIR_LEAF_OFFSET >> 12, 0, WHOSE_NONE },
		{ huge->free_at, huge->frees, ROOT_INO + HUGE_DIR_SLOT, DIR_FREE_OFFSET >> 12, 0, WHOSE_NONE },
	};

	for (unsigned i = 0; i < 4; i++) {
		if (all[i].len)
			records_add(records, &all[i]);
	}
}

static void add_before(struct computed *computed, unsigned number)
{
	struct group_kind *kind = &computed->kinds[number];
	struct records *owners = &kind->before[BT_RMAP];
	const uint64_t unused = free_inodes_of_first_chunk(computed, number);

	for (enum btree_kind tree = BT_BNO; tree <= BT_CNT; tree++) {
		add(&kind->before[tree], 1 + FREELIST_BLOCKS, CHUNK_AGBNO - 1 - FREELIST_BLOCKS, 0);
		add(&kind->before[tree], kind->end, computed->cells.base - kind->end, 0);
	}
	for (enum btree_kind tree = BT_INO; tree <= BT_FINO; tree++)
		add(&kind->before[tree], ROOT_INO, (uint32_t)__builtin_popcountll(unused), unused);
	add(owners, 0, 1, OWNER_FS);
	add(owners, 1, FREELIST_BLOCKS, OWNER_AG);
	add(owners, CHUNK_AGBNO, 8, OWNER_INODES);
	add_dir(owners, &computed->dirs[0], ROOT_INO + GROUP_DIR_SLOT, WHOSE_GROUP);
	if (number & GROUP_FIRST)
		add_dir(owners, &computed->dirs[1], ROOT_INO, WHOSE_NONE);
	if (number & GROUP_FIRST)
		add_huge(owners, &computed->huge);
	add(owners, kind->trees[BT_BNO].base,
	    blocks_of(kind, BT_BNO) + blocks_of(kind, BT_CNT) + blocks_of(kind, BT_RMAP), OWNER_AG);
	add(owners, kind->trees[BT_INO].base, blocks_of(kind, BT_INO) + blocks_of(kind, BT_FINO), OWNER_INOBT);
	add(owners, kind->trees[BT_REFC].base, blocks_of(kind, BT_REFC), OWNER_REFC);
}

static void add_behind(struct computed *computed, unsigned number)
{
	struct group_kind *kind = &computed->kinds[number];
	const struct cells *cells = &computed->cells;
	const uint32_t leak = !!(number & GROUP_LEAK), log = number & GROUP_LOG ? LOG_BLOCKS : 0;
	const uint32_t start = cells->base + cells->length * cells->count + leak;
	const uint32_t end = computed->geo.agblocks - log;

	add(&kind->behind[BT_BNO], start, end - start, 0);
	add(&kind->behind[BT_CNT], start, end - start, 0);
	if (log)
		add(&kind->behind[BT_RMAP], end, log, OWNER_LOG);
}

static void make_headers(struct computed *computed, unsigned number)
{
	struct group_kind *kind = &computed->kinds[number];
	struct agf *agf = &kind->agf;
	struct agi *agi = &kind->agi;
	const struct records *before = kind->before, *behind = kind->behind;
	const uint32_t cells = computed->cells.count;

	for (enum btree_kind tree = 0; tree < BT_AG_NR; tree++) {
		agf->root[tree].v = agi->root[tree].v = kind->trees[tree].base + blocks_of(kind, tree) - 1;
		agf->level[tree] = agi->level[tree] = kind->trees[tree].shape.levels;
	}
	agf_set_freelist(agf, FREELIST_BLOCKS);
	/* in other groups the longest extent may be the space that the first one uses before the cells */
	agf->longest =
		behind[BT_CNT].v[0].len > before[BT_CNT].v[1].len ? behind[BT_CNT].v[0].len : before[BT_CNT].v[1].len;
	agf->freeblks = before[BT_CNT].v[0].len + before[BT_CNT].v[1].len + behind[BT_CNT].v[0].len +
			(uint32_t)computed->cell.free_blocks * cells;
	agf->rmap_blocks = blocks_of(kind, BT_RMAP);
	agf->refcount_blocks = blocks_of(kind, BT_REFC);
	agf->btreeblks = blocks_of(kind, BT_BNO) + blocks_of(kind, BT_CNT) + blocks_of(kind, BT_RMAP) - 3;
	kind->free_count = (uint64_t)agf->freeblks + agf->flcount + agf->btreeblks;
	agi->count = 64 + CELL_INODES * cells;
	agi->freecount = before[BT_INO].v[0].len + computed->cell.inodes_free * cells;
	agi->iblocks = blocks_of(kind, BT_INO);
	agi->fblocks = blocks_of(kind, BT_FINO);
	agi->newino.v = ROOT_INO;
	agi->dirino.v = NULL_AGINO;
	for (unsigned i = 0; i < 64; i++)
		agi->unlinked[i].v = NULL_AGINO;
}

static void make_sequences(struct computed *computed, unsigned number)
{
	struct group_kind *kind = &computed->kinds[number];

	for (enum btree_kind tree = 0; tree < BT_AG_NR; tree++) {
		records_sort(&kind->before[tree], tree);
		sequence_make(&kind->trees[tree].sequence, tree, &kind->before[tree], &computed->cell.records[tree],
			      &computed->cells, &kind->behind[tree]);
		if (kind->trees[tree].sequence.total != kind->trees[tree].shape.records)
			errx(2, "a tree has other records than were counted");
	}
}

/* ---- size ---- */

#define GROUP_MAX ((1u << 28) - 1)

/* Chooses the size of groups: the used space plus an eighth, as the kernel's reserves require. */
static bool choose_size(struct computed *computed, char *message, size_t size)
{
	const struct cells *cells = &computed->cells;
	const uint64_t used = cells->base + (uint64_t)cells->length * cells->count;
	const uint64_t least = used + used / 8 + 2 * LOG_BLOCKS;
	const uint64_t blocks = computed->options.group_size ? computed->options.group_size : least;

	if (blocks < least || blocks > GROUP_MAX) {
		snprintf(message, size, "%llu inodes in %u groups need groups of %llu blocks, and these may have %u",
			 (unsigned long long)computed->options.inodes, computed->options.groups,
			 (unsigned long long)least, GROUP_MAX);
		return false;
	}
	headers_superblock(computed, (uint32_t)blocks);
	return true;
}

bool group_plan(struct computed *computed, char *message, size_t size)
{
	struct cells *cells = &computed->cells;
	const uint64_t each = (uint64_t)computed->options.groups * CELL_INODES;

	cells->count = (uint32_t)((computed->options.inodes + each - 1) / each);
	cells->length = computed->cell.length;
	plan_dirs(computed);
	for (unsigned kind = 0; kind < GROUP_KINDS; kind++) {
		computed->kinds[kind].end = place_trees(computed, kind);
		if (computed->kinds[kind].end >= cells->base)
			cells->base = (computed->kinds[kind].end + 8) & ~7u;
	}
	if (!choose_size(computed, message, size))
		return false;
	for (unsigned kind = 0; kind < GROUP_KINDS; kind++) {
		add_before(computed, kind);
		add_behind(computed, kind);
		make_sequences(computed, kind);
		make_headers(computed, kind);
	}
	return true;
}

/* ---- the first chunk, and directories ---- */

static void put_core(struct dinode_disk *core, uint16_t mode, uint32_t nlink)
{
	core->mode = be16_put(mode);
	core->nlink = be32_put(nlink);
}

static void put_dir(struct pattern *pattern, uint32_t slot, struct dir *dir, uint32_t nlink)
{
	const uint32_t block = CHUNK_AGBNO + slot / pattern->geo->inodes_per_block;
	const size_t at = slot % pattern->geo->inodes_per_block * pattern->geo->inode_size;
	struct dinode_disk *core = (void *)(pattern->blocks[block].bytes + at);
	struct bmap_record extents[3];
	struct attrs attrs = { 0 };
	const uint32_t room = pattern->geo->inode_size - (uint32_t)sizeof(*core);
	uint32_t fork = 0;

	put_core(core, MODE_DIR | 0755, nlink);
	if (pattern->geo->parent && slot) {
		attrs_add_parent(&attrs, dir->names[0].name, NUMBER_NAME_LEN, SHIFT_NONE);
		attrs.items[0].name = (const uint8_t *)"00000000";
		attrs.numbered = true;
		attrs_set_parent(&attrs, 0, ROOT_INO, 0);
		fork = attrs_fork_size(&attrs);
		core->forkoff = (uint8_t)((room - fork) / 8);
		core->aformat = DINODE_FMT_LOCAL;
		attrs_put_fork(pattern, block, at + sizeof(*core) + room - fork, &attrs);
	}
	if (dir->form == DIR_SHORT) {
		core->format = DINODE_FMT_LOCAL;
		dir_put_short(pattern, block, at + sizeof(*core), room - fork, dir, false);
	} else {
		const uint32_t n = dir_extents(dir, extents);

		for (uint32_t i = 0; i < n; i++) {
			const struct bmbt_rec_disk packed = bmap_record_put(&extents[i]);
			const size_t to = at + sizeof(*core) + i * sizeof(packed);

			memcpy(pattern->blocks[block].bytes + to, &packed, sizeof(packed));
			pattern_shift(pattern, block, to + offsetof(struct bmbt_rec_disk, l1), SHIFT_EXTENT);
		}
		core->large_nextents = be64_put(n);
		core->nblocks = be64_put(dir_blocks(dir));
		dir_put_blocks(pattern, dir, ROOT_INO + slot);
	}
	core->size = be64_put(dir->size);
}

static void put_chunk(const struct computed *computed, struct pattern *pattern, bool first)
{
	const struct geometry *g = pattern->geo;
	const uint64_t unused = free_inodes_of_first_chunk(computed, first ? GROUP_FIRST : 0);

	for (uint32_t i = 0; i < 64; i++) {
		const uint32_t block = CHUNK_AGBNO + i / g->inodes_per_block;
		const size_t at = i % g->inodes_per_block * g->inode_size;
		uint8_t *bytes = pattern_bytes(pattern, block, CRC_OF_INODES) + at;
		struct dinode_disk *core = (void *)bytes;

		pattern_shift(pattern, block, at + offsetof(struct dinode_disk, ino), SHIFT_AG_INO);
		if (unused >> i & 1) {
			dinode_make_free(g, bytes, (xino_t){ ROOT_INO + i }, 0);
			continue;
		}
		dinode_make_empty(g, bytes, (xino_t){ ROOT_INO + i }, i == GROUP_DIR_SLOT ? GROUP_GEN : 0,
				  i == 0 || i == GROUP_DIR_SLOT || i == HUGE_DIR_SLOT ? FT_DIR : FT_REG);
		if (i == 1 || i == 2) /* the bitmap and the summary of the realtime section, which is empty */
			put_core(core, MODE_REG, 1);
		if (i == 1)
			core->flags = be16_put(DIFLAG_NEWRTBM);
	}
}

void group_write(struct computed *computed)
{
	const struct geometry *g = &computed->geo;
	struct dir *group = &computed->dirs[0], *root = &computed->dirs[1];

	for (uint32_t i = 0; i < computed->cells.count; i++)
		group->names[2 + i].ino.v = ((uint64_t)computed->cells.base + (uint64_t)i * computed->cells.length)
					    << g->inopb_log;
	for (uint32_t i = 0; i < g->agcount; i++)
		root->names[2 + i].ino = ino_of(g, (agno_t){ i }, (agino_t){ ROOT_INO + GROUP_DIR_SLOT });
	for (unsigned first = 0; first < 2; first++) {
		struct pattern *pattern = &computed->fixed[first];

		if (!pattern_create(g, dirs_end(computed, first ? GROUP_FIRST : 0), pattern))
			err(2, "a group");
		put_chunk(computed, pattern, first);
		put_dir(pattern, GROUP_DIR_SLOT, group, (uint32_t)group->count);
		if (first) {
			put_dir(pattern, 0, root, 2 + g->agcount + !!computed->options.huge_dir);
			huge_put(computed, pattern);
		}
	}
}

void group_free(struct computed *computed)
{
	for (unsigned kind = 0; kind < GROUP_KINDS; kind++) {
		for (enum btree_kind tree = 0; tree < BT_AG_NR; tree++) {
			records_free(&computed->kinds[kind].before[tree]);
			records_free(&computed->kinds[kind].behind[tree]);
			sequence_free(&computed->kinds[kind].trees[tree].sequence);
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		pattern_destroy(&computed->fixed[i]);
		dir_end(&computed->dirs[i]);
	}
	free(computed->names);
}
