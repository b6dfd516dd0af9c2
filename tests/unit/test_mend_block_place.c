/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/restore/mend_block_place.c: blocks of files and inodes that were written to the places of others go back,
 * and only those.
 */
#include "mending.h"

#include "made_objects.h"

/* Blocks of AG 1 that maps of two files and an inobt point to. */
enum {
	BLOCK_LEN = 4096,
	FIRST = 100,
	SECOND = 200,
	THIRD = 300,
	INO_A = 0x40123,
	INO_B = 0x40124,
	AGINO_LOG = 18, /* 15 + 3 */
};

struct fixture {
	struct mending f;
	uint8_t block[3][2 * BLOCK_LEN]; /* the right contents of FIRST, SECOND, THIRD */
	struct found found[16];
	size_t count;
};

static const uint32_t places[] = { FIRST, SECOND, THIRD };

/* A block of attributes, as it must be in this place of this file. */
static void fill_attr(const struct geometry *geo, uint8_t *block, uint32_t agbno, uint64_t ino)
{
	const struct attr_item item = { .namelen = 4,
					.name = (const uint8_t *)"name",
					.value = (const uint8_t *)"value",
					.valuelen = 5,
					.hash = da_hashname((const uint8_t *)"name", 4, false) };
	const struct da_expect place = { { ino }, daddr_of(geo, (agno_t){ 1 }, (agbno_t){ agbno }), { 0 }, ATTR_FORK };

	attr_build_leaf(geo, block, &place, &item, 1, (struct da_siblings){ 0 });
}

static void open_with(struct fixture *v, const struct geometry *geo)
{
	memset(v->block, 0, sizeof(v->block));
	v->count = 0;
	mending_open(&v->f, MEND_block_place, geo);
	fill_attr(geo, v->block[0], FIRST, INO_A);
	fill_attr(geo, v->block[1], SECOND, INO_B);
	fill_attr(geo, v->block[2], THIRD, INO_A);
	for (unsigned i = 0; i < 3; i++)
		mending_put(&v->f, mending_at(&v->f, 1, places[i]), v->block[i], BLOCK_LEN);
}

static void open_fixture(struct fixture *v)
{
	const struct geometry geo = mending_geometry();

	open_with(v, &geo);
}

static void close_fixture(struct fixture *v)
{
	mending_close(&v->f);
}

/* Place `to` has the contents of place `from`, which are another's: the check says so. */
static void misplace(struct fixture *v, unsigned from, unsigned to)
{
	struct found *found = &v->found[v->count++];

	mending_put(&v->f, mending_at(&v->f, 1, places[to]), v->block[from], BLOCK_LEN);
	*found = (struct found){ .place = place_of(OBJ_ATTR_LEAF), .problem = { .finding = F_BLOCK_BLKNO } };
	found->place.agno.v = 1;
	found->place.agbno.v = places[to];
	found->place.ino.v = to == 1 ? INO_B : INO_A;
}

/* Place `to` has noise. */
static void destroy(struct fixture *v, unsigned to)
{
	uint8_t noise[BLOCK_LEN];

	misplace(v, to, to);
	v->found[v->count - 1].problem.finding = F_BLOCK_MAGIC;
	for (unsigned i = 0; i < BLOCK_LEN; i++)
		noise[i] = scratch_byte(i);
	mending_put(&v->f, mending_at(&v->f, 1, places[to]), noise, BLOCK_LEN);
}

static void mend(struct fixture *v, unsigned done)
{
	assert_int_equal(mend_block_place(&v->f.m, v->found, v->count), 0);
	assert_int_equal(v->f.m.done, done);
}

/* Place `of` has its right contents. */
static void assert_right(struct fixture *v, unsigned of)
{
	mending_assert(&v->f, mending_at(&v->f, 1, places[of]), v->block[of], BLOCK_LEN);
}

static void two_that_were_exchanged_go_back(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 1);
	misplace(&v, 1, 0);
	mend(&v, 2);
	for (unsigned i = 0; i < 3; i++)
		assert_right(&v, i);
	mending_assert_staged(&v.f, 2 * BLOCK_LEN);
	close_fixture(&v);
}

static void a_ring_of_three_goes_back(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 1);
	misplace(&v, 1, 2);
	misplace(&v, 2, 0);
	mend(&v, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_right(&v, i);
	close_fixture(&v);
}

static void a_block_that_left_noise_behind_goes_back(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 1);
	destroy(&v, 0);
	mend(&v, 1);
	assert_right(&v, 0);
	mending_assert_staged(&v.f, BLOCK_LEN); /* the former content of the other place is unknown */
	close_fixture(&v);
}

/* What is in its place as well is a copy, and the block there stays as it is. */
static void a_sound_block_is_not_written_over(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 1);
	fill_attr(&v.f.rc.geo, v.block[0], FIRST, INO_A);
	v.block[0][BLOCK_LEN - 1] ^= 1; /* it has changed since */
	mending_put(&v.f, mending_at(&v.f, 1, FIRST), v.block[0], BLOCK_LEN);
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

/* Another mender has restored it since the check. */
static void a_block_that_is_in_its_place_is_not_written(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 0);
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

static void a_place_that_is_another_files_now_gets_nothing(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 1);
	destroy(&v, 0);
	v.found[1].place.ino.v = INO_B;
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

static void a_block_with_a_wrong_checksum_is_no_witness(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	v.block[0][BLOCK_LEN - 1] ^= 1;
	misplace(&v, 0, 1);
	destroy(&v, 0);
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

static void a_block_of_another_file_system_is_no_witness(void **state)
{
	struct geometry other = mending_geometry();
	struct fixture v;

	(void)state;
	open_fixture(&v);
	other.meta_uuid[3] ^= 1;
	fill_attr(&other, v.block[0], FIRST, INO_A);
	misplace(&v, 0, 1);
	destroy(&v, 0);
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

/* Blocks of version 4 name neither place nor owner: ondisk 00, section 6. */
static void version_4_is_left_alone(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	v.f.rc.geo.crc = false;
	for (unsigned i = 0; i < 2; i++) {
		put16(v.block[i] + 8, 0xfbee); /* ondisk 07: its magic number; what follows may be anything */
		crc_store(v.block[i], BLOCK_LEN, 12);
	}
	misplace(&v, 0, 1);
	misplace(&v, 1, 0);
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

static void a_finding_outside_of_the_file_system_is_left_alone(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	misplace(&v, 0, 1);
	destroy(&v, 0);
	v.found[1].place.agno.v = 0; /* the same byte of the device */
	v.found[1].place.agbno.v = MENDING_AGBLOCKS + FIRST;
	mend(&v, 0);
	mending_assert_staged(&v.f, 0);
	close_fixture(&v);
}

/* One has two blocks: the checksum is over both. */
static void a_directory_block_of_several_blocks_goes_back_as_a_whole(void **state)
{
	struct dir_name names[2] = { { .ino = { 140 }, .name = (const uint8_t *)"a", .namelen = 1, .ftype = FT_REG },
				     { .ino = { 141 }, .name = (const uint8_t *)"b", .namelen = 1, .ftype = FT_REG } };
	struct geometry geo = mending_geometry();
	struct da_expect place = { { INO_A }, { 0 }, { 2 }, DATA_FORK };
	uint16_t longest;
	struct fixture v;

	(void)state;
	geo.dirblk_log = 1;
	geo.dir_block_size = 2 * BLOCK_LEN;
	open_with(&v, &geo);
	place.daddr = daddr_of(&geo, (agno_t){ 1 }, (agbno_t){ FIRST });
	for (unsigned i = 0; i < 2; i++)
		names[i].hash = da_hashname(names[i].name, 1, false);
	dir_build_data(&geo, v.block[0], &place, names, 2, &longest);
	misplace(&v, 0, 1);
	mending_put(&v.f, mending_at(&v.f, 1, SECOND), v.block[0], 2 * BLOCK_LEN);
	destroy(&v, 0);
	v.found[1].place.object = OBJ_DIR_DATA;
	mend(&v, 1);
	mending_assert(&v.f, mending_at(&v.f, 1, FIRST), v.block[0], 2 * BLOCK_LEN);
	close_fixture(&v);
}

/* ---- inodes ---- */

/* The first inode of a block of AG 1; a block has 8 inodes of 512 bytes. */
static uint64_t first_inode(uint32_t agbno)
{
	return (uint64_t)1 << AGINO_LOG | agbno << 3;
}

static void fill_inodes(const struct geometry *geo, uint8_t *block, uint32_t agbno, uint32_t gen)
{
	for (unsigned i = 0; i < 8; i++)
		dinode_make_free(geo, block + i * 512, (xino_t){ first_inode(agbno) + i }, gen);
}

static void find_inodes(struct fixture *v, unsigned place, enum finding finding)
{
	struct found *found = &v->found[v->count++];

	*found = (struct found){ .place = place_of(OBJ_INODE), .problem = { .finding = finding } };
	found->place.agno.v = 1;
	found->place.agbno.v = places[place];
	found->place.ino.v = first_inode(places[place]);
}

static void inodes_that_are_in_the_place_of_a_files_block_go_back(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	fill_inodes(&v.f.rc.geo, v.block[0], FIRST, 7);
	misplace(&v, 0, 1);
	misplace(&v, 1, 0);
	v.count--;
	find_inodes(&v, 0, F_BLOCK_MAGIC);
	mend(&v, 2);
	assert_right(&v, 0);
	assert_right(&v, 1);
	close_fixture(&v);
}

/* The log has restored two of them, which are newer. */
static void inodes_that_are_in_their_place_stay(void **state)
{
	uint8_t newer[BLOCK_LEN];
	struct fixture v;

	(void)state;
	open_fixture(&v);
	fill_inodes(&v.f.rc.geo, v.block[0], FIRST, 7);
	fill_inodes(&v.f.rc.geo, newer, FIRST, 8);
	misplace(&v, 0, 1);
	memcpy(v.block[0] + 2 * 512, newer + 2 * 512, 2 * 512);
	memset(newer, 0x5a, 2 * 512);
	memset(newer + 4 * 512, 0x5a, 4 * 512);
	mending_put(&v.f, mending_at(&v.f, 1, FIRST), newer, BLOCK_LEN);
	find_inodes(&v, 0, F_BLOCK_MAGIC);
	mend(&v, 1);
	assert_right(&v, 0);
	close_fixture(&v);
}

/* Each of 8 inodes may have a finding: it is still one block. */
static void a_block_with_several_findings_is_mended_once(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	fill_inodes(&v.f.rc.geo, v.block[0], FIRST, 7);
	misplace(&v, 0, 1);
	for (unsigned i = 0; i < 8; i++) {
		find_inodes(&v, 0, F_BLOCK_MAGIC);
		v.found[v.count - 1].place.ino.v += i;
	}
	destroy(&v, 0);
	v.count--;
	mend(&v, 1);
	assert_right(&v, 0);
	close_fixture(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_that_were_exchanged_go_back),
		cmocka_unit_test(a_ring_of_three_goes_back),
		cmocka_unit_test(a_block_that_left_noise_behind_goes_back),
		cmocka_unit_test(a_sound_block_is_not_written_over),
		cmocka_unit_test(a_block_that_is_in_its_place_is_not_written),
		cmocka_unit_test(a_place_that_is_another_files_now_gets_nothing),
		cmocka_unit_test(a_block_with_a_wrong_checksum_is_no_witness),
		cmocka_unit_test(a_block_of_another_file_system_is_no_witness),
		cmocka_unit_test(version_4_is_left_alone),
		cmocka_unit_test(a_finding_outside_of_the_file_system_is_left_alone),
		cmocka_unit_test(a_directory_block_of_several_blocks_goes_back_as_a_whole),
		cmocka_unit_test(inodes_that_are_in_the_place_of_a_files_block_go_back),
		cmocka_unit_test(inodes_that_are_in_their_place_stay),
		cmocka_unit_test(a_block_with_several_findings_is_mended_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
