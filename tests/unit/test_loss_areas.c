/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/loss/loss_areas.c: where data may have been overwritten, by the blocks of metadata that were. */
#include <stdlib.h>

#include "scratch_device.h"

#include "../../repair/mend/loss/loss.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "btrees.h"
#include "report.h"
#include "report/findings.h"

enum {
	BLOCKS = 12288, /* 48 MiB in one AG; what no test writes is neither random, nor zeroes, nor metadata */
	REACH = 256,	/* blocks: 1 MiB */
	REACH_LIKE = 16 * REACH,
	FIRST = 6000,
};

struct fixture {
	struct scratch scratch;
	struct run run;
	struct repair rc;
	struct loss_areas areas;
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	scratch_open(&f->scratch, ENGINE_THREADS, (uint64_t)BLOCKS << 12);
	f->run.device = f->scratch.device;
	f->rc.run = &f->run;
	f->rc.geo = btrees_geometry();
	f->rc.geo.agcount = 1;
	f->rc.geo.agblocks = f->rc.geo.dblocks = BLOCKS;
	f->rc.geo.agblock_log = 14;
	f->rc.findings = findings_new(1);
	assert_non_null(f->rc.findings);
}

static void close_fixture(struct fixture *f)
{
	loss_areas_free(&f->areas);
	findings_free(f->rc.findings);
	scratch_close(&f->scratch);
}

static void put(struct fixture *f, uint32_t block, const void *bytes)
{
	assert_int_equal(pwrite(f->scratch.fd, bytes, 4096, (off_t)block << 12), 4096);
}

static void put_zeroes(struct fixture *f, uint32_t block)
{
	const uint8_t bytes[4096] = { 0 };

	put(f, block, bytes);
}

/* Bytes of all values, each about as often. */
static void put_noise(struct fixture *f, uint32_t block)
{
	uint64_t words[512], seed = block;

	for (size_t i = 0; i < 512; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		words[i] = z ^ z >> 31;
	}
	put(f, block, words);
}

/* A block of a directory, in its place. */
static void put_sound(struct fixture *f, uint32_t block)
{
	uint8_t bytes[4096] = { 0 };

	put32(bytes, 0x58444433); /* XDD3 */
	put64(bytes + 8, (uint64_t)block * 8);
	memcpy(bytes + 24, f->rc.geo.meta_uuid, 16);
	put64(bytes + 40, 131);
	put(f, block, bytes);
}

/* The first check missed metadata in this block. */
static void is_destroyed(struct fixture *f, uint32_t block)
{
	struct place place = place_of(OBJ_BNOBT);

	place.agno.v = 0;
	place.agbno.v = block;
	findings_add(f->rc.findings, 0, &place, &(struct problem){ F_BLOCK_MAGIC, 0, NO_INDEX, 0, 0 });
}

static void find(struct fixture *f)
{
	const struct drops none = { 0 };

	findings_settle(f->rc.findings);
	assert_int_equal(loss_areas_find(&f->rc, &none, &f->areas), 0);
}

static uint64_t start_of(const struct fixture *f)
{
	assert_int_equal(f->areas.count, 1);
	return f->areas.all[0].start >> 12;
}

static uint64_t end_of(const struct fixture *f)
{
	assert_int_equal(f->areas.count, 1);
	return f->areas.all[0].end >> 12;
}

static void two_blocks_are_no_area(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	is_destroyed(&f, FIRST);
	is_destroyed(&f, FIRST + 1);
	find(&f);
	assert_int_equal(f.areas.count, 0);
	close_fixture(&f);
}

static void data_a_mebibyte_around_three_blocks_is_in_doubt(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 0; i < 3; i++)
		is_destroyed(&f, FIRST + i * 10);
	find(&f);
	assert_int_equal(start_of(&f), FIRST - REACH);
	assert_int_equal(end_of(&f), FIRST + 21 + REACH);
	close_fixture(&f);
}

static void blocks_more_than_a_mebibyte_apart_are_no_area(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 0; i < 3; i++)
		is_destroyed(&f, FIRST + i * (REACH + 2));
	find(&f);
	assert_int_equal(f.areas.count, 0);
	close_fixture(&f);
}

/* What is written in one piece leaves nothing in its place between its blocks. */
static void a_sound_block_ends_the_area(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 0; i < 3; i++)
		is_destroyed(&f, FIRST + i);
	put_sound(&f, FIRST - 7);
	put_sound(&f, FIRST + 40);
	find(&f);
	assert_int_equal(start_of(&f), FIRST - 6);
	assert_int_equal(end_of(&f), FIRST + 40);
	close_fixture(&f);
}

static void a_sound_block_between_them_parts_the_destroyed_ones(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	is_destroyed(&f, FIRST);
	is_destroyed(&f, FIRST + 1);
	put_sound(&f, FIRST + 2);
	is_destroyed(&f, FIRST + 3);
	is_destroyed(&f, FIRST + 4);
	find(&f);
	assert_int_equal(f.areas.count, 0);
	close_fixture(&f);
}

static void data_among_zeroes_was_spared(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 0; i < 20; i++)
		put_zeroes(&f, FIRST + i);
	for (unsigned i = 0; i < 3; i++)
		is_destroyed(&f, FIRST + 2 + i);
	find(&f);
	assert_int_equal(start_of(&f), FIRST);
	assert_int_equal(end_of(&f), FIRST + 20);
	close_fixture(&f);
}

/* Beyond a mebibyte, only what looks like the destroyed blocks themselves: 5 MiB of noise. */
static void noise_goes_on_as_long_as_it_looks_like_that(void **state)
{
	enum { NOISE = 5 * REACH };
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 0; i < NOISE; i++)
		put_noise(&f, FIRST + i);
	for (unsigned i = 0; i < 3; i++)
		is_destroyed(&f, FIRST + i);
	find(&f);
	assert_in_range(end_of(&f), FIRST + NOISE, FIRST + NOISE + 1);
	close_fixture(&f);
}

static void noise_goes_on_for_16_mebibytes_at_most(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = FIRST; i < BLOCKS; i++)
		put_noise(&f, i);
	for (unsigned i = 0; i < 3; i++)
		is_destroyed(&f, FIRST + i);
	find(&f);
	assert_int_equal(end_of(&f), FIRST + 3 + REACH_LIKE);
	close_fixture(&f);
}

/* The headers of an AG hide the roots of its btrees, which mkfs puts behind them. */
static void headers_of_a_group_stand_for_the_roots_behind_them(void **state)
{
	struct place place = place_of(OBJ_AGF);
	struct fixture f;

	(void)state;
	open_fixture(&f);
	place.agno.v = 0;
	findings_add(f.rc.findings, 0, &place, &(struct problem){ F_BLOCK_MAGIC, 0, NO_INDEX, 0, 0 });
	find(&f);
	assert_int_equal(start_of(&f), 0);
	assert_int_equal(end_of(&f), 3 + REACH);
	close_fixture(&f);
}

static void only_the_part_in_the_area_is_given(void **state)
{
	struct loss_area all[] = { { 100, 200 }, { 300, 400 } }, part;
	const struct loss_areas areas = { .all = all, .count = 2 };

	(void)state;
	assert_false(loss_areas_next(&areas, 0, 100, &part));
	assert_true(loss_areas_next(&areas, 0, 101, &part));
	assert_true(part.start == 100 && part.end == 101);
	assert_true(loss_areas_next(&areas, 150, 1000, &part));
	assert_true(part.start == 150 && part.end == 200);
	assert_false(loss_areas_next(&areas, 200, 300, &part));
	assert_true(loss_areas_next(&areas, 200, 301, &part));
	assert_true(part.start == 300 && part.end == 301);
	assert_false(loss_areas_next(&areas, 400, UINT64_MAX, &part));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_blocks_are_no_area),
		cmocka_unit_test(data_a_mebibyte_around_three_blocks_is_in_doubt),
		cmocka_unit_test(blocks_more_than_a_mebibyte_apart_are_no_area),
		cmocka_unit_test(a_sound_block_ends_the_area),
		cmocka_unit_test(a_sound_block_between_them_parts_the_destroyed_ones),
		cmocka_unit_test(data_among_zeroes_was_spared),
		cmocka_unit_test(noise_goes_on_as_long_as_it_looks_like_that),
		cmocka_unit_test(noise_goes_on_for_16_mebibytes_at_most),
		cmocka_unit_test(headers_of_a_group_stand_for_the_roots_behind_them),
		cmocka_unit_test(only_the_part_in_the_area_is_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
