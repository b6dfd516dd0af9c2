/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of files, packed and unpacked: what comes out is what went in, at all limits of the numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/file_record.h"

static void expect_same(const struct file_record *r)
{
	uint8_t bytes[FILE_RECORD_MOST];
	struct file_record got;

	assert_true(file_record_pack(r, bytes) <= sizeof(bytes));
	file_record_unpack(bytes, &got);
	assert_int_equal(got.mode, r->mode);
	assert_int_equal(got.flags, r->flags);
	assert_true(got.flags2 == r->flags2 && got.size == r->size && got.nblocks == r->nblocks &&
		    got.nextents == r->nextents && got.anextents == r->anextents);
	assert_int_equal(got.attr_fork, r->attr_fork);
	assert_int_equal(got.nlink, r->nlink);
	assert_int_equal(got.uid, r->uid);
	assert_int_equal(got.gid, r->gid);
	assert_int_equal(got.projid, r->projid);
	assert_int_equal(got.gen, r->gen);
	assert_int_equal(got.rdev, r->rdev);
	assert_int_equal(got.extsize, r->extsize);
	assert_int_equal(got.cowextsize, r->cowextsize);
	for (unsigned i = 0; i < TIME_NR; i++) {
		assert_true(got.times[i].seconds == r->times[i].seconds);
		assert_int_equal(got.times[i].nsec, r->times[i].nsec);
	}
}

static void least(void **state)
{
	(void)state;
	expect_same(&(struct file_record){ 0 });
}

static void greatest(void **state)
{
	struct file_record r;

	(void)state;
	memset(&r, 0xff, sizeof(r));
	r.attr_fork = true;
	expect_same(&r);
	/* times as far from each other as they can be */
	for (unsigned i = 0; i < TIME_NR; i++)
		r.times[i] = (struct time_stamp){ i % 2 ? INT64_MAX : INT64_MIN, i % 2 ? 0 : UINT32_MAX };
	expect_same(&r);
}

static void usual_ones_are_small(void **state)
{
	const struct time_stamp now = { 1795709439, 124966924 };
	const struct file_record r = { .mode = 0100644,
				       .nlink = 1,
				       .gen = 3450791165,
				       .uid = 1000,
				       .gid = 1000,
				       .size = 12345,
				       .nblocks = 4,
				       .nextents = 1,
				       .times = { now, now, now, now } };
	uint8_t bytes[FILE_RECORD_MOST];

	(void)state;
	expect_same(&r);
	assert_true(file_record_pack(&r, bytes) < 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least),
		cmocka_unit_test(greatest),
		cmocka_unit_test(usual_ones_are_small),
	};

	return cmocka_run_group_tests_name("file_record", tests, NULL, NULL);
}
