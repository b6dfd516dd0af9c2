/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/loss/loss_data.c: the data of a file that a repair loses, against a naive twin that has the place of each
 * block before and after it, and their contents.
 */
#include "scratch_device.h"
#include "two_views.h"

enum {
	FILE_BLOCKS = 48, /* of the file, of which the last ones may lie behind its end */
	GROUPS = 2,
	GROUP_BLOCKS = 64,
	BLOCKS = GROUPS * GROUP_BLOCKS,
	HOLE = BLOCKS,
};

enum said {
	SAID_NOTHING,
	SAID_LOST,
	SAID_CHANGED,
	SAID_GAINED,
};

struct fixture {
	struct two_views v;
	struct scratch scratch;
	uint8_t was[BLOCKS], is[BLOCKS]; /* what each block is filled with */
	unsigned before[FILE_BLOCKS], after[FILE_BLOCKS];
	uint64_t size_before, size_after;
};

static void fill(uint8_t *block, uint8_t with)
{
	memset(block, with, 4096);
}

static void open_fixture(struct fixture *f)
{
	struct geometry *geo;

	memset(f, 0, sizeof(*f));
	views_open(&f->v);
	scratch_open(&f->scratch, ENGINE_THREADS, (uint64_t)BLOCKS << 12);
	f->v.run.device = f->scratch.device;
	geo = &f->v.rc.geo;
	geo->agcount = GROUPS;
	geo->agblocks = GROUP_BLOCKS;
	geo->agblock_log = 6;
	geo->dblocks = BLOCKS;
	f->v.again.geo = *geo;
	for (unsigned i = 0; i < FILE_BLOCKS; i++)
		f->before[i] = f->after[i] = HOLE;
	f->size_before = f->size_after = FILE_BLOCKS * 4096;
}

static void close_fixture(struct fixture *f)
{
	scratch_close(&f->scratch);
	views_close(&f->v);
}

/* Block number `block` of the devices holds nothing but this byte, from before the repair on. */
static void put_block(struct fixture *f, unsigned block, uint8_t with)
{
	uint8_t bytes[4096];

	fill(bytes, with);
	assert_int_equal(pwrite(f->scratch.fd, bytes, sizeof(bytes), (off_t)block << 12), sizeof(bytes));
	f->was[block] = f->is[block] = with;
}

/* The repair writes this to it. */
static void mend_block(struct fixture *f, unsigned block, uint8_t with)
{
	uint8_t bytes[4096];

	fill(bytes, with);
	assert_int_equal(device_stage(f->scratch.device, LAYER_MEND, bytes, (uint64_t)block << 12, sizeof(bytes)), 0);
	f->is[block] = with;
}

static void map(unsigned *blocks, unsigned off, unsigned block, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		blocks[off + i] = block + i;
}

#define EXTENT(side_, off, block, len)                                                                                 \
	((struct loss_fact){ .ino.v = FILE_INO,                                                                        \
			     .kind = FACT_BLOCKS,                                                                      \
			     .side = (uint8_t)(side_),                                                                 \
			     .a = (off),                                                                               \
			     .group.v = (block) / GROUP_BLOCKS,                                                        \
			     .b = (block) % GROUP_BLOCKS,                                                              \
			     .c = (len),                                                                               \
			     .data = true })

/* Puts the extents of a map.  Returns how many blocks they have; *ret_count: how many there are. */
static uint64_t put_map(struct fixture *f, const unsigned *blocks, enum fact_side side, uint64_t *ret_count)
{
	uint64_t all = 0;

	for (unsigned i = 0, len; i < FILE_BLOCKS; i += len) {
		struct loss_fact fact;

		len = 1;
		if (blocks[i] == HOLE)
			continue;
		while (i + len < FILE_BLOCKS && blocks[i + len] == blocks[i] + len && (blocks[i] + len) % GROUP_BLOCKS)
			len++;
		fact = EXTENT(side, i, blocks[i], len);
		views_put(&f->v, &fact, NULL, 0);
		all += len;
		++*ret_count;
	}
	return all;
}

/* Compares the two maps. */
static void compare(struct fixture *f)
{
	struct inode_core before = views_core(), after = views_core();

	before.nblocks = put_map(f, f->before, SIDE_BEFORE, &before.nextents);
	after.nblocks = put_map(f, f->after, SIDE_AFTER, &after.nextents);
	before.size = f->size_before;
	after.size = before.size;
	views_inode(&f->v, SIDE_BEFORE, FILE_INO, FT_REG, &before);
	views_inode(&f->v, SIDE_AFTER, FILE_INO, FT_REG, &after);
	views_name_stays(&f->v, FILE_INO, DIR_A, "file");
	views_compare(&f->v);
}

/* Sets what the list has about each block of the file, at most once.  Checks bytes and totals. */
static void read_list(const struct fixture *f, enum said *ret)
{
	static const enum said said[] = {
		[FATE_LOST] = SAID_LOST, [FATE_CHANGED] = SAID_CHANGED, [FATE_GAINED] = SAID_GAINED
	};
	uint64_t bytes[FATE_NR] = { 0 };
	const struct loss_count *total = &f->v.list.totals.of[LOSS_DATA];

	memset(ret, 0, FILE_BLOCKS * sizeof(*ret));
	for (size_t i = 0; i < f->v.list.count; i++) {
		const struct loss *loss = &f->v.list.all[i];

		assert_int_equal(loss->kind, LOSS_DATA);
		assert_int_equal(loss->ino.v, FILE_INO);
		assert_int_equal(loss->from % 4096, 0);
		assert_true(loss->from < loss->to && loss->to <= f->size_before);
		assert_true(loss->to % 4096 == 0 || loss->to == f->size_before);
		assert_int_equal(loss->count, loss->to - loss->from);
		bytes[loss->fate] += loss->count;
		for (uint64_t at = loss->from; at < loss->to; at += 4096) {
			assert_int_equal(ret[at >> 12], SAID_NOTHING);
			ret[at >> 12] = said[loss->fate];
		}
	}
	assert_int_equal(bytes[FATE_LOST], total->lost);
	assert_int_equal(bytes[FATE_CHANGED], total->changed);
	assert_int_equal(bytes[FATE_GAINED], total->gained);
}

static bool has(const unsigned *blocks, unsigned block)
{
	for (unsigned i = 0; i < FILE_BLOCKS; i++)
		if (blocks[i] == block)
			return true;
	return false;
}

/* Returns what the list must have about a block, by its place and contents alone. */
static enum said twin(const struct fixture *f, unsigned off)
{
	const unsigned was = f->before[off], is = f->after[off];

	if ((uint64_t)off << 12 >= f->size_before || was == is)
		return SAID_NOTHING;
	if (was == HOLE)
		return SAID_GAINED;
	if (is == HOLE)
		return has(f->after, was) ? SAID_NOTHING : SAID_LOST; /* only its offset was wrong */
	return f->was[was] == f->is[is] ? SAID_NOTHING : SAID_CHANGED;
}

static void assert_as_twin(const struct fixture *f)
{
	enum said said[FILE_BLOCKS];

	read_list(f, said);
	for (unsigned i = 0; i < FILE_BLOCKS; i++)
		assert_int_equal(said[i], twin(f, i));
}

static uint64_t next(uint64_t *seed, uint64_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*seed >> 33) % below;
}

/* Extents in ascending order, whose blocks no other extent of the map has. */
static void map_at_random(unsigned *blocks, uint64_t *seed)
{
	for (unsigned off = (unsigned)next(seed, 4); off < FILE_BLOCKS; off += (unsigned)next(seed, 4)) {
		unsigned len = (unsigned)smaller(1 + next(seed, 6), FILE_BLOCKS - off);
		unsigned block = (unsigned)next(seed, BLOCKS);

		for (; len && block < BLOCKS && !has(blocks, block); len--)
			blocks[off++] = block++;
	}
}

/* As repairs do it: some extents are dropped, moved on the device, moved in the file, or added. */
static void change_at_random(struct fixture *f, uint64_t *seed)
{
	memcpy(f->after, f->before, sizeof(f->after));
	for (unsigned times = (unsigned)next(seed, 4); times; times--) {
		const unsigned off = (unsigned)next(seed, FILE_BLOCKS), kind = (unsigned)next(seed, 4);
		const unsigned end = (unsigned)smaller(off + 1 + next(seed, 8), FILE_BLOCKS);
		unsigned to = (unsigned)next(seed, kind == 1 ? FILE_BLOCKS : BLOCKS);

		for (unsigned i = off; i < end; i++, to++) {
			const unsigned block = f->after[i];

			if (kind != 3)
				f->after[i] = HOLE;
			if (kind == 1 && to < FILE_BLOCKS && block != HOLE)
				f->after[to] = block;
			if (kind == 2 && to < BLOCKS && block != HOLE && !has(f->after, to))
				f->after[i] = to;
			if (kind == 3 && block == HOLE && to < BLOCKS && !has(f->after, to))
				f->after[i] = to;
		}
	}
}

static void each_block_is_lost_changed_gained_or_as_it_was(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 1500; round++) {
		struct fixture f;

		open_fixture(&f);
		for (unsigned i = 0; i < BLOCKS; i++)
			put_block(&f, i, (uint8_t)next(&seed, 3));
		for (unsigned i = 0; i < 6; i++)
			mend_block(&f, (unsigned)next(&seed, BLOCKS), (uint8_t)next(&seed, 3));
		map_at_random(f.before, &seed);
		change_at_random(&f, &seed);
		f.size_before -= next(&seed, 6 * 4096);
		compare(&f);
		assert_as_twin(&f);
		close_fixture(&f);
	}
}

/* ---- rules one by one ---- */

/* Returns the only loss of data: these blocks of the file. */
static const struct loss *only(const struct fixture *f, enum loss_fate fate, uint64_t from, uint64_t to)
{
	const struct loss *loss = views_only(&f->v, LOSS_DATA, fate);

	assert_int_equal(loss->from, from << 12);
	assert_int_equal(loss->to, to << 12);
	return loss;
}

/* Of an extent of 10 blocks, the first 3 are at another offset of the file now. */
static void the_rest_of_an_extent_is_lost_if_its_beginning_has_moved(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(f.before, 0, 20, 10);
	map(f.after, 30, 20, 3);
	compare(&f);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_GAINED), 1);
	assert_int_equal(views_one(&f.v, LOSS_DATA, FATE_LOST)->from, 3 << 12);
	assert_int_equal(views_one(&f.v, LOSS_DATA, FATE_LOST)->to, 10 << 12);
	close_fixture(&f);
}

static void the_rest_of_an_extent_is_not_lost_if_its_end_has_moved(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(f.before, 0, 20, 10);
	map(f.after, 30, 23, 7);
	compare(&f);
	assert_int_equal(views_one(&f.v, LOSS_DATA, FATE_LOST)->from, 0);
	assert_int_equal(views_one(&f.v, LOSS_DATA, FATE_LOST)->to, 3 << 12);
	close_fixture(&f);
}

/* Compares a file of ten blocks, whose first extent was of 30 blocks in the old map, over two others; the count says so
 * many. */
static void compare_too_long(struct fixture *f, uint64_t nblocks)
{
	struct inode_core core = views_core();

	open_fixture(f);
	map(f->before, 4, 60, 4);
	map(f->before, 12, 70, 4);
	map(f->after, 0, 20, 2);
	map(f->after, 4, 60, 4);
	map(f->after, 12, 70, 4);
	views_put(&f->v, &EXTENT(SIDE_BEFORE, 0, 20, 30), NULL, 0);
	views_put(&f->v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNMAPPED, .a = 16, .b = 30 }, NULL, 0);
	put_map(f, f->before, SIDE_BEFORE, &core.nextents);
	core.size = f->size_before;
	core.nblocks = nblocks;
	views_inode(&f->v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	core.nblocks = put_map(f, f->after, SIDE_AFTER, &core.nextents);
	views_inode(&f->v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_compare(&f->v);
}

static void an_extent_that_reaches_into_the_next_one_was_too_long(void **state)
{
	struct fixture f;

	(void)state;
	compare_too_long(&f, 10);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_LOST), 0);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_GAINED), 0);
	close_fixture(&f);
}

static void what_it_lacks_by_the_count_is_lost(void **state)
{
	struct fixture f;

	(void)state;
	compare_too_long(&f, 13);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_LOST), 1);
	assert_int_equal(views_one(&f.v, LOSS_DATA, FATE_LOST)->count, 3 << 12);
	close_fixture(&f);
}

/* A file may share blocks with itself: a long extent and a short one within it. */
static void a_block_that_the_file_has_twice_is_not_lost(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(f.before, 0, 28, 1);
	map(f.after, 10, 20, 10);
	map(f.after, 30, 21, 2);
	map(f.after, 40, 23, 2);
	compare(&f);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_LOST), 0);
	close_fixture(&f);
}

static void blocks_behind_the_end_of_the_file_are_no_data(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.size_before = 5 * 4096 + 1;
	map(f.before, 0, 20, 10);
	map(f.after, 0, 20, 2);
	compare(&f);
	assert_int_equal(views_only(&f.v, LOSS_DATA, FATE_LOST)->count, 3 * 4096 + 1);
	assert_int_equal(f.v.list.totals.of[LOSS_DATA].lost, 3 * 4096 + 1);
	close_fixture(&f);
}

static void blocks_of_attributes_are_no_data(void **state)
{
	struct loss_fact fact = EXTENT(SIDE_BEFORE, 0, 40, 5);
	struct fixture f;

	(void)state;
	open_fixture(&f);
	fact.data = false;
	fact.flags = 1; /* attribute fork */
	views_put(&f.v, &fact, NULL, 0);
	compare(&f);
	assert_int_equal(f.v.list.count, 0);
	close_fixture(&f);
}

static void what_was_not_compared_counts_as_changed(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 20; i < 50; i++)
		put_block(&f, i, 7);
	map(f.before, 0, 20, 10);
	map(f.after, 0, 40, 10);
	f.v.c.bytes_left = 4 * 4096;
	compare(&f);
	only(&f, FATE_CHANGED, 4, 10);
	close_fixture(&f);
}

static void dropped_blocks_are_lost_where_a_hole_is_now(void **state)
{
	struct loss_fact dropped = EXTENT(SIDE_DROPPED, 2, 0, 10);
	const struct loss *loss;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(f.before, 0, 20, 5);
	map(f.after, 0, 20, 5);
	map(f.before, 9, 60, 20);
	map(f.after, 9, 60, 20);
	dropped.reason = DROP_OVERLAP;
	views_put(&f.v, &dropped, NULL, 0);
	compare(&f);
	loss = only(&f, FATE_LOST, 5, 9);
	assert_int_equal(loss->reason, DROP_OVERLAP);
	assert_int_equal(loss->witness, WITNESS_ROUND);
	close_fixture(&f);
}

static void a_lost_extent_that_was_dropped_is_told_once_with_the_reason(void **state)
{
	struct loss_fact dropped = EXTENT(SIDE_DROPPED, 2, 0, 3);
	const struct loss *loss;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(f.before, 0, 20, 5);
	dropped.reason = DROP_OTHERS_BLOCKS;
	views_put(&f.v, &dropped, NULL, 0);
	compare(&f);
	loss = only(&f, FATE_LOST, 0, 5);
	assert_int_equal(loss->reason, DROP_OTHERS_BLOCKS);
	assert_int_equal(loss->witness, WITNESS_BLOCK);
	close_fixture(&f);
}

static void guessed_blocks_are_changed_and_not_restored(void **state)
{
	struct loss_fact guessed = EXTENT(SIDE_DROPPED, 0, 0, 8);
	struct fixture f;

	(void)state;
	open_fixture(&f);
	map(f.before, 0, 20, 2);
	map(f.after, 0, 20, 8);
	guessed.reason = DROP_GUESSED;
	views_put(&f.v, &guessed, NULL, 0);
	compare(&f);
	assert_int_equal(only(&f, FATE_CHANGED, 2, 8)->reason, DROP_GUESSED);
	assert_int_equal(f.v.tally.damaged, 1);
	close_fixture(&f);
}

/* A file of 10 known blocks that counts some more; the map of blocks [10, 20) could not be read. */
static void count_more(struct fixture *f, uint64_t more, bool unmapped)
{
	struct inode_core core = views_core();

	open_fixture(f);
	map(f->before, 0, 20, 10);
	map(f->after, 0, 20, 10);
	core.size = f->size_before;
	core.nblocks = put_map(f, f->before, SIDE_BEFORE, &core.nextents) + more;
	views_inode(&f->v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	core.nblocks = put_map(f, f->after, SIDE_AFTER, &core.nextents);
	views_inode(&f->v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	if (unmapped)
		views_put(&f->v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNMAPPED, .a = 10, .b = 20 },
			  NULL, 0);
	views_compare(&f->v);
}

static void counted_blocks_are_lost_in_holes_that_no_map_tells_of(void **state)
{
	const struct loss *loss;
	struct fixture f;

	(void)state;
	count_more(&f, 4, true);
	loss = only(&f, FATE_LOST, 10, 20);
	assert_int_equal(loss->witness, WITNESS_COUNT);
	assert_int_equal(loss->count, 4 << 12);
	assert_int_equal(f.v.list.totals.of[LOSS_DATA].hidden, 4 << 12);
	close_fixture(&f);
}

static void a_count_greater_than_these_holes_was_wrong(void **state)
{
	struct fixture f;

	(void)state;
	count_more(&f, 100, true);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_LOST), 0);
	close_fixture(&f);
}

static void a_count_was_wrong_if_the_map_was_whole(void **state)
{
	struct fixture f;

	(void)state;
	count_more(&f, 4, false);
	assert_int_equal(views_times(&f.v, LOSS_DATA, FATE_LOST), 0);
	close_fixture(&f);
}

/* Blocks 22 to 24 of the device are among destroyed ones: blocks 2 to 4 of the file. */
static void data_among_destroyed_blocks_is_in_doubt(void **state)
{
	struct loss_fact after = EXTENT(SIDE_AFTER, 0, 20, 10);
	struct loss_area area = { 22 << 12, 25 << 12 };
	struct inode_core core = views_core();
	const struct loss *loss;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.areas = (struct loss_areas){ .all = &area, .count = 1 };
	map(f.before, 0, 20, 10);
	core.nblocks = put_map(&f, f.before, SIDE_BEFORE, &core.nextents);
	core.size = f.size_before;
	views_inode(&f.v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	views_inode(&f.v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_name_stays(&f.v, FILE_INO, DIR_A, "file");
	after.amid = true;
	views_put(&f.v, &after, NULL, 0);
	views_compare(&f.v);
	loss = only(&f, FATE_CHANGED, 2, 5);
	assert_int_equal(loss->reason, DROP_AMID);
	assert_int_equal(loss->doubt, DOUBT_AREA);
	assert_int_equal(f.v.list.totals.of[LOSS_DATA].changed, 0);
	assert_int_equal(f.v.tally.damaged, 1);
	assert_int_equal(f.v.tally.unconfirmed, 1);
	close_fixture(&f);
}

/* The map's block has a wrong checksum: an rmapbt confirms the extent, unless it lacks some of the file's blocks. */
static void an_rmapbt_confirms_a_damaged_map_if_it_lacks_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct loss_fact before = EXTENT(SIDE_BEFORE, 0, 20, 10), after = EXTENT(SIDE_AFTER, 0, 20, 10);
		struct inode_core core = views_core();
		struct fixture f;

		open_fixture(&f);
		f.v.rc.geo.rmapbt = i > 0;
		if (i == 2)
			assert_int_equal(ino_set_add(&f.v.not_in_rmapbt, (xino_t){ FILE_INO }), 1);
		core.nblocks = 10;
		core.nextents = 1;
		core.size = 10 << 12;
		views_inode(&f.v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
		views_inode(&f.v, SIDE_AFTER, FILE_INO, FT_REG, &core);
		views_name_stays(&f.v, FILE_INO, DIR_A, "file");
		before.unsound = true;
		views_put(&f.v, &before, NULL, 0);
		views_put(&f.v, &after, NULL, 0);
		views_compare(&f.v);
		if (i == 1)
			assert_int_equal(f.v.list.count, 0);
		else
			assert_int_equal(only(&f, FATE_CHANGED, 0, 10)->reason, DROP_UNCONFIRMED);
		close_fixture(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block_is_lost_changed_gained_or_as_it_was),
		cmocka_unit_test(the_rest_of_an_extent_is_lost_if_its_beginning_has_moved),
		cmocka_unit_test(the_rest_of_an_extent_is_not_lost_if_its_end_has_moved),
		cmocka_unit_test(an_extent_that_reaches_into_the_next_one_was_too_long),
		cmocka_unit_test(what_it_lacks_by_the_count_is_lost),
		cmocka_unit_test(a_block_that_the_file_has_twice_is_not_lost),
		cmocka_unit_test(blocks_behind_the_end_of_the_file_are_no_data),
		cmocka_unit_test(blocks_of_attributes_are_no_data),
		cmocka_unit_test(what_was_not_compared_counts_as_changed),
		cmocka_unit_test(dropped_blocks_are_lost_where_a_hole_is_now),
		cmocka_unit_test(a_lost_extent_that_was_dropped_is_told_once_with_the_reason),
		cmocka_unit_test(guessed_blocks_are_changed_and_not_restored),
		cmocka_unit_test(counted_blocks_are_lost_in_holes_that_no_map_tells_of),
		cmocka_unit_test(a_count_greater_than_these_holes_was_wrong),
		cmocka_unit_test(a_count_was_wrong_if_the_map_was_whole),
		cmocka_unit_test(data_among_destroyed_blocks_is_in_doubt),
		cmocka_unit_test(an_rmapbt_confirms_a_damaged_map_if_it_lacks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
