/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Place, format, size and counters of forks (ondisk 04, 05). */
#include "inodes.h"

#define FIT 21u /* extents in an area of 336 bytes */

static const struct dinode_fork *data(const struct fixture *f)
{
	return &f->inode.fork[DATA_FORK];
}

static const struct dinode_fork *attr(const struct fixture *f)
{
	return &f->inode.fork[ATTR_FORK];
}

static struct fixture btree_file(uint64_t nextents)
{
	struct fixture f = file_of(nextents);

	f.bytes[FORMAT] = 3;
	return f;
}

static struct fixture device(void)
{
	struct fixture f = inode_of_mode(020644);

	f.bytes[FORMAT] = 0;
	return f;
}

/* ---- place ---- */

static void data_fork_has_the_whole_area_without_attributes(void **state)
{
	struct fixture f = file_of(2);

	(void)state;
	assert_sound(&f);
	assert_true(data(&f)->present && data(&f)->ok);
	assert_int_equal(data(&f)->format, FMT_EXTENTS);
	assert_ptr_equal(data(&f)->bytes, f.bytes + LITERAL);
	assert_int_equal(data(&f)->size, LITINO);
	assert_true(data(&f)->nextents == 2);
	assert_false(attr(&f)->present);
	assert_false(attr(&f)->ok);
}

static void attribute_fork_divides_the_area(void **state)
{
	struct fixture f = file_of(2);

	(void)state;
	put_attr_fork(&f, 24);
	assert_sound(&f);
	assert_int_equal(data(&f)->size, 192);
	assert_true(attr(&f)->present && attr(&f)->ok);
	assert_int_equal(attr(&f)->format, FMT_LOCAL);
	assert_ptr_equal(attr(&f)->bytes, f.bytes + LITERAL + 192);
	assert_int_equal(attr(&f)->size, LITINO - 192);
}

static void attribute_fork_lies_in_the_inode(void **state)
{
	struct fixture f = file_of(2);

	(void)state;
	put_attr_fork(&f, 41);
	assert_sound(&f);
	assert_int_equal(attr(&f)->size, 8);
	put_attr_fork(&f, 42);
	assert_finds(&f, F_INODE_FORKOFF, FORKOFF, 42, 41);
	/* the extents are where they always are, the attributes are not */
	assert_true(data(&f)->ok);
	assert_true(attr(&f)->present);
	assert_false(attr(&f)->ok);
}

static void root_of_a_btree_is_lost_with_forkoff(void **state)
{
	struct fixture f = btree_file(100);

	(void)state;
	put_attr_fork(&f, 24);
	assert_sound(&f);
	assert_true(data(&f)->ok);
	put_attr_fork(&f, 255);
	assert_finds(&f, F_INODE_FORKOFF, FORKOFF, 255, 41);
	assert_false(data(&f)->ok);
	/* the attribute fork's own fields show that it is missing */
	put_attr_fork(&f, 0);
	assert_finds(&f, F_INODE_AFORMAT, AFORMAT, 1, 2);
	assert_false(data(&f)->ok);
	f.bytes[AFORMAT] = 2;
	put32(&f, NEXTENTS, 3);
	assert_finds(&f, F_INODE_ANEXTENTS, NEXTENTS, 3, 0);
	assert_false(data(&f)->ok);
}

static void device_number_takes_eight_bytes(void **state)
{
	struct fixture f = device();

	(void)state;
	put_attr_fork(&f, 1);
	assert_sound(&f);
	assert_int_equal(data(&f)->format, FMT_DEV);
	assert_int_equal(data(&f)->size, 8);
	put_attr_fork(&f, 2);
	assert_finds(&f, F_INODE_FORKOFF, FORKOFF, 2, 1);
	assert_false(attr(&f)->ok);
}

static void wrong_format_does_not_make_forkoff_wrong(void **state)
{
	struct fixture file = regular_file(), dev = device();

	(void)state;
	put_attr_fork(&file, 24);
	file.bytes[FORMAT] = 0;
	assert_finds(&file, F_INODE_FORMAT, FORMAT, 0, 2);
	assert_true(attr(&file)->ok);
	put_attr_fork(&dev, 24);
	dev.bytes[FORMAT] = 2;
	assert_finds(&dev, F_INODE_FORMAT, FORMAT, 2, 0);
	assert_true(attr(&dev)->ok);
}

/* ---- format ---- */

static void formats_go_with_the_file_type(void **state)
{
	(void)state;
	for (unsigned format = 0; format < 8; format++) {
		struct fixture file = file_of(FIT + 1), dir = large_directory(FIT + 1), link = symlink_of(400),
			       dev = device();

		file.bytes[FORMAT] = dir.bytes[FORMAT] = link.bytes[FORMAT] = dev.bytes[FORMAT] = (uint8_t)format;
		if (format == 2) {
			put64(&file, BIG_NEXTENTS, FIT);
			put64(&link, BIG_NEXTENTS, 1);
			put64(&link, NBLOCKS, 1);
		}
		if (format == 3)
			put64(&dir, BIG_NEXTENTS, FIT + 1);

		if (format == 2 || format == 3)
			assert_sound(&file);
		else
			assert_finds(&file, F_INODE_FORMAT, FORMAT, format, 2);
		assert_int_equal(data(&file)->ok, format == 2 || format == 3);
		if (format == 2 || format == 3)
			assert_sound(&dir);
		else
			assert_finds(&dir, F_INODE_FORMAT, FORMAT, format, 2);
		if (format == 2)
			assert_sound(&link);
		else if (format != 1) /* then it is too long */
			assert_finds(&link, F_INODE_FORMAT, FORMAT, format, 1);
		if (format == 0)
			assert_sound(&dev);
		else
			assert_finds(&dev, F_INODE_FORMAT, FORMAT, format, 0);
	}
}

static void attribute_fork_has_three_formats(void **state)
{
	static const bool possible[] = { false, true, true, true, false, false };

	(void)state;
	for (unsigned format = 0; format < sizeof(possible); format++) {
		struct fixture f = regular_file();

		f.bytes[FORKOFF] = 24;
		f.bytes[AFORMAT] = (uint8_t)format;
		if (format == 3) {
			put32(&f, NEXTENTS, 10);
			put64(&f, NBLOCKS, 11);
		}
		if (possible[format])
			assert_sound(&f);
		else
			assert_finds(&f, F_INODE_AFORMAT, AFORMAT, format, 1);
		assert_int_equal(attr(&f)->ok, possible[format]);
	}
}

static void what_fits_into_the_inode_is_there(void **state)
{
	struct fixture dir = directory(), link = symlink_of(100);

	(void)state;
	dir.bytes[FORMAT] = 2;
	assert_finds(&dir, F_INODE_FORMAT, FORMAT, 2, 1);
	dir.bytes[FORMAT] = 3;
	assert_finds(&dir, F_INODE_FORMAT, FORMAT, 3, 1);
	put64(&dir, SIZE, LITINO);
	assert_finds(&dir, F_INODE_FORMAT, FORMAT, 3, 1);
	link.bytes[FORMAT] = 2;
	assert_finds(&link, F_INODE_FORMAT, FORMAT, 2, 1);
	/* attributes have pushed the target out, and are gone again */
	put64(&link, BIG_NEXTENTS, 1);
	put64(&link, NBLOCKS, 1);
	assert_sound(&link);
}

static void nothing_is_read_in_a_fork_of_an_unknown_type(void **state)
{
	struct fixture f = directory();

	(void)state;
	put16(&f, MODE, 070755);
	assert_finds(&f, F_INODE_MODE, MODE, 070755, 0);
	assert_int_equal(data(&f)->format, FMT_DEV);
	f.bytes[FORMAT] = 4;
	decode(&f);
	assert_int_equal(reported_times(&f.reported, F_INODE_FORMAT), 1);
	assert_false(data(&f)->ok);
}

static void realtime_btrees_have_a_format_of_their_own(void **state)
{
	struct fixture f = metadata_file();

	(void)state;
	f.bytes[FORMAT] = 5;
	put64(&f, NBLOCKS, 7);
	put16(&f, METATYPE, 7);
	assert_sound(&f);
	assert_int_equal(data(&f)->format, FMT_META_BTREE);
	assert_true(data(&f)->ok);
	f.bytes[FORMAT] = 2;
	put64(&f, NBLOCKS, 0);
	assert_finds(&f, F_INODE_FORMAT, FORMAT, 2, 5);
	f.bytes[FORMAT] = 5;
	put16(&f, METATYPE, 6);
	assert_finds(&f, F_INODE_FORMAT, FORMAT, 5, 2);
}

/* ---- counters ---- */

static void counters_of_both_widths_are_read(void **state)
{
	struct fixture f = file_of(5);

	(void)state;
	put_attr_fork(&f, 24);
	f.bytes[AFORMAT] = 2;
	put32(&f, NEXTENTS, 3);
	put64(&f, NBLOCKS, 8);
	assert_sound(&f);
	assert_true(data(&f)->nextents == 5);
	assert_true(attr(&f)->nextents == 3);

	put64(&f, FLAGS2, BIGTIME);
	put64(&f, BIG_NEXTENTS, 0);
	put32(&f, NEXTENTS, 5);
	put16(&f, ANEXTENTS, 3);
	assert_sound(&f);
	assert_true(data(&f)->nextents == 5);
	assert_true(attr(&f)->nextents == 3);
}

static void unused_form_of_the_counters_is_zero(void **state)
{
	struct fixture f = file_of(5);

	(void)state;
	put16(&f, ANEXTENTS, 1);
	assert_finds(&f, F_INODE_PAD, ANEXTENTS, 1, 0);
	/* the flag is lost: the large counter's field is then padding, and the blocks are not counted */
	put16(&f, ANEXTENTS, 0);
	put64(&f, FLAGS2, BIGTIME);
	assert_finds(&f, F_INODE_PAD, BIG_NEXTENTS, 5, 0);
}

static void extents_have_to_fit_into_the_fork(void **state)
{
	struct fixture f = file_of(FIT);

	(void)state;
	assert_sound(&f);
	put64(&f, BIG_NEXTENTS, FIT + 1);
	put64(&f, NBLOCKS, FIT + 1);
	assert_finds(&f, F_INODE_NEXTENTS, BIG_NEXTENTS, FIT + 1, FIT);
	assert_false(data(&f)->ok);
	put64(&f, BIG_NEXTENTS, UINT64_MAX);
	assert_finds(&f, F_INODE_NEXTENTS, BIG_NEXTENTS, UINT64_MAX, FIT);

	f = file_of(1);
	put_attr_fork(&f, 24);
	f.bytes[AFORMAT] = 2;
	put32(&f, NEXTENTS, 10);
	assert_finds(&f, F_INODE_ANEXTENTS, NEXTENTS, 10, 9);
	assert_true(data(&f)->ok);
	assert_false(attr(&f)->ok);
}

static void extents_that_would_fit_need_no_btree(void **state)
{
	struct fixture f = btree_file(FIT + 1);

	(void)state;
	assert_sound(&f);
	put64(&f, BIG_NEXTENTS, FIT);
	assert_finds(&f, F_INODE_NEXTENTS, BIG_NEXTENTS, FIT, FIT + 1);
	/* it may be the counter that is wrong */
	assert_true(data(&f)->ok);
}

static void counters_have_limits(void **state)
{
	struct fixture f = btree_file(0);

	(void)state;
	put64(&f, FLAGS2, BIGTIME | NREXT64 | 2);
	put64(&f, NBLOCKS, UINT64_MAX);
	put64(&f, BIG_NEXTENTS, (1ull << 48) - 1);
	assert_sound(&f);
	put64(&f, BIG_NEXTENTS, 1ull << 48);
	assert_finds(&f, F_INODE_NEXTENTS, BIG_NEXTENTS, 1ull << 48, (1ull << 48) - 1);

	put64(&f, FLAGS2, BIGTIME | 2);
	put64(&f, BIG_NEXTENTS, 0);
	put32(&f, NEXTENTS, 0x7fffffff);
	assert_sound(&f);
	put32(&f, NEXTENTS, 0x80000000);
	assert_finds(&f, F_INODE_NEXTENTS, NEXTENTS, 0x80000000, 0x7fffffff);

	put32(&f, NEXTENTS, 1000);
	put_attr_fork(&f, 24);
	f.bytes[AFORMAT] = 3;
	put16(&f, ANEXTENTS, 0x7fff);
	assert_sound(&f);
	put16(&f, ANEXTENTS, 0x8000);
	assert_finds(&f, F_INODE_ANEXTENTS, ANEXTENTS, 0x8000, 0x7fff);
}

static void directories_have_no_more_extents_than_blocks(void **state)
{
	struct fixture f = large_directory(1);

	(void)state;
	f.bytes[FORMAT] = 3;
	f.geo.dblocks = 1ull << 40;
	put64(&f, BIG_NEXTENTS, 3ull << 23);
	put64(&f, NBLOCKS, 1ull << 26);
	assert_sound(&f);
	put64(&f, BIG_NEXTENTS, (3ull << 23) + 1);
	assert_finds(&f, F_INODE_NEXTENTS, BIG_NEXTENTS, (3ull << 23) + 1, 3ull << 23);
}

static void contents_in_the_inode_have_no_extents(void **state)
{
	struct fixture dir = directory(), dev = device(), file = regular_file();

	(void)state;
	put64(&dir, BIG_NEXTENTS, 1);
	put64(&dir, NBLOCKS, 1);
	assert_finds(&dir, F_INODE_NEXTENTS, BIG_NEXTENTS, 1, 0);
	put64(&dir, SIZE, LITINO);
	assert_finds(&dir, F_INODE_NEXTENTS, BIG_NEXTENTS, 1, 0);
	assert_true(data(&dir)->ok);
	put64(&dev, BIG_NEXTENTS, 1);
	put64(&dev, NBLOCKS, 1);
	assert_finds(&dev, F_INODE_NEXTENTS, BIG_NEXTENTS, 1, 0);
	put_attr_fork(&file, 24);
	put32(&file, NEXTENTS, 1);
	put64(&file, NBLOCKS, 1);
	assert_finds(&file, F_INODE_ANEXTENTS, NEXTENTS, 1, 0);
	assert_true(attr(&file)->ok);
}

static void directories_and_targets_have_an_extent_and_targets_three_at_most(void **state)
{
	struct fixture dir = large_directory(4), link = symlink_of(400);

	(void)state;
	put64(&dir, BIG_NEXTENTS, 0);
	assert_finds(&dir, F_INODE_NEXTENTS, BIG_NEXTENTS, 0, 1);
	link.bytes[FORMAT] = 2;
	put64(&link, NBLOCKS, 4);
	put64(&link, BIG_NEXTENTS, 3);
	assert_sound(&link);
	put64(&link, BIG_NEXTENTS, 4);
	assert_finds(&link, F_INODE_NEXTENTS, BIG_NEXTENTS, 4, 3);
}

static void blocks_are_at_least_as_many_as_extents(void **state)
{
	struct fixture f = file_of(5);

	(void)state;
	put_attr_fork(&f, 24);
	f.bytes[AFORMAT] = 2;
	put32(&f, NEXTENTS, 3);
	put64(&f, NBLOCKS, 8);
	assert_sound(&f);
	put64(&f, NBLOCKS, 7);
	assert_finds(&f, F_INODE_NBLOCKS, NBLOCKS, 7, 8);
}

static void blocks_without_extents_are_reported(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put64(&f, NBLOCKS, 1);
	assert_finds(&f, F_INODE_NBLOCKS, NBLOCKS, 1, 0);
}

static void only_shared_blocks_can_be_more_than_there_are(void **state)
{
	struct fixture f = file_of(5);

	(void)state;
	put64(&f, NBLOCKS, 81920);
	assert_sound(&f);
	put64(&f, NBLOCKS, 81921);
	assert_finds(&f, F_INODE_NBLOCKS, NBLOCKS, 81921, 81920);
	put64(&f, FLAGS2, BIGTIME | NREXT64 | 2);
	assert_sound(&f);
}

/* ---- size ---- */

static void size_has_63_bits(void **state)
{
	struct fixture f = regular_file();

	(void)state;
	put64(&f, SIZE, INT64_MAX);
	assert_sound(&f);
	put64(&f, SIZE, 1ull << 63);
	assert_finds(&f, F_INODE_SIZE, SIZE, 1ull << 63, INT64_MAX);
}

static void directories_are_of_whole_blocks(void **state)
{
	struct fixture f = large_directory(2);

	(void)state;
	assert_sound(&f);
	put64(&f, SIZE, 8191);
	assert_finds(&f, F_INODE_SIZE, SIZE, 8191, 1ull << 35);
	assert_true(data(&f)->ok);
	put64(&f, SIZE, 1ull << 35);
	assert_sound(&f);
	put64(&f, SIZE, (1ull << 35) + 4096);
	assert_finds(&f, F_INODE_SIZE, SIZE, (1ull << 35) + 4096, 1ull << 35);
	put64(&f, SIZE, 100);
	assert_finds(&f, F_INODE_SIZE, SIZE, 100, 4096);
	f.geo.dir_block_size = 65536;
	put64(&f, SIZE, 8192);
	assert_finds(&f, F_INODE_SIZE, SIZE, 8192, 65536);
}

static void contents_in_the_inode_fit(void **state)
{
	struct fixture dir = directory(), link = symlink_of(LITINO);

	(void)state;
	put64(&dir, SIZE, LITINO);
	assert_sound(&dir);
	put64(&dir, SIZE, LITINO + 1);
	assert_finds(&dir, F_INODE_SIZE, SIZE, LITINO + 1, LITINO);
	assert_false(data(&dir)->ok);
	assert_sound(&link);
	put_attr_fork(&link, 24);
	assert_finds(&link, F_INODE_SIZE, SIZE, LITINO, 192);
	assert_false(data(&link)->ok);
}

static void targets_have_1024_bytes_at_most(void **state)
{
	struct fixture f = symlink_of(1024);

	(void)state;
	f.bytes[FORMAT] = 2;
	put64(&f, BIG_NEXTENTS, 1);
	put64(&f, NBLOCKS, 1);
	assert_sound(&f);
	put64(&f, SIZE, 1025);
	assert_finds(&f, F_INODE_SIZE, SIZE, 1025, 1024);
	assert_true(data(&f)->ok);
}

static void only_deleted_directories_and_links_are_empty(void **state)
{
	struct fixture dir = directory(), link = symlink_of(0);

	(void)state;
	put64(&dir, SIZE, 0);
	assert_finds(&dir, F_INODE_SIZE, SIZE, 0, 1);
	assert_finds(&link, F_INODE_SIZE, SIZE, 0, 1);
	put32(&dir, NLINK, 0);
	put32(&link, NLINK, 0);
	assert_sound(&dir);
	assert_sound(&link);
	/* there is nothing to go into */
	assert_true(data(&dir)->ok && data(&link)->ok);
	assert_int_equal(data(&dir)->format, FMT_DEV);
	assert_int_equal(data(&link)->format, FMT_DEV);
}

static void devices_have_no_size(void **state)
{
	struct fixture f = device();

	(void)state;
	put64(&f, SIZE, 1);
	assert_finds(&f, F_INODE_SIZE, SIZE, 1, 0);
}

/* ---- rules for the extents ---- */

static void extents_of_each_fork_have_their_rules(void **state)
{
	struct fixture file = file_of(1), dir = large_directory(1), link = symlink_of(400);

	(void)state;
	put_attr_fork(&file, 24);
	assert_sound(&file);
	assert_true(data(&file)->rules.unwritten_ok);
	assert_true(data(&file)->rules.max_off == 1ull << 51);
	assert_false(attr(&file)->rules.unwritten_ok);
	assert_true(attr(&file)->rules.max_off == 1ull << 32);
	file.geo.block_log = 9;
	decode(&file);
	assert_true(data(&file)->rules.max_off == 1ull << 54);

	assert_sound(&dir);
	assert_false(data(&dir)->rules.unwritten_ok);
	assert_true(data(&dir)->rules.max_off == 3ull << 23);

	link.bytes[FORMAT] = 2;
	put64(&link, BIG_NEXTENTS, 1);
	put64(&link, NBLOCKS, 1);
	assert_sound(&link);
	assert_false(data(&link)->rules.unwritten_ok);
	assert_true(data(&link)->rules.max_off == 3);
}

/* ---- version 4 ---- */

static void forks_of_version_4_begin_at_byte_100(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	put32(&f, NEXTENTS, 25);
	put64(&f, NBLOCKS, 25);
	assert_sound(&f);
	assert_ptr_equal(data(&f)->bytes, f.bytes + LITERAL_V4);
	assert_int_equal(data(&f)->size, INODE_SIZE - LITERAL_V4);
	assert_true(data(&f)->nextents == 25);

	put_attr_fork(&f, 50);
	assert_sound(&f);
	assert_ptr_equal(attr(&f)->bytes, f.bytes + LITERAL_V4 + 400);
	assert_int_equal(attr(&f)->size, 12);
	/* the area has 412 bytes: whole units only */
	put_attr_fork(&f, 51);
	assert_finds(&f, F_INODE_FORKOFF, FORKOFF, 51, 50);
}

static void padding_of_version_2_is_empty(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	f.bytes[PAD_V2 + 5] = 1;
	assert_finds(&f, F_INODE_PAD, BIG_NEXTENTS, 1 << 16, 0);
}

static void extents_are_unwritten_only_with_the_feature(void **state)
{
	struct fixture f = as_v4(regular_file());

	(void)state;
	assert_sound(&f);
	assert_true(data(&f)->rules.unwritten_ok);
	f.geo.unwritten = false;
	assert_sound(&f);
	assert_false(data(&f)->rules.unwritten_ok);
}

static void bitmap_and_summary_have_their_size(void **state)
{
	struct fixture f = file_of(3);

	(void)state;
	f.ino = RBM;
	f.geo.rbmblocks = 3;
	assert_sound(&f);
	assert_false(data(&f)->rules.unwritten_ok);
	f.geo.rbmblocks = 4;
	assert_finds(&f, F_INODE_SIZE, SIZE, 3 * 4096, 4 * 4096);
	f.geo.rsumino.v = NUMBER;
	f.ino = NUMBER;
	f.geo.rsumblocks = 3;
	assert_sound(&f);
}

static void realtime_files_have_as_many_blocks_as_both_devices(void **state)
{
	struct fixture f = file_of(1);

	(void)state;
	f.geo.rblocks = 76800;
	f.geo.rextsize = 1;
	put16(&f, FLAGS, 1);
	put64(&f, NBLOCKS, 81920 + 76800);
	assert_sound(&f);
	assert_true(data(&f)->rules.unwritten_ok);
	put64(&f, NBLOCKS, 81920 + 76801);
	assert_finds(&f, F_INODE_NBLOCKS, NBLOCKS, 81920 + 76801, 81920 + 76800);
	put64(&f, NBLOCKS, 1);
	f.geo.zoned = true;
	assert_sound(&f);
	assert_false(data(&f)->rules.unwritten_ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_fork_has_the_whole_area_without_attributes),
		cmocka_unit_test(attribute_fork_divides_the_area),
		cmocka_unit_test(attribute_fork_lies_in_the_inode),
		cmocka_unit_test(root_of_a_btree_is_lost_with_forkoff),
		cmocka_unit_test(device_number_takes_eight_bytes),
		cmocka_unit_test(wrong_format_does_not_make_forkoff_wrong),
		cmocka_unit_test(formats_go_with_the_file_type),
		cmocka_unit_test(attribute_fork_has_three_formats),
		cmocka_unit_test(what_fits_into_the_inode_is_there),
		cmocka_unit_test(nothing_is_read_in_a_fork_of_an_unknown_type),
		cmocka_unit_test(realtime_btrees_have_a_format_of_their_own),
		cmocka_unit_test(counters_of_both_widths_are_read),
		cmocka_unit_test(unused_form_of_the_counters_is_zero),
		cmocka_unit_test(extents_have_to_fit_into_the_fork),
		cmocka_unit_test(extents_that_would_fit_need_no_btree),
		cmocka_unit_test(counters_have_limits),
		cmocka_unit_test(directories_have_no_more_extents_than_blocks),
		cmocka_unit_test(contents_in_the_inode_have_no_extents),
		cmocka_unit_test(directories_and_targets_have_an_extent_and_targets_three_at_most),
		cmocka_unit_test(blocks_are_at_least_as_many_as_extents),
		cmocka_unit_test(blocks_without_extents_are_reported),
		cmocka_unit_test(only_shared_blocks_can_be_more_than_there_are),
		cmocka_unit_test(size_has_63_bits),
		cmocka_unit_test(directories_are_of_whole_blocks),
		cmocka_unit_test(contents_in_the_inode_fit),
		cmocka_unit_test(targets_have_1024_bytes_at_most),
		cmocka_unit_test(only_deleted_directories_and_links_are_empty),
		cmocka_unit_test(devices_have_no_size),
		cmocka_unit_test(extents_of_each_fork_have_their_rules),
		cmocka_unit_test(forks_of_version_4_begin_at_byte_100),
		cmocka_unit_test(padding_of_version_2_is_empty),
		cmocka_unit_test(extents_are_unwritten_only_with_the_feature),
		cmocka_unit_test(bitmap_and_summary_have_their_size),
		cmocka_unit_test(realtime_files_have_as_many_blocks_as_both_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
