/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending of records of quota files (ondisk 10). */
#include "dquots.h"
#include "libxfs/crc.h"
#include "libxfs/dquot_mend.h"

#define NOW  1800000001u
#define WEEK 604800u

struct fixture {
	struct geometry geo;
	struct dquot_facts facts;
	uint64_t used[QUOTA_COUNTS];
	uint8_t record[SIZE], sound[SIZE];
};

static void put_crc(struct fixture *f)
{
	crc_store(f->record, SIZE, CRC);
	memcpy(f->sound, f->record, SIZE);
}

/* A user with limits, who uses 7 blocks and 3 inodes; sound. */
static void begin(struct fixture *f)
{
	*f = (struct fixture){ .geo = dirs_geometry(12, 0), .used = { 7, 3, 0 } };
	f->geo.bigtime = true;
	f->geo.head_lsn.v = 0x200000000;
	f->facts = (struct dquot_facts){ .id = 1000, .types = USER, .guess = true, .used = f->used, .now = NOW };
	put_dquot(f->record, &f->geo, USER | BIGTIME, 1000);
	put64(f->record + BLK_SOFT, 0x123456);
	put64(f->record + INO_HARD, 0x345678);
	put64(f->record + BCOUNT, 7);
	put64(f->record + ICOUNT, 3);
	put_crc(f);
}

static uint64_t get(const struct fixture *f, unsigned offset, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value = value << 8 | f->record[offset + i];
	return value;
}

static void is_left(void *ctx, const struct problem *problem)
{
	(void)ctx;
	(void)problem;
	fail_msg("a problem is left at byte %u", problem->offset);
}

static void assert_mended(struct fixture *f, enum dquot_mended how)
{
	const struct check c = { &f->geo, is_left, NULL };

	assert_int_equal(dquot_set_right(&f->geo, f->record, &f->facts), how);
	dquot_record_check(&c, f->record, f->facts.id, f->facts.types);
	assert_int_equal(dquot_set_right(&f->geo, f->record, &f->facts), DQUOT_SOUND);
}

static void assert_as_it_was(struct fixture *f)
{
	assert_mended(f, DQUOT_RIGHT);
	assert_memory_equal(f->record, f->sound, SIZE);
}

static void sound_record_is_left_alone(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_int_equal(dquot_set_right(&f.geo, f.record, &f.facts), DQUOT_SOUND);
	assert_memory_equal(f.record, f.sound, SIZE);
}

static void any_byte_that_changed_is_found(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.facts.used = NULL;
	for (unsigned at = 0; at < SIZE; at++) {
		f.record[at] ^= 0x55;
		assert_as_it_was(&f);
	}
}

static void limit_that_was_none_is_none_again(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.facts.used = NULL;
	memset(f.record + BLK_HARD, 0xff, 8);
	assert_as_it_was(&f);
	memset(f.record + BTIMER, 0xff, 4);
	assert_as_it_was(&f);
}

static void what_is_known_vouches_for_the_limits(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	memset(f.record + BCOUNT, 0xff, 16);
	memset(f.record + MAGIC, 0, 8);
	f.record[TYPE] = USER | BIGTIME;
	assert_as_it_was(&f);
}

static void limits_stay_although_the_checksum_is_wrong(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	put64(f.record + BLK_SOFT, 0x1111);
	assert_mended(&f, DQUOT_UNVOUCHED);
	assert_int_equal(get(&f, BLK_SOFT, 8), 0x1111);
	assert_int_equal(get(&f, INO_HARD, 8), 0x345678);
}

static void guesses_are_made_only_where_wanted(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.facts.guess = false;
	f.record[BLK_SOFT + 7] ^= 1;
	assert_mended(&f, DQUOT_UNVOUCHED);
	assert_int_equal(get(&f, BLK_SOFT, 8), 0x123457);
}

static void fields_with_a_right_checksum_are_set_by_rule(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	put32(f.record + ID, 31);
	f.record[TYPE] = GROUP;
	f.record[UUID] ^= 1;
	put64(f.record + LSN, 0x300000000);
	put32(f.record + 68, 5);
	put16(f.record + 102, 6);
	put32(f.record + 104, 7);
	crc_store(f.record, SIZE, CRC);
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, ID, 4), 1000);
	assert_int_equal(get(&f, TYPE, 1), USER);
	assert_int_equal(get(&f, LSN, 8), 0);
	assert_int_equal(get(&f, BLK_SOFT, 8), 0x123456);
}

static void counts_are_what_is_used(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.used[QUOTA_BLOCKS] = 70;
	f.used[QUOTA_INODES] = 30;
	f.used[QUOTA_RTBLOCKS] = 20;
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, BCOUNT, 8), 70);
	assert_int_equal(get(&f, ICOUNT, 8), 30);
	assert_int_equal(get(&f, RTBCOUNT, 8), 20);
}

static void nothing_left_makes_an_empty_record(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	memset(f.record, 0, SIZE);
	assert_mended(&f, DQUOT_ANEW);
	assert_int_equal(get(&f, TYPE, 1), USER | BIGTIME);
	assert_int_equal(get(&f, BCOUNT, 8), 7);
	assert_int_equal(get(&f, BLK_SOFT, 8), 0);

	f.facts.id = 0;
	memset(f.record, 0xaa, SIZE);
	assert_mended(&f, DQUOT_ANEW);
	assert_int_equal(get(&f, TYPE, 1), USER);
	assert_int_equal(get(&f, BTIMER, 4), 0);
}

static void exceeded_limit_starts_its_timer(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.used[QUOTA_BLOCKS] = 0x123457;
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, BTIMER, 4), (NOW + WEEK + 3) / 4);
	assert_int_equal(get(&f, ITIMER, 4), 0);
}

static void grace_period_is_that_of_id_0(void **state)
{
	struct fixture f;
	uint8_t defaults[SIZE] = { 0 };

	(void)state;
	begin(&f);
	put32(defaults + ITIMER, 86400);
	f.facts.defaults = defaults;
	f.used[QUOTA_INODES] = 0x345679;
	f.record[TYPE] = USER; /* of an older kernel */
	put_crc(&f);
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, ITIMER, 4), NOW + 86400);
	assert_int_equal(get(&f, BTIMER, 4), 0);
}

static void timer_that_can_not_be_is_stopped_or_started(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	put32(f.record + BTIMER, 0xffffffff);
	put_crc(&f);
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, BTIMER, 4), 0);

	put32(f.record + BTIMER, 0xffffffff);
	f.used[QUOTA_BLOCKS] = 0x123457;
	put_crc(&f);
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, BTIMER, 4), (NOW + WEEK + 3) / 4);
}

static void running_timer_and_warnings_stay(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	put64(f.record + BCOUNT, 0x123460);
	f.used[QUOTA_BLOCKS] = 0x123461;
	put32(f.record + BTIMER, 0x11111111);
	put32(f.record + WARNS, 0x30004);
	put_crc(&f);
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, BTIMER, 4), 0x11111111);
	assert_int_equal(get(&f, WARNS, 4), 0x30004);
}

static void version_4_has_no_checksums(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.geo.crc = f.geo.bigtime = false;
	f.record[TYPE] = USER;
	put16(f.record + MAGIC, 0x1234);
	memset(f.record + CRC, 0, SIZE - CRC);
	assert_mended(&f, DQUOT_RIGHT);
	assert_int_equal(get(&f, BLK_SOFT, 8), 0x123456);
	for (unsigned at = CRC; at < SIZE; at++)
		assert_int_equal(f.record[at], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_record_is_left_alone),
		cmocka_unit_test(any_byte_that_changed_is_found),
		cmocka_unit_test(limit_that_was_none_is_none_again),
		cmocka_unit_test(what_is_known_vouches_for_the_limits),
		cmocka_unit_test(limits_stay_although_the_checksum_is_wrong),
		cmocka_unit_test(guesses_are_made_only_where_wanted),
		cmocka_unit_test(fields_with_a_right_checksum_are_set_by_rule),
		cmocka_unit_test(counts_are_what_is_used),
		cmocka_unit_test(nothing_left_makes_an_empty_record),
		cmocka_unit_test(exceeded_limit_starts_its_timer),
		cmocka_unit_test(grace_period_is_that_of_id_0),
		cmocka_unit_test(timer_that_can_not_be_is_stopped_or_started),
		cmocka_unit_test(running_timer_and_warnings_stay),
		cmocka_unit_test(version_4_has_no_checksums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
