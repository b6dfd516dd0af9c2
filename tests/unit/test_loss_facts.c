/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/loss/loss_facts.c: no record is lost on its way to the comparison without a word, and none comes twice.
 */
#include "two_views.h"

enum { INODES = 3000, LANES = 3, PAGE = 65536 };

static struct loss_facts *new_facts(size_t limit)
{
	struct loss_facts *facts = loss_facts_new(LANES, limit);

	assert_non_null(facts);
	return facts;
}

/* A name of this inode; how long it is and what it is made of depend on the number. */
static size_t name_of(uint64_t ino, uint8_t *ret)
{
	const size_t len = 1 + ino * 7 % 255;

	for (size_t i = 0; i < len; i++)
		ret[i] = (uint8_t)(ino + i);
	return len;
}

static void put_name(struct loss_facts *facts, unsigned lane, uint64_t ino)
{
	uint8_t name[255];
	const struct loss_fact fact = {
		.ino.v = ino, .kind = FACT_NAME, .a = DIR_A, .b = ino, .len = (uint16_t)name_of(ino, name)
	};

	loss_facts_put(facts, lane, &fact, name);
}

static void all_lanes_come_sorted_and_as_they_were_put(void **state)
{
	struct loss_facts *facts = new_facts(1 << 24);
	struct loss_fact **sorted;
	uint8_t name[255];
	size_t count;

	(void)state;
	for (uint64_t i = 0; i < INODES; i++)
		put_name(facts, (unsigned)(i % LANES), i * 1237 % INODES); /* all of them, since 3000 = 8 * 3 * 125 */
	sorted = loss_facts_sorted(facts, &count);
	assert_non_null(sorted);
	assert_false(loss_facts_full(facts));
	assert_int_equal(count, INODES);
	for (uint64_t i = 0; i < INODES; i++) {
		assert_int_equal(sorted[i]->ino.v, i);
		assert_int_equal(sorted[i]->len, name_of(i, name));
		assert_memory_equal(sorted[i]->bytes, name, sorted[i]->len);
	}
	loss_facts_free(facts);
}

/* Bytes of inodes are read in place, as numbers of 64 bits. */
static void bytes_are_aligned_behind_names_of_any_length(void **state)
{
	struct loss_facts *facts = new_facts(1 << 24);
	struct loss_fact **sorted;
	size_t count;

	(void)state;
	for (uint64_t i = 0; i < 300; i++)
		put_name(facts, 0, i);
	sorted = loss_facts_sorted(facts, &count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal((uintptr_t)sorted[i]->bytes % sizeof(uint64_t), 0);
	loss_facts_free(facts);
}

/* Sides of one fact come together, so that each can be compared with the other: before, dropped, after. */
static void facts_that_differ_only_in_side_are_neighbours(void **state)
{
	static const enum fact_side sides[] = { SIDE_AFTER, SIDE_BEFORE, SIDE_DROPPED };
	struct loss_facts *facts = new_facts(1 << 24);
	struct loss_fact **sorted;
	size_t count;

	(void)state;
	for (unsigned side = 0; side < 3; side++)
		for (uint64_t b = 0; b < 5; b++)
			loss_facts_put(facts, side,
				       &(struct loss_fact){ .ino.v = 1,
							    .kind = FACT_NAME,
							    .side = (uint8_t)sides[side],
							    .a = DIR_A,
							    .b = b },
				       NULL);
	sorted = loss_facts_sorted(facts, &count);
	assert_int_equal(count, 15);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(sorted[i]->b, i / 3);
		assert_int_equal(sorted[i]->side, i % 3);
	}
	loss_facts_free(facts);
}

/* Then the account is made in more passes. */
static void without_room_they_are_full_and_stay_so(void **state)
{
	struct loss_facts *facts = new_facts(3 * PAGE);
	uint64_t put = 0;
	size_t count;

	(void)state;
	while (!loss_facts_full(facts) && put < 1 << 20)
		put_name(facts, 0, put++);
	assert_true(loss_facts_full(facts));
	assert_non_null(loss_facts_sorted(facts, &count));
	assert_int_equal(count, put - 1); /* the last one did not fit */
	put_name(facts, 0, 0);		  /* a short name, which would */
	assert_non_null(loss_facts_sorted(facts, &count));
	assert_int_equal(count, put - 1);
	loss_facts_free(facts);
}

static void each_inode_comes_in_one_pass_with_all_its_facts(void **state)
{
	static const uint32_t divisions[] = { 1, 2, 7, 256 };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		uint8_t times[INODES] = { 0 };

		for (uint32_t pass = 0; pass < divisions[i]; pass++) {
			struct loss_facts *facts = new_facts(1 << 24);
			struct loss_fact **sorted;
			size_t count;

			loss_facts_want(facts, NULL, pass, divisions[i]);
			for (uint64_t ino = 0; ino < 2 * INODES; ino++)
				put_name(facts, 0, ino % INODES);
			sorted = loss_facts_sorted(facts, &count);
			for (size_t k = 0; k < count; k++) {
				times[sorted[k]->ino.v]++;
				assert_int_equal(sorted[k]->ino.v, sorted[k ^ 1]->ino.v);
			}
			/* passes take about as much memory each */
			assert_in_range(count, INODES / divisions[i], 4 * INODES / divisions[i]);
			loss_facts_free(facts);
		}
		for (unsigned ino = 0; ino < INODES; ino++)
			assert_int_equal(times[ino], 2);
	}
}

static void only_inodes_in_doubt_are_kept(void **state)
{
	struct doubts *doubts = doubts_new(INODES, 1 << 20);
	struct loss_facts *facts = new_facts(1 << 24);
	struct loss_fact **sorted;
	bool found = false;
	size_t count;

	(void)state;
	assert_non_null(doubts);
	doubts_post(doubts, (xino_t){ 77 }, 5, 100);
	doubts_post(doubts, (xino_t){ 78 }, 5, 100);
	doubts_post(doubts, (xino_t){ 78 }, (uint64_t)-5, 100);
	doubts_close(doubts);
	loss_facts_want(facts, doubts, 0, 1);
	for (uint64_t ino = 0; ino < INODES; ino++)
		put_name(facts, 0, ino);
	sorted = loss_facts_sorted(facts, &count);
	assert_in_range(count, 1, INODES / 2);
	for (size_t i = 0; i < count; i++) {
		assert_true(doubts_has(doubts, sorted[i]->ino));
		found |= sorted[i]->ino.v == 77;
	}
	assert_true(found);
	loss_facts_free(facts);
	doubts_free(doubts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_lanes_come_sorted_and_as_they_were_put),
		cmocka_unit_test(bytes_are_aligned_behind_names_of_any_length),
		cmocka_unit_test(facts_that_differ_only_in_side_are_neighbours),
		cmocka_unit_test(without_room_they_are_full_and_stay_so),
		cmocka_unit_test(each_inode_comes_in_one_pass_with_all_its_facts),
		cmocka_unit_test(only_inodes_in_doubt_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
