/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/check/books/ledger.c against a naive twin: a small AG whose blocks are counted one by one.  Random owners are
 * posted, cut into records at random, by random workers; the account must balance exactly if the twin's two sides are
 * equal.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "check/books/doubts.h"
#include "check/books/ledger.h"

#define BLOCKS 200u
#define LANES  3u

static const struct geometry geo = {
	.agcount = 2,
	.agblocks = BLOCKS,
	.dblocks = 2 * BLOCKS,
	.agblock_log = 8,
	.inopb_log = 3,
	.rmapbt = true,
	.reflink = true,
	.finobt = true,
	.ftype = true,
	.parent = true,
};
static const struct hash_key key = { { 0x1234567890abcdef, 0xfedcba0987654321, 0x0f1e2d3c4b5a6978,
				       0x1122334455667789 } };
static const agno_t ag1 = { 1 };
static const group_t group0 = { 0 }, group1 = { 1 };

struct fixture {
	struct ledger *ledger;
	struct sink sink;
};

static struct fixture open_ledger(void)
{
	struct fixture f = { .ledger = ledger_new(&geo, LANES, &key) };

	assert_non_null(f.ledger);
	f.sink = ledger_sink(f.ledger);
	return f;
}

static unsigned worker(void)
{
	return (unsigned)rand() % LANES;
}

static void claim(struct fixture *f, group_t group, uint32_t start, uint32_t len, uint64_t owner, uint64_t offset,
		  uint8_t flags)
{
	const struct claim c = { { group, { start }, len }, owner, offset, flags, 0 };

	f->sink.ops->claim(f->sink.ctx, worker(), &c);
}

/* Gives all of AG 0 to one owner. */
static void fill_ag0(struct fixture *f)
{
	const struct rmap_record r = { { 0 }, BLOCKS, OWNER_FS, 0, 0 };

	claim(f, group0, 0, BLOCKS, OWNER_FS, 0, 0);
	f->sink.ops->rmap(f->sink.ctx, worker(), group0, &r);
}

/* Posts [start, end) of an owner as claims and as rmap records that are cut at different places. */
static void owner_both_ways(struct fixture *f, uint32_t start, uint32_t end, uint64_t owner, uint64_t offset,
			    uint8_t flags)
{
	for (uint32_t at = start, len; at < end; at += len) {
		len = 1 + (uint32_t)rand() % (end - at);
		claim(f, group1, at, len, owner, offset + (at - start), flags);
	}
	for (uint32_t at = start, len; at < end; at += len) {
		struct rmap_record r = { { at }, 0, owner, offset + (at - start), flags };

		len = 1 + (uint32_t)rand() % (end - at);
		r.len = len;
		f->sink.ops->rmap(f->sink.ctx, worker(), group1, &r);
	}
}

static void any_cut_of_the_same_blocks_balances(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 200; round++) {
		struct fixture f = open_ledger();
		uint32_t at = 0, len;

		fill_ag0(&f);
		for (; at < BLOCKS; at += len) {
			len = 1 + (uint32_t)rand() % (BLOCKS - at);
			owner_both_ways(&f, at, at + len, 100 + (uint64_t)rand() % 5, (uint64_t)rand() % 1000,
					rand() % 2 ? RMAP_UNWRITTEN : 0);
		}
		ledger_close(f.ledger);
		assert_true(ledger_group_balances(f.ledger, group1, ACCOUNT_SPACE));
		assert_true(ledger_group_balances(f.ledger, group1, ACCOUNT_RMAP));
		ledger_free(f.ledger);
	}
}

/* The twin: how often each block is used, against how often it may be. */
static void space_balances_exactly_when_every_block_does(void **state)
{
	(void)state;
	srand(2);
	for (int round = 0; round < 2000; round++) {
		struct fixture f = open_ledger();
		int twin[BLOCKS] = { 0 };
		bool equal = true;

		fill_ag0(&f);
		/* the whole AG in pieces, some free, some used; now and then a piece is left out, doubled or shared */
		for (uint32_t at = 0, len; at < BLOCKS; at += len) {
			struct blocks free_extent = { group1, { at }, 0 };
			struct refcount_record shared = { { at }, 0, 2, false };
			int kind = rand() % 40;

			len = 1 + (uint32_t)rand() % 20;
			if (len > BLOCKS - at)
				len = BLOCKS - at;
			free_extent.len = shared.len = len;
			if (kind == 0)
				continue; /* unowned: the twin stays 0 */
			for (uint32_t i = 0; i < len; i++)
				twin[at + i]++;
			if (kind < 15) {
				f.sink.ops->free_extent(f.sink.ctx, worker(), BT_BNO, &free_extent);
				continue;
			}
			claim(&f, group1, at, len, 77, at, 0);
			if (kind < 20) { /* a second owner ... */
				claim(&f, group1, at, len, 78, 5, 0);
				for (uint32_t i = 0; i < len; i++)
					twin[at + i]++;
			}
			if (kind > 15 && kind < 20) { /* ... that the refcount allows, but for one kind */
				f.sink.ops->refcount(f.sink.ctx, worker(), group1, &shared);
				for (uint32_t i = 0; i < len; i++)
					twin[at + i]--;
			}
		}
		for (uint32_t i = 0; i < BLOCKS; i++)
			equal &= twin[i] == 1;
		ledger_close(f.ledger);
		assert_int_equal(ledger_group_balances(f.ledger, group1, ACCOUNT_SPACE), equal);
		assert_true(ledger_group_balances(f.ledger, group0, ACCOUNT_SPACE));
		ledger_free(f.ledger);
	}
}

static void shared_blocks_that_somebody_may_have_alone_never_balance(void **state)
{
	const struct refcount_record shared = { { 50 }, 9, 2, false };
	const struct blocks some = { group1, { 50 }, 9 };

	(void)state;
	for (unsigned times = 0; times < 4; times++) { /* how often a directory's blocks are posted */
		struct fixture f = open_ledger();

		fill_ag0(&f);
		claim(&f, group1, 0, BLOCKS, 77, 0, 0);
		claim(&f, group1, 50, 9, 78, 0, 0);
		f.sink.ops->refcount(f.sink.ctx, worker(), group1, &shared);
		for (unsigned i = 0; i < times; i++)
			f.sink.ops->alone(f.sink.ctx, worker(), &some);
		ledger_close(f.ledger);
		assert_int_equal(ledger_group_balances(f.ledger, group1, ACCOUNT_SPACE), !times);
		assert_true(ledger_group_balances(f.ledger, group0, ACCOUNT_SPACE));
		ledger_free(f.ledger);
	}
}

/* One claim of inode 133, and a record that differs from it in one field. */
static bool rmap_balances(struct rmap_record r)
{
	struct fixture f = open_ledger();
	bool balances;

	claim(&f, group1, 10, 7, 133, 40, 0);
	f.sink.ops->rmap(f.sink.ctx, 0, group1, &r);
	ledger_close(f.ledger);
	balances = ledger_group_balances(f.ledger, group1, ACCOUNT_RMAP);
	ledger_free(f.ledger);
	return balances;
}

static void rmap_sees_every_field_of_a_record(void **state)
{
	(void)state;
	assert_true(rmap_balances((struct rmap_record){ { 10 }, 7, 133, 40, 0 }));
	assert_false(rmap_balances((struct rmap_record){ { 11 }, 7, 133, 40, 0 }));
	assert_false(rmap_balances((struct rmap_record){ { 10 }, 8, 133, 40, 0 }));
	assert_false(rmap_balances((struct rmap_record){ { 10 }, 7, 134, 40, 0 }));
	assert_false(rmap_balances((struct rmap_record){ { 10 }, 7, 133, 41, 0 }));
	assert_false(rmap_balances((struct rmap_record){ { 10 }, 7, 133, 40, RMAP_UNWRITTEN }));
	assert_false(rmap_balances((struct rmap_record){ { 10 }, 7, 133, 40, RMAP_ATTR }));
}

static struct dinode inode_of(uint64_t ino, uint32_t nlink, enum ftype ftype)
{
	return (struct dinode){ .ino = { ino }, .nlink = nlink, .ftype = ftype };
}

static void entry(struct fixture *f, uint64_t dir, uint64_t target, uint8_t ftype, uint64_t name)
{
	const struct entry_fact e = {
		.directory = { dir }, .directory_gen = 9, .ftype = ftype, .target = { target }, .name_hash = name
	};

	f->sink.ops->entry(f->sink.ctx, worker(), &e);
}

static void a_file_with_two_links_needs_two_entries_of_its_type(void **state)
{
	const struct {
		unsigned entries;
		enum ftype type;
		bool links, ftype;
	} cases[] = { { 2, FT_REG, true, true },
		      { 1, FT_REG, false, false },
		      { 3, FT_REG, false, false },
		      { 2, FT_SYMLINK, true, false } };
	unsigned bucket = ledger_bucket((xino_t){ 200 });

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = open_ledger();
		struct dinode inode = inode_of(200, 2, FT_REG);

		f.sink.ops->inode(f.sink.ctx, worker(), &inode);
		for (unsigned n = 0; n < cases[i].entries; n++)
			entry(&f, 128, 200, cases[i].type, n);
		ledger_close(f.ledger);
		assert_int_equal(ledger_inodes_balance(f.ledger, bucket, ACCOUNT_LINKS), cases[i].links);
		assert_int_equal(ledger_inodes_balance(f.ledger, bucket, ACCOUNT_FTYPE), cases[i].ftype);
		ledger_free(f.ledger);
	}
}

static void a_parent_pointer_must_name_child_parent_generation_and_name(void **state)
{
	const struct {
		uint64_t child, parent, name;
		uint32_t gen;
		bool balances;
	} cases[] = {
		{ 200, 128, 55, 9, true },  { 200, 129, 55, 9, false }, { 200, 128, 56, 9, false },
		{ 200, 128, 55, 8, false }, { 201, 128, 55, 9, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = open_ledger();
		const struct pptr_fact pptr = { .child = { cases[i].child },
						.parent = { cases[i].parent },
						.parent_gen = cases[i].gen,
						.name_hash = cases[i].name };

		entry(&f, 128, 200, FT_REG, 55);
		f.sink.ops->pptr(f.sink.ctx, worker(), &pptr);
		ledger_close(f.ledger);
		assert_int_equal(ledger_inodes_balance(f.ledger, ledger_bucket((xino_t){ 200 }), ACCOUNT_PPTRS),
				 cases[i].balances);
		ledger_free(f.ledger);
	}
}

static void dotdot_must_agree_with_the_entry(void **state)
{
	(void)state;
	for (uint64_t parent = 128; parent < 130; parent++) {
		struct fixture f = open_ledger();
		const struct entry_fact dotdot = {
			.directory = { 200 }, .dotdot = true, .ftype = FT_DIR, .target = { parent }
		};

		entry(&f, 128, 200, FT_DIR, 1);
		f.sink.ops->entry(f.sink.ctx, worker(), &dotdot);
		ledger_close(f.ledger);
		assert_int_equal(ledger_inodes_balance(f.ledger, ledger_bucket((xino_t){ 200 }), ACCOUNT_PARENTS),
				 parent == 128);
		ledger_free(f.ledger);
	}
}

/* Inode 200 is a directory in directory 128; its `..` and its parent pointer agree. */
static void post_directory(struct fixture *f, unsigned left_out)
{
	const struct dinode inode = inode_of(200, 2, FT_DIR);
	const struct entry_fact dot = { .directory = { 200 }, .dot = true, .ftype = FT_DIR, .target = { 200 } };
	const struct entry_fact dotdot = { .directory = { 200 }, .dotdot = true, .ftype = FT_DIR, .target = { 128 } };
	const struct pptr_fact pptr = { .child = { 200 }, .parent = { 128 }, .parent_gen = 9, .name_hash = 55 };
	const struct dinode parent = inode_of(128, 1, FT_DIR); /* by that `..` */

	if (left_out != 0)
		f->sink.ops->inode(f->sink.ctx, worker(), &inode);
	if (left_out != 1)
		f->sink.ops->entry(f->sink.ctx, worker(), &dot);
	if (left_out != 2)
		f->sink.ops->entry(f->sink.ctx, worker(), &dotdot);
	if (left_out != 3)
		f->sink.ops->pptr(f->sink.ctx, worker(), &pptr);
	if (left_out != 4)
		entry(f, 128, 200, FT_DIR, 55);
	f->sink.ops->inode(f->sink.ctx, worker(), &parent);
}

static void an_inode_of_which_any_fact_is_missing_is_in_doubt(void **state)
{
	(void)state;
	for (unsigned left_out = 0; left_out < 6; left_out++) {
		struct fixture f = open_ledger();
		struct doubts *doubts = doubts_new(1000, 1u << 16);

		assert_non_null(doubts);
		ledger_post_doubts(f.ledger, doubts);
		post_directory(&f, left_out);
		ledger_close(f.ledger);
		doubts_close(doubts);
		assert_int_equal(doubts_has(doubts, (xino_t){ 200 }), left_out < 5);
		assert_int_equal(doubts_has(doubts, (xino_t){ 128 }), left_out == 2);
		assert_false(doubts_has(doubts, (xino_t){ 201 }));
		ledger_free(f.ledger);
		doubts_free(doubts);
	}
}

/* Any wrong bit of a link count, whatever the key, puts the inode in doubt: each of 32 inodes. */
static void any_wrong_bit_of_a_link_count_is_in_doubt(void **state)
{
	struct fixture f = open_ledger();
	struct doubts *doubts = doubts_new(1000, 1u << 16);

	(void)state;
	assert_non_null(doubts);
	ledger_post_doubts(f.ledger, doubts);
	for (uint32_t ino = 200; ino < 232; ino++) {
		const struct dinode inode = inode_of(ino, 1 ^ (1u << (ino - 200)), FT_REG);
		const struct pptr_fact pptr = { .child = { ino }, .parent = { 128 }, .parent_gen = 9, .name_hash = 55 };

		f.sink.ops->inode(f.sink.ctx, worker(), &inode);
		f.sink.ops->pptr(f.sink.ctx, worker(), &pptr);
		entry(&f, 128, ino, FT_REG, 55);
	}
	ledger_close(f.ledger);
	doubts_close(doubts);
	for (uint32_t ino = 200; ino < 232; ino++)
		assert_true(doubts_has(doubts, (xino_t){ ino }));
	ledger_free(f.ledger);
	doubts_free(doubts);
}

/* Each fact weighs what its record takes, whatever accounts it is posted to. */
static void facts_weigh_the_same_whoever_hears_of_them(void **state)
{
	const struct blocks extent = { group1, { 10 }, 5 };
	struct fixture f = open_ledger();

	(void)state;
	claim(&f, group1, 10, 5, 133, 0, 0);
	claim(&f, group1, 20, 5, 133, 10, 0);
	f.sink.ops->free_extent(f.sink.ctx, worker(), BT_CNT, &extent);
	post_directory(&f, 5);
	ledger_close(f.ledger);
	assert_int_equal(ledger_group_bytes(f.ledger, group1), 3 * FACT_BYTES);
	assert_int_equal(ledger_claim_bytes(f.ledger, group1), 2 * FACT_BYTES);
	/* the inode, its `.`, its `..` as its own, parent pointer, entry; the other one, and `..` as a link to it */
	assert_int_equal(ledger_inode_bytes(f.ledger, ledger_bucket((xino_t){ 200 })),
			 INODE_FACT_BYTES + 4 * FACT_BYTES);
	assert_int_equal(ledger_inode_bytes(f.ledger, ledger_bucket((xino_t){ 128 })), INODE_FACT_BYTES + FACT_BYTES);
	ledger_free(f.ledger);
}

static void an_inode_without_links_must_be_on_a_list(void **state)
{
	(void)state;
	for (int listed = 0; listed < 3; listed++) {
		struct fixture f = open_ledger();
		struct dinode inode = inode_of(ino_of(&geo, ag1, (agino_t){ 99 }).v, 0, FT_REG);

		f.sink.ops->inode(f.sink.ctx, worker(), &inode);
		for (int i = 0; i < listed; i++)
			f.sink.ops->unlinked(f.sink.ctx, worker(), ag1, (agino_t){ 99 });
		ledger_close(f.ledger);
		assert_int_equal(ledger_group_balances(f.ledger, group1, ACCOUNT_UNLINKED), listed == 1);
		ledger_free(f.ledger);
	}
}

static void the_free_btrees_must_hold_the_same(void **state)
{
	const struct blocks records[] = { { group1, { 10 }, 5 }, { group1, { 5 }, 10 }, { group1, { 10 }, 6 } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fixture f = open_ledger();

		f.sink.ops->free_extent(f.sink.ctx, worker(), BT_BNO, &records[0]);
		f.sink.ops->free_extent(f.sink.ctx, worker(), BT_CNT, &records[i]);
		ledger_close(f.ledger);
		assert_int_equal(ledger_group_balances(f.ledger, group1, ACCOUNT_FREESIZE), i == 0);
		ledger_free(f.ledger);
	}
}

static void finobt_holds_the_chunks_with_free_inodes_and_no_others(void **state)
{
	const struct inobt_record with = { { 64 }, 0, 64, 1, 1ull << 63 }, without = { { 128 }, 0, 64, 0, 0 };

	(void)state;
	for (int extra = 0; extra < 2; extra++) {
		struct fixture f = open_ledger();

		f.sink.ops->chunk(f.sink.ctx, worker(), BT_INO, ag1, &with);
		f.sink.ops->chunk(f.sink.ctx, worker(), BT_INO, ag1, &without);
		f.sink.ops->chunk(f.sink.ctx, worker(), BT_FINO, ag1, &with);
		if (extra)
			f.sink.ops->chunk(f.sink.ctx, worker(), BT_FINO, ag1, &without);
		ledger_close(f.ledger);
		assert_int_equal(ledger_group_balances(f.ledger, group1, ACCOUNT_FINOBT), !extra);
		ledger_free(f.ledger);
	}
}

/* Two owners in AG 1; the second has its blocks from `start` on. */
static void post_second(struct fixture *f, uint32_t start)
{
	claim(f, group1, start, 20, 135, 7, 0);
}

static void post_rest(struct fixture *f)
{
	const struct rmap_record r = { { 50 }, 20, 135, 7, 0 };

	fill_ag0(f);
	claim(f, group1, 0, 50, OWNER_FS, 0, 0);
	f->sink.ops->rmap(f->sink.ctx, worker(), group1, &r);
}

/* Changed facts are subtracted as they were and added as they are, whichever workers post them. */
static void a_corrected_ledger_is_that_of_all_facts_as_they_are(void **state)
{
	struct fixture was = open_ledger(), is = open_ledger(), off = open_ledger(), on = open_ledger();
	struct ledger *corrected;

	(void)state;
	post_rest(&was);
	post_rest(&is);
	post_second(&was, 60);
	post_second(&is, 50);
	ledger_close(was.ledger);
	ledger_close(is.ledger);
	post_second(&off, 60);
	post_second(&on, 50);
	assert_int_not_equal(ledger_differences(was.ledger, is.ledger), 0);
	corrected = ledger_corrected(was.ledger, off.ledger, on.ledger);
	assert_non_null(corrected);
	assert_int_equal(ledger_differences(corrected, is.ledger), 0);
	ledger_free(corrected);
	/* what was not taken off shows */
	corrected = ledger_corrected(was.ledger, on.ledger, on.ledger);
	assert_non_null(corrected);
	assert_int_not_equal(ledger_differences(corrected, is.ledger), 0);
	ledger_free(corrected);
	ledger_free(was.ledger);
	ledger_free(is.ledger);
	ledger_free(off.ledger);
	ledger_free(on.ledger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_cut_of_the_same_blocks_balances),
		cmocka_unit_test(space_balances_exactly_when_every_block_does),
		cmocka_unit_test(shared_blocks_that_somebody_may_have_alone_never_balance),
		cmocka_unit_test(rmap_sees_every_field_of_a_record),
		cmocka_unit_test(a_file_with_two_links_needs_two_entries_of_its_type),
		cmocka_unit_test(a_parent_pointer_must_name_child_parent_generation_and_name),
		cmocka_unit_test(dotdot_must_agree_with_the_entry),
		cmocka_unit_test(an_inode_of_which_any_fact_is_missing_is_in_doubt),
		cmocka_unit_test(any_wrong_bit_of_a_link_count_is_in_doubt),
		cmocka_unit_test(facts_weigh_the_same_whoever_hears_of_them),
		cmocka_unit_test(an_inode_without_links_must_be_on_a_list),
		cmocka_unit_test(the_free_btrees_must_hold_the_same),
		cmocka_unit_test(finobt_holds_the_chunks_with_free_inodes_and_no_others),
		cmocka_unit_test(a_corrected_ledger_is_that_of_all_facts_as_they_are),
	};

	return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
