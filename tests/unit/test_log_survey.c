/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A survey of what is left of a damaged log: records as ondisk 11 has them, some of which are damaged. */
#include "logs.h"

static struct log_survey survey(struct fixture *f)
{
	struct log_survey survey;

	log_survey(&f->geo, read_fixture, f, f->bbs, &survey);
	return survey;
}

static void a_blank_log_is_blank(void **state)
{
	struct fixture *f = *state;
	struct log_survey left;

	memset(f->bytes, 0, sizeof(f->bytes));
	left = survey(f);
	assert_true(left.blank);
	assert_false(left.unmounted);
	assert_int_equal(left.records, 0);
	f->bytes[BBS - 1][511] = 1;
	assert_false(survey(f).blank);
	f->bytes[BBS - 1][511] = 0;
	f->bad = 77;
	assert_false(survey(f).blank);
}

static void whole_records_are_counted(void **state)
{
	struct fixture *f = *state;
	struct log_survey left;
	uint32_t at;

	put_small(f);
	at = put_small(f);
	put_small(f);
	assert_int_equal(survey(f).records, 4); /* with that of mkfs */
	f->bytes[at + 1][100] ^= 1;
	left = survey(f);
	assert_int_equal(left.records, 3);
	assert_int_equal(left.newest, 1);
	assert_false(left.unmounted);
	assert_int_equal(left.waiting, 2);
}

static void only_what_the_newest_needs_waits(void **state)
{
	struct fixture *f = *state;

	put_small(f);
	f->tail = lsn(f->cycle, f->at);
	put_small(f);
	put_small(f);
	assert_int_equal(survey(f).records, 4);
	assert_int_equal(survey(f).waiting, 2);
}

static void an_unmount_is_the_newest(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 2000);
	f->tail = lsn(f->cycle, f->at);
	put_blocks(f, BBS - 1500);
	assert_false(survey(f).unmounted);
	put_unmount(f);
	assert_false(survey(f).unmounted); /* its magic is missing */
	block_at(f, f->at - 1)[12] = 0x6e;
	block_at(f, f->at - 1)[13] = 0x55;
	memset(block_at(f, f->at - 1) + 10, 0, 2);
	/* the header is damaged: the block itself is recognized */
	assert_true(survey(f).unmounted);
	assert_true(survey(f).ended);
	assert_int_equal(survey(f).newest, 2);
	/* the blocks after it are of unknown age */
	put32(block_at(f, f->at), 7);
	assert_true(survey(f).unmounted);
	assert_false(survey(f).ended);
	put_small(f);
	assert_false(survey(f).unmounted);
}

static void rubbish_holds_nothing(void **state)
{
	struct fixture *f = *state;
	uint32_t random = 12345;

	for (uint32_t bb = 0; bb < BBS; bb++)
		for (unsigned i = 0; i < 512; i++) {
			random = random * 1103515245 + 12345;
			f->bytes[bb][i] = (uint8_t)(random >> 16);
		}
	for (uint32_t bb = 0; bb < BBS; bb += 3)
		put32(f->bytes[bb], 0xfeedbabe);
	assert_int_equal(survey(f).records, 0);
	assert_int_equal(survey(f).newest, 0);
	assert_false(survey(f).unmounted);
	f->bbs = 0;
	assert_int_equal(survey(f).records, 0);
}

static void records_of_others_are_counted_apart(void **state)
{
	struct fixture *f = *state;

	put_small(f);
	memset(f->geo.uuid, 0x33, 16);
	memset(f->geo.meta_uuid, 0x33, 16);
	assert_int_equal(survey(f).records, 0);
	assert_int_equal(survey(f).newest, 0);
	assert_int_equal(survey(f).foreign, 2); /* with that of mkfs */
	put_small(f);
	assert_int_equal(survey(f).records, 1);
	assert_int_equal(survey(f).foreign, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(a_blank_log_is_blank),
		log_test(whole_records_are_counted),
		log_test(only_what_the_newest_needs_waits),
		log_test(an_unmount_is_the_newest),
		log_test(records_of_others_are_counted_apart),
		log_test(rubbish_holds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
