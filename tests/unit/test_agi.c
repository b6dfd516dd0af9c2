/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AGI sectors (ondisk 02). */
#include "ag_headers.h"

/* offsets */
enum {
	MAGICNUM = 0,
	VERSIONNUM = 4,
	SEQNO = 8,
	LENGTH = 12,
	COUNT = 16,
	ROOT = 20,
	LEVEL = 24,
	FREECOUNT = 28,
	NEWINO = 32,
	DIRINO = 36,
	UNLINKED = 40,
	UUID = 296,
	CRC = 312,
	PAD32 = 316,
	LSN = 320,
	FREE_ROOT = 328,
	FREE_LEVEL = 332,
	IBLOCKS = 336,
	FBLOCKS = 340,
	TAIL = 344,
};

#define AGNO 1u

struct fixture {
	struct geometry geo;
	uint8_t sector[SECTOR];
	struct reported reported;
	struct agi agi;
	bool decoded;
};

static struct fixture sound(void)
{
	struct fixture f = { .geo = headers_geometry() };

	put(f.sector, MAGICNUM, 4, 0x58414749);
	put(f.sector, VERSIONNUM, 4, 1);
	put(f.sector, SEQNO, 4, AGNO);
	put(f.sector, LENGTH, 4, AGBLOCKS);
	put(f.sector, COUNT, 4, 640);
	put(f.sector, ROOT, 4, 3);
	put(f.sector, LEVEL, 4, 1);
	put(f.sector, FREECOUNT, 4, 10);
	put(f.sector, NEWINO, 4, 128);
	memset(f.sector + DIRINO, 0xff, 4);
	memset(f.sector + UNLINKED, 0xff, 256);
	put_uuid(f.sector, UUID);
	put(f.sector, LSN, 8, 0x100000040);
	put(f.sector, FREE_ROOT, 4, 4);
	put(f.sector, FREE_LEVEL, 4, 1);
	put(f.sector, IBLOCKS, 4, 1);
	put(f.sector, FBLOCKS, 4, 1);
	return f;
}

/* Version 4: one tree, and nothing after the unlinked lists. */
static struct fixture sound_v4(void)
{
	struct fixture f = sound();

	f.geo = headers_geometry_v4();
	memset(f.sector + UUID, 0, SECTOR - UUID);
	return f;
}

static void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };

	if (f->geo.crc)
		put_crc(f->sector, CRC);
	memset(&f->reported, 0, sizeof(f->reported));
	f->decoded = agi_decode(&c, f->sector, (agno_t){ AGNO }, &f->agi);
}

static void assert_sound(struct fixture *f)
{
	decode(f);
	assert_int_equal(f->reported.count, 0);
	assert_true(f->decoded);
}

static struct agi assert_field(struct fixture f, uint32_t offset, uint64_t value, enum finding finding, uint64_t want)
{
	put(f.sector, offset, 4, value);
	decode(&f);
	assert_reported_once(&f.reported, finding, value, want);
	assert_int_equal(f.reported.problems[0].offset, offset);
	assert_int_equal(f.decoded, finding != F_BLOCK_MAGIC);
	return f.agi;
}

static void sound_agi_is_told(void **state)
{
	struct fixture f = sound();

	(void)state;
	assert_sound(&f);
	assert_int_equal(f.agi.root[BT_INO].v, 3);
	assert_int_equal(f.agi.root[BT_FINO].v, 4);
	assert_int_equal(f.agi.level[BT_INO], 1);
	assert_int_equal(f.agi.level[BT_FINO], 1);
	assert_true(f.agi.root_ok[BT_INO] && f.agi.root_ok[BT_FINO]);
	assert_false(f.agi.root_ok[BT_BNO]);
	assert_int_equal(f.agi.count, 640);
	assert_int_equal(f.agi.freecount, 10);
	assert_int_equal(f.agi.iblocks, 1);
	assert_int_equal(f.agi.fblocks, 1);
	for (unsigned i = 0; i < 64; i++)
		assert_true(f.agi.unlinked[i].v == NULL_AGINO);
}

static void identity_is_checked(void **state)
{
	(void)state;
	assert_field(sound(), MAGICNUM, 0x58414746, F_BLOCK_MAGIC, 0x58414749);
	assert_field(sound(), VERSIONNUM, 0, F_AGI_VERSIONNUM, 1);
	assert_field(sound(), SEQNO, 2, F_AGI_SEQNO, AGNO);
	assert_field(sound(), LENGTH, AGBLOCKS + 1, F_AGI_LENGTH, AGBLOCKS);
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

	f = sound();
	put(f.sector, LSN, 8, 0x200000001);
	decode(&f);
	assert_reported_once(&f.reported, F_BLOCK_LSN, 0x200000001, 0x200000000);

	f = sound();
	assert_sound(&f);
	f.sector[CRC] ^= 1;
	assert_true(agi_decode(&c, f.sector, (agno_t){ AGNO }, &f.agi));
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_CRC), 1);
}

static void impossible_roots_and_heights_are_reported(void **state)
{
	uint32_t max_level = sound().geo.btree[BT_INO].max_level;
	struct agi agi;

	(void)state;
	agi = assert_field(sound(), ROOT, 0, F_AGI_ROOT, 0);
	assert_false(agi.root_ok[BT_INO]);
	agi = assert_field(sound(), FREE_ROOT, AGBLOCKS, F_AGI_FREE_ROOT, 0);
	assert_false(agi.root_ok[BT_FINO]);
	assert_true(agi.root_ok[BT_INO]);
	assert_field(sound(), LEVEL, 0, F_AGI_LEVEL, max_level);
	assert_field(sound(), FREE_LEVEL, max_level + 1, F_AGI_FREE_LEVEL, max_level);
}

static void impossible_counters_are_reported(void **state)
{
	uint32_t most = (AGBLOCKS - 1) * 8;
	struct fixture not_sparse = sound();

	(void)state;
	assert_field(sound(), COUNT, most + 8, F_AGI_COUNT, most);
	assert_field(sound(), COUNT, 641, F_AGI_COUNT, most);
	assert_field(sound(), FREECOUNT, 641, F_AGI_FREECOUNT, 640);
	assert_field(sound(), IBLOCKS, AGBLOCKS, F_AGI_IBLOCKS, AGBLOCKS - 1);
	assert_field(sound(), FBLOCKS, UINT32_MAX, F_AGI_FBLOCKS, AGBLOCKS - 1);
	not_sparse.geo.sparse = false;
	assert_field(not_sparse, COUNT, 644, F_AGI_COUNT, most);
}

static void sparse_chunks_count_in_steps_of_four(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, COUNT, 4, 644);
	assert_sound(&f);
}

static void hints_are_none_or_possible(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, NEWINO, 4, UINT32_MAX);
	put(f.sector, DIRINO, 4, 131);
	assert_sound(&f);
	/* not the first of a block, on a header block, beyond the AG */
	assert_field(sound(), NEWINO, 129, F_AGI_NEWINO, NULL_AGINO);
	assert_field(sound(), NEWINO, 0, F_AGI_NEWINO, NULL_AGINO);
	assert_field(sound(), NEWINO, AGBLOCKS * 8, F_AGI_NEWINO, NULL_AGINO);
	assert_field(sound(), DIRINO, 7, F_AGI_DIRINO, NULL_AGINO);
	assert_field(sound(), DIRINO, UINT32_MAX - 1, F_AGI_DIRINO, NULL_AGINO);
}

static void chunks_may_begin_inside_a_large_block(void **state)
{
	struct fixture f = sound();

	(void)state;
	f.geo.inodes_per_block = 128;
	f.geo.inopb_log = 7;
	put(f.sector, NEWINO, 4, 128 * 5 + 64);
	assert_sound(&f);
}

static void unlinked_inode_in_its_own_bucket_is_told(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, UNLINKED + 4 * 3, 4, 131);
	assert_sound(&f);
	assert_int_equal(f.agi.unlinked[3].v, 131);
}

static void impossible_unlinked_inode_is_reported_and_dropped(void **state)
{
	/* in the bucket of another, on a header block, beyond the AG */
	static const uint32_t wrong[] = { 132, 3, AGBLOCKS * 8 + 3 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct agi agi = assert_field(sound(), UNLINKED + 4 * 3, wrong[i], F_AGI_UNLINKED, NULL_AGINO);

		assert_true(agi.unlinked[3].v == NULL_AGINO);
	}
}

static void every_bucket_is_checked(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, UNLINKED, 4, 0);
	put(f.sector, UNLINKED + 4 * 63, 4, 0);
	decode(&f);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_AGI_UNLINKED), 2);
	assert_int_equal(f.reported.problems[0].index, 0);
	assert_int_equal(f.reported.problems[1].index, 63);
}

static void fields_of_absent_features_are_zero(void **state)
{
	static const uint32_t fields[] = { FREE_ROOT, FREE_LEVEL, IBLOCKS, FBLOCKS };
	struct fixture f = sound();

	(void)state;
	f.geo.finobt = false;
	f.geo.inobtcnt = false;
	for (unsigned i = 0; i < 4; i++)
		put(f.sector, fields[i], 4, 0);
	assert_sound(&f);
	assert_false(f.agi.root_ok[BT_FINO]);
	for (unsigned i = 0; i < 4; i++)
		assert_field(f, fields[i], 1, F_AGI_UNUSED, 0);
}

static void spare_bytes_are_zero(void **state)
{
	static const uint32_t offsets[] = { PAD32, PAD32 + 3, TAIL, SECTOR - 1 };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f = sound();

		f.sector[offsets[i]] = 9;
		decode(&f);
		assert_reported_once(&f.reported, F_AGI_SPARE, 9, 0);
		assert_int_equal(f.reported.problems[0].offset, offsets[i]);
	}
}

static void version_4_has_no_identity(void **state)
{
	struct fixture f = sound_v4();

	(void)state;
	assert_sound(&f);
	assert_true(f.agi.root_ok[BT_INO]);
	assert_false(f.agi.root_ok[BT_FINO]);
}

static void bytes_behind_version_4_are_unused(void **state)
{
	static const uint32_t offsets[] = { UUID, CRC, PAD32, LSN, TAIL, SECTOR - 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct fixture f = sound_v4();

		f.sector[offsets[i]] = 3;
		decode(&f);
		assert_reported_once(&f.reported, F_AGI_SPARE, 3, 0);
		assert_int_equal(f.reported.problems[0].offset, offsets[i]);
	}
	assert_field(sound_v4(), FREE_ROOT, 4, F_AGI_UNUSED, 0);
	assert_field(sound_v4(), FBLOCKS, 1, F_AGI_UNUSED, 0);
}

/* Compares the sector without its LSN, which no rebuilt sector has. */
static void assert_encoded(struct fixture f)
{
	uint8_t encoded[SECTOR];

	if (f.geo.crc)
		put(f.sector, LSN, 8, 0);
	put(f.sector, UNLINKED + 4 * 5, 4, 64 * 3 + 5);
	assert_sound(&f);
	memset(encoded, 0xee, sizeof(encoded));
	agi_encode(&f.geo, (agno_t){ AGNO }, &f.agi, encoded);
	assert_memory_equal(encoded, f.sector, sizeof(encoded));
}

static void what_was_decoded_is_encoded_alike(void **state)
{
	struct fixture v4 = sound_v4();

	(void)state;
	assert_encoded(sound());
	assert_encoded(v4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_agi_is_told),
		cmocka_unit_test(identity_is_checked),
		cmocka_unit_test(uuid_lsn_and_checksum_are_checked),
		cmocka_unit_test(impossible_roots_and_heights_are_reported),
		cmocka_unit_test(impossible_counters_are_reported),
		cmocka_unit_test(sparse_chunks_count_in_steps_of_four),
		cmocka_unit_test(hints_are_none_or_possible),
		cmocka_unit_test(chunks_may_begin_inside_a_large_block),
		cmocka_unit_test(unlinked_inode_in_its_own_bucket_is_told),
		cmocka_unit_test(impossible_unlinked_inode_is_reported_and_dropped),
		cmocka_unit_test(every_bucket_is_checked),
		cmocka_unit_test(fields_of_absent_features_are_zero),
		cmocka_unit_test(spare_bytes_are_zero),
		cmocka_unit_test(version_4_has_no_identity),
		cmocka_unit_test(bytes_behind_version_4_are_unused),
		cmocka_unit_test(what_was_decoded_is_encoded_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
