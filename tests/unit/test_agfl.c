/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AGFL sectors (ondisk 02). */
#include "ag_headers.h"

/* offsets */
enum { MAGICNUM = 0, SEQNO = 4, UUID = 8, LSN = 24, CRC = 32, BNO = 36 };

#define AGNO	 1u
#define SLOTS	 119u /* (512 - 36) / 4 */
#define SLOTS_V4 128u

struct fixture {
	struct geometry geo;
	struct agf agf;
	uint8_t sector[SECTOR];
	struct reported reported;
	uint32_t visited[SLOTS_V4];
	unsigned count;
	bool decoded;
};

static void put_slot(struct fixture *f, unsigned slot, uint64_t agbno)
{
	put(f->sector, (f->geo.crc ? BNO : 0) + 4 * slot, 4, agbno);
}

/* Blocks 107 to 112 in slots 117, 118, 0 .. 3, nothing elsewhere. */
static struct fixture sound(void)
{
	struct fixture f = { .geo = headers_geometry() };

	f.agf = (struct agf){ .flfirst = 117, .fllast = 3, .flcount = 6, .freelist_ok = true };
	put(f.sector, MAGICNUM, 4, 0x5841464c);
	put(f.sector, SEQNO, 4, AGNO);
	put_uuid(f.sector, UUID);
	put(f.sector, LSN, 8, 0x100000040);
	memset(f.sector + BNO, 0xff, 4 * SLOTS);
	for (unsigned i = 0; i < 6; i++)
		put_slot(&f, (117 + i) % SLOTS, 107 + i);
	return f;
}

/* The same blocks in slots 126, 127, 0 .. 3; elsewhere whatever was there before mkfs. */
static struct fixture sound_v4(void)
{
	struct fixture f = { .geo = headers_geometry_v4() };

	f.agf = (struct agf){ .flfirst = 126, .fllast = 3, .flcount = 6, .freelist_ok = true };
	memset(f.sector, 0x5a, SECTOR);
	for (unsigned i = 0; i < 6; i++)
		put_slot(&f, (126 + i) % SLOTS_V4, 107 + i);
	return f;
}

static void visit(void *ctx, agbno_t agbno)
{
	struct fixture *f = ctx;

	assert_true(f->count < SLOTS_V4);
	f->visited[f->count++] = agbno.v;
}

static void decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };

	if (f->geo.crc)
		put_crc(f->sector, CRC);
	memset(&f->reported, 0, sizeof(f->reported));
	f->count = 0;
	f->decoded = agfl_decode(&c, f->sector, (agno_t){ AGNO }, &f->agf, visit, f);
}

static void assert_sound(struct fixture *f)
{
	decode(f);
	assert_int_equal(f->reported.count, 0);
	assert_true(f->decoded);
}

static void active_blocks_are_visited_in_order(void **state)
{
	struct fixture f = sound();

	(void)state;
	assert_sound(&f);
	assert_int_equal(f.count, 6);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(f.visited[i], 107 + i);
}

static void full_list_is_visited_to_its_last_slot(void **state)
{
	struct fixture f = sound();

	(void)state;
	f.agf = (struct agf){ .flfirst = 0, .fllast = SLOTS - 1, .flcount = SLOTS, .freelist_ok = true };
	for (unsigned i = 0; i < SLOTS; i++)
		put_slot(&f, i, 200 + i);
	assert_sound(&f);
	assert_int_equal(f.count, SLOTS);
	assert_int_equal(f.visited[SLOTS - 1], 200 + SLOTS - 1);
}

static void wrong_magic_ends_it(void **state)
{
	struct fixture f = sound();

	(void)state;
	put(f.sector, MAGICNUM, 4, 0);
	decode(&f);
	assert_reported_once(&f.reported, F_BLOCK_MAGIC, 0, 0x5841464c);
	assert_false(f.decoded);
	assert_int_equal(f.count, 0);
}

static void header_is_checked_and_blocks_visited_nevertheless(void **state)
{
	struct fixture f = sound();
	struct check c = { &f.geo, reported_add, &f.reported };

	(void)state;
	put(f.sector, SEQNO, 4, 0);
	decode(&f);
	assert_reported_once(&f.reported, F_AGFL_SEQNO, 0, AGNO);
	assert_int_equal(f.count, 6);

	f = sound();
	f.sector[UUID + 15] ^= 1;
	decode(&f);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_UUID), 1);
	assert_int_equal(f.count, 6);

	f = sound();
	put(f.sector, LSN, 8, 0x200000001);
	decode(&f);
	assert_reported_once(&f.reported, F_BLOCK_LSN, 0x200000001, 0x200000000);

	f = sound();
	assert_sound(&f);
	f.sector[CRC] ^= 1;
	f.count = 0;
	assert_true(agfl_decode(&c, f.sector, (agno_t){ AGNO }, &f.agf, visit, &f));
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_CRC), 1);
	assert_int_equal(f.count, 6);
}

static void impossible_block_is_reported_and_not_visited(void **state)
{
	/* a header block, the end of the AG, none */
	static const uint32_t wrong[] = { 0, AGBLOCKS, UINT32_MAX };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = sound();

		put_slot(&f, 118, wrong[i]);
		decode(&f);
		assert_reported_once(&f.reported, F_AGFL_BNO, wrong[i], 0);
		assert_int_equal(f.reported.problems[0].index, 118);
		assert_int_equal(f.reported.problems[0].offset, BNO + 4 * 118);
		assert_int_equal(f.count, 5);
	}
}

static void block_listed_twice_is_reported_and_visited_once(void **state)
{
	struct fixture f = sound();

	(void)state;
	put_slot(&f, 2, 107);
	decode(&f);
	assert_reported_once(&f.reported, F_AGFL_DUPLICATE, 107, 117);
	assert_int_equal(f.reported.problems[0].index, 2);
	assert_int_equal(f.count, 5);
}

static void unused_slot_may_be_stale_but_not_beyond_the_ag(void **state)
{
	struct fixture f = sound();

	(void)state;
	put_slot(&f, 4, 0);
	put_slot(&f, 50, 107);
	put_slot(&f, 116, AGBLOCKS - 1);
	assert_sound(&f);
	assert_int_equal(f.count, 6);

	put_slot(&f, 116, AGBLOCKS);
	decode(&f);
	assert_reported_once(&f.reported, F_AGFL_UNUSED, AGBLOCKS, AGBLOCKS);
	assert_int_equal(f.reported.problems[0].index, 116);
}

static void nothing_is_visited_of_a_list_that_the_agf_has_lost(void **state)
{
	struct fixture f = sound();

	(void)state;
	f.agf.freelist_ok = false;
	f.agf.flfirst = UINT32_MAX;
	f.agf.flcount = UINT32_MAX;
	assert_sound(&f);
	assert_int_equal(f.count, 0);
	put_slot(&f, 0, UINT32_MAX - 1);
	decode(&f);
	assert_reported_once(&f.reported, F_AGFL_UNUSED, UINT32_MAX - 1, AGBLOCKS);
}

static void version_4_has_slots_only(void **state)
{
	struct fixture f = sound_v4();

	(void)state;
	assert_sound(&f);
	assert_int_equal(f.count, 6);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(f.visited[i], 107 + i);
}

static void bad_slot_of_version_4_is_reported_where_it_lies(void **state)
{
	struct fixture f = sound_v4();

	(void)state;
	put_slot(&f, 127, AGBLOCKS);
	decode(&f);
	assert_reported_once(&f.reported, F_AGFL_BNO, AGBLOCKS, 0);
	assert_int_equal(f.reported.problems[0].offset, 508);
	assert_int_equal(f.reported.problems[0].index, 127);
	assert_int_equal(f.count, 5);
}

static void encoded_blocks_are_visited(void **state)
{
	static const agbno_t blocks[] = { { 300 }, { 20 }, { 77 } };
	struct fixture tries[] = { sound(), sound_v4() };

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		struct fixture *f = &tries[n];
		uint32_t slots = n ? SLOTS_V4 : SLOTS;

		memset(f->sector, 0xee, SECTOR);
		agfl_encode(&f->geo, (agno_t){ AGNO }, blocks, 3, f->sector);
		agf_set_freelist(&f->agf, 3);
		assert_sound(f);
		assert_int_equal(f->count, 3);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(f->visited[i], blocks[i].v);
		assert_int_equal(f->sector[SECTOR - 1], 0xff);
		agf_set_freelist(&f->agf, 0);
		assert_true(f->agf.flfirst < slots && f->agf.fllast < slots);
		assert_sound(f);
		assert_int_equal(f->count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(active_blocks_are_visited_in_order),
		cmocka_unit_test(full_list_is_visited_to_its_last_slot),
		cmocka_unit_test(wrong_magic_ends_it),
		cmocka_unit_test(header_is_checked_and_blocks_visited_nevertheless),
		cmocka_unit_test(impossible_block_is_reported_and_not_visited),
		cmocka_unit_test(block_listed_twice_is_reported_and_visited_once),
		cmocka_unit_test(unused_slot_may_be_stale_but_not_beyond_the_ag),
		cmocka_unit_test(nothing_is_visited_of_a_list_that_the_agf_has_lost),
		cmocka_unit_test(version_4_has_slots_only),
		cmocka_unit_test(bad_slot_of_version_4_is_reported_where_it_lies),
		cmocka_unit_test(encoded_blocks_are_visited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
