/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding where the last mount begins in a log: records as ondisk 11 has them, some of which are damaged. */
#include "logs.h"

static uint64_t last_mount(struct fixture *f)
{
	return log_last_mount(&f->geo, read_fixture, f, f->bbs, (lsn_t){ lsn(f->cycle, f->at) }).v;
}

static void it_begins_behind_the_unmount_before_it(void **state)
{
	struct fixture *f = *state;
	uint32_t first;

	put_small(f);
	put_unmount(f);
	first = put_small(f);
	put_blocks(f, 300);
	assert_true(last_mount(f) == lsn(1, first));
	put_unmount(f);
	assert_true(last_mount(f) == lsn(1, first));
	first = put_unmount(f); /* one that did nothing */
	assert_true(last_mount(f) == lsn(1, first));
	first = put_small(f);
	assert_true(last_mount(f) == lsn(1, first));
}

static void it_may_be_all_that_there_is_in_the_log(void **state)
{
	struct fixture *f = *state;
	uint32_t oldest = NONE;

	/* into the second lap, which ends in the middle of a record of the first */
	while (f->cycle == 1 || f->at < BBS / 2) {
		const uint32_t at = put_record(f, (struct spec){ .blocks = 50 });

		if (f->cycle == 1 && at > BBS / 2 && oldest == NONE)
			oldest = at;
	}
	while (f->at + 52 <= oldest)
		put_record(f, (struct spec){ .blocks = 50 });
	put_small(f);
	while (oldest < f->at)
		oldest += 51;
	assert_true(last_mount(f) == lsn(1, oldest));
	put_unmount(f);
	while (oldest < f->at)
		oldest += 51;
	assert_true(last_mount(f) == lsn(1, oldest));
}

static void what_lies_before_a_record_that_is_not_whole_does_not_count(void **state)
{
	struct fixture *f = *state;
	uint32_t at, next;

	put_small(f);
	at = put_record(f, (struct spec){ .blocks = 20 });
	next = put_small(f);
	put_blocks(f, 100);
	f->bytes[at + 7][100] ^= 1;
	assert_true(last_mount(f) == lsn(1, next));
	f->bytes[at + 7][100] ^= 1;
	f->bad = at + 7;
	assert_true(last_mount(f) == lsn(1, next));
}

static void a_log_of_which_nothing_is_whole_has_none(void **state)
{
	struct fixture *f = *state;
	const uint32_t at = put_small(f);

	f->bytes[0][44] ^= 1;
	f->bytes[0][0] ^= 1;
	f->bytes[at][0] ^= 1;
	assert_true(last_mount(f) == lsn(f->cycle, f->at));
	memset(f->bytes, 0, sizeof(f->bytes));
	assert_true(last_mount(f) == lsn(f->cycle, f->at));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(it_begins_behind_the_unmount_before_it),
		log_test(it_may_be_all_that_there_is_in_the_log),
		log_test(what_lies_before_a_record_that_is_not_whole_does_not_count),
		log_test(a_log_of_which_nothing_is_whole_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
