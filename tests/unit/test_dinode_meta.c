/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes that become files of the metadata directory tree (ondisk 04, invariant 6; 09). */
#include "inodes.h"
#include "libxfs/dinode_mend.h"

/* In a file system that has realtime groups, whose bitmap has 3 blocks and whose summary has 2. */
static struct fixture in_metadata(struct fixture f)
{
	f.geo.metadir = true;
	f.geo.metadirino.v = METAROOT;
	f.geo.rgcount = 2;
	f.geo.rgblocks = 1 << 17;
	f.geo.rblocks = 2 << 17;
	f.geo.rbmblocks = 3;
	f.geo.rsumblocks = 2;
	return f;
}

static void make(struct fixture *f, uint16_t metatype, uint32_t projid)
{
	const struct metafile metafile = { metatype, projid };

	dinode_make_metafile(&f->geo, f->bytes, &metafile);
	decode(f);
	assert_int_equal(f->reported.count, 0);
	assert_true(dinode_is_metafile(&f->inode, &metafile));
}

static void files_of_all_types_are_sound(void **state)
{
	(void)state;
	for (uint16_t type = 2; type <= 8; type++) {
		struct fixture f = in_metadata(regular_file());

		make(&f, type, type >= 5 ? 1 : 0);
		assert_int_equal(f.bytes[FORMAT], type >= 7 ? 5 : 2);
		assert_int_equal(f.inode.size, type == 5 ? 3 * 4096 : type == 6 ? 2 * 4096 : 0);
	}
}

static void directory_is_sound_and_keeps_its_entries(void **state)
{
	struct fixture f = in_metadata(directory());

	(void)state;
	memset(f.bytes + LITERAL, 0x5a, 29);
	make(&f, 1, 0);
	assert_int_equal(f.inode.ftype, FT_DIR);
	assert_int_equal(f.bytes[LITERAL + 28], 0x5a);
}

static void owners_and_flags_of_users_are_gone(void **state)
{
	struct fixture f = in_metadata(regular_file());

	(void)state;
	put32(&f, UID, 1000);
	put32(&f, GID, 1000);
	put16(&f, FLAGS, 1); /* realtime */
	put64(&f, FLAGS2, BIGTIME | NREXT64 | 1 | 2);
	make(&f, 5, 0);
	assert_int_equal(f.inode.uid, 0);
	assert_false(f.inode.realtime);
}

static void extents_of_a_bitmap_stay(void **state)
{
	struct fixture f = in_metadata(file_of(1));

	(void)state;
	put64(&f, LITERAL + 8, (1ull << 15 | 100) << 21 | 1);
	make(&f, 5, 1);
	assert_int_equal(f.inode.fork[DATA_FORK].nextents, 1);
	assert_int_equal(f.bytes[LITERAL + 15], 1);
}

static void extents_are_no_btree(void **state)
{
	struct fixture f = in_metadata(file_of(1));

	(void)state;
	put64(&f, LITERAL + 8, (1ull << 15 | 100) << 21 | 1);
	put_attr_fork(&f, 20);
	f.bytes[LITERAL + 160] = 0x77;
	make(&f, 7, 1);
	assert_int_equal(f.inode.fork[DATA_FORK].nextents, 0);
	assert_int_equal(f.bytes[LITERAL + 15], 0);
	assert_int_equal(f.bytes[LITERAL + 160], 0x77); /* of the attributes */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_all_types_are_sound),
		cmocka_unit_test(directory_is_sound_and_keeps_its_entries),
		cmocka_unit_test(owners_and_flags_of_users_are_gone),
		cmocka_unit_test(extents_of_a_bitmap_stay),
		cmocka_unit_test(extents_are_no_btree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
