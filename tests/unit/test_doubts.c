/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/check/books/doubts.c against a naive twin with a sum for each inode, in place of sums of sets. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "check/books/doubts.h"
#include "in_range.h"

#define INODES	 20000u
#define FIRST	 128u
#define POSTS	 100000u
#define PLENTY	 (1u << 20) /* bytes: a set for each of that many inodes, and more */
#define FEW_SETS 4096u	    /* bytes: as few sets as there can be */

struct fixture {
	struct doubts *doubts;
	uint64_t *twin;	 /* by inode, from FIRST on */
	uint64_t *bytes; /* likewise */
};

static void post(struct fixture *f, unsigned i, uint64_t sum)
{
	const uint32_t bytes = 20 + (unsigned)rand() % 100;

	doubts_post(f->doubts, (xino_t){ FIRST + i }, sum, bytes);
	f->twin[i] += sum;
	f->bytes[i] += bytes;
}

/* Posts facts that cancel out, in any order, and for `left_over` inodes one that does not. */
static struct fixture posted(size_t bytes, unsigned left_over)
{
	struct fixture f = { doubts_new(INODES, bytes), calloc(INODES, sizeof(*f.twin)),
			     calloc(INODES, sizeof(*f.bytes)) };

	assert_non_null(f.doubts);
	assert_non_null(f.twin);
	assert_non_null(f.bytes);
	for (unsigned n = 0; n < POSTS; n++)
		post(&f, (unsigned)rand() % INODES, (uint64_t)rand() << 32 | (uint64_t)rand());
	for (unsigned i = 0; i < INODES; i++)
		post(&f, i, -f.twin[i]);
	for (unsigned n = 0; n < left_over; n++)
		post(&f, (unsigned)rand() % INODES, 1 + (uint64_t)rand());
	doubts_close(f.doubts);
	return f;
}

static void freed(struct fixture *f)
{
	doubts_free(f->doubts);
	free(f->twin);
	free(f->bytes);
}

/* Returns how many inodes are in doubt. */
static unsigned compare(const struct fixture *f)
{
	unsigned count = 0;

	for (unsigned i = 0; i < INODES; i++) {
		const bool doubt = doubts_has(f->doubts, (xino_t){ FIRST + i });

		if (f->twin[i])
			assert_true(doubt);
		count += doubt;
	}
	return count;
}

/* The inodes in doubt have this share of all bytes, as bytes of 1 GiB. */
static uint64_t weight(const struct fixture *f)
{
	uint64_t all = 0, in_doubt = 0;

	for (unsigned i = 0; i < INODES; i++) {
		all += f->bytes[i];
		in_doubt += doubts_has(f->doubts, (xino_t){ FIRST + i }) ? f->bytes[i] : 0;
	}
	return (in_doubt << 30) / all;
}

static void what_balances_is_not_in_doubt(void **state)
{
	struct fixture f = posted(PLENTY, 0);

	(void)state;
	assert_int_equal(compare(&f), 0);
	assert_int_equal(doubts_share(f.doubts, 1000), 0);
	freed(&f);
}

static void who_does_not_balance_is_in_doubt_and_few_others_are(void **state)
{
	struct fixture f = posted(PLENTY, 200);
	unsigned count = compare(&f);

	(void)state;
	/* sets have one or two inodes each */
	assert_in_range(doubts_count(f.doubts), 1, count);
	assert_in_range(count, 150, 800);
	/* by an eighth of them, with an eighth added */
	assert_in_range(doubts_share(f.doubts, 1u << 30), weight(&f) / 2, weight(&f) * 2);
	freed(&f);
}

static void with_little_memory_more_are_in_doubt_and_none_is_missed(void **state)
{
	struct fixture f = posted(FEW_SETS, 4000);

	(void)state;
	assert_in_range(compare(&f), 8000, INODES);
	assert_in_range(doubts_share(f.doubts, 1u << 30), weight(&f), 1u << 30);
	freed(&f);
}

static void the_number_of_inodes_need_not_be_known(void **state)
{
	struct doubts *doubts = doubts_new(0, PLENTY);

	(void)state;
	assert_non_null(doubts);
	doubts_post(doubts, (xino_t){ UINT64_MAX }, 7, 60);
	doubts_close(doubts);
	assert_true(doubts_has(doubts, (xino_t){ UINT64_MAX }));
	assert_false(doubts_has(doubts, (xino_t){ 0 }));
	doubts_free(doubts);
}

/* Some facts are posted at once, others wait in a queue: facts still in the queue have not been posted. */
static void posts_that_wait_come_to_the_same(void **state)
{
	struct doubts *now = doubts_new(INODES, PLENTY), *soon = doubts_new(INODES, PLENTY);
	struct doubts *lacks = doubts_new(INODES, PLENTY);
	struct doubts_queue queue = { 0 }, rest = { 0 };

	(void)state;
	assert_true(now && soon && lacks);
	for (unsigned n = 0; n < POSTS; n++) {
		const xino_t ino = { FIRST + (unsigned)rand() % INODES };
		const uint64_t sum = n % 2 ? 0 : (uint64_t)rand();

		doubts_post(now, ino, sum, n % 100);
		doubts_post_soon(soon, &queue, ino, sum, n % 100);
	}
	doubts_post_soon(lacks, &rest, (xino_t){ FIRST }, 1, 60);
	doubts_post_rest(&queue);
	doubts_close(now);
	doubts_close(soon);
	doubts_close(lacks);
	assert_true(doubts_within(now, soon) && doubts_within(soon, now));
	assert_int_equal(doubts_share(soon, 1u << 30), doubts_share(now, 1u << 30));
	assert_false(doubts_has(lacks, (xino_t){ FIRST }));
	doubts_free(now);
	doubts_free(soon);
	doubts_free(lacks);
}

static struct doubts *doubts_of(size_t bytes, const uint64_t *inos, size_t count)
{
	struct doubts *doubts = doubts_new(INODES, bytes);

	assert_non_null(doubts);
	for (size_t i = 0; i < count; i++)
		doubts_post(doubts, (xino_t){ inos[i] }, 1 + i, 60);
	doubts_close(doubts);
	return doubts;
}

static void who_is_in_doubt_may_have_been_before(void **state)
{
	static const uint64_t inos[] = { 200, 201, 9000 };
	struct doubts *none = doubts_of(PLENTY, inos, 0), *two = doubts_of(PLENTY, inos, 2);
	struct doubts *all = doubts_of(PLENTY, inos, 3), *other = doubts_of(PLENTY, inos + 2, 1);
	struct doubts *coarse = doubts_of(FEW_SETS, inos, 3);

	(void)state;
	assert_true(doubts_within(none, none) && doubts_within(none, two) && doubts_within(two, two));
	assert_true(doubts_within(two, all) && doubts_within(other, all));
	assert_false(doubts_within(all, two) || doubts_within(two, none) || doubts_within(other, two));
	/* sets of another size can't be compared */
	assert_false(doubts_within(two, coarse) || doubts_within(coarse, all));
	doubts_free(none);
	doubts_free(two);
	doubts_free(all);
	doubts_free(other);
	doubts_free(coarse);
}

/* Chunks that are adjacent or at any fixed distance hardly share sets, if there are enough sets. */
static void chunks_are_spread(void **state)
{
	static const unsigned steps[] = { 1, 2, 3, 5, 16, 75, 1000 };
	const unsigned chunks = 1 << 14, inodes = 64;

	(void)state;
	for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
		struct doubts *d = doubts_new((uint64_t)chunks * inodes * 4, 1u << 30);
		unsigned in_doubt = 0;

		assert_non_null(d);
		for (unsigned chunk = 0; chunk < chunks; chunk += 16)
			doubts_post(d, (xino_t){ (uint64_t)chunk * steps[s] * inodes }, 1, 1);
		doubts_close(d);
		for (unsigned chunk = 0; chunk < chunks; chunk++)
			in_doubt += doubts_has(d, (xino_t){ (uint64_t)chunk * steps[s] * inodes });
		assert_true(in_doubt >= chunks / 16 && in_doubt < chunks / 16 * 3 / 2);
		doubts_free(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_balances_is_not_in_doubt),
		cmocka_unit_test(who_does_not_balance_is_in_doubt_and_few_others_are),
		cmocka_unit_test(with_little_memory_more_are_in_doubt_and_none_is_missed),
		cmocka_unit_test(posts_that_wait_come_to_the_same),
		cmocka_unit_test(who_is_in_doubt_may_have_been_before),
		cmocka_unit_test(chunks_are_spread),
		cmocka_unit_test(the_number_of_inodes_need_not_be_known),
	};

	return cmocka_run_group_tests_name("doubts", tests, NULL, NULL);
}
