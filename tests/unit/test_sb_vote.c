/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of several superblocks is believed. */
#include "ag_headers.h"
#include "../../repair/sb/sb_candidates.h"

#define ROOM 8

/* Superblocks at the beginnings of AGs, and the support of each by AG headers. */
struct candidates {
	struct sb_candidates list;
	struct sb_candidate all[ROOM];
	struct sb_support support[ROOM];
};

static void weigh(void *ctx, struct sb_candidate *candidate)
{
	struct candidates *c = ctx;

	candidate->support = c->support[candidate - c->all];
}

/* Adds the sound superblock with one field changed; size 0: none. */
static struct sb_candidate *add(struct candidates *c, uint32_t agno, uint32_t offset, unsigned size, uint64_t value)
{
	static uint8_t bytes[SB_READ_BYTES];
	struct sb_candidate *candidate = &c->all[c->list.count++];

	memset(bytes, 0, sizeof(bytes));
	superblock_fill(bytes);
	put(bytes, offset, size, value);
	put_crc(bytes, SB_CRC);
	sb_candidate_decode(candidate, bytes, (uint64_t)agno * AGBLOCKS * 4096);
	c->list.all = c->all;
	return candidate;
}

static const struct sb_candidate *vote(struct candidates *c)
{
	return sb_vote(&c->list, weigh, c);
}

static void superblock_at_the_wrong_place_is_not_usable(void **state)
{
	struct candidates c = { 0 };
	uint8_t bytes[SB_READ_BYTES] = { 0 };
	struct sb_candidate inside;

	(void)state;
	superblock_fill(bytes);
	sb_candidate_decode(&inside, bytes, 4096);
	assert_true(inside.found);
	assert_false(inside.usable);
	/* beyond the last AG */
	assert_false(add(&c, AGCOUNT, 0, 0, 0)->usable);
	assert_true(add(&c, AGCOUNT - 1, 0, 0, 0)->usable);
}

static void all_that_agree_stand_behind_the_first(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	for (uint32_t agno = 0; agno < AGCOUNT; agno++)
		add(&c, agno, 0, 0, 0);
	assert_ptr_equal(vote(&c), &c.all[0]);
	assert_int_equal(c.all[0].alike, AGCOUNT);
	assert_true(sb_confirmed(&c.all[0]));
}

static void what_only_the_primary_knows_does_not_divide_them(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	add(&c, 0, 0, 0, 0);
	add(&c, 1, SB_ROOTINO, 8, ALL_ONES);
	add(&c, 2, SB_INPROGRESS, 1, 1);
	add(&c, 3, SB_ICOUNT, 8, 64);
	assert_ptr_equal(vote(&c), &c.all[0]);
	assert_int_equal(c.all[0].alike, AGCOUNT);
}

static void majority_outvotes_the_primary(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	add(&c, 0, SB_DIRBLKLOG, 1, 1);
	add(&c, 1, 0, 0, 0);
	add(&c, 2, 0, 0, 0);
	assert_ptr_equal(vote(&c), &c.all[1]);
	assert_int_equal(c.all[1].alike, 2);
}

static void one_against_one_is_the_primary(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	add(&c, 0, SB_DIRBLKLOG, 1, 1);
	add(&c, 1, 0, 0, 0);
	assert_ptr_equal(vote(&c), &c.all[0]);
	assert_false(sb_confirmed(&c.all[0]));
}

static void one_against_one_is_the_one_without_a_fault(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	/* impossible bits, and possible ones */
	add(&c, 0, SB_VERSIONNUM, 2, 0xffff);
	add(&c, 1, 0, 0, 0);
	assert_ptr_equal(vote(&c), &c.all[1]);

	c = (struct candidates){ 0 };
	add(&c, 0, 0, 0, 0);
	add(&c, 1, SB_VERSIONNUM, 2, 0xffff);
	assert_ptr_equal(vote(&c), &c.all[0]);

	/* fields that only the primary sets are no evidence of the others */
	c = (struct candidates){ 0 };
	put(add(&c, 0, SB_DIRBLKLOG, 1, 1)->sector, SB_ROOTINO, 8, 7);
	c.all[0].problems[c.all[0].problem_count++] = (struct problem){ F_SB_ROOTINO, SB_ROOTINO, NO_INDEX, 7, 128 };
	add(&c, 1, 0, 0, 0);
	assert_ptr_equal(vote(&c), &c.all[0]);

	c = (struct candidates){ 0 };
	add(&c, 0, SB_DIRBLKLOG, 1, 1);
	c.all[0].problems[c.all[0].problem_count++] = (struct problem){ F_BLOCK_CRC, SB_CRC, NO_INDEX, 1, 2 };
	add(&c, 1, 0, 0, 0);
	assert_ptr_equal(vote(&c), &c.all[1]);
}

static void headers_outweigh_any_number_of_superblocks(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	/* just grown: the primary and the headers know it */
	add(&c, 0, SB_LOGSTART, 8, 2 << 15 | 8);
	add(&c, 1, 0, 0, 0);
	add(&c, 2, 0, 0, 0);
	c.support[0] = (struct sb_support){ .headers = 8 };
	c.support[1] = (struct sb_support){ .headers = 6 };
	assert_ptr_equal(vote(&c), &c.all[0]);
	c.support[0].against = 3;
	assert_ptr_equal(vote(&c), &c.all[1]);
}

static void damaged_primary_is_passed_over(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	add(&c, 0, SB_BLOCKSIZE, 4, 0);
	put(c.all[0].sector, SB_MAGICNUM, 4, 0);
	add(&c, 3, 0, 0, 0);
	c.all[0].usable = false;
	assert_ptr_equal(vote(&c), &c.all[1]);
	assert_int_equal(c.all[1].alike, 1);
}

static void none_usable_is_no_verdict(void **state)
{
	struct candidates c = { 0 };

	(void)state;
	assert_false(add(&c, 0, SB_AGBLOCKS, 4, 1)->usable);
	assert_null(vote(&c));
}

static void lone_superblock_needs_a_witness(void **state)
{
	struct sb_candidate alone = { .alike = 1 };

	(void)state;
	assert_false(sb_confirmed(&alone));
	alone.support.root = true;
	assert_true(sb_confirmed(&alone));
	alone.support.against = 1;
	assert_false(sb_confirmed(&alone));
	alone.support.log = true; /* of one group the AGI, say, was lost, and the AGF is of another file system */
	assert_true(sb_confirmed(&alone));
	alone.support.against = 2;
	assert_false(sb_confirmed(&alone));
	alone.support.log = alone.support.root = false;
	alone.support.headers = 2;
	assert_false(sb_confirmed(&alone));
	alone.support.against = 1;
	assert_true(sb_confirmed(&alone));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(superblock_at_the_wrong_place_is_not_usable),
		cmocka_unit_test(all_that_agree_stand_behind_the_first),
		cmocka_unit_test(what_only_the_primary_knows_does_not_divide_them),
		cmocka_unit_test(majority_outvotes_the_primary),
		cmocka_unit_test(one_against_one_is_the_primary),
		cmocka_unit_test(one_against_one_is_the_one_without_a_fault),
		cmocka_unit_test(headers_outweigh_any_number_of_superblocks),
		cmocka_unit_test(damaged_primary_is_passed_over),
		cmocka_unit_test(none_usable_is_no_verdict),
		cmocka_unit_test(lone_superblock_needs_a_witness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
