/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applying inodes of the log to inodes on the disk, byte by byte (ondisk 04; 11, "INODE" and "Recovery rules"). */
#include "log_items.h"
#include "le_bytes.h"
#include "libxfs/crc.h"
#include "libxfs/log_apply.h"

#define SIZE	512u
#define CORE_V3 176u
#define FORK_V2 100u
#define DATE	0x200000040ull

struct fixture {
	struct geometry geo;
	struct reported reported;
	struct check c;
	uint8_t disk[SIZE], want[SIZE];
	uint8_t fork[SIZE];
	struct log_inode inode;
};

static void begin(struct fixture *f, bool crc)
{
	memset(f, 0, sizeof(*f));
	f->geo = item_geometry();
	f->geo.crc = crc;
	f->c = (struct check){ &f->geo, reported_add, &f->reported };
	memset(f->disk, 0xdd, SIZE);
	put_be(f->disk, 0x494e, 2);
	f->disk[82] = 0;
	put_be(f->disk + (crc ? 112 : 30), crc ? DATE - 1 : 5, crc ? 8 : 2);
	f->inode.fields = LOG_INODE_CORE;
	f->inode.core_len = crc ? CORE_V3 : 96;
	memset(f->inode.core, 0xee, f->inode.core_len);
	put_be(f->inode.core, 0x494e, 2);
	f->inode.core[4] = crc ? 3 : 2;
	f->inode.core[82] = 0; /* forkoff */
	if (!crc)
		put_be(f->inode.core + 30, 5, 2);
	for (unsigned i = 0; i < SIZE; i++)
		f->fork[i] = (uint8_t)i;
	/* the expected result: the core except next_unlinked, LSN and checksum */
	memcpy(f->want, f->disk, SIZE);
	memcpy(f->want, f->inode.core, 96);
	if (crc)
		memcpy(f->want + 104, f->inode.core + 104, CORE_V3 - 104);
}

static void log_fork(struct fixture *f, bool attr, uint32_t field, uint32_t len)
{
	f->inode.fields |= field;
	*(attr ? &f->inode.attr : &f->inode.data) = (struct log_region){ f->fork, len, 0 };
}

/* Fails unless applying the inode gives the wanted bytes; the checksum must match them. */
static void assert_applied(struct fixture *f)
{
	uint32_t crc;

	assert_int_equal(log_inode_apply(&f->c, &f->inode, (lsn_t){ DATE }, f->disk), LOG_APPLIED);
	assert_int_equal(f->reported.count, 0);
	if (f->geo.crc) {
		put_be(f->want + 112, DATE, 8);
		crc = crc_block(f->want, SIZE, 100);
		put_le32(f->want + 100, crc);
	} else {
		put_be(f->want + 30, 0, 2);
	}
	assert_memory_equal(f->disk, f->want, SIZE);
}

static void the_core_comes_from_the_log_and_next_unlinked_stays(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	assert_int_equal(f.want[96], 0xdd);
	assert_applied(&f);
	begin(&f, false);
	assert_applied(&f);
}

static void seal(uint8_t inode[SIZE])
{
	uint32_t crc = crc_block(inode, SIZE, 100);

	put_le32(inode + 100, crc);
}

static void an_inode_written_later_stays(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	put_be(f.disk + 112, DATE + 1, 8);
	seal(f.disk);
	memcpy(f.want, f.disk, SIZE);
	assert_int_equal(log_inode_apply(&f.c, &f.inode, (lsn_t){ DATE }, f.disk), LOG_NEWER);
	assert_memory_equal(f.disk, f.want, SIZE);
}

static void an_inode_that_was_cut_short_while_it_was_written_is_replayed(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	put_be(f.disk + 112, DATE + 1, 8);
	seal(f.disk);
	f.disk[SIZE - 1] ^= 1;
	f.want[SIZE - 1] ^= 1;
	assert_applied(&f);
}

static void an_inode_of_the_same_date_or_of_none_is_replayed(void **state)
{
	static const uint64_t dates[] = { DATE, 0, UINT64_MAX };
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		begin(&f, true);
		put_be(f.disk + 112, dates[i], 8);
		assert_applied(&f);
	}
}

static void version_4_counts_writes_and_the_count_wraps(void **state)
{
	static const struct {
		uint16_t disk, logged;
		bool applied;
	} cases[] = {
		{ 5, 4, false },	   { 5, 5, true },	 { 5, 6, true }, { 0xffff, 0x7ffe, true },
		{ 0xffff, 0x7fff, false }, { 0xfffe, 1, false },
	};
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(&f, false);
		put_be(f.disk + 30, cases[i].disk, 2);
		put_be(f.inode.core + 30, cases[i].logged, 2);
		if (cases[i].applied) {
			assert_applied(&f);
		} else {
			memcpy(f.want, f.disk, SIZE);
			assert_int_equal(log_inode_apply(&f.c, &f.inode, (lsn_t){ DATE }, f.disk), LOG_NEWER);
			assert_memory_equal(f.disk, f.want, SIZE);
		}
	}
}

static void forks_replace_as_many_bytes_as_were_logged(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	f.inode.core[82] = f.want[82] = 10; /* the attribute fork begins 80 bytes into the forks */
	log_fork(&f, false, LOG_INODE_DEXT, 32);
	log_fork(&f, true, LOG_INODE_ADATA, 20);
	memcpy(f.want + CORE_V3, f.fork, 32);
	memcpy(f.want + CORE_V3 + 80, f.fork, 20);
	assert_applied(&f);
	begin(&f, false);
	log_fork(&f, false, LOG_INODE_DDATA, SIZE - FORK_V2);
	memcpy(f.want + FORK_V2, f.fork, SIZE - FORK_V2);
	assert_applied(&f);
}

static void a_fork_of_which_nothing_was_logged_stays(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	f.inode.core[82] = f.want[82] = 10;
	log_fork(&f, true, LOG_INODE_AEXT, 16);
	memcpy(f.want + CORE_V3 + 80, f.fork, 16);
	assert_applied(&f);
}

static void a_device_number_is_written_as_the_disk_has_it(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	f.inode.fields |= LOG_INODE_DEV;
	f.inode.rdev = 0x12345678;
	put_be(f.want + CORE_V3, 0x12345678, 4);
	assert_applied(&f);
}

static void a_fork_longer_than_its_room_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	f.inode.core[82] = 2;
	log_fork(&f, false, LOG_INODE_DDATA, 20);
	assert_int_equal(log_inode_apply(&f.c, &f.inode, (lsn_t){ DATE }, f.disk), LOG_IMPOSSIBLE);
	assert_reported_once(&f.reported, F_LOG_REPLAY_FORK, 20, 16);
	begin(&f, true);
	log_fork(&f, true, LOG_INODE_AEXT, 16); /* without an attribute fork */
	assert_int_equal(log_inode_apply(&f.c, &f.inode, (lsn_t){ DATE }, f.disk), LOG_IMPOSSIBLE);
	assert_reported_once(&f.reported, F_LOG_REPLAY_FORK, 16, 0);
}

static void an_attribute_fork_that_begins_behind_the_inode_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	f.inode.core[82] = 42; /* 42 times 8 is all there is */
	assert_int_equal(log_inode_apply(&f.c, &f.inode, (lsn_t){ DATE }, f.disk), LOG_IMPOSSIBLE);
	assert_reported_once(&f.reported, F_LOG_REPLAY_FORK, 336, 336);
}

static void what_is_no_inode_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, true);
	f.disk[0] = 0;
	assert_int_equal(log_inode_apply(&f.c, &f.inode, (lsn_t){ DATE }, f.disk), LOG_IMPOSSIBLE);
	assert_reported_once(&f.reported, F_LOG_REPLAY_NOT_INODE, 0x4e, 0x494e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_core_comes_from_the_log_and_next_unlinked_stays),
		cmocka_unit_test(an_inode_written_later_stays),
		cmocka_unit_test(an_inode_that_was_cut_short_while_it_was_written_is_replayed),
		cmocka_unit_test(an_inode_of_the_same_date_or_of_none_is_replayed),
		cmocka_unit_test(version_4_counts_writes_and_the_count_wraps),
		cmocka_unit_test(forks_replace_as_many_bytes_as_were_logged),
		cmocka_unit_test(a_fork_of_which_nothing_was_logged_stays),
		cmocka_unit_test(a_device_number_is_written_as_the_disk_has_it),
		cmocka_unit_test(a_fork_longer_than_its_room_is_reported),
		cmocka_unit_test(an_attribute_fork_that_begins_behind_the_inode_is_reported),
		cmocka_unit_test(what_is_no_inode_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
