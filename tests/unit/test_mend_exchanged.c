/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/restore/mend_exchanged.c: areas of the device that were exchanged go back as a whole, with the data in
 * them; what is in its place stays.  The twin is the device as it was before the exchange.
 */
#include "mending.h"

#include "made_objects.h"
#include "../../repair/mend/restore/mend_logged.h"
#include "report.h"

enum { BLOCK = 4096, BLOCKS = 4 * MENDING_AGBLOCKS };

struct fixture {
	struct mending f;
	FILE *err;
	uint8_t *right, *disk; /* BLOCKS blocks each */
	bool named[BLOCKS];    /* of the right ones: it has its address in its header */
	struct found found[BLOCKS];
	size_t count;
};

/* Data everywhere, as of scratch_device.h. */
static void open_fixture(struct fixture *v)
{
	const struct geometry geo = mending_geometry();

	memset(v, 0, sizeof(*v));
	mending_open(&v->f, MEND_exchanged, &geo);
	v->err = fopen("/dev/null", "w");
	v->f.rc.report = report_silent(&v->f.options, v->err);
	v->right = malloc((size_t)BLOCKS * BLOCK);
	v->disk = malloc((size_t)BLOCKS * BLOCK);
	assert_true(v->err && v->f.rc.report && v->right && v->disk);
	for (size_t i = 0; i < (size_t)BLOCKS * BLOCK; i++)
		v->right[i] = scratch_byte(i);
}

static void close_fixture(struct fixture *v)
{
	report_silent_free(v->f.rc.report);
	fclose(v->err);
	free(v->right);
	free(v->disk);
	mending_close(&v->f);
}

/* Makes this block metadata that names its place. */
static void name(struct fixture *v, unsigned block)
{
	const struct attr_item item = { .namelen = 4,
					.name = (const uint8_t *)"name",
					.value = (const uint8_t *)"value",
					.valuelen = 5,
					.hash = da_hashname((const uint8_t *)"name", 4, false) };
	const struct da_expect place = { { 0x40123 }, { (uint64_t)block * 8 }, { 0 }, ATTR_FORK };

	attr_build_leaf(&v->f.rc.geo, v->right + (size_t)block * BLOCK, &place, &item, 1, (struct da_siblings){ 0 });
	v->named[block] = true;
}

/* Every 8th block of the device, from this one on. */
static void name_some(struct fixture *v, unsigned first)
{
	for (unsigned i = first; i < BLOCKS; i += 8)
		name(v, i);
}

/* The device is as it should be. */
static void begin(struct fixture *v)
{
	memcpy(v->disk, v->right, (size_t)BLOCKS * BLOCK);
}

/* Blocks from `to` on get the right contents of blocks from `from` on. */
static void move(struct fixture *v, unsigned from, unsigned to, unsigned len)
{
	memcpy(v->disk + (size_t)to * BLOCK, v->right + (size_t)from * BLOCK, (size_t)len * BLOCK);
}

static void swap(struct fixture *v, unsigned a, unsigned b, unsigned len)
{
	move(v, a, b, len);
	move(v, b, a, len);
}

/* The check finds each block that should be named there, and is not that one. */
static void find(struct fixture *v)
{
	for (unsigned i = 0; i < BLOCKS; i++) {
		const uint8_t *now = v->disk + (size_t)i * BLOCK;
		struct found *found = &v->found[v->count];

		if (!v->named[i] || !memcmp(now, v->right + (size_t)i * BLOCK, BLOCK))
			continue;
		v->count++;
		*found = (struct found){ .place = place_of(OBJ_ATTR_LEAF),
					 .problem = { .finding = now[8] == 0x3b && now[9] == 0xee ? F_BLOCK_BLKNO
												  : F_BLOCK_MAGIC } };
		found->place.agno.v = i / MENDING_AGBLOCKS;
		found->place.agbno.v = i % MENDING_AGBLOCKS;
		found->place.ino.v = 0x40123;
		found->place.fileoff.v = 0;
	}
}

static void mend(struct fixture *v)
{
	mending_put(&v->f, 0, v->disk, (size_t)BLOCKS * BLOCK);
	find(v);
	assert_int_equal(mend_exchanged(&v->f.m, v->found, v->count), 0);
}

static void assert_blocks(struct fixture *v, const uint8_t *are)
{
	uint8_t *now = malloc((size_t)BLOCKS * BLOCK);

	assert_non_null(now);
	assert_int_equal(mend_read(&v->f.m, now, 0, (size_t)BLOCKS * BLOCK), 0);
	for (unsigned i = 0; i < BLOCKS; i++)
		if (memcmp(now + (size_t)i * BLOCK, are + (size_t)i * BLOCK, BLOCK) != 0)
			fail_msg("block %u", i);
	free(now);
}

static void assert_restored(struct fixture *v)
{
	assert_blocks(v, v->right);
}

static void assert_untouched(struct fixture *v)
{
	assert_blocks(v, v->disk);
	assert_int_equal(v->f.m.done, 0);
	assert_int_equal(device_staged(v->f.scratch.device, LAYER_PLACE), 0);
}

static uint64_t next(uint64_t *seed, uint64_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*seed >> 33) % below;
}

/* Two different chunks of so many blocks. */
static void choose_chunks(uint64_t *seed, unsigned len, unsigned *ret_a, unsigned *ret_b)
{
	const unsigned chunks = BLOCKS / len, a = (unsigned)next(seed, chunks);

	*ret_a = a * len;
	*ret_b = (a + 1 + (unsigned)next(seed, chunks - 1)) % chunks * len;
}

static void name_at_random(struct fixture *v, uint64_t *seed)
{
	for (unsigned i = 0; i < BLOCKS; i++)
		if (next(seed, 5) == 0)
			name(v, i);
}

/* As chunks of a RAID: whole multiples of a power of two, some metadata in them, and data. */
static void exchanged_chunks_go_back_with_their_data(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		unsigned a, b;
		struct fixture v;

		open_fixture(&v);
		choose_chunks(&seed, 128, &a, &b);
		name_at_random(&v, &seed);
		begin(&v);
		swap(&v, a, b, 128);
		mend(&v);
		assert_restored(&v);
		close_fixture(&v);
	}
}

/* Small areas show less well where they end: then they stay as they are. */
static void nothing_that_was_in_its_place_is_moved(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 80; round++) {
		const unsigned len = 32;
		uint8_t *now = malloc((size_t)BLOCKS * BLOCK);
		unsigned a, b;
		struct fixture v;

		open_fixture(&v);
		choose_chunks(&seed, len, &a, &b);
		name_at_random(&v, &seed);
		begin(&v);
		swap(&v, a, b, len);
		mend(&v);
		assert_non_null(now);
		assert_int_equal(mend_read(&v.f.m, now, 0, (size_t)BLOCKS * BLOCK), 0);
		for (unsigned i = 0; i < BLOCKS; i++) {
			if ((i >= a && i < a + len) || (i >= b && i < b + len))
				continue;
			assert_memory_equal(now + (size_t)i * BLOCK, v.right + (size_t)i * BLOCK, BLOCK);
		}
		free(now);
		close_fixture(&v);
	}
}

/* As groups with most of their metadata at the beginning: that the next one begins at so round an offset is no chance.
 */
static void a_large_area_reaches_up_to_what_contradicts_it(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	for (unsigned at = 0; at < BLOCKS; at += 320)
		for (unsigned i = at; i < at + 64 && i < BLOCKS; i += 2)
			name(&v, i);
	begin(&v);
	swap(&v, 320, 1280, 320);
	mend(&v);
	assert_restored(&v);
	close_fixture(&v);
}

static void three_chunks_in_a_ring_go_back(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	name_some(&v, 1);
	begin(&v);
	move(&v, 128, 512, 128);
	move(&v, 512, 1280, 128);
	move(&v, 1280, 128, 128);
	mend(&v);
	assert_restored(&v);
	close_fixture(&v);
}

/* Only one of them names the other: the first blocks of AG 2 are in AG 1, where data was. */
static void a_chunk_of_data_and_one_of_metadata_go_back(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	for (unsigned i = 1024; i < 1024 + 128; i += 2)
		name(&v, i);
	name(&v, 1023);
	name(&v, 1024 + 128);
	name(&v, 640 - 1);
	name(&v, 640 + 128);
	begin(&v);
	swap(&v, 1024, 640, 128);
	mend(&v);
	assert_restored(&v);
	assert_true(v.f.m.likely > 0);
	close_fixture(&v);
}

/* Where the chunk should be are zeroes: then nothing was exchanged, and what is elsewhere may be a copy. */
static void a_copy_of_a_blank_chunk_stays(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	for (unsigned i = 1024; i < 1024 + 128; i += 2)
		name(&v, i);
	name(&v, 1023);
	name(&v, 1024 + 128);
	name(&v, 640 - 1);
	name(&v, 640 + 128);
	begin(&v);
	move(&v, 1024, 640, 128);
	memset(v.disk + (size_t)1024 * BLOCK, 0, (size_t)128 * BLOCK);
	mend(&v);
	memcpy(v.right + (size_t)640 * BLOCK, v.disk + (size_t)640 * BLOCK, (size_t)128 * BLOCK);
	assert_restored(&v);
	close_fixture(&v);
}

/* Two blocks that were exchanged are no areas: mend_block_place.c. */
static void single_blocks_are_left_to_another_mender(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	name(&v, 300);
	name(&v, 1300);
	begin(&v);
	swap(&v, 300, 1300, 1);
	mend(&v);
	assert_untouched(&v);
	close_fixture(&v);
}

/* If an AG header is lost, but not what follows it, no area reaches over it, and the device is not searched for one. */
static void a_lost_header_alone_is_not_searched_for(void **state)
{
	struct found found = { .place = place_of(OBJ_AGF), .problem = { .finding = F_BLOCK_MAGIC } };
	uint64_t bytes[2];

	(void)state;
	found.place.agno.v = 1;
	for (unsigned alone = 0; alone <= 1; alone++) {
		struct device_counts before, after;
		struct fixture v;

		open_fixture(&v);
		if (alone)
			name(&v, MENDING_AGBLOCKS + 2);
		begin(&v);
		mending_put(&v.f, 0, v.disk, (size_t)BLOCKS * BLOCK);
		device_counts(v.f.scratch.device, &before);
		assert_int_equal(mend_exchanged(&v.f.m, &found, 1), 0);
		device_counts(v.f.scratch.device, &after);
		bytes[alone] = after.bytes - before.bytes;
		assert_untouched(&v);
		close_fixture(&v);
	}
	assert_true(bytes[0] > (uint64_t)BLOCKS * BLOCK);
	assert_true(bytes[1] < (uint64_t)BLOCKS * BLOCK / 2);
}

static void a_copy_over_another_chunk_is_no_exchange(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	name_some(&v, 1);
	begin(&v);
	move(&v, 128, 512, 128); /* the one that was copied is in its place as well */
	mend(&v);
	assert_untouched(&v);
	close_fixture(&v);
}

/* It is replayed or ended by its own rules. */
static void the_log_is_left_alone(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	name_some(&v, 1);
	v.f.rc.geo.logstart = fsbno_of(&v.f.rc.geo, (agno_t){ 1 }, (agbno_t){ 0 });
	v.f.rc.geo.logblocks = 128;
	begin(&v);
	swap(&v, 128, 512, 128);
	mend(&v);
	assert_untouched(&v);
	close_fixture(&v);
}

/* They would be on top of exchanged blocks. */
static void replayed_or_mended_blocks_forbid_it(void **state)
{
	(void)state;
	for (enum overlay_layer layer = LAYER_REPLAY; layer <= LAYER_MEND; layer += LAYER_MEND - LAYER_REPLAY) {
		struct fixture v;

		open_fixture(&v);
		name_some(&v, 1);
		begin(&v);
		swap(&v, 128, 512, 128);
		mending_put(&v.f, 0, v.disk, (size_t)BLOCKS * BLOCK);
		assert_int_equal(device_stage(v.f.scratch.device, layer, v.disk, 0, BLOCK), 0);
		mend(&v);
		assert_untouched(&v);
		close_fixture(&v);
	}
}

static void version_4_is_left_alone(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	name_some(&v, 1);
	begin(&v);
	swap(&v, 128, 512, 128);
	v.f.rc.geo.crc = false;
	mend(&v);
	assert_untouched(&v);
	close_fixture(&v);
}

/* What was put back, under what was mended since. */
static void a_repair_begins_with_what_was_put_back(void **state)
{
	uint8_t mended[BLOCK];
	struct fixture v;

	(void)state;
	open_fixture(&v);
	name_some(&v, 1);
	begin(&v);
	swap(&v, 128, 512, 128);
	mend(&v);
	memset(mended, 'm', sizeof(mended));
	assert_int_equal(mend_write(&v.f.m, mended, (uint64_t)130 * BLOCK, BLOCK), 0);
	assert_int_equal(mend_exchanged_settle(&v.f.m), 0);
	assert_int_equal(device_staged(v.f.scratch.device, LAYER_PLACE), 0);
	memcpy(v.right + (size_t)130 * BLOCK, mended, BLOCK);
	assert_restored(&v);
	close_fixture(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exchanged_chunks_go_back_with_their_data),
		cmocka_unit_test(nothing_that_was_in_its_place_is_moved),
		cmocka_unit_test(a_large_area_reaches_up_to_what_contradicts_it),
		cmocka_unit_test(three_chunks_in_a_ring_go_back),
		cmocka_unit_test(a_chunk_of_data_and_one_of_metadata_go_back),
		cmocka_unit_test(a_copy_of_a_blank_chunk_stays),
		cmocka_unit_test(single_blocks_are_left_to_another_mender),
		cmocka_unit_test(a_lost_header_alone_is_not_searched_for),
		cmocka_unit_test(a_copy_over_another_chunk_is_no_exchange),
		cmocka_unit_test(the_log_is_left_alone),
		cmocka_unit_test(replayed_or_mended_blocks_forbid_it),
		cmocka_unit_test(version_4_is_left_alone),
		cmocka_unit_test(a_repair_begins_with_what_was_put_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
