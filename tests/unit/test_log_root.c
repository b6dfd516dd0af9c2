/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Btree roots of inodes, from the form in memory to the form in the fork (ondisk 11, DBROOT; 05; 09). */
#include "log_items.h"
#include "disk/inode.h"
#include "libxfs/btree.h"

enum { LEVEL = 4, NUMRECS = 6, HEADER = 72, HEADER_V4 = 24, FORK = 336 };

struct fixture {
	struct item item;
	struct log_inode inode;
	uint8_t root[FORK];
};

/* A root of so many entries, logged with room for exactly these; byte k of entry n is 16 n + k. */
static void begin(struct fixture *f, unsigned header, unsigned level, unsigned count, unsigned key, unsigned ptr)
{
	uint8_t *bytes;

	memset(f, 0, sizeof(*f));
	bytes = f->item.bytes[2];
	item_begin(&f->item, false, INODE, 3, 56);
	btree_limits(&f->item.geo);
	memset(f->root, 0xaa, sizeof(f->root));
	memset(bytes, 0xee, header);
	put_be(bytes + LEVEL, level, 2);
	put_be(bytes + NUMRECS, count, 2);
	for (unsigned n = 0; n < count; n++) {
		for (unsigned k = 0; k < key; k++)
			bytes[header + n * key + k] = (uint8_t)(16 * n + k);
		for (unsigned k = 0; k < ptr; k++)
			bytes[header + count * key + n * ptr + k] = (uint8_t)(0x80 + 16 * n + k);
	}
	f->inode.data = (struct log_region){ bytes, header + count * (key + ptr), 0 };
	f->inode.core_len = 176;
	f->inode.core[5] = DINODE_FMT_BTREE;
}

static bool to_disk(struct fixture *f)
{
	return log_root_to_disk(&f->item.c, &f->inode, DATA_FORK, f->root, FORK);
}

/* Fails unless there are entries of `size` bytes at `at`, the first byte of the first one being this. */
static void assert_entries(const struct fixture *f, unsigned at, unsigned count, unsigned size, uint8_t first)
{
	for (unsigned n = 0; n < count; n++)
		for (unsigned k = 0; k < size; k++)
			assert_int_equal(f->root[at + n * size + k], (uint8_t)(first + 16 * n + k));
}

static void pointers_move_behind_the_room_for_keys(void **state)
{
	struct fixture f;
	unsigned max = (FORK - 4) / 16;

	(void)state;
	begin(&f, HEADER, 1, 3, 8, 8);
	assert_true(to_disk(&f));
	assert_nothing(&f.item);
	assert_int_equal(f.root[1], 1);
	assert_int_equal(f.root[3], 3);
	assert_entries(&f, 4, 3, 8, 0);
	assert_entries(&f, 4 + max * 8, 3, 8, 0x80);
	/* and the rest is clear */
	for (unsigned at = 4 + 3 * 8; at < 4 + max * 8; at++)
		assert_int_equal(f.root[at], 0);
	for (unsigned at = 4 + max * 8 + 3 * 8; at < FORK; at++)
		assert_int_equal(f.root[at], 0);
}

static void headers_are_shorter_in_version_4(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, HEADER_V4, 2, 2, 8, 8);
	f.item.geo.crc = false;
	f.item.geo.version = 4;
	f.inode.core_len = 96;
	assert_true(to_disk(&f));
	assert_entries(&f, 4, 2, 8, 0);
	assert_entries(&f, 4 + (FORK - 4) / 16 * 8, 2, 8, 0x80);
}

static void attribute_forks_have_roots_too(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, HEADER, 1, 1, 8, 8);
	f.inode.attr = f.inode.data;
	f.inode.data.len = 0;
	assert_true(log_root_to_disk(&f.item.c, &f.inode, ATTR_FORK, f.root, 100));
	assert_entries(&f, 4 + (100 - 4) / 16 * 8, 1, 8, 0x80);
}

static void begin_realtime(struct fixture *f, unsigned type, unsigned level, unsigned count, unsigned key, unsigned ptr)
{
	begin(f, HEADER, level, count, key, ptr);
	f->item.geo.metadir = f->item.geo.rmapbt = f->item.geo.reflink = true;
	f->item.geo.rgcount = 1;
	f->item.geo.rgblocks = 10000;
	btree_limits(&f->item.geo);
	f->inode.core[5] = DINODE_FMT_META_BTREE;
	put_be(f->inode.core + 6, type, 2);
}

static void roots_of_realtime_groups_have_their_own_sizes(void **state)
{
	struct fixture f;

	(void)state;
	begin_realtime(&f, METAFILE_RTRMAP, 1, 2, 40, 8);
	assert_true(to_disk(&f));
	assert_entries(&f, 4, 2, 40, 0);
	assert_entries(&f, 4 + (FORK - 4) / 48 * 40, 2, 8, 0x80);
	/* there is room for two keys to a child, of which only one is there */
	begin_realtime(&f, METAFILE_RTREFCOUNT, 1, 2, 4, 8);
	assert_true(to_disk(&f));
	assert_entries(&f, 4, 2, 4, 0);
	assert_entries(&f, 4 + (FORK - 4) / 16 * 4, 2, 8, 0x80);
}

static void records_may_be_in_the_root_of_realtime_trees(void **state)
{
	struct fixture f;

	(void)state;
	begin_realtime(&f, METAFILE_RTRMAP, 0, 3, 24, 0);
	assert_true(to_disk(&f));
	assert_entries(&f, 4, 3, 24, 0);
	begin_realtime(&f, METAFILE_RTRMAP, 0, 0, 24, 0);
	assert_true(to_disk(&f));
	assert_nothing(&f.item);
}

static void roots_that_cannot_be_are_reported(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, HEADER, 0, 1, 8, 8);
	assert_false(to_disk(&f));
	assert_only(&f.item, F_LOG_INODE_ROOT, 0, 1);
	begin(&f, HEADER, 1, 21, 8, 8); /* the fork has room for 20 */
	assert_false(to_disk(&f));
	assert_only(&f.item, F_LOG_INODE_ROOT, 21, 20);
	begin(&f, HEADER, 1, 3, 8, 8);
	put_be(f.item.bytes[2] + NUMRECS, 4, 2);
	assert_false(to_disk(&f));
	assert_only(&f.item, F_LOG_INODE_ROOT, 4, 3);
	begin(&f, HEADER, 1, 3, 8, 8);
	f.inode.data.len = 68;
	assert_false(to_disk(&f));
	assert_only(&f.item, F_LOG_INODE_FORK, 68, 72);
	begin_realtime(&f, METAFILE_RTBITMAP, 1, 2, 8, 8);
	assert_false(to_disk(&f));
	assert_only(&f.item, F_LOG_INODE_ROOT_KIND, METAFILE_RTBITMAP, 0);
	/* version 4 has no such trees */
	begin_realtime(&f, METAFILE_RTRMAP, 1, 2, 40, 8);
	f.item.geo.crc = false;
	btree_limits(&f.item.geo);
	assert_false(to_disk(&f));
	assert_only(&f.item, F_LOG_INODE_ROOT_KIND, BT_RTRMAP, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pointers_move_behind_the_room_for_keys),
		cmocka_unit_test(headers_are_shorter_in_version_4),
		cmocka_unit_test(attribute_forks_have_roots_too),
		cmocka_unit_test(roots_of_realtime_groups_have_their_own_sizes),
		cmocka_unit_test(records_may_be_in_the_root_of_realtime_trees),
		cmocka_unit_test(roots_that_cannot_be_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
