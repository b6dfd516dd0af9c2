/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/make/mend_ag.c: groups with random contents get new trees, which the decoders read back and the test
 * compares with the contents block by block.  Then the contents change a little, and the trees are edited and read
 * again.
 */
#include <errno.h>
#include <stdlib.h>

#include "check/locate/evidence.h"
#include "btrees.h"
#include "disk/agfl.h"
#include "../../repair/mend/make/mend_ag.h"
#include "in_range.h"
#include "nothing_free.h"

#define LEN	2048u /* blocks of the group */
#define BYTES	1024u
#define MAX_USE 3000u

/* What the contents and the trees say of a block. */
struct block {
	unsigned claims, free, by_size, own; /* own: of a new tree, or of the free list */
	unsigned rmaps, refcount;
	bool old, staged;
};

struct group {
	struct geometry geo;
	struct ag_contents contents;
	struct ag_mended mended;
	struct use claims[MAX_USE], old[MAX_USE];
	struct inobt_record chunks[64];
	uint8_t bytes[LEN * BYTES];
	uint8_t written[LEN];
	struct block blocks[LEN];

	struct reported reported;
	unsigned tree_blocks;
	size_t seen_chunks, seen_free_chunks;
	uint64_t last_writes; /* 1 AGFL, 2 AGI, 3 AGF, in the order of writing, four bits each */
	int fail_after;	      /* writes; negative: never */
};

static unsigned number(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 8) % below;
}

/* Blocks of 1 KiB, and nodes and leaves that hold so little that trees are high. */
static void make_geometry(struct group *g)
{
	g->geo = btrees_geometry();
	g->geo.block_size = BYTES;
	g->geo.block_log = 10;
	g->geo.inodes_per_block = 2;
	g->geo.inopb_log = 1;
	g->geo.inode_log = 9;
	g->geo.chunk_blocks = 32;
	g->geo.cluster_align = 1;
	g->geo.sparse_align = 0;
	g->geo.sparse = false;
	g->geo.first_data_agbno = 4;
	g->geo.agblocks = LEN;
	g->geo.agblock_log = 11;
	g->geo.agcount = 2;
	g->geo.dblocks = 2 * LEN;
	g->geo.lazysbcount = true;
	g->geo.inobtcnt = true;
	btree_limits(&g->geo);
	for (unsigned kind = 0; kind < BT_AG_NR; kind++) {
		g->geo.btree[kind].leaf_max = 12;
		g->geo.btree[kind].node_max = 10;
		g->geo.btree[kind].max_level = 7;
	}
	g->contents.agno.v = AGNO;
	g->contents.agi.newino.v = g->contents.agi.dirino.v = NULL_AGINO;
	memset(g->contents.agi.unlinked, 0xff, sizeof(g->contents.agi.unlinked));
	g->fail_after = -1;
}

static void add_claim(struct group *g, uint64_t start, uint64_t len, uint64_t owner, uint64_t offset, uint8_t flags)
{
	assert_true(g->contents.nclaims < MAX_USE);
	g->claims[g->contents.nclaims++] =
		(struct use){ .start = start, .len = len, .owner = owner, .offset = offset, .flags = flags };
	for (uint64_t b = start; b < start + len; b++)
		g->blocks[b].claims++;
}

/*
 * Makes extents, shared or not, staged extents, old trees, and gaps: about `share` in 16 parts of the group are used.
 */
static void make_contents(struct group *g, unsigned seed, unsigned share)
{
	uint64_t at = 4;

	add_claim(g, 0, 4, OWNER_FS, 0, 0);
	while (at + 20 < LEN) {
		unsigned len = 1 + number(&seed, 8);
		unsigned what = number(&seed, 16);
		uint64_t owner = 10 + number(&seed, 6), offset = number(&seed, 1000);

		if (number(&seed, 16) >= share) {
			if (number(&seed, 4) == 0 && g->contents.nold < MAX_USE) {
				g->old[g->contents.nold++] = (struct use){ .start = at,
									   .len = 1,
									   .owner = what % 2 ? OWNER_AG : OWNER_INOBT };
				g->blocks[at].old = true;
			}
		} else if (what < 6) {
			add_claim(g, at, len, owner, offset, 0);
			if (what < 4)
				add_claim(g, at + len / 2, len, owner + 10, offset + 5000, 0);
			if (what < 2)
				add_claim(g, at + len / 2, len / 2 + 1, owner + 20, 7, 0);
			len += len / 2;
		} else if (what < 8) {
			add_claim(g, at, len, OWNER_COW, 0, 0);
		} else if (what < 10) {
			add_claim(g, at, len, owner, offset, RMAP_UNWRITTEN);
		} else if (what < 12) {
			add_claim(g, at, 1, owner, 0, RMAP_BMBT);
			len = 1;
		} else {
			add_claim(g, at, len, owner, offset, what < 14 ? 0 : RMAP_ATTR);
		}
		at += len;
	}
	g->contents.claims = g->claims;
	g->contents.old = g->old;
}

static void make_chunks(struct group *g)
{
	for (unsigned i = 0; i < 40; i++)
		g->chunks[i] = (struct inobt_record){ { 64 + 64 * i },
						      0,
						      64,
						      i % 3,
						      i % 3 == 0   ? 0
						      : i % 3 == 1 ? 1
								   : 3 };
	g->contents.chunks = g->chunks;
	g->contents.nchunks = 40;
}

static int take_bytes(void *ctx, const void *bytes, uint64_t offset, size_t len)
{
	struct group *g = ctx;
	uint64_t start = (uint64_t)AGNO * LEN * BYTES;

	if (g->fail_after-- == 0)
		return -EIO;
	assert_true(offset >= start && offset + len <= start + (uint64_t)LEN * BYTES);
	offset -= start;
	memcpy(g->bytes + offset, bytes, len);
	if (len == 512) {
		g->last_writes = g->last_writes << 4 | (4 - offset / 512);
		return 0;
	}
	assert_int_equal(len, BYTES);
	assert_false(g->written[offset / BYTES]);
	g->written[offset / BYTES] = true;
	g->last_writes = 0;
	return 0;
}

/* Blocks of inode trees are in use if these trees stay. */
static void keep_inode_trees(struct group *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->contents.nold; i++) {
		if (g->old[i].owner != OWNER_INOBT)
			g->old[n++] = g->old[i];
		else if (g->contents.nclaims < MAX_USE)
			g->claims[g->contents.nclaims++] = g->old[i];
		else
			fail();
	}
	g->contents.nold = n;
}

static int mend(struct group *g)
{
	const struct ag_writer writer = { take_bytes, g };

	if (!g->contents.chunks)
		keep_inode_trees(g);
	return mend_ag(&g->geo, &g->contents, &writer, &g->mended);
}

/* ---- reading back ---- */

struct visit {
	struct group *g;
	const struct btree_expect *expect;
};

static void see_record(void *ctx, const union btree_record *record, uint32_t index)
{
	const struct visit *v = ctx;
	struct group *g = v->g;

	(void)index;
	switch (v->expect->kind) {
	case BT_BNO:
		for (uint32_t i = 0; i < record->alloc.len; i++)
			g->blocks[record->alloc.start.v + i].free++;
		break;
	case BT_CNT:
		for (uint32_t i = 0; i < record->alloc.len; i++)
			g->blocks[record->alloc.start.v + i].by_size++;
		break;
	case BT_RMAP:
		for (uint32_t i = 0; i < record->rmap.len; i++)
			g->blocks[record->rmap.start.v + i].rmaps++;
		break;
	case BT_REFC:
		for (uint32_t i = 0; i < record->refcount.len; i++)
			g->blocks[record->refcount.start.v + i].refcount = record->refcount.refcount;
		for (uint32_t i = 0; i < record->refcount.len && record->refcount.cow; i++)
			g->blocks[record->refcount.start.v + i].staged = true;
		break;
	case BT_INO:
		assert_int_equal(record->inobt.start.v, g->chunks[g->seen_chunks++].start.v);
		break;
	default:
		assert_int_not_equal(record->inobt.freecount, 0);
		g->seen_free_chunks++;
	}
}

static void see_block(void *ctx, const struct btree_expect *expect)
{
	struct group *g = ((const struct visit *)ctx)->g;
	struct visit v = { g, expect };
	struct check c = { &g->geo, reported_add, &g->reported };
	const struct btree_visitor visitor = { .ctx = &v, .record = see_record, .child = see_block };
	struct btree_block found;

	assert_true(g->written[expect->agbno.v]);
	g->blocks[expect->agbno.v].own++;
	g->tree_blocks++;
	assert_true(btree_decode(&c, g->bytes + (size_t)expect->agbno.v * BYTES, expect, &visitor, &found));
}

static void see_tree(struct group *g, enum btree_kind kind, agbno_t root, uint32_t level)
{
	struct visit v = { g, NULL };
	struct btree_expect expect = { .kind = kind, .agno = { AGNO }, .agbno = root, .owner = AGNO, .root = true };

	expect.level = (uint8_t)(level - 1);
	see_block(&v, &expect);
}

static void see_listed(void *ctx, agbno_t agbno)
{
	((struct group *)ctx)->blocks[agbno.v].own++;
}

static void read_back(struct group *g)
{
	struct check c = { &g->geo, reported_add, &g->reported };
	struct agf agf;
	struct agi agi;

	assert_true(agf_decode(&c, g->bytes + 512, (agno_t){ AGNO }, &agf));
	assert_true(agfl_decode(&c, g->bytes + 3 * 512, (agno_t){ AGNO }, &agf, see_listed, g));
	see_tree(g, BT_BNO, agf.root[BT_BNO], agf.level[BT_BNO]);
	see_tree(g, BT_CNT, agf.root[BT_CNT], agf.level[BT_CNT]);
	assert_int_equal(agf.btreeblks + 2, g->tree_blocks + agf.rmap_blocks - 1);
	see_tree(g, BT_RMAP, agf.root[BT_RMAP], agf.level[BT_RMAP]);
	see_tree(g, BT_REFC, agf.root[BT_REFC], agf.level[BT_REFC]);
	assert_int_equal(agf.btreeblks + 3 + agf.refcount_blocks, g->tree_blocks);
	if (g->contents.chunks) {
		assert_true(agi_decode(&c, g->bytes + 2 * 512, (agno_t){ AGNO }, &agi));
		see_tree(g, BT_INO, agi.root[BT_INO], agi.level[BT_INO]);
		see_tree(g, BT_FINO, agi.root[BT_FINO], agi.level[BT_FINO]);
		assert_int_equal(agi.iblocks + agi.fblocks + agf.btreeblks + 3 + agf.refcount_blocks, g->tree_blocks);
		assert_int_equal(g->seen_chunks, 40);
		assert_int_equal(g->seen_free_chunks, 26);
		assert_int_equal(agi.count, 40 * 64);
		assert_int_equal(agi.freecount, 13 * 1 + 13 * 2);
	}
	assert_int_equal(g->reported.count, 0);
	assert_int_equal(g->mended.blocks, g->tree_blocks);
	assert_int_equal(agf.freeblks, g->mended.agf.freeblks);
}

/* Fails unless every block is used, free, or in a new tree, and all trees agree. */
static void check_blocks(struct group *g)
{
	uint32_t free = 0, longest = 0, run = 0;

	for (uint32_t i = 0; i < LEN; i++) {
		const struct block *b = &g->blocks[i];
		bool kept = b->old && !g->contents.chunks && !b->free && !b->own;

		if (kept) { /* of inode trees that stay */
			assert_int_equal(b->rmaps, 1);
			run = 0;
			continue;
		}
		assert_int_equal((b->claims > 0) + b->free + b->own, 1);
		assert_int_equal(b->free, b->by_size);
		assert_int_equal(b->rmaps, b->claims + b->own);
		assert_int_equal(b->refcount, b->staged ? 1 : b->claims > 1 ? b->claims : 0);
		free += b->free;
		run = b->free ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	assert_int_equal(free, g->mended.agf.freeblks);
	assert_int_equal(longest, g->mended.agf.longest);
}

static struct group *new_group(void)
{
	struct group *g = calloc(1, sizeof(*g));

	assert_non_null(g);
	make_geometry(g);
	return g;
}

/* ---- tests ---- */

static void new_trees_say_what_was_asked_for(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 60; seed++) {
		struct group *g = new_group();

		make_contents(g, seed, 2 + seed % 10);
		if (seed % 2)
			make_chunks(g);
		assert_int_equal(mend(g), 0);
		read_back(g);
		check_blocks(g);
		assert_int_equal(g->last_writes, seed % 2 ? 0x123 : 0x13);
		for (uint32_t i = 0; i < LEN; i++) /* there was enough elsewhere */
			assert_false(g->written[i] && (g->blocks[i].old || g->blocks[i].claims));
		free(g);
	}
}

/* With 0 to 59 blocks unused: from too few for any trees to enough for all. */
static void nearly_full_groups_are_rebuilt_or_left_alone(void **state)
{
	unsigned refused = 0, short_lists = 0;

	(void)state;
	for (unsigned left = 0; left < 60; left++) {
		struct group *g = new_group();
		int ret;

		add_claim(g, 0, 4, OWNER_FS, 0, 0);
		for (uint64_t at = 4; at < LEN - left; at++)
			add_claim(g, at, 1, 20 + at % 7, 3 * at, 0);
		g->contents.claims = g->claims;
		ret = mend(g);
		if (ret) {
			assert_int_equal(ret, -ENOSPC);
			for (uint32_t i = 0; i < LEN; i++)
				assert_false(g->written[i]);
			refused++;
		}
		free(g);
	}
	assert_int_equal(refused, 60); /* 2000 rmap records take more */

	for (unsigned left = 190; left < 260; left++) {
		struct group *g = new_group();

		add_claim(g, 0, 4, OWNER_FS, 0, 0);
		for (uint64_t at = 4; at < LEN - left; at++)
			add_claim(g, at, 1, 20 + at % 7, 3 * at, 0);
		g->contents.claims = g->claims;
		if (!mend(g)) {
			read_back(g);
			check_blocks(g);
			short_lists += g->mended.agf.flcount < agf_least_freelist(&g->geo, &g->mended.agf);
		} else {
			refused++;
		}
		free(g);
	}
	assert_in_range(refused, 60, 100);
	assert_in_range(short_lists, 1, 20);
}

static void old_space_trees_are_overwritten_only_for_want_of_room(void **state)
{
	struct group *g = new_group();

	(void)state;
	add_claim(g, 0, 4, OWNER_FS, 0, 0);
	add_claim(g, 4, LEN - 24, 77, 0, 0);
	for (unsigned i = 0; i < 20; i++) /* no other block is free */
		g->old[g->contents.nold++] = (struct use){ .start = LEN - 20 + i, .len = 1, .owner = OWNER_AG };
	g->contents.claims = g->claims;
	g->contents.old = g->old;
	assert_int_equal(mend(g), 0);
	read_back(g);
	check_blocks(g);
	memset(g->written, 0, sizeof(g->written));
	for (unsigned i = 0; i < 20; i++)
		g->old[i].owner = OWNER_INOBT;
	make_chunks(g);
	assert_int_equal(mend(g), -ENOSPC);
	free(g);
}

/* As for a group that can't be read: all of it is one run of old blocks, parts of which are in use. */
static void unreadable_blocks_are_taken_only_for_want_of_others(void **state)
{
	struct group *g = new_group();

	(void)state;
	add_claim(g, 0, 4, OWNER_FS, 0, 0);
	add_claim(g, 4, 100, 77, 0, 0);
	add_claim(g, LEN / 2, 30, 77, 0, 200);
	g->old[g->contents.nold++] = (struct use){ .start = 0, .len = LEN, .owner = OWNER_AG };
	g->contents.claims = g->claims;
	g->contents.old = g->old;
	assert_int_equal(mend(g), 0);
	read_back(g);
	free(g);
	g = new_group();
	add_claim(g, 0, 4, OWNER_FS, 0, 0);
	add_claim(g, 4, 100, 77, 0, 0);
	add_claim(g, LEN / 2, 30, 77, 0, 200);
	g->old[g->contents.nold++] = (struct use){ .start = 0, .len = LEN - 20, .owner = OWNER_AG };
	g->contents.claims = g->claims;
	g->contents.old = g->old;
	assert_int_equal(mend(g), 0);
	for (uint64_t block = 4; block < LEN - 20; block++)
		assert_false(g->written[block]);
	free(g);
}

static void claims_that_collide_are_refused(void **state)
{
	static const struct {
		uint64_t owner;
		uint8_t flags, object;
	} others[] = {
		{ OWNER_INODES, 0, 0 }, { OWNER_COW, 0, 0 },	   { 30, RMAP_ATTR, 0 },
		{ 30, RMAP_BMBT, 0 },	{ 30, RMAP_UNWRITTEN, 0 }, { 30, 0, OBJ_INODE },
	};

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof(others) / sizeof(others[0]); i++) {
		struct group *g = new_group();

		add_claim(g, 0, 4, OWNER_FS, 0, 0);
		add_claim(g, i % 2 ? 100 : 105, 10, 29, 0, 0);
		add_claim(g, i % 2 ? 105 : 100, 10, others[i / 2].owner, 0, others[i / 2].flags);
		g->claims[g->contents.nclaims - 1].object = others[i / 2].object;
		g->contents.claims = g->claims;
		assert_int_equal(mend(g), -EEXIST);
		assert_int_equal(g->mended.collision, 105);
		free(g);
	}
}

static void claims_outside_of_the_group_are_refused(void **state)
{
	struct group *g = new_group();

	(void)state;
	g->claims[0] = (struct use){ .start = LEN - 1, .len = 2, .owner = 20 };
	g->contents.claims = g->claims;
	g->contents.nclaims = 1;
	assert_int_equal(mend(g), -EINVAL);
	g->claims[0] = (struct use){ .start = UINT64_MAX, .len = 2, .owner = 20 };
	assert_int_equal(mend(g), -EINVAL);
	g->claims[0] = (struct use){ .start = 10, .len = 0, .owner = 20 };
	assert_int_equal(mend(g), -EINVAL);
	free(g);
}

static void failing_writes_end_it(void **state)
{
	(void)state;
	for (int writes = 0; writes < 8; writes++) {
		struct group *g = new_group();

		make_contents(g, 3, 5);
		make_chunks(g);
		g->fail_after = writes;
		assert_int_equal(mend(g), -EIO);
		free(g);
	}
}

static void pieces_of_a_file_that_follow_each_other_are_one_record(void **state)
{
	struct group *g = new_group();

	(void)state;
	add_claim(g, 0, 4, OWNER_FS, 0, 0);
	add_claim(g, 110, 10, 20, 10, 0);
	add_claim(g, 100, 10, 20, 0, 0);
	add_claim(g, 105, 10, 21, 0, 0); /* shares the middle, and lies between */
	add_claim(g, 120, 10, 20, 21, 0);
	add_claim(g, 200, 1, 20, 0, RMAP_BMBT);
	add_claim(g, 201, 1, 20, 0, RMAP_BMBT);
	g->contents.claims = g->claims;
	assert_int_equal(mend(g), 0);
	read_back(g);
	check_blocks(g);
	/* headers, two of file 20 and its bmbt, one of file 21, the refcountbt, the others: a leaf has their number */
	assert_int_equal(g->mended.agf.rmap_blocks, 1);
	assert_int_equal(g->bytes[(size_t)g->mended.agf.root[BT_RMAP].v * BYTES + 7], 7);
	assert_int_equal(g->contents.nclaims, 5); /* the claims of the two trees are removed */
	free(g);
}

/* ---- edits ---- */

/* Puts the group on a device with a mender; the caller closes *f. */
static void put_on_device(const struct group *g, struct nothing_free *f)
{
	nothing_free_open(f);
	f->rc.geo = g->geo;
	assert_int_equal(mend_write(&f->m, g->bytes, (uint64_t)AGNO * LEN * BYTES, sizeof(g->bytes)), 0);
}

/* Makes the group of the same seed with one change: one more block in use, one claim less, or one claim moved. */
static struct group *changed_group(const struct group *before, unsigned seed, unsigned share)
{
	struct group *g = new_group();
	unsigned at = seed * 7919 + 1, b, i;

	make_contents(g, seed, share);
	keep_inode_trees(g);
	/* only the number matters: the trees that stand tell which blocks are theirs */
	g->contents.nold = before->tree_blocks + before->mended.agf.flcount;
	do
		b = 4 + number(&at, LEN - 4);
	while (g->blocks[b].claims || g->blocks[b].old || before->blocks[b].own);
	do
		i = 1 + number(&at, (unsigned)g->contents.nclaims - 1);
	while (g->blocks[g->claims[i].start].claims != 1);
	if (seed % 3 == 0)
		add_claim(g, b, 1, 99, 0, 0);
	for (uint64_t k = 0; seed % 3 && k < g->claims[i].len; k++)
		g->blocks[g->claims[i].start + k].claims--;
	if (seed % 3 == 1) {
		g->claims[i] = g->claims[--g->contents.nclaims];
	} else if (seed % 3 == 2) {
		g->claims[i].start = b;
		g->claims[i].len = 1;
		g->blocks[b].claims++;
	}
	return g;
}

/* Reads the trees of the group back from the device.  Returns how many of its blocks differ from those of before. */
static unsigned read_device(struct group *g, struct nothing_free *f, const uint8_t *before)
{
	unsigned changed = 0;

	assert_int_equal(mend_read(&f->m, g->bytes, (uint64_t)AGNO * LEN * BYTES, sizeof(g->bytes)), 0);
	for (uint32_t i = 0; i < LEN; i++)
		changed += memcmp(g->bytes + (size_t)i * BYTES, before + (size_t)i * BYTES, BYTES) != 0;
	memset(g->written, true, sizeof(g->written));
	return changed;
}

/* Edits a group to the contents in `now`.  Returns how many blocks have changed; *ret: result of the edit. */
static unsigned edit(const struct group *before, struct group *now, struct nothing_free *f, int *ret)
{
	*ret = mend_ag_edit(&f->m, &now->contents, &now->mended);
	return read_device(now, f, before->bytes);
}

static void little_changes_are_edited_in_place(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 120; seed++) {
		struct group *g = new_group(), *now;
		const unsigned share = 6 + seed % 8;
		struct nothing_free f;
		unsigned changed;
		int ret;

		make_contents(g, seed, share);
		assert_int_equal(mend(g), 0);
		read_back(g);
		put_on_device(g, &f);
		now = changed_group(g, seed, share);
		changed = edit(g, now, &f, &ret);
		assert_int_equal(ret, 0);
		now->mended.blocks = g->tree_blocks; /* each is one that it had */
		read_back(now);
		check_blocks(now);
		/* three leaves at most, and what is above them, in each of four trees; and headers */
		assert_in_range(changed, 2, 20);
		nothing_free_close(&f);
		free(now);
		free(g);
	}
}

static struct group *group_of_claims(unsigned count)
{
	struct group *g = new_group();

	add_claim(g, 0, 4, OWNER_FS, 0, 0);
	for (unsigned i = 0; i < count; i++)
		add_claim(g, 1000 + 2 * i, 2, 20 + i, 0, 0);
	g->contents.claims = g->claims;
	g->contents.old = g->old;
	return g;
}

/* A leaf that is the root has no sibling to share records with. */
static void what_does_not_fit_stays_as_it_was(void **state)
{
	unsigned refused = 0;

	(void)state;
	for (unsigned count = 1; count < 12; count++) {
		struct group *g = group_of_claims(count), *now = group_of_claims(count + 1);
		const struct use *claims = now->claims;
		struct nothing_free f;
		int ret;

		assert_int_equal(mend(g), 0);
		read_back(g);
		put_on_device(g, &f);
		now->contents.nold = g->tree_blocks + g->mended.agf.flcount;
		if (edit(g, now, &f, &ret) == 0) {
			assert_int_equal(ret, -ENOSPC);
			assert_int_equal(g->bytes[(size_t)g->mended.agf.root[BT_RMAP].v * BYTES + 7], 12);
			/* the contents are sorted, and complete */
			assert_int_equal(now->contents.nclaims, count + 2);
			assert_int_equal(claims[count + 1].start, 1000 + 2 * count);
			assert_ptr_equal(now->contents.old, claims + count + 2);
			refused++;
		}
		nothing_free_close(&f);
		free(now);
		free(g);
	}
	assert_int_equal(refused, 1);
}

/* A byte on the way to the records: of the AGF, the free list, the root of a tree, the header of a leaf. */
static void damaged_trees_are_not_edited(void **state)
{
	(void)state;
	for (unsigned what = 0; what < 4; what++) {
		struct group *g = new_group(), *now;
		struct nothing_free f;
		size_t at[] = { 512 + 20, 3 * 512 + 40 };
		int ret;

		make_contents(g, 4, 8);
		assert_int_equal(mend(g), 0);
		read_back(g);
		if (what < 2)
			g->bytes[at[what]] ^= 1;
		else if (what == 2)
			g->bytes[(size_t)g->mended.agf.root[BT_RMAP].v * BYTES + 60] ^= 1;
		else /* the blocks of a tree ascend, the root at the end */
			g->bytes[(size_t)(g->mended.agf.root[BT_RMAP].v - 3) * BYTES] ^= 1;
		put_on_device(g, &f);
		now = changed_group(g, 4, 8);
		assert_int_equal(edit(g, now, &f, &ret), 0);
		assert_int_equal(ret, -EINVAL);
		nothing_free_close(&f);
		free(now);
		free(g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_trees_say_what_was_asked_for),
		cmocka_unit_test(nearly_full_groups_are_rebuilt_or_left_alone),
		cmocka_unit_test(old_space_trees_are_overwritten_only_for_want_of_room),
		cmocka_unit_test(unreadable_blocks_are_taken_only_for_want_of_others),
		cmocka_unit_test(claims_that_collide_are_refused),
		cmocka_unit_test(claims_outside_of_the_group_are_refused),
		cmocka_unit_test(failing_writes_end_it),
		cmocka_unit_test(pieces_of_a_file_that_follow_each_other_are_one_record),
		cmocka_unit_test(little_changes_are_edited_in_place),
		cmocka_unit_test(what_does_not_fit_stays_as_it_was),
		cmocka_unit_test(damaged_trees_are_not_edited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
