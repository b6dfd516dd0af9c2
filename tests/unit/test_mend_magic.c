/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/restore/mend_magic.c: a block of a file gets its magic number again if it is sound as one of the kinds
 * that can be in its place, and nothing else of it changes.
 */
#include "mending.h"

#include "made_objects.h"

/* The kinds in files that the mender can tell without their inode, and the place as which a finding names them. */
static const struct {
	enum object object, named;
	unsigned magic_at, magic_bytes, crc_at; /* ondisk 06, 07 */
} kinds[] = {
	{ OBJ_DIR_BLOCK, OBJ_DIR_BLOCK, 0, 4, 4 },	{ OBJ_DIR_BLOCK, OBJ_DIR_DATA, 0, 4, 4 },
	{ OBJ_DIR_DATA, OBJ_DIR_DATA, 0, 4, 4 },	{ OBJ_DIR_DATA, OBJ_DIR_BLOCK, 0, 4, 4 },
	{ OBJ_ATTR_LEAF, OBJ_ATTR_LEAF, 8, 2, 12 },	{ OBJ_ATTR_REMOTE, OBJ_ATTR_LEAF, 0, 4, 12 },
	{ OBJ_ATTR_REMOTE, OBJ_ATTR_REMOTE, 0, 4, 12 },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct fixture {
	struct mending f;
	struct made made;
	uint8_t disk[4096];
	uint64_t at;
	struct found found;
};

/* The block of kinds[which], on the device as it should be; v->disk has the same bytes. */
static void open_fixture(struct fixture *v, size_t which)
{
	const struct geometry geo = mending_geometry();
	size_t row = 0;

	while (object_kinds[row].object != kinds[which].object)
		row++;
	make_in(&v->made, row, &geo);
	mending_open(&v->f, MEND_magic, &geo);
	v->at = mending_at(&v->f, AGNO, AGBNO);
	memcpy(v->disk, v->made.bytes, sizeof(v->disk));
	v->found = (struct found){ .place = v->made.at.place, .problem = { .finding = F_BLOCK_MAGIC } };
	v->found.place.object = kinds[which].named;
	v->found.place.rgno = NO_RGNO;
}

static void close_fixture(struct fixture *v)
{
	mending_close(&v->f);
}

/* CRC-32C of the block, bit by bit, stored with the least significant byte first. */
static void put_naive_crc(uint8_t *bytes, unsigned at)
{
	uint32_t crc = UINT32_MAX;

	memset(bytes + at, 0, 4);
	for (unsigned i = 0; i < 4096; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	for (unsigned i = 0; i < 4; i++)
		bytes[at + i] = (uint8_t)(~crc >> 8 * i);
}

/* Mends the block as v->disk has it. */
static void mend(struct fixture *v)
{
	mending_put(&v->f, v->at, v->disk, sizeof(v->disk));
	assert_int_equal(mend_magic(&v->f.m, &v->found, 1), 0);
}

static void assert_left_alone(struct fixture *v)
{
	assert_int_equal(v->f.m.done, 0);
	mending_assert_staged(&v->f, 0);
}

static void the_checksum_makes_it_certain(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct fixture v;

		open_fixture(&v, i);
		memset(v.disk + kinds[i].magic_at, 0x5a, kinds[i].magic_bytes);
		mend(&v);
		mending_assert(&v.f, v.at, v.made.bytes, sizeof(v.made.bytes));
		assert_int_equal(v.f.m.done, 1);
		assert_int_equal(v.f.m.likely + v.f.m.guesses, 0);
		close_fixture(&v);
	}
}

/* The magic number was wrong when the block was written. */
static void a_checksum_over_the_wrong_magic_number_is_made_anew_and_it_is_likely(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct fixture v;

		open_fixture(&v, i);
		memset(v.disk + kinds[i].magic_at, 0x5a, kinds[i].magic_bytes);
		put_naive_crc(v.disk, kinds[i].crc_at);
		mend(&v);
		mending_assert(&v.f, v.at, v.made.bytes, sizeof(v.made.bytes));
		assert_int_equal(v.f.m.likely, 1);
		close_fixture(&v);
	}
}

/* It is a finding of its own: something else may be wrong, too. */
static void a_checksum_that_is_wrong_either_way_stays_wrong(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct fixture v;

		open_fixture(&v, i);
		v.made.bytes[kinds[i].crc_at] ^= 1;
		memcpy(v.disk, v.made.bytes, sizeof(v.disk));
		memset(v.disk + kinds[i].magic_at, 0x5a, kinds[i].magic_bytes);
		mend(&v);
		mending_assert(&v.f, v.at, v.made.bytes, sizeof(v.made.bytes));
		assert_int_equal(v.f.m.likely, 1);
		close_fixture(&v);
	}
}

static void a_block_that_has_its_magic_number_is_not_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct fixture v;

		open_fixture(&v, i);
		mend(&v);
		assert_left_alone(&v);
		close_fixture(&v);
	}
}

/* Then it may be something else, or of another time. */
static void a_block_with_another_error_is_left_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		const unsigned from = kinds[i].object == OBJ_ATTR_LEAF	   ? 16
				      : kinds[i].object == OBJ_ATTR_REMOTE ? 32
									   : 8;
		struct fixture v;

		open_fixture(&v, i);
		memset(v.disk + kinds[i].magic_at, 0x5a, kinds[i].magic_bytes);
		v.disk[from + 7] ^= 8; /* the address in its header */
		put_naive_crc(v.disk, kinds[i].crc_at);
		mend(&v);
		assert_left_alone(&v);
		close_fixture(&v);
	}
}

static void a_block_of_another_inode_is_left_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct fixture v;

		open_fixture(&v, i);
		memset(v.disk + kinds[i].magic_at, 0x5a, kinds[i].magic_bytes);
		v.found.place.ino.v++;
		mend(&v);
		assert_left_alone(&v);
		close_fixture(&v);
	}
}

static void a_block_that_is_something_else_is_left_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		struct fixture v;

		open_fixture(&v, i);
		for (size_t k = 0; k < sizeof(v.disk); k++)
			v.disk[k] = scratch_byte(k);
		mend(&v);
		assert_left_alone(&v);
		memset(v.disk, 0, sizeof(v.disk));
		mend(&v);
		assert_left_alone(&v);
		close_fixture(&v);
	}
}

/* Behind the last block of AG 0: the same byte of the device, but no place that a map can name. */
static void a_place_that_no_group_has_is_left_alone(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v, 0);
	memset(v.disk, 0x5a, 4);
	v.found.place.agno.v = AGNO - 1;
	v.found.place.agbno.v = MENDING_AGBLOCKS + AGBNO;
	mend(&v);
	assert_left_alone(&v);
	close_fixture(&v);
}

/* What the inode btrees, free space and indexes of directories say is made again from other facts. */
static void only_blocks_that_nothing_else_replaces_are_wanted(void **state)
{
	struct found found = { .problem = { .finding = F_BLOCK_MAGIC } };

	(void)state;
	for (enum object object = 0; object < OBJECT_NR; object++) {
		const bool only = object == OBJ_DIR_BLOCK || object == OBJ_DIR_DATA || object == OBJ_ATTR_LEAF ||
				  object == OBJ_ATTR_REMOTE || object == OBJ_BMBT;

		found.place = place_of(object);
		assert_int_equal(mend_magic_wants(&found), only);
	}
	found.place = place_of(OBJ_DIR_DATA);
	found.problem.finding = F_BLOCK_OWNER;
	assert_false(mend_magic_wants(&found));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_checksum_makes_it_certain),
		cmocka_unit_test(a_checksum_over_the_wrong_magic_number_is_made_anew_and_it_is_likely),
		cmocka_unit_test(a_checksum_that_is_wrong_either_way_stays_wrong),
		cmocka_unit_test(a_block_that_has_its_magic_number_is_not_written),
		cmocka_unit_test(a_block_with_another_error_is_left_alone),
		cmocka_unit_test(a_block_of_another_inode_is_left_alone),
		cmocka_unit_test(a_block_that_is_something_else_is_left_alone),
		cmocka_unit_test(a_place_that_no_group_has_is_left_alone),
		cmocka_unit_test(only_blocks_that_nothing_else_replaces_are_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
