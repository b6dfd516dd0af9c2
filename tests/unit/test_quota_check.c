/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/check/books/quota_check.c: files and counts, whichever worker saw them; what is compared and what is not. */
#include <stdlib.h>
#include <string.h>

#include "check/books/books.h"
#include "../../repair/run.h"
#include "check/walk/quota.h"
#include "check/walk/walker.h"
#include "disk/sb.h"
#include "options.h"
#include "reported.h"
#include "../../repair/repair.h"

#define METADIR	  129u
#define DIRECTORY 131u /* of the quota files */
#define USER_INO  132u
#define GROUP_INO 133u

struct fixture {
	struct run run;
	struct repair rc;
	struct options options;
	struct traverse traverse;
	struct walker walker;
	struct reported reported;
};

/* Opens a file system with quota of users and groups, which nothing uses yet. */
static void open_fixture(struct fixture *f, bool metadir)
{
	const struct hash_key key = { { 1, 2, 3, 4 } };

	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	f->rc.geo = (struct geometry){ .block_size = 4096,
				       .agcount = 4,
				       .agblock_log = 10,
				       .inopb_log = 3,
				       .crc = true,
				       .quota = true,
				       .metadir = metadir,
				       .uquotino = { metadir ? 0 : USER_INO },
				       .gquotino = { metadir ? 0 : GROUP_INO },
				       .pquotino = { metadir ? 0 : NULL_INO },
				       .qflags = SB_QFLAG_USER_ACCT | SB_QFLAG_USER_CHKD | SB_QFLAG_GROUP_ACCT |
						 SB_QFLAG_GROUP_CHKD };
	f->rc.geo.metadirino.v = metadir ? METADIR : 0;
	f->rc.run->options = &f->options;
	f->rc.log.condition = LOG_CLEAN;
	f->rc.traverse = &f->traverse;
	f->rc.quota = quota_new(&f->rc.geo, 2, &key, quota_compared(&f->rc));
	assert_non_null(f->rc.quota);
	f->traverse.geo = &f->rc.geo;
	f->walker.t = &f->traverse;
	f->walker.check = (struct check){ &f->rc.geo, reported_add, &f->reported };
}

/* Adds both files, one seen by each worker, with the blocks of ids below 60. */
static void add_files(struct fixture *f)
{
	quota_file(f->rc.quota, 0, QUOTA_USER, (xino_t){ USER_INO });
	quota_file(f->rc.quota, 1, QUOTA_GROUP, (xino_t){ GROUP_INO });
	for (unsigned type = 0; type < QUOTA_TYPES; type++)
		for (uint64_t block = 0; block < 2; block++)
			assert_int_equal(quota_block(f->rc.quota, 1, type, (fileoff_t){ block }), 0);
}

static void charge(struct fixture *f, unsigned worker, uint32_t uid, uint32_t gid, uint64_t blocks)
{
	const uint32_t ids[QUOTA_TYPES] = { uid, gid, 0 };
	const uint64_t used[QUOTA_COUNTS] = { blocks, 1, 2 * blocks };

	assert_int_equal(quota_charge(f->rc.quota, worker, ids, used), 0);
}

static void record(struct fixture *f, unsigned worker, enum quota_type type, uint32_t id, uint64_t blocks,
		   uint64_t inodes)
{
	const struct dquot dquot = { id, { blocks, inodes, 2 * blocks } };

	assert_int_equal(quota_record(f->rc.quota, worker, type, &dquot), 0);
}

static void entry(struct fixture *f, unsigned worker, uint64_t directory, const char *name, uint64_t target)
{
	const struct entry_fact fact = { .directory = { directory },
					 .metadata = true,
					 .target = { target },
					 .name = (const uint8_t *)name,
					 .namelen = (uint8_t)strlen(name) };

	assert_int_equal(quota_entry(f->rc.quota, worker, &fact), 0);
}

static void check_all(struct fixture *f)
{
	assert_int_equal(quota_check(&f->rc, &f->walker), 0);
	quota_free(f->rc.quota);
}

static void usage_of_many_inodes_is_that_of_their_owners_records(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, false);
	add_files(&f);
	for (unsigned i = 0; i < 1000; i++)
		charge(&f, i % 2, i % 10, 50, i);
	for (uint32_t uid = 0; uid < 10; uid++)
		record(&f, uid % 2, QUOTA_USER, uid, 100 * uid + 49500, 100);
	record(&f, 0, QUOTA_GROUP, 50, 499500, 1000);
	check_all(&f);
	assert_int_equal(f.reported.count, 0);
}

static void each_count_that_differs_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, false);
	add_files(&f);
	charge(&f, 0, 40, 0, 3);
	charge(&f, 1, 40, 0, 4);
	record(&f, 0, QUOTA_USER, 40, 7, 3);
	record(&f, 0, QUOTA_GROUP, 0, 7, 2);
	check_all(&f);
	assert_reported_once(&f.reported, F_QUOTA_INODES, 3, 2);
	assert_int_equal(f.reported.problems[0].index, 40);

	open_fixture(&f, false);
	add_files(&f);
	record(&f, 0, QUOTA_GROUP, 9, 1, 0);
	check_all(&f);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_QUOTA_BLOCKS), 1);
	assert_int_equal(reported_times(&f.reported, F_QUOTA_RTBLOCKS), 1);
}

static void owner_without_a_record_is_reported_unless_blocks_are_unknown(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, false);
	add_files(&f);
	charge(&f, 0, 60, 0, 0);
	record(&f, 0, QUOTA_GROUP, 0, 0, 1);
	check_all(&f);
	assert_reported_once(&f.reported, F_QUOTA_NO_RECORD, 1, 0);
	assert_int_equal(f.reported.problems[0].index, 60);

	open_fixture(&f, false);
	add_files(&f);
	charge(&f, 0, 60, 0, 0);
	charge(&f, 0, 59, 0, 0); /* whose record says nothing, or could not be read */
	record(&f, 0, QUOTA_GROUP, 0, 0, 2);
	f.rc.quota->lanes[1].gap[QUOTA_USER] = true;
	check_all(&f);
	assert_int_equal(f.reported.count, 0);
}

static void nothing_is_compared_that_is_not_known(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, false);
	f.rc.geo.qflags = SB_QFLAG_USER_ACCT | SB_QFLAG_USER_CHKD;
	assert_int_equal(quota_compared(&f.rc), 1 << QUOTA_USER);
	f.options.no_quota = true;
	assert_int_equal(quota_compared(&f.rc), 0);
	f.options.no_quota = false;
	f.rc.log.condition = LOG_DIRTY;
	assert_int_equal(quota_compared(&f.rc), 0);
	quota_free(f.rc.quota);
}

static void file_that_the_superblock_names_must_be_there(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, false);
	quota_file(f.rc.quota, 0, QUOTA_USER, (xino_t){ USER_INO });
	check_all(&f);
	assert_reported_once(&f.reported, F_QUOTA_FILE_MISSING, GROUP_INO, 0);

	open_fixture(&f, false);
	add_files(&f);
	f.rc.geo.qflags |= SB_QFLAG_PROJECT_ACCT | SB_QFLAG_PROJECT_CHKD;
	check_all(&f);
	assert_reported_once(&f.reported, F_QUOTA_FILE_MISSING, 0, 0);
}

/* Opens a file system with this inode number for all three files, and without quota. */
static void without_files(struct fixture *f, bool metadir, uint64_t ino)
{
	open_fixture(f, metadir);
	f->rc.geo.uquotino.v = f->rc.geo.gquotino.v = f->rc.geo.pquotino.v = ino;
	f->rc.geo.qflags = 0;
}

static void feature_bit_needs_a_file(void **state)
{
	static const uint64_t none[] = { 0, NULL_INO };
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		without_files(&f, false, none[i]);
		check_all(&f);
		assert_reported_once(&f.reported, F_SB_QUOTA_NONE, 0, 0);

		/* any is enough */
		without_files(&f, false, none[i]);
		f.rc.geo.pquotino.v = USER_INO;
		quota_file(f.rc.quota, 0, QUOTA_PROJECT, (xino_t){ USER_INO });
		check_all(&f);
		assert_int_equal(f.reported.count, 0);

		without_files(&f, false, none[i]);
		f.rc.geo.quota = false;
		check_all(&f);
		assert_int_equal(f.reported.count, 0);

		/* its loss has been reported elsewhere */
		without_files(&f, false, none[i]);
		f.rc.geo.qflags = SB_QFLAG_USER_ACCT | SB_QFLAG_USER_CHKD;
		check_all(&f);
		assert_reported_once(&f.reported, F_QUOTA_FILE_MISSING, 0, 0);
	}

	/* mkfs.xfs sets it */
	without_files(&f, true, 0);
	check_all(&f);
	assert_int_equal(f.reported.count, 0);
}

static void names_and_types_of_metadata_files_agree(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f, true);
	add_files(&f);
	entry(&f, 0, METADIR, "quota", DIRECTORY);
	entry(&f, 0, METADIR, "user", 150); /* not in the quota directory */
	entry(&f, 1, DIRECTORY, "user", USER_INO);
	entry(&f, 0, DIRECTORY, "group", GROUP_INO);
	check_all(&f);
	assert_int_equal(f.reported.count, 0);

	open_fixture(&f, true);
	add_files(&f);
	entry(&f, 1, METADIR, "quota", DIRECTORY);
	entry(&f, 0, DIRECTORY, "user", USER_INO);
	entry(&f, 0, DIRECTORY, "project", GROUP_INO);
	check_all(&f);
	assert_reported_once(&f.reported, F_QUOTA_FILE_NAME, GROUP_INO, 0);

	open_fixture(&f, true);
	add_files(&f);
	quota_file(f.rc.quota, 0, QUOTA_GROUP, (xino_t){ 140 });
	entry(&f, 1, METADIR, "quota", DIRECTORY);
	entry(&f, 0, DIRECTORY, "user", USER_INO);
	entry(&f, 0, DIRECTORY, "group", GROUP_INO);
	check_all(&f);
	assert_reported_once(&f.reported, F_QUOTA_FILE_UNNAMED, 140, 0);

	open_fixture(&f, true);
	check_all(&f);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_QUOTA_FILE_MISSING), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usage_of_many_inodes_is_that_of_their_owners_records),
		cmocka_unit_test(each_count_that_differs_is_reported),
		cmocka_unit_test(owner_without_a_record_is_reported_unless_blocks_are_unknown),
		cmocka_unit_test(nothing_is_compared_that_is_not_known),
		cmocka_unit_test(file_that_the_superblock_names_must_be_there),
		cmocka_unit_test(feature_bit_needs_a_file),
		cmocka_unit_test(names_and_types_of_metadata_files_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
