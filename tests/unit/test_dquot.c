/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of quota files (ondisk 10). */
#include "dquots.h"
#include "disk/sb.h"
#include "libxfs/dquot.h"
#include "in_range.h"

#define PER 7u /* records in a block of 1024 bytes */

struct fixture {
	struct geometry geo;
	struct dquot_expect expect;
	uint8_t block[1024];
	struct reported reported;
	unsigned count;
	struct dquot found[PER];
	bool keep_crc;
	bool decoded;
};

static uint8_t *slot(struct fixture *f, unsigned i)
{
	return f->block + (size_t)i * SIZE;
}

/* A block at this place of a file, full of records that count nothing. */
static struct fixture block_of(uint8_t type, uint64_t off)
{
	struct fixture f = { .geo = dirs_geometry(10, 0), .expect = { type, { off } } };

	f.geo.bigtime = true;
	for (unsigned i = 0; i < PER; i++) {
		put_dquot(slot(&f, i), &f.geo, type, (uint32_t)(off * PER + i));
	}
	return f;
}

static void found(void *ctx, const struct dquot *dquot)
{
	struct fixture *f = ctx;

	assert_in_range(f->count, 0, PER - 1);
	f->found[f->count++] = *dquot;
}

static void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };

	for (unsigned i = 0; i < PER && f->geo.crc && !f->keep_crc; i++) {
		le32_t crc = le32_put(crc_block(slot(f, i), SIZE, CRC));

		memcpy(slot(f, i) + CRC, &crc, sizeof(crc));
	}
	f->count = 0;
	f->reported.count = 0;
	f->decoded = dquot_block_decode(&c, f->block, &f->expect, found, f);
}

static void assert_clean(struct fixture *f)
{
	decode(f);
	assert_true(f->decoded);
	assert_int_equal(f->reported.count, 0);
}

/* Fails unless one problem is reported, in the record of this id. */
static void assert_found(struct fixture *f, enum finding finding, uint32_t id, uint64_t got, uint64_t want)
{
	decode(f);
	assert_reported_once(&f->reported, finding, got, want);
	assert_int_equal(f->reported.problems[0].index, id);
	assert_int_equal(f->reported.problems[0].offset / SIZE, id % PER);
}

static void records_have_the_ids_of_their_places(void **state)
{
	struct fixture f = block_of(USER, 142);

	(void)state;
	put64(slot(&f, 6) + BCOUNT, 7);
	put64(slot(&f, 6) + ICOUNT, 8);
	put64(slot(&f, 6) + RTBCOUNT, 9);
	assert_clean(&f);
	assert_int_equal(f.count, PER);
	for (unsigned i = 0; i < PER; i++)
		assert_int_equal(f.found[i].id, 142 * PER + i);
	assert_int_equal(f.found[6].used[QUOTA_BLOCKS], 7);
	assert_int_equal(f.found[6].used[QUOTA_INODES], 8);
	assert_int_equal(f.found[6].used[QUOTA_RTBLOCKS], 9);
	assert_int_equal(f.found[5].used[QUOTA_BLOCKS], 0);
}

static void ids_end_at_32_bits(void **state)
{
	/* 2^32 is 4 modulo 7: the last block has 4 ids, after which they begin anew */
	struct geometry geo = dirs_geometry(10, 0);
	struct fixture f = block_of(GROUP, UINT32_MAX / PER);

	(void)state;
	assert_int_equal(dquot_per_block(&geo), PER);
	assert_int_equal(dquot_file_end(&geo).v, (uint64_t)UINT32_MAX / PER + 1);
	assert_clean(&f);
	assert_int_equal(f.count, 4);
	assert_int_equal(f.found[3].id, UINT32_MAX);
}

static void limits_and_warnings_are_what_the_user_says(void **state)
{
	struct fixture f = block_of(PROJECT, 1);

	(void)state;
	put64(slot(&f, 3) + BLK_HARD, UINT64_MAX);
	put64(slot(&f, 3) + INO_SOFT, 12345);
	put64(slot(&f, 3) + RTB_SOFT, 3);
	put64(slot(&f, 3) + RTB_HARD, 3);
	put32(slot(&f, 3) + WARNS, 0xffffffff);
	assert_clean(&f);
}

static void grace_periods_are_in_id_0(void **state)
{
	struct fixture f = block_of(USER, 0);

	(void)state;
	put32(slot(&f, 0) + BTIMER, 604800);
	put32(slot(&f, 0) + ITIMER, UINT32_MAX);
	put64(slot(&f, 0) + BLK_SOFT, 10);
	put64(slot(&f, 0) + BCOUNT, 20);
	assert_clean(&f);

	f = block_of(USER, 0);
	slot(&f, 0)[TYPE] = USER | BIGTIME;
	assert_found(&f, F_DQUOT_TYPE, 0, 0x81, 1);
}

static void a_block_without_records_is_reported_once(void **state)
{
	struct fixture f = block_of(USER, 5);

	(void)state;
	memset(f.block, 0x5a, sizeof(f.block));
	f.keep_crc = true;
	decode(&f);
	assert_false(f.decoded);
	assert_int_equal(f.count, 0);
	assert_reported_once(&f.reported, F_BLOCK_MAGIC, 0x5a5a, 0x4451);
}

static void lost_record_leaves_the_others(void **state)
{
	struct fixture f = block_of(USER, 5);

	(void)state;
	memset(slot(&f, 2), 0, SIZE);
	assert_found(&f, F_DQUOT_MAGIC, 37, 0, 0x4451);
	assert_false(f.decoded);
	assert_int_equal(f.count, PER - 1);
	assert_int_equal(f.found[2].id, 38);
}

static void every_record_has_a_checksum(void **state)
{
	struct fixture f = block_of(USER, 0);
	uint32_t right;

	(void)state;
	decode(&f);
	right = crc_block(slot(&f, 6), SIZE, CRC);
	slot(&f, 6)[CRC] ^= 1;
	f.keep_crc = true;
	assert_found(&f, F_DQUOT_CRC, 6, right ^ 1, right);
	assert_true(f.decoded);
}

static void wrong_fields_are_reported(void **state)
{
	struct fixture f = block_of(USER, 2);

	(void)state;
	slot(&f, 1)[VERSION] = 2;
	assert_found(&f, F_DQUOT_VERSION, 15, 2, 1);
	f = block_of(USER, 2);
	put32(slot(&f, 1) + ID, 16);
	assert_found(&f, F_DQUOT_ID, 15, 16, 15);
	assert_int_equal(f.found[1].id, 15);
	f = block_of(USER, 2);
	slot(&f, 0)[UUID + 15] ^= 1;
	decode(&f);
	assert_int_equal(reported_times(&f.reported, F_DQUOT_UUID), 1);
	assert_int_equal(f.reported.count, 1);
	f = block_of(USER, 2);
	put64(slot(&f, 0) + LSN, 0x200000000);
	assert_found(&f, F_DQUOT_LSN, 14, 0x200000000, 0x200000000);
	f = block_of(USER, 2);
	put64(slot(&f, 0) + LSN, UINT64_MAX);
	assert_clean(&f);
}

static void unused_fields_are_zero(void **state)
{
	static const unsigned fields[] = { PAD0, PAD, FILL };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = block_of(USER, 2);

		put16(slot(&f, 4) + fields[i], 0x11);
		assert_found(&f, F_DQUOT_PAD, 18, fields[i] == PAD ? 0x11 : 0x110000, 0);
	}
}

static void type_is_that_of_the_file(void **state)
{
	static const uint8_t wrong[] = { 0, GROUP, PROJECT, USER | GROUP, USER | 8, USER | 0x40 };
	struct fixture f = block_of(USER, 1);

	(void)state;
	slot(&f, 2)[TYPE] = USER | BIGTIME;
	assert_clean(&f);
	for (unsigned i = 0; i < sizeof(wrong); i++) {
		f = block_of(USER, 1);
		slot(&f, 2)[TYPE] = wrong[i];
		assert_found(&f, F_DQUOT_TYPE, 9, wrong[i], USER);
	}
	f = block_of(USER, 1);
	f.geo.bigtime = false;
	slot(&f, 2)[TYPE] = USER | BIGTIME;
	assert_found(&f, F_DQUOT_TYPE, 9, USER | BIGTIME, USER);
}

static void block_of_another_file_is_reported_once(void **state)
{
	struct fixture f = block_of(GROUP, 3);

	(void)state;
	f.expect.types = USER;
	decode(&f);
	assert_reported_once(&f.reported, F_DQUOT_BLOCK_TYPE, GROUP, USER);
	assert_false(f.decoded);
	assert_int_equal(f.count, 0);
}

static void timers_follow_limits(void **state)
{
	static const struct {
		unsigned count, soft, hard, timer;
	} fields[] = {
		{ BCOUNT, BLK_SOFT, BLK_HARD, BTIMER },
		{ ICOUNT, INO_SOFT, INO_HARD, ITIMER },
		{ RTBCOUNT, RTB_SOFT, RTB_HARD, RTBTIMER },
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = block_of(USER, 1);

		/* above the soft limit, above the hard one, neither */
		put64(slot(&f, 0) + fields[i].soft, 10);
		put64(slot(&f, 0) + fields[i].count, 11);
		put32(slot(&f, 0) + fields[i].timer, 1700000000);
		put64(slot(&f, 1) + fields[i].hard, 10);
		put64(slot(&f, 1) + fields[i].count, 11);
		put32(slot(&f, 1) + fields[i].timer, 1700000000);
		put64(slot(&f, 2) + fields[i].soft, 10);
		put64(slot(&f, 2) + fields[i].count, 10);
		assert_clean(&f);

		put32(slot(&f, 0) + fields[i].timer, 0);
		assert_found(&f, F_DQUOT_TIMER_STOPPED, 7, 11, 10);

		f = block_of(USER, 1);
		put32(slot(&f, 5) + fields[i].timer, 1700000000);
		assert_found(&f, F_DQUOT_TIMER_RUNNING, 12, 1700000000, 0);

		f = block_of(USER, 1);
		put64(slot(&f, 5) + fields[i].soft, 10);
		put64(slot(&f, 5) + fields[i].count, 11);
		put32(slot(&f, 5) + fields[i].timer, 4074815107u);
		assert_clean(&f);
		slot(&f, 5)[TYPE] = USER | BIGTIME;
		assert_found(&f, F_DQUOT_TIMER, 12, 4074815107u, 4074815106u);
	}
}

static void soft_limit_above_the_hard_one_is_said(void **state)
{
	struct fixture f = block_of(USER, 1);

	(void)state;
	put64(slot(&f, 0) + BLK_SOFT, 11);
	put64(slot(&f, 0) + BLK_HARD, 10);
	put64(slot(&f, 1) + BLK_SOFT, 11); /* none */
	assert_found(&f, F_DQUOT_LIMITS, 7, 11, 10);
}

static void version_4_has_no_checksums(void **state)
{
	struct fixture f = block_of(USER, 1);

	(void)state;
	f.geo.crc = f.geo.bigtime = false;
	f.geo.version = 4;
	for (unsigned i = 0; i < PER; i++)
		memset(slot(&f, i) + CRC, 0, SIZE - CRC);
	assert_clean(&f);
	put32(slot(&f, 3) + UUID + 12, 1);
	assert_found(&f, F_DQUOT_PAD, 10, 1, 0);
}

static void version_4_has_groups_or_projects_in_one_file(void **state)
{
	struct geometry g = dirs_geometry(10, 0);

	(void)state;
	assert_int_equal(dquot_file_types(&g, QUOTA_GROUP), GROUP);
	assert_int_equal(dquot_file_types(&g, QUOTA_PROJECT), PROJECT);
	g.crc = false;
	assert_int_equal(dquot_file_types(&g, QUOTA_USER), USER);
	assert_int_equal(dquot_file_types(&g, QUOTA_GROUP), GROUP | PROJECT);
	g.qflags = SB_QFLAG_PROJECT_ACCT | SB_QFLAG_PROJECT_CHKD;
	assert_int_equal(dquot_file_types(&g, QUOTA_PROJECT), PROJECT);

	for (unsigned i = 0; i < 2; i++) {
		struct fixture f = block_of(i ? GROUP : PROJECT, 1);

		f.expect.types = GROUP | PROJECT;
		assert_clean(&f);
		slot(&f, 3)[TYPE] = USER;
		assert_found(&f, F_DQUOT_TYPE, 10, USER, GROUP);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_have_the_ids_of_their_places),
		cmocka_unit_test(ids_end_at_32_bits),
		cmocka_unit_test(limits_and_warnings_are_what_the_user_says),
		cmocka_unit_test(grace_periods_are_in_id_0),
		cmocka_unit_test(a_block_without_records_is_reported_once),
		cmocka_unit_test(lost_record_leaves_the_others),
		cmocka_unit_test(every_record_has_a_checksum),
		cmocka_unit_test(wrong_fields_are_reported),
		cmocka_unit_test(unused_fields_are_zero),
		cmocka_unit_test(type_is_that_of_the_file),
		cmocka_unit_test(block_of_another_file_is_reported_once),
		cmocka_unit_test(timers_follow_limits),
		cmocka_unit_test(soft_limit_above_the_hard_one_is_said),
		cmocka_unit_test(version_4_has_no_checksums),
		cmocka_unit_test(version_4_has_groups_or_projects_in_one_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
