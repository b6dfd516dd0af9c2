/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flags, hints and metadata files (ondisk 04). */
#include "inodes.h"

#define MOST_HINT 10240u /* half an AG */

static struct fixture device(void)
{
	struct fixture f = inode_of_mode(020644);

	f.bytes[FORMAT] = 0;
	return f;
}

/* each bit of di_flags, on a file, a directory and a device; y: the kernel lets it be there */
static void flags_go_with_the_file_type(void **state)
{
	/*                              realtime .. nodump, then rtinherit .. filestream, reserved */
	static const char on_file[] = "nynyyyyy"
				      "nnyynyyn";
	static const char on_dir[] = "nynyyyyy"
				     "yyynyyyn";
	static const char on_device[] = "nynyyyyy"
					"nnnnnyyn";

	(void)state;
	for (unsigned bit = 0; bit < 16; bit++) {
		struct fixture fixtures[] = { regular_file(), directory(), device() };
		const char *allowed[] = { on_file, on_dir, on_device };

		for (unsigned i = 0; i < 3; i++) {
			struct fixture *f = &fixtures[i];

			put16(f, FLAGS, 1u << bit | 0x40);
			if (bit == 11 || bit == 12) /* they come with a hint */
				put32(f, EXTSIZE, allowed[i][bit] == 'y' ? 16 : 0);
			if (allowed[i][bit] == 'y')
				assert_sound(f);
			else
				assert_finds(f, F_INODE_FLAGS, FLAGS, 1u << bit | 0x40, 0x40);
		}
	}
}

static void flag_of_the_realtime_bitmap_is_its_own(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put16(&f, FLAGS, 4);
	f.ino = RBM;
	assert_sound(&f);
	f.ino = NUMBER;
	assert_finds(&f, F_INODE_FLAGS, FLAGS, 4, 0);
	f = metadata_file();
	put16(&f, FLAGS, 0x20ec);
	put16(&f, METATYPE, 5); /* the bitmap of a realtime group does not have it */
	assert_finds(&f, F_INODE_FLAGS, FLAGS, 0x20ec, 0x20e8);
}

static void flags2_go_with_the_features(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put64(&f, FLAGS2, 0x1b);
	assert_sound(&f);
	assert_true(f.inode.reflink);
	f.geo.reflink = false;
	assert_finds(&f, F_INODE_FLAGS2, FLAGS2, 0x1b, 0x19);
	f.geo.bigtime = false;
	f.geo.nrext64 = false;
	assert_finds(&f, F_INODE_FLAGS2, FLAGS2, 0x1b, 0x01);
	put64(&f, FLAGS2, METADATA);
	assert_finds(&f, F_INODE_FLAGS2, FLAGS2, METADATA, 0);
	put64(&f, FLAGS2, 1ull << 63);
	assert_finds(&f, F_INODE_FLAGS2, FLAGS2, 1ull << 63, 0);
}

static void flags2_go_with_the_file_type(void **state)
{
	struct fixture dir = directory(), dev = device();

	(void)state;
	put64(&dir, FLAGS2, BIGTIME | NREXT64 | 1);
	assert_sound(&dir);
	put64(&dir, FLAGS2, BIGTIME | NREXT64 | 2);
	assert_finds(&dir, F_INODE_FLAGS2, FLAGS2, 0x1a, 0x18);
	put64(&dev, FLAGS2, BIGTIME | 1);
	assert_finds(&dev, F_INODE_FLAGS2, FLAGS2, 9, 8);
	put64(&dev, FLAGS2, BIGTIME | 4);
	put32(&dev, COWEXTSIZE, 16);
	assert_finds(&dev, F_INODE_FLAGS2, FLAGS2, 12, 8);
}

static void hints_go_with_their_flags(void **state)
{
	static const struct {
		bool dir;
		uint32_t flags_at, flag, hint_at;
		enum finding finding;
	} hints[] = {
		{ false, FLAGS, 0x0800, EXTSIZE, F_INODE_EXTSIZE },
		{ true, FLAGS, 0x1000, EXTSIZE, F_INODE_EXTSIZE },
		{ false, FLAGS2 + 6, 0x1c, COWEXTSIZE, F_INODE_COWEXTSIZE },
		{ true, FLAGS2 + 6, 0x1c, COWEXTSIZE, F_INODE_COWEXTSIZE },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		struct fixture f = hints[i].dir ? directory() : regular_file();

		put32(&f, hints[i].hint_at, 16);
		assert_finds(&f, hints[i].finding, hints[i].hint_at, 16, 0);
		put16(&f, hints[i].flags_at, hints[i].flag);
		assert_sound(&f);
		put32(&f, hints[i].hint_at, MOST_HINT);
		assert_sound(&f);
		put32(&f, hints[i].hint_at, MOST_HINT + 1);
		assert_finds(&f, hints[i].finding, hints[i].hint_at, MOST_HINT + 1, MOST_HINT);
		put32(&f, hints[i].hint_at, 0);
		assert_finds(&f, hints[i].finding, hints[i].hint_at, 0, MOST_HINT);
	}
}

static void hints_are_not_longer_than_an_extent(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	f.geo.agblocks = 1u << 28;
	f.geo.agblock_log = 28;
	put16(&f, FLAGS, 0x800);
	put32(&f, EXTSIZE, 0x1fffff);
	assert_sound(&f);
	put32(&f, EXTSIZE, 0x200000);
	assert_finds(&f, F_INODE_EXTSIZE, EXTSIZE, 0x200000, 0x1fffff);
}

static void metadata_files_and_directories_are_sound(void **state)
{
	struct fixture f = metadata_file();

	(void)state;
	for (uint16_t type = 2; type <= 8; type++) {
		put16(&f, METATYPE, type);
		f.bytes[FORMAT] = type < 7 ? 2 : 5;
		assert_sound(&f);
		assert_true(f.inode.metadata);
		assert_int_equal(f.inode.rtfile, type < 5 ? 0 : type);
	}
	put16(&f, MODE, 040000);
	put16(&f, METATYPE, 1);
	put16(&f, FLAGS, 0x24e8);
	f.bytes[FORMAT] = 1;
	put64(&f, SIZE, 6);
	assert_sound(&f);
}

static void metadata_files_follow_their_rules(void **state)
{
	static const struct {
		uint32_t offset;
		uint32_t value; /* of the 16 bits there */
		enum finding finding;
		uint32_t at;
		uint64_t got, want;
	} faults[] = {
		{ FLAGS, 0x20c8, F_INODE_META_FLAGS, FLAGS, 0x20c8, 0x20e8 },
		{ METATYPE, 0, F_INODE_METATYPE, METATYPE, 0, 0 },
		{ METATYPE, 1, F_INODE_METATYPE, METATYPE, 1, 0 },
		{ METATYPE, 9, F_INODE_METATYPE, METATYPE, 9, 0 },
		{ MODE, 0100400, F_INODE_META_MODE, MODE, 0100400, 0100000 },
		{ UID + 2, 5, F_INODE_META_OWNER, UID, 5, 0 },
		{ GID + 2, 5, F_INODE_META_OWNER, GID, 5, 0 },
		{ FLAGS2 + 6, 0x39, F_INODE_FLAGS2, FLAGS2, 0x39, 0x38 },
		{ DMEVMASK + 2, 1, F_INODE_PAD, DMEVMASK, 1, 0 },
		{ DMSTATE, 1, F_INODE_PAD, DMSTATE, 1, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct fixture f = metadata_file();

		put16(&f, faults[i].offset, faults[i].value);
		assert_finds(&f, faults[i].finding, faults[i].at, faults[i].got, faults[i].want);
	}
}

static void metadata_directory_needs_its_flag_too(void **state)
{
	struct fixture f = metadata_file();

	(void)state;
	put16(&f, MODE, 040000);
	put16(&f, METATYPE, 1);
	f.bytes[FORMAT] = 1;
	put64(&f, SIZE, 6);
	assert_finds(&f, F_INODE_META_FLAGS, FLAGS, 0x20e8, 0x24e8);
}

static void only_metadata_files_have_a_metatype(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put16(&f, METATYPE, 1);
	assert_finds(&f, F_INODE_METATYPE, METATYPE, 1, 0);
}

static void both_roots_are_on_their_side(void **state)
{
	struct fixture meta = directory(), root = metadata_file();

	(void)state;
	meta.geo.metadir = true;
	meta.geo.metadirino.v = METAROOT;
	meta.ino = METAROOT;
	assert_finds(&meta, F_INODE_FLAGS2, FLAGS2, 0x18, 0x38);
	assert_true(meta.inode.metadata);
	root.ino = ROOT;
	put16(&root, MODE, 040000);
	root.bytes[FORMAT] = 1;
	put64(&root, SIZE, 6);
	assert_finds(&root, F_INODE_FLAGS2, FLAGS2, 0x38, 0x18);
	assert_false(root.inode.metadata);
}

/* ---- realtime files: ondisk 09 ---- */

static struct fixture realtime_file(void)
{
	struct fixture f = regular_file();

	f.geo.rblocks = 76800;
	f.geo.rextsize = 4;
	f.geo.rgcount = 1;
	put16(&f, FLAGS, 1);
	return f;
}

static void realtime_files_need_a_section(void **state)
{
	struct fixture f = realtime_file();

	(void)state;
	assert_sound(&f);
	assert_true(f.inode.realtime);
	assert_true(f.inode.fork[DATA_FORK].rules.realtime);
	assert_false(f.inode.fork[ATTR_FORK].rules.realtime);
	f.geo.rblocks = 0;
	assert_finds(&f, F_INODE_FLAGS, FLAGS, 1, 0);
	assert_false(f.inode.realtime);
}

/* Kernels look for the number of the group in that field; without groups it is 0. */
static void files_of_the_section_belong_to_no_project(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	f.ino = RBM;
	put16(&f, PROJID_LO, 256);
	assert_sound(&f);
	f.geo.rblocks = 76800;
	f.geo.rextsize = 4;
	f.geo.rgcount = 1;
	assert_finds(&f, F_INODE_RT_PROJID, PROJID_LO, 256, 0);
}

static void realtime_files_share_blocks_in_groups_only(void **state)
{
	struct fixture f = realtime_file();

	(void)state;
	put64(&f, FLAGS2, 0x1a);
	assert_finds(&f, F_INODE_FLAGS2, FLAGS2, 0x1a, 0x18);
	f.geo.metadir = true;
	assert_sound(&f);
}

static void hints_of_realtime_files_are_whole_realtime_extents(void **state)
{
	struct fixture f = realtime_file();

	(void)state;
	put16(&f, FLAGS, 0x801);
	put32(&f, EXTSIZE, 8);
	assert_sound(&f);
	put32(&f, EXTSIZE, 6);
	assert_finds(&f, F_INODE_EXTSIZE, EXTSIZE, 6, (1 << 21) - 1);
	/* half an AG, which is the limit elsewhere, is less */
	put32(&f, EXTSIZE, 1 << 20);
	assert_sound(&f);
}

static void directories_may_hand_down_hints_of_any_size(void **state)
{
	struct fixture f = directory();

	(void)state;
	f.geo.rextsize = 7;
	put16(&f, FLAGS, 0x1100); /* RTINHERIT, EXTSZINHERIT */
	put32(&f, EXTSIZE, 8);
	assert_sound(&f);
}

static void files_of_groups_belong_to_one_that_exists(void **state)
{
	struct fixture f = metadata_file();

	(void)state;
	put16(&f, METATYPE, 6);
	put16(&f, PROJID_LO, 1);
	assert_sound(&f);
	assert_int_equal(f.inode.rtfile, 6);
	assert_int_equal(f.inode.rgno, 1);
	put16(&f, PROJID_LO, 2);
	assert_finds(&f, F_INODE_RT_GROUP, PROJID_LO, 2, 2);
	assert_int_equal(f.inode.rtfile, 0);
}

static void zoned_groups_count_their_blocks_in_use(void **state)
{
	struct fixture f = metadata_file();

	(void)state;
	put16(&f, METATYPE, 7);
	f.bytes[FORMAT] = 5;
	put32(&f, COWEXTSIZE, 77);
	assert_finds(&f, F_INODE_COWEXTSIZE, COWEXTSIZE, 77, 0);
	f.geo.zoned = true;
	assert_sound(&f);
	assert_int_equal(f.inode.rt_used_blocks, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_go_with_the_file_type),
		cmocka_unit_test(flag_of_the_realtime_bitmap_is_its_own),
		cmocka_unit_test(flags2_go_with_the_features),
		cmocka_unit_test(flags2_go_with_the_file_type),
		cmocka_unit_test(hints_go_with_their_flags),
		cmocka_unit_test(hints_are_not_longer_than_an_extent),
		cmocka_unit_test(metadata_files_and_directories_are_sound),
		cmocka_unit_test(metadata_files_follow_their_rules),
		cmocka_unit_test(metadata_directory_needs_its_flag_too),
		cmocka_unit_test(only_metadata_files_have_a_metatype),
		cmocka_unit_test(both_roots_are_on_their_side),
		cmocka_unit_test(realtime_files_need_a_section),
		cmocka_unit_test(files_of_the_section_belong_to_no_project),
		cmocka_unit_test(realtime_files_share_blocks_in_groups_only),
		cmocka_unit_test(hints_of_realtime_files_are_whole_realtime_extents),
		cmocka_unit_test(directories_may_hand_down_hints_of_any_size),
		cmocka_unit_test(files_of_groups_belong_to_one_that_exists),
		cmocka_unit_test(zoned_groups_count_their_blocks_in_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
