/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending of fields of an inode by its other fields (ondisk 04). */
#include "inodes.h"
#include "libxfs/dinode_mend.h"

/* One extent of `blocks` blocks at file block 0, from block 100 of the inode's group on. */
static void put_extent(struct fixture *f, uint64_t blocks)
{
	put64(f, LITERAL, 0);
	put64(f, LITERAL + 8, (1ull << 15 | 100) << 21 | blocks);
}

static struct fixture file_with_data(void)
{
	struct fixture f = file_of(1);

	put_extent(&f, 1);
	decode(&f);
	return f;
}

static struct fixture short_directory(void)
{
	static const uint8_t fork[] = { 1, 0, 0, 0, 0, 128, 1, 0, 96, 'a', 1, 0, 4, 0, 0x86 };
	struct fixture f = directory();

	f.geo.ftype = true;
	memcpy(f.bytes + LITERAL, fork, sizeof(fork));
	put64(&f, SIZE, sizeof(fork));
	decode(&f);
	return f;
}

/* Mends the inode; it must be the same as before the damage. */
static void assert_restored(struct fixture *f, const struct fixture *sound, enum ftype ftype)
{
	assert_true(dinode_set_right(&f->geo, f->bytes, (xino_t){ f->ino }, f->in_use, ftype, NULL, NULL));
	assert_memory_equal(f->bytes, sound->bytes, INODE_SIZE);
}

/* Stores the checksum of the damaged inode. */
static void damage(struct fixture *f)
{
	crc_store(f->bytes, INODE_SIZE, CRC);
}

static void sound_inodes_stay_as_they_are(void **state)
{
	struct fixture f = file_with_data(), same = f;

	(void)state;
	assert_restored(&f, &same, FT_UNKNOWN);
	f = same = short_directory();
	assert_restored(&f, &same, FT_DIR);
}

static void what_it_says_of_itself_is_put_back(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put64(&f, INO, 77);
	put16(&f, MAGIC, 0);
	memset(f.bytes + UUID, 0, 16);
	f.bytes[VERSION] = 7;
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* Only owner, permissions, dates and the exact end in the last block are lost with the head. */
static void the_rest_of_an_inode_outlives_its_head(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	memset(f.bytes, 0xa7, NBLOCKS);
	damage(&f);
	assert_true(dinode_set_right(&f.geo, f.bytes, (xino_t){ f.ino }, true, FT_REG, NULL, NULL));
	assert_memory_equal(f.bytes + NBLOCKS, sound.bytes + NBLOCKS, CRC - NBLOCKS);
	assert_memory_equal(f.bytes + CRC + 4, sound.bytes + CRC + 4, INODE_SIZE - CRC - 4);
	decode(&f);
	assert_int_equal(f.inode.fork[DATA_FORK].nextents, 1);
	assert_int_equal(f.inode.size, 4096);
	assert_int_equal(f.inode.mode, 0100600);
	f = sound = short_directory();
	memset(f.bytes, 0xa7, NBLOCKS);
	damage(&f);
	assert_true(dinode_set_right(&f.geo, f.bytes, (xino_t){ f.ino }, true, FT_UNKNOWN, NULL, NULL));
	decode(&f);
	assert_int_equal(f.inode.ftype, FT_DIR);
	assert_int_equal(f.inode.size, sound.inode.size);
	assert_memory_equal(f.bytes + LITERAL, sound.bytes + LITERAL, INODE_SIZE - LITERAL);
}

/* The flag that tells which field has the extent count is lost, and so is the number of blocks; no extent is. */
static void extents_outlive_the_second_part_of_a_core(void **state)
{
	/* the first is impossible without bigtime */
	static const uint64_t dates[] = { 0x36b88387834e42f0, 0x0123456712345678 };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct fixture sound = file_of(3), f;

		for (uint32_t i = 0; i < 3; i++) {
			put64(&sound, LITERAL + i * 16, (uint64_t)i << 9);
			put64(&sound, LITERAL + i * 16 + 8, (1ull << 15 | (100 + 2 * i)) << 21 | 1);
		}
		for (uint32_t i = 0; i < 3; i++)
			put64(&sound, ATIME + i * 8, dates[k]);
		decode(&sound);
		f = sound;
		memset(f.bytes + NBLOCKS, 0, 64);
		assert_true(dinode_set_right(&f.geo, f.bytes, (xino_t){ f.ino }, true, FT_REG, NULL, NULL));
		decode(&f);
		assert_int_equal(f.inode.fork[DATA_FORK].nextents, 3);
		assert_int_equal(f.inode.nblocks, 3);
		assert_memory_equal(f.bytes, sound.bytes, NBLOCKS);
		assert_memory_equal(f.bytes + FLAGS2, sound.bytes + FLAGS2, 8);
	}
}

static void a_changed_byte_is_found_by_the_checksum(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	f.bytes[UID + 3] ^= 0x55;
	assert_restored(&f, &sound, FT_UNKNOWN);
	put16(&f, MODE, 0104321);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

static void format_follows_from_the_fork(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	f.bytes[FORMAT] = 3;
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
	f = sound = short_directory();
	f.bytes[FORMAT] = 2;
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

static void counts_follow_from_the_extents(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put64(&f, BIG_NEXTENTS, 5);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
	put64(&f, NBLOCKS, 5);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
	put64(&f, FLAGS2, BIGTIME);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* If count and extents disagree, the one by which the file would have less is wrong. */
static void counts_that_are_zero_cost_no_extents(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put64(&f, NBLOCKS, 0);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
	put64(&f, BIG_NEXTENTS, 0);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* One bit of an extent's length or of the number of blocks is wrong: the file's size decides. */
static void length_of_an_extent_follows_from_the_blocks_and_the_size(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put_extent(&f, 1 + 64);
	put64(&f, PAD2 + 4, 1);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
	f = sound;
	put_extent(&f, 1 + 64);
	put64(&f, SIZE, 65 * 4096);
	put64(&f, NBLOCKS, 65);
	damage(&f);
	sound = f;
	put64(&f, NBLOCKS, 1);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* The lost extent can be found by other evidence of its blocks: the other extents and the counts stay. */
static void most_extents_outweigh_one_that_can_not_be(void **state)
{
	struct fixture f = file_of(3), damaged;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		put64(&f, LITERAL + i * 16, (uint64_t)i << 9);
		put64(&f, LITERAL + i * 16 + 8, (1ull << 15 | (100 + 2 * i)) << 21 | 1);
	}
	put64(&f, LITERAL + 16, 1ull << 53 | 7);
	decode(&f);
	damage(&f);
	damaged = f;
	put16(&f, METATYPE, 0x2000);
	damage(&f);
	dinode_set_right(&f.geo, f.bytes, (xino_t){ f.ino }, true, FT_UNKNOWN, NULL, NULL);
	assert_memory_equal(f.bytes, damaged.bytes, INODE_SIZE);
}

/* The file system has no such timestamps: the flag for them would be cleared again and again. */
static void a_flag_that_can_not_be_explains_nothing(void **state)
{
	struct fixture f = file_with_data(), sound;

	(void)state;
	f.geo.bigtime = f.geo.nrext64 = false;
	put64(&f, FLAGS2, 0);
	put64(&f, BIG_NEXTENTS, 0);
	put32(&f, NEXTENTS, 1);
	for (uint32_t at = ATIME; at <= CTIME; at += 8)
		put64(&f, at, 0);
	put64(&f, CRTIME, 0);
	damage(&f);
	sound = f;
	put16(&f, METATYPE, 0x2000);
	put32(&f, MTIME + 4, 2022488480);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* A flag of directories on a file is cleared together with an undefined bit; alone it stays. */
static void flags_of_a_damaged_field_are_those_of_the_type(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put16(&sound, FLAGS, 0x0040);
	damage(&sound);
	put16(&f, FLAGS, 0x8440);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
	f = sound = short_directory();
	put16(&sound, FLAGS, 0x0440);
	damage(&sound);
	put16(&f, FLAGS, 0x8440);
	damage(&f);
	assert_restored(&f, &sound, FT_DIR);
	/* alone it is no fault */
	f = file_with_data();
	put16(&f, FLAGS, 0x0400);
	damage(&f);
	sound = f;
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* Alone the flag contradicts nothing. It may be damage if more than a byte changed since the checksum was stored. */
static void a_flag_that_files_hardly_have_goes_with_a_checksum_that_tells_nothing(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put16(&f, FLAGS, 0x0400);
	damage(&f);
	sound = f;
	assert_restored(&f, &sound, FT_UNKNOWN);
	put32(&f, CTIME, 7);
	put32(&f, MTIME, 8);
	sound = f;
	put16(&sound, FLAGS, 0);
	damage(&sound);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

static void size_of_a_directory_follows_from_its_entries(void **state)
{
	struct fixture sound = short_directory(), f = sound;

	(void)state;
	put64(&f, SIZE, 200);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

static void size_of_a_link_is_that_of_its_target_even_if_its_format_is_wrong(void **state)
{
	struct fixture f = symlink_of(40);

	(void)state;
	memset(f.bytes + LITERAL, 'x', 40);
	put64(&f, SIZE, 0);
	f.bytes[FORMAT] = 2;
	damage(&f);
	dinode_set_right(&f.geo, f.bytes, (xino_t){ f.ino }, f.in_use, FT_SYMLINK, NULL, NULL);
	assert_int_equal(be64_get(((const struct dinode_disk *)f.bytes)->size), 40);
}

static void border_of_the_forks_follows_from_the_attributes(void **state)
{
	static const uint8_t fork[] = { 0, 8, 1, 0, 1, 0, 0, 'a' };
	struct fixture sound = short_directory(), f;

	(void)state;
	put_attr_fork(&sound, 24);
	memcpy(sound.bytes + LITERAL + 24 * 8, fork, sizeof(fork));
	damage(&sound);
	f = sound;
	f.bytes[FORKOFF] = 11;
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* Without the attribute fork the inode would be sound, but the mender of attributes can do better: the fork is kept. */
static void attributes_that_can_not_be_are_kept_with_the_others(void **state)
{
	static const uint8_t fork[] = { 0, 12, 2, 0, 1, 0, 0x20, 'a', 1, 0, 0, 'b' };
	static const uint8_t alone[] = { 0, 8, 1, 0, 1, 0, 0x20, 'a' };
	struct fixture sound = short_directory(), f;

	(void)state;
	put_attr_fork(&sound, 24);
	memcpy(sound.bytes + LITERAL + 24 * 8, fork, sizeof(fork));
	damage(&sound);
	f = sound;
	assert_restored(&f, &sound, FT_DIR);
	memcpy(sound.bytes + LITERAL + 24 * 8, alone, sizeof(alone));
	damage(&sound);
	f = sound;
	assert_restored(&f, &sound, FT_DIR);
}

/* True for the only block below the root of an extent map. */
static bool is_block_200(void *ctx, const struct btree_expect *child)
{
	(void)ctx;
	return child->agbno.v == 200;
}

static bool is_no_attr(void *ctx, xino_t ino, fsbno_t block)
{
	(void)ctx;
	(void)ino;
	(void)block;
	return false;
}

static void border_of_the_forks_follows_from_what_the_map_leads_to(void **state)
{
	const struct dinode_witness witness = { NULL, is_block_200, is_no_attr };
	const uint32_t keys = (INODE_SIZE - LITERAL - 4) / 16;
	struct fixture sound = file_of(keys * 3), f;

	(void)state;
	sound.bytes[FORMAT] = 3;
	put64(&sound, NBLOCKS, keys * 3 + 1);
	put16(&sound, LITERAL, 1);
	put16(&sound, LITERAL + 2, 1);
	put64(&sound, LITERAL + 4 + keys * 8, 1ull << 15 | 200);
	/* a pointer of some file that was there before */
	put64(&sound, LITERAL + 4 + 8, 1ull << 15 | 300);
	btree_limits(&sound.geo);
	decode(&sound);
	f = sound;
	assert_false(dinode_set_border(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
	f.bytes[FORKOFF] = 3;
	damage(&f);
	assert_true(dinode_set_border(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
	assert_memory_equal(f.bytes, sound.bytes, INODE_SIZE);
	/* if that block is lost, no forkoff is right */
	put64(&f, LITERAL + 4 + keys * 8, 1ull << 15 | 201);
	f.bytes[FORKOFF] = 3;
	damage(&f);
	assert_false(dinode_set_border(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
	assert_int_equal(f.bytes[FORKOFF], 3);
}

static void border_stays_where_the_block_of_attributes_is_lost(void **state)
{
	const struct dinode_witness witness = { NULL, is_block_200, is_no_attr };
	struct fixture sound = file_of(1), f;

	(void)state;
	sound.bytes[FORKOFF] = 24;
	put64(&sound, NBLOCKS, 2);
	sound.bytes[AFORMAT] = 2;
	put32(&sound, NEXTENTS, 1); /* of the attribute fork */
	put64(&sound, LITERAL + 8, 200ull << 21 | 1);
	put64(&sound, LITERAL + 24 * 8 + 8, 201ull << 21 | 1);
	/* left of data that the file had before: file block 1 */
	put64(&sound, LITERAL + 16, 1ull << 9);
	put64(&sound, LITERAL + 24, 202ull << 21 | 1);
	decode(&sound);
	f = sound;
	assert_false(dinode_set_border(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
	assert_memory_equal(f.bytes, sound.bytes, INODE_SIZE);
}

static bool is_block_201(void *ctx, xino_t ino, fsbno_t block)
{
	(void)ctx;
	(void)ino;
	return (block.v & 0x7fff) == 201;
}

/* Each fork has one extent; the extent count of the attribute fork is 0. */
static struct fixture file_with_uncounted_attributes(struct fixture *ret_sound)
{
	struct fixture f = file_with_data();

	f.bytes[FORKOFF] = 24;
	put64(&f, NBLOCKS, 4);
	f.bytes[AFORMAT] = 2;
	put32(&f, NEXTENTS, 1);
	put64(&f, LITERAL + 24 * 8, 0);
	put64(&f, LITERAL + 24 * 8 + 8, (1ull << 15 | 201) << 21 | 3);
	decode(&f);
	*ret_sound = f;
	put32(&f, NEXTENTS, 0);
	damage(&f);
	return f;
}

static void extents_behind_those_that_count_make_up_the_blocks(void **state)
{
	const struct dinode_witness witness = { NULL, is_block_200, is_block_201 };
	struct fixture sound, f = file_with_uncounted_attributes(&sound);

	(void)state;
	assert_true(dinode_set_counts(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
	assert_memory_equal(f.bytes, sound.bytes, INODE_SIZE);
	assert_false(dinode_set_counts(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
}

/* Version 4 has shorter cores: more extents fit than in version 5. */
static void in_version_4_as_many_count_as_there_is_room_for(void **state)
{
	const uint32_t most = (INODE_SIZE - LITERAL_V4) / 16;
	struct fixture sound = as_v4(file_of(0)), f;

	(void)state;
	for (uint32_t i = 0; i < most; i++) {
		put64(&sound, LITERAL_V4 + i * 16, 2ull * i << 9);
		put64(&sound, LITERAL_V4 + i * 16 + 8, (1ull << 15 | (100 + 2 * i)) << 21 | 1);
	}
	put32(&sound, NEXTENTS, most);
	put64(&sound, NBLOCKS, most);
	f = sound;
	put32(&f, NEXTENTS, 0);
	assert_true(dinode_set_counts(&f.geo, f.bytes, (xino_t){ f.ino }, NULL));
	assert_memory_equal(f.bytes, sound.bytes, INODE_SIZE);
}

static void extents_that_do_not_make_up_the_blocks_stay_uncounted(void **state)
{
	const struct dinode_witness witness = { NULL, is_block_200, is_block_201 };
	const struct dinode_witness no_attributes = { NULL, is_block_200, is_no_attr };
	struct fixture sound, f = file_with_uncounted_attributes(&sound);

	(void)state;
	assert_false(dinode_set_counts(&f.geo, f.bytes, (xino_t){ f.ino }, &no_attributes));
	put64(&f, NBLOCKS, 5);
	damage(&f);
	sound = f;
	assert_false(dinode_set_counts(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
	assert_memory_equal(f.bytes, sound.bytes, INODE_SIZE);
	/* nor is a counted extent dropped */
	put64(&f, NBLOCKS, 0);
	damage(&f);
	assert_false(dinode_set_counts(&f.geo, f.bytes, (xino_t){ f.ino }, &witness));
}

static void type_is_what_others_take_it_for(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	put16(&f, MODE, 040644);
	damage(&f);
	assert_restored(&f, &sound, FT_REG);
}

static void time_stamps_tell_how_they_are_to_be_read(void **state)
{
	struct fixture sound = file_with_data(), f = sound;

	(void)state;
	/* 0x...e3 as nanoseconds would be too many */
	for (uint32_t at = ATIME; at <= CTIME; at += 8)
		put64(&sound, at, 0x36b74ee3f9a20e63);
	damage(&sound);
	f = sound;
	put64(&f, FLAGS2, NREXT64);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

/* As dates of the older format, these would be valid as well. */
static void flags_that_inodes_get_together_come_back_together(void **state)
{
	struct fixture sound = file_with_data(), f;

	(void)state;
	for (uint32_t at = ATIME; at <= CTIME; at += 8)
		put64(&sound, at, 0x36b74ee3100a0e63);
	damage(&sound);
	f = sound;
	put64(&f, FLAGS2, 0);
	damage(&f);
	assert_restored(&f, &sound, FT_UNKNOWN);
}

static void fields_of_free_inodes_are_emptied(void **state)
{
	struct fixture sound = free_inode(), f;

	(void)state;
	decode(&sound);
	f = sound;
	put32(&f, NLINK, 3);
	put64(&f, NBLOCKS, 5);
	f.bytes[FORMAT] = 1;
	damage(&f);
	assert_true(dinode_set_right(&f.geo, f.bytes, (xino_t){ f.ino }, false, FT_UNKNOWN, NULL, NULL));
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.inode.nlink, 0);
}

static void new_inodes_are_sound(void **state)
{
	static const enum ftype types[] = { FT_REG, FT_CHR, FT_FIFO };
	struct fixture f = free_inode();

	(void)state;
	memset(f.bytes, 0x77, sizeof(f.bytes));
	dinode_make_free(&f.geo, f.bytes, (xino_t){ f.ino }, 5);
	f.keep_crc = true;
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	f.in_use = true;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		dinode_make_empty(&f.geo, f.bytes, (xino_t){ f.ino }, 5, types[i]);
		decode(&f);
		assert_int_equal(f.reported.count, 0);
		assert_int_equal(f.inode.ftype, types[i]);
		assert_int_equal(f.inode.gen, 5);
	}
}

static void new_directories_have_no_names(void **state)
{
	static const struct {
		uint64_t parent;
		uint8_t fork[10], size;
	} cases[] = {
		{ 128, { 0, 0, 0, 0, 0, 128 }, 6 },
		{ 7ull << 32 | 128, { 0, 1, 0, 0, 0, 7, 0, 0, 0, 128 }, 10 },
	};
	struct fixture f = directory();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		dinode_make_empty(&f.geo, f.bytes, (xino_t){ f.ino }, 5, FT_DIR);
		dinode_set_no_names(&f.geo, f.bytes, (xino_t){ cases[i].parent });
		decode(&f);
		assert_int_equal(f.reported.count, 0);
		assert_int_equal(f.inode.ftype, FT_DIR);
		assert_int_equal(f.inode.size, cases[i].size);
		assert_memory_equal(f.bytes + LITERAL, cases[i].fork, cases[i].size);
	}
}

static void old_inodes_are_known_by_the_rest_of_them(void **state)
{
	struct fixture sound = as_v4(file_of(0)), f;

	(void)state;
	sound.bytes[VERSION] = 2;
	decode(&sound);
	f = sound;
	put16(&f, MAGIC, 0x1234);
	assert_true(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
	assert_restored(&f, &sound, FT_UNKNOWN);
	f.bytes[VERSION] = 9;
	assert_true(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
	assert_restored(&f, &sound, FT_UNKNOWN);
	f.bytes[VERSION] = 9;
	put16(&f, MAGIC, 0x1234);
	assert_false(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
	f = sound;
	put16(&f, MAGIC, 0x1234);
	f.bytes[FORMAT] = 77;
	assert_false(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
}

static void garbage_is_no_inode(void **state)
{
	struct fixture f = file_with_data();

	(void)state;
	assert_true(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
	put16(&f, MAGIC, 0);
	put64(&f, INO, 3);
	assert_true(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
	memset(f.bytes, 0x77, sizeof(f.bytes));
	assert_false(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
	memset(f.bytes, 0, sizeof(f.bytes));
	assert_false(dinode_recognize(&f.geo, f.bytes, (xino_t){ f.ino }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_inodes_stay_as_they_are),
		cmocka_unit_test(what_it_says_of_itself_is_put_back),
		cmocka_unit_test(the_rest_of_an_inode_outlives_its_head),
		cmocka_unit_test(extents_outlive_the_second_part_of_a_core),
		cmocka_unit_test(a_changed_byte_is_found_by_the_checksum),
		cmocka_unit_test(format_follows_from_the_fork),
		cmocka_unit_test(counts_follow_from_the_extents),
		cmocka_unit_test(counts_that_are_zero_cost_no_extents),
		cmocka_unit_test(length_of_an_extent_follows_from_the_blocks_and_the_size),
		cmocka_unit_test(most_extents_outweigh_one_that_can_not_be),
		cmocka_unit_test(a_flag_that_can_not_be_explains_nothing),
		cmocka_unit_test(flags_of_a_damaged_field_are_those_of_the_type),
		cmocka_unit_test(a_flag_that_files_hardly_have_goes_with_a_checksum_that_tells_nothing),
		cmocka_unit_test(size_of_a_directory_follows_from_its_entries),
		cmocka_unit_test(size_of_a_link_is_that_of_its_target_even_if_its_format_is_wrong),
		cmocka_unit_test(border_of_the_forks_follows_from_the_attributes),
		cmocka_unit_test(attributes_that_can_not_be_are_kept_with_the_others),
		cmocka_unit_test(border_of_the_forks_follows_from_what_the_map_leads_to),
		cmocka_unit_test(border_stays_where_the_block_of_attributes_is_lost),
		cmocka_unit_test(extents_behind_those_that_count_make_up_the_blocks),
		cmocka_unit_test(in_version_4_as_many_count_as_there_is_room_for),
		cmocka_unit_test(extents_that_do_not_make_up_the_blocks_stay_uncounted),
		cmocka_unit_test(type_is_what_others_take_it_for),
		cmocka_unit_test(time_stamps_tell_how_they_are_to_be_read),
		cmocka_unit_test(flags_that_inodes_get_together_come_back_together),
		cmocka_unit_test(fields_of_free_inodes_are_emptied),
		cmocka_unit_test(new_inodes_are_sound),
		cmocka_unit_test(new_directories_have_no_names),
		cmocka_unit_test(old_inodes_are_known_by_the_rest_of_them),
		cmocka_unit_test(garbage_is_no_inode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
