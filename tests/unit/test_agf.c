/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AGF sectors (ondisk 02). */
#include "ag_headers.h"

/* offsets */
enum {
	MAGICNUM = 0,
	VERSIONNUM = 4,
	SEQNO = 8,
	LENGTH = 12,
	BNO_ROOT = 16,
	CNT_ROOT = 20,
	RMAP_ROOT = 24,
	BNO_LEVEL = 28,
	CNT_LEVEL = 32,
	RMAP_LEVEL = 36,
	FLFIRST = 40,
	FLLAST = 44,
	FLCOUNT = 48,
	FREEBLKS = 52,
	LONGEST = 56,
	BTREEBLKS = 60,
	UUID = 64,
	RMAP_BLOCKS = 80,
	REFCOUNT_BLOCKS = 84,
	REFCOUNT_ROOT = 88,
	REFCOUNT_LEVEL = 92,
	SPARE64 = 96,
	LSN = 208,
	CRC = 216,
	SPARE2 = 220,
	TAIL = 224,
};

#define AGNO  1u
#define SLOTS 119u /* (512 - 36) / 4 */

struct fixture {
	struct geometry geo;
	uint8_t sector[SECTOR];
	struct reported reported;
	struct agf agf;
	bool decoded;
};

static struct fixture sound(void)
{
	struct fixture f = { .geo = headers_geometry() };

	put(f.sector, MAGICNUM, 4, 0x58414746);
	put(f.sector, VERSIONNUM, 4, 1);
	put(f.sector, SEQNO, 4, AGNO);
	put(f.sector, LENGTH, 4, AGBLOCKS);
	put(f.sector, BNO_ROOT, 4, 1);
	put(f.sector, CNT_ROOT, 4, 2);
	put(f.sector, RMAP_ROOT, 4, 5);
	put(f.sector, BNO_LEVEL, 4, 1);
	put(f.sector, CNT_LEVEL, 4, 1);
	put(f.sector, RMAP_LEVEL, 4, 2);
	put(f.sector, FLFIRST, 4, 3);
	put(f.sector, FLLAST, 4, 8);
	put(f.sector, FLCOUNT, 4, 6);
	put(f.sector, FREEBLKS, 4, 15000);
	put(f.sector, LONGEST, 4, 9000);
	put(f.sector, BTREEBLKS, 4, 4);
	put_uuid(f.sector, UUID);
	put(f.sector, RMAP_BLOCKS, 4, 5);
	put(f.sector, REFCOUNT_BLOCKS, 4, 1);
	put(f.sector, REFCOUNT_ROOT, 4, 6);
	put(f.sector, REFCOUNT_LEVEL, 4, 1);
	put(f.sector, LSN, 8, 0x100000040);
	return f;
}

/* Version 4: two trees, and nothing after the counters. */
static struct fixture sound_v4(void)
{
	struct fixture f = sound();

	f.geo = headers_geometry_v4();
	put(f.sector, RMAP_ROOT, 4, 0);
	put(f.sector, RMAP_LEVEL, 4, 0);
	memset(f.sector + UUID, 0, SECTOR - UUID);
	return f;
}

static void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };

	if (f->geo.crc)
		put_crc(f->sector, CRC);
	memset(&f->reported, 0, sizeof(f->reported));
	f->decoded = agf_decode(&c, f->sector, (agno_t){ AGNO }, &f->agf);
}

static void assert_sound(struct fixture *f)
{
	decode(f);
	assert_int_equal(f->reported.count, 0);
	assert_true(f->decoded);
}

static struct agf assert_field(struct fixture f, uint32_t offset, uint64_t value, enum finding finding, uint64_t want)
{
	put(f.sector, offset, 4, value);
	decode(&f);
	assert_reported_once(&f.reported, finding, value, want);
	assert_int_equal(f.reported.problems[0].offset, offset);
	assert_int_equal(f.decoded, finding != F_BLOCK_MAGIC);
	return f.agf;
}

static void sound_agf_is_told(void **state)
{
	struct fixture f = sound();

	(void)state;
	assert_sound(&f);
	assert_int_equal(f.agf.root[BT_BNO].v, 1);
	assert_int_equal(f.agf.root[BT_CNT].v, 2);
	assert_int_equal(f.agf.root[BT_RMAP].v, 5);
	assert_int_equal(f.agf.root[BT_REFC].v, 6);
	assert_int_equal(f.agf.level[BT_BNO], 1);
	assert_int_equal(f.agf.level[BT_RMAP], 2);
	assert_true(f.agf.root_ok[BT_BNO] && f.agf.root_ok[BT_CNT] && f.agf.root_ok[BT_RMAP] && f.agf.root_ok[BT_REFC]);
	assert_false(f.agf.root_ok[BT_INO]);
	assert_true(f.agf.freelist_ok);
	assert_int_equal(f.agf.flfirst, 3);
	assert_int_equal(f.agf.flcount, 6);
	assert_int_equal(f.agf.freeblks, 15000);
	assert_int_equal(f.agf.longest, 9000);
	assert_int_equal(f.agf.btreeblks, 4);
	assert_int_equal(f.agf.rmap_blocks, 5);
	assert_int_equal(f.agf.refcount_blocks, 1);
}

static void identity_is_checked(void **state)
{
	(void)state;
	assert_field(sound(), MAGICNUM, 0x58414749, F_BLOCK_MAGIC, 0x58414746);
	assert_field(sound(), VERSIONNUM, 2, F_AGF_VERSIONNUM, 1);
	assert_field(sound(), SEQNO, 2, F_AGF_SEQNO, AGNO);
	assert_field(sound(), LENGTH, AGBLOCKS - 1, F_AGF_LENGTH, AGBLOCKS);
}

static void uuid_lsn_and_checksum_are_checked(void **state)
{
	struct fixture f = sound();
	struct check c = { &f.geo, reported_add, &f.reported };

	(void)state;
	f.sector[UUID] ^= 1;
	decode(&f);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_UUID), 1);
	assert_true(f.decoded);

	f = sound();
	put(f.sector, LSN, 8, 0x200000001);
	decode(&f);
	assert_reported_once(&f.reported, F_BLOCK_LSN, 0x200000001, 0x200000000);

	f = sound();
	assert_sound(&f);
	f.sector[CRC] ^= 1;
	assert_true(agf_decode(&c, f.sector, (agno_t){ AGNO }, &f.agf));
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_CRC), 1);
}

static void impossible_roots_and_heights_are_reported(void **state)
{
	struct agf agf;

	(void)state;
	agf = assert_field(sound(), BNO_ROOT, 0, F_AGF_BNO_ROOT, 0);
	assert_false(agf.root_ok[BT_BNO]);
	assert_true(agf.root_ok[BT_CNT]);
	assert_field(sound(), CNT_ROOT, AGBLOCKS, F_AGF_CNT_ROOT, 0);
	assert_field(sound(), RMAP_ROOT, UINT32_MAX, F_AGF_RMAP_ROOT, 0);
	assert_field(sound(), REFCOUNT_ROOT, 0, F_AGF_REFCOUNT_ROOT, 0);
	/* heights that these AGs can reach: ondisk 02, maxlevels */
	agf = assert_field(sound(), BNO_LEVEL, 0, F_AGF_BNO_LEVEL, 2);
	assert_true(agf.root_ok[BT_BNO]); /* the root block has its own height */
	assert_field(sound(), CNT_LEVEL, 3, F_AGF_CNT_LEVEL, 2);
	assert_field(sound(), RMAP_LEVEL, UINT32_MAX, F_AGF_RMAP_LEVEL, sound().geo.btree[BT_RMAP].max_level);
	assert_field(sound(), REFCOUNT_LEVEL, 0, F_AGF_REFCOUNT_LEVEL, sound().geo.btree[BT_REFC].max_level);
}

static void free_list_may_wrap_around_and_be_empty_or_full(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, FLFIRST, 4, SLOTS - 2);
	put(f.sector, FLLAST, 4, 3);
	assert_sound(&f);
	assert_true(f.agf.freelist_ok);

	/* as mkfs leaves it, and as a kernel that resets it does */
	put(f.sector, FLFIRST, 4, 1);
	put(f.sector, FLLAST, 4, 0);
	put(f.sector, FLCOUNT, 4, 0);
	assert_sound(&f);
	put(f.sector, FLFIRST, 4, 0);
	put(f.sector, FLLAST, 4, SLOTS - 1);
	assert_sound(&f);
	put(f.sector, FLCOUNT, 4, SLOTS);
	assert_sound(&f);
	assert_true(f.agf.freelist_ok);
}

static void free_list_outside_of_its_ring_is_reported(void **state)
{
	struct agf agf;

	(void)state;
	agf = assert_field(sound(), FLFIRST, SLOTS, F_AGF_FLFIRST, SLOTS);
	assert_false(agf.freelist_ok);
	agf = assert_field(sound(), FLLAST, UINT32_MAX, F_AGF_FLLAST, SLOTS);
	assert_false(agf.freelist_ok);
	agf = assert_field(sound(), FLCOUNT, 7, F_AGF_FLCOUNT, 6);
	assert_false(agf.freelist_ok);
	agf = assert_field(sound(), FLCOUNT, UINT32_MAX, F_AGF_FLCOUNT, 6);
	assert_false(agf.freelist_ok);
}

static void impossible_counters_are_reported(void **state)
{
	(void)state;
	assert_field(sound(), FREEBLKS, AGBLOCKS, F_AGF_FREEBLKS, AGBLOCKS - 1);
	assert_field(sound(), LONGEST, 15001, F_AGF_LONGEST, 15000);
	assert_field(sound(), LONGEST, 0, F_AGF_LONGEST, 15000);
	assert_field(sound(), BTREEBLKS, AGBLOCKS, F_AGF_BTREEBLKS, AGBLOCKS - 1);
	assert_field(sound(), RMAP_BLOCKS, AGBLOCKS, F_AGF_RMAP_BLOCKS, AGBLOCKS - 1);
	assert_field(sound(), REFCOUNT_BLOCKS, UINT32_MAX, F_AGF_REFCOUNT_BLOCKS, AGBLOCKS - 1);
}

static void full_ag_has_no_longest_extent(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, FREEBLKS, 4, 0);
	put(f.sector, LONGEST, 4, 0);
	assert_sound(&f);
	assert_field(f, LONGEST, 1, F_AGF_LONGEST, 0);
}

static void fields_of_absent_trees_are_zero(void **state)
{
	static const uint32_t fields[] = { RMAP_ROOT,	  RMAP_LEVEL,	  RMAP_BLOCKS,
					   REFCOUNT_ROOT, REFCOUNT_LEVEL, REFCOUNT_BLOCKS };
	struct fixture f = sound();

	(void)state;
	f.geo.rmapbt = false;
	f.geo.reflink = false;
	for (unsigned i = 0; i < 6; i++)
		put(f.sector, fields[i], 4, 0);
	assert_sound(&f);
	assert_false(f.agf.root_ok[BT_RMAP]);
	assert_false(f.agf.root_ok[BT_REFC]);
	for (unsigned i = 0; i < 6; i++)
		assert_field(f, fields[i], 1, F_AGF_UNUSED, 0);
}

static void spare_bytes_are_zero(void **state)
{
	static const uint32_t offsets[] = { SPARE64, SPARE64 + 111, SPARE2, TAIL, SECTOR - 1 };

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		struct fixture f = sound();

		f.sector[offsets[i]] = 9;
		decode(&f);
		assert_reported_once(&f.reported, F_AGF_SPARE, 9, 0);
		assert_int_equal(f.reported.problems[0].offset, offsets[i]);
	}
}

static void version_4_has_no_identity(void **state)
{
	struct fixture f = sound_v4();

	(void)state;
	assert_sound(&f);
	assert_true(f.agf.root_ok[BT_BNO] && f.agf.root_ok[BT_CNT]);
	assert_false(f.agf.root_ok[BT_RMAP] || f.agf.root_ok[BT_REFC]);
	assert_int_equal(f.agf.btreeblks, 4);
}

static void bytes_behind_version_4_are_unused(void **state)
{
	static const uint32_t offsets[] = { UUID, UUID + 15, SPARE64, LSN, CRC, SPARE2, TAIL, SECTOR - 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct fixture f = sound_v4();

		f.sector[offsets[i]] = 3;
		decode(&f);
		assert_reported_once(&f.reported, F_AGF_SPARE, 3, 0);
		assert_int_equal(f.reported.problems[0].offset, offsets[i]);
	}
	assert_field(sound_v4(), RMAP_BLOCKS, 7, F_AGF_UNUSED, 0);
	assert_field(sound_v4(), REFCOUNT_ROOT, 7, F_AGF_UNUSED, 0);
}

static void free_list_of_version_4_has_more_slots(void **state)
{
	struct fixture f = sound_v4();

	(void)state;
	put(f.sector, FLFIRST, 4, 126);
	put(f.sector, FLLAST, 4, 3);
	assert_sound(&f);
	assert_field(sound_v4(), FLLAST, 128, F_AGF_FLLAST, 128);
}

static void count_of_btree_blocks_says_nothing_without_lazy_counters(void **state)
{
	struct fixture f = sound_v4();

	(void)state;
	put(f.sector, BTREEBLKS, 4, UINT32_MAX);
	f.geo.lazysbcount = false;
	assert_sound(&f);
}

/* Compares the sector without its LSN, which no rebuilt sector has. */
static void assert_encoded(struct fixture f)
{
	uint8_t encoded[SECTOR];

	if (f.geo.crc)
		put(f.sector, LSN, 8, 0);
	assert_sound(&f);
	memset(encoded, 0xee, sizeof(encoded));
	agf_encode(&f.geo, (agno_t){ AGNO }, &f.agf, encoded);
	assert_memory_equal(encoded, f.sector, sizeof(encoded));
}

static void what_was_decoded_is_encoded_alike(void **state)
{
	(void)state;
	assert_encoded(sound());
	assert_encoded(sound_v4());
}

static void least_free_list_splits_every_level_twice(void **state)
{
	struct fixture f = sound();

	(void)state;
	assert_sound(&f);
	assert_int_equal(agf_least_freelist(&f.geo, &f.agf), 2 + 2 + 4);
	f.agf.level[BT_RMAP] = 1;
	assert_int_equal(agf_least_freelist(&f.geo, &f.agf), 6);
	f.agf.level[BT_BNO] = f.geo.btree[BT_BNO].max_level; /* it can't grow */
	assert_int_equal(agf_least_freelist(&f.geo, &f.agf), 2 * f.geo.btree[BT_BNO].max_level - 2 + 4);
	f.geo.rmapbt = false;
	assert_int_equal(agf_least_freelist(&f.geo, &f.agf), 2 * f.geo.btree[BT_BNO].max_level - 2 + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_agf_is_told),
		cmocka_unit_test(identity_is_checked),
		cmocka_unit_test(uuid_lsn_and_checksum_are_checked),
		cmocka_unit_test(impossible_roots_and_heights_are_reported),
		cmocka_unit_test(free_list_may_wrap_around_and_be_empty_or_full),
		cmocka_unit_test(free_list_outside_of_its_ring_is_reported),
		cmocka_unit_test(impossible_counters_are_reported),
		cmocka_unit_test(full_ag_has_no_longest_extent),
		cmocka_unit_test(fields_of_absent_trees_are_zero),
		cmocka_unit_test(spare_bytes_are_zero),
		cmocka_unit_test(version_4_has_no_identity),
		cmocka_unit_test(bytes_behind_version_4_are_unused),
		cmocka_unit_test(free_list_of_version_4_has_more_slots),
		cmocka_unit_test(count_of_btree_blocks_says_nothing_without_lazy_counters),
		cmocka_unit_test(what_was_decoded_is_encoded_alike),
		cmocka_unit_test(least_free_list_splits_every_level_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
