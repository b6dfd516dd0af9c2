/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields that every V5 block has (ondisk 00, invariant 4 and section 6). */
#include "reported.h"
#include "disk/btree.h"
#include "libxfs/crc.h"
#include "libxfs/v5.h"

#define HEAD 0x300000040u

struct fixture {
	struct geometry geo;
	struct reported reported;
	struct check check;
};

static void set_up(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->geo.head_lsn.v = HEAD;
	memset(f->geo.uuid, 0x11, sizeof(f->geo.uuid));
	memset(f->geo.meta_uuid, 0x22, sizeof(f->geo.meta_uuid));
	f->check = (struct check){ &f->geo, reported_add, &f->reported };
}

static void metadata_uuid_counts_not_the_users(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_true(v5_check_uuid(&f.check, f.geo.meta_uuid, 8));
	assert_int_equal(f.reported.count, 0);
	assert_false(v5_check_uuid(&f.check, f.geo.uuid, 8));
	assert_reported_once(&f.reported, F_BLOCK_UUID, 0x1111111111111111, 0x2222222222222222);
	assert_int_equal(f.reported.problems[0].offset, 8);
}

static void last_byte_of_the_uuid_counts(void **state)
{
	struct fixture f;
	uint8_t uuid[16];

	(void)state;
	set_up(&f);
	memset(uuid, 0x22, sizeof(uuid));
	uuid[15] = 0x23;
	assert_false(v5_check_uuid(&f.check, uuid, 8));
	assert_reported_once(&f.reported, F_BLOCK_UUID, 0x2222222222222223, 0x2222222222222222);
}

static void lsn_before_the_head_is_fine(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_true(v5_check_lsn(&f.check, HEAD - 1, 8));
	assert_true(v5_check_lsn(&f.check, 0x2ffffffff, 8));
	assert_int_equal(f.reported.count, 0);
}

/* The next record will get the LSN of the head, and recovery would not replay it over a block that has that LSN. */
static void lsn_at_the_head_or_beyond_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_false(v5_check_lsn(&f.check, HEAD, 24));
	assert_reported_once(&f.reported, F_BLOCK_LSN, HEAD, HEAD);
	set_up(&f);
	assert_false(v5_check_lsn(&f.check, HEAD + 1, 24));
	assert_reported_once(&f.reported, F_BLOCK_LSN, HEAD + 1, HEAD);
	assert_int_equal(f.reported.problems[0].offset, 24);
}

static void lsns_of_blocks_that_were_never_logged_are_fine(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_true(v5_check_lsn(&f.check, 0, 8));
	assert_true(v5_check_lsn(&f.check, UINT64_MAX, 8));
	assert_int_equal(f.reported.count, 0);
}

static void lsns_are_not_judged_without_a_head(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.geo.head_lsn.v = 0;
	assert_true(v5_check_lsn(&f.check, HEAD + 1, 8));
	assert_int_equal(f.reported.count, 0);
}

/* A block of a fork's tree (long) or an AG's (short), at address 8 and of owner 3, with a right checksum. */
struct sample {
	struct v5_header header;
	uint8_t bytes[512];
};

static struct sample sample_of(const struct geometry *geo, bool is_long)
{
	struct sample sample = { .header = V5_HEADER(btree_short_disk, ) };

	if (is_long)
		sample.header = (struct v5_header)V5_HEADER(btree_long_disk, );
	sample.bytes[sample.header.blkno + 7] = 8;
	sample.bytes[sample.header.owner + sample.header.owner_bytes - 1] = 3;
	memcpy(sample.bytes + sample.header.uuid, geo->meta_uuid, sizeof(geo->meta_uuid));
	crc_store(sample.bytes, sizeof(sample.bytes), sample.header.crc);
	return sample;
}

/* True if the block is used when expected at this address and of this owner; other_uuid: of another file system. */
static bool is_used(bool is_long, uint64_t daddr, uint64_t owner, bool other_uuid, bool whole)
{
	struct fixture f;
	struct sample sample;

	set_up(&f);
	sample = sample_of(&f.geo, is_long);
	if (other_uuid) {
		sample.bytes[sample.header.uuid] = 0x33;
		crc_store(sample.bytes, sizeof(sample.bytes), sample.header.crc);
	}
	if (!whole)
		sample.bytes[sizeof(sample.bytes) - 1] ^= 1;
	return v5_check_header(&f.check, sample.bytes, sizeof(sample.bytes), &sample.header, (xdaddr_t){ daddr },
			       owner);
}

static void one_wrong_field_of_the_identity_is_damage(void **state)
{
	(void)state;
	assert_true(is_used(true, 8, 3, false, true));
	assert_true(is_used(true, 9, 3, false, true));
	assert_true(is_used(true, 8, 4, false, true));
	assert_true(is_used(true, 8, 3, true, true));
}

static void whole_blocks_of_elsewhere_are_not_used(void **state)
{
	(void)state;
	assert_false(is_used(true, 9, 4, false, true));
	assert_false(is_used(true, 9, 3, true, true));
	assert_false(is_used(true, 8, 4, true, true));
	assert_true(is_used(true, 9, 4, true, false));
}

static void trees_of_groups_of_another_file_system_are_not_used(void **state)
{
	(void)state;
	assert_true(is_used(false, 8, 3, false, true));
	assert_false(is_used(false, 8, 3, true, true));
	assert_true(is_used(false, 8, 3, true, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metadata_uuid_counts_not_the_users),
		cmocka_unit_test(last_byte_of_the_uuid_counts),
		cmocka_unit_test(lsn_before_the_head_is_fine),
		cmocka_unit_test(lsn_at_the_head_or_beyond_is_reported),
		cmocka_unit_test(lsns_of_blocks_that_were_never_logged_are_fine),
		cmocka_unit_test(lsns_are_not_judged_without_a_head),
		cmocka_unit_test(one_wrong_field_of_the_identity_is_damage),
		cmocka_unit_test(whole_blocks_of_elsewhere_are_not_used),
		cmocka_unit_test(trees_of_groups_of_another_file_system_are_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
