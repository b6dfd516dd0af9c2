/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves of the attribute fork (ondisk 07): entries, names, the space in the block, and the header over them. */
#include "attr_leaves.h"

static void assert_only(struct fixture *f, enum finding finding, unsigned visited)
{
	decode(f);
	assert_true(f->decoded);
	assert_int_equal(f->reported.count, 1);
	assert_int_equal(f->reported.problems[0].finding, finding);
	assert_int_equal(f->visited.count, visited);
}

static void sound_leaf_is_visited_without_a_word(void **state)
{
	struct fixture f = sound_leaf();
	const struct attr_entry *e;

	(void)state;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, SOUND_COUNT);
	assert_int_equal(f.leaf.count, SOUND_COUNT);
	assert_int_equal(f.leaf.remote_entries, 1);
	assert_int_equal(f.leaf.left_out, 0);
	assert_int_equal(f.leaf.forw.v, 0);
	assert_int_equal(f.leaf.first_hash, entry_hash(&f, 0));
	assert_int_equal(f.leaf.last_hash, entry_hash(&f, SOUND_COUNT - 1));

	e = visited_name(&f.visited, "file");
	assert_non_null(e);
	assert_true(e->parent.v == PARENT);
	assert_int_equal(e->parent_gen, 77);
	e = visited_name(&f.visited, "alpha");
	assert_non_null(e);
	assert_false(e->remote);
	assert_int_equal(e->valuelen, 11);
	assert_memory_equal(e->value, "first value", 11);
	assert_int_equal(attr_hash(&f.geo, e), name_hash("alpha"));
	e = visited_name(&f.visited, "big");
	assert_non_null(e);
	assert_true(e->remote);
	assert_null(e->value);
	assert_int_equal(e->valueblk.v, 3);
	assert_int_equal(e->valuelen, 9000);
	assert_int_equal(visited_name(&f.visited, "selinux")->flags, ATTR_SECURE | ATTR_LOCAL);
}

static void empty_leaf_is_allowed(void **state)
{
	static const uint8_t block_logs[] = { 10, 12, 16 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = empty_leaf_of(block_logs[i]);

		put_header_counts(&f); /* of 64k blocks, firstused becomes 0 */
		assert_true(decode(&f)->decoded);
		assert_int_equal(f.reported.count, 0);
		assert_int_equal(f.leaf.count, 0);
	}
}

static void firstused_of_zero_is_only_for_64k_blocks(void **state)
{
	struct fixture f = empty_leaf_of(12);

	(void)state;
	put_header_counts(&f);
	put16(f.block, FIRSTUSED, 0);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_FIRSTUSED, 0, 4096);
}

static void leaf_of_another_place_and_owner_is_not_visited(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	f.block[BLKNO + 7] ^= 1;
	f.block[HDR_OWNER + 7] ^= 1;
	decode(&f);
	assert_false(f.decoded);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_BLKNO), 1);
	assert_int_equal(reported_times(&f.reported, F_BLOCK_OWNER), 1);
	assert_int_equal(f.visited.count, 0);

	/* with a wrong checksum the header may be all that is damaged */
	f.keep_crc = true;
	f.block[UUID - 1] ^= 1;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.visited.count, SOUND_COUNT);
}

static void other_magic_is_no_leaf(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block, MAGIC, 0x3ebe);
	decode(&f);
	assert_false(f.decoded);
	assert_reported_once(&f.reported, F_BLOCK_MAGIC, 0x3ebe, 0x3bee);
	assert_int_equal(f.visited.count, 0);
}

static void wrong_identity_does_not_hide_the_contents(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	f.block[BLKNO + 7] ^= 1;
	assert_only(&f, F_BLOCK_BLKNO, SOUND_COUNT);

	f = sound_leaf();
	f.block[UUID] ^= 1;
	assert_only(&f, F_BLOCK_UUID, SOUND_COUNT);

	f = sound_leaf();
	f.keep_crc = true;
	assert_only(&f, F_BLOCK_CRC, SOUND_COUNT);
}

static void count_that_is_too_large_is_reported_once(void **state)
{
	static const uint16_t wrong[] = { SOUND_COUNT + 2, SOUND_COUNT + 100, 502, 503, 0xffff };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = sound_leaf();

		put16(f.block, COUNT, wrong[i]);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_LEAF_COUNT, wrong[i], SOUND_COUNT);
		assert_int_equal(f.visited.count, SOUND_COUNT);
		assert_int_equal(f.leaf.count, SOUND_COUNT);
	}
}

static void count_that_is_one_too_large_shows_as_an_entry_without_name(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block, COUNT, SOUND_COUNT + 1);
	assert_only(&f, F_ATTR_LEAF_NAMEIDX, SOUND_COUNT);
	assert_int_equal(f.reported.problems[0].index, SOUND_COUNT);
}

static void count_that_is_too_small_loses_nothing(void **state)
{
	(void)state;
	for (uint16_t wrong = 0; wrong < SOUND_COUNT; wrong++) {
		struct fixture f = sound_leaf();

		put16(f.block, COUNT, wrong);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_LEAF_COUNT, wrong, SOUND_COUNT);
		assert_int_equal(f.visited.count, SOUND_COUNT);
		assert_int_equal(f.leaf.last_hash, entry_hash(&f, SOUND_COUNT - 1));
	}
}

static void entries_behind_the_count_need_their_bytes_counted(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block, COUNT, SOUND_COUNT - 1);
	put16(f.block, USEDBYTES, (uint16_t)(f.used - 4));
	assert_only(&f, F_ATTR_LEAF_USEDBYTES, SOUND_COUNT - 1);
}

static void wrong_usedbytes_is_reported(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block, USEDBYTES, (uint16_t)(f.used + 4));
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_USEDBYTES, f.used + 4, f.used);
	assert_int_equal(f.visited.count, SOUND_COUNT);
}

static void firstused_above_a_name_is_reported(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block, FIRSTUSED, (uint16_t)(names_start(&f) + 4));
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_FIRSTUSED, names_start(&f) + 4, names_start(&f));
	assert_int_equal(f.visited.count, SOUND_COUNT);
}

static void firstused_in_the_entries_is_reported(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	f.block[HOLES] = 1;
	put16(f.block, FIRSTUSED, (uint16_t)(entries_end(&f) - 4));
	assert_only(&f, F_ATTR_LEAF_FIRSTUSED, SOUND_COUNT);
}

static void firstused_below_the_names_needs_holes(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block, FIRSTUSED, (uint16_t)(names_start(&f) - 40));
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_FIRSTUSED, names_start(&f) - 40, names_start(&f));

	f.reported.count = f.visited.count = 0;
	f.block[HOLES] = 1;
	decode(&f);
	assert_int_equal(f.reported.count, 0);
}

/* Removes the attribute "alpha", whose name is not the lowest. */
static void make_hole(struct fixture *f)
{
	unsigned i = index_of(f, "alpha");

	memset(f->block + get16(entry_at(f, i), 4), 0, 20);
	memmove(entry_at(f, i), entry_at(f, i + 1), 8 * (f->count - i - 1));
	memset(entry_at(f, f->count - 1), 0, 8);
	f->count--;
	put16(f->block, COUNT, (uint16_t)f->count);
	put16(f->block, USEDBYTES, (uint16_t)(f->used - 20));
	put16(f->block, FREEMAP, (uint16_t)entries_end(f));
	put16(f->block, FREEMAP + 2, (uint16_t)(names_start(f) - entries_end(f)));
}

static void hole_needs_the_flag(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	make_hole(&f);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_HOLES, 0, 1);
	assert_int_equal(f.visited.count, SOUND_COUNT - 1);

	f.reported.count = f.visited.count = 0;
	f.block[HOLES] = 1;
	decode(&f);
	assert_int_equal(f.reported.count, 0);

	f.visited.count = 0;
	f.block[HOLES] = 2;
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_HOLES, 2, 1);
}

static void wrong_free_region_is_reported(void **state)
{
	const struct {
		unsigned region;
		uint16_t base, size;
	} wrong[] = {
		{ 1, 2, 0 },	/* not on a word, though it is empty */
		{ 1, 4100, 0 }, /* beyond the block, though it is empty */
		{ 1, 0x8000, 0 },
		{ 1, 2000, 6 },
		{ 1, 4092, 8 },				 /* ends beyond the block */
		{ 1, ENTRIES + 8 * SOUND_COUNT - 4, 8 }, /* entries */
		{ 1, 4092, 4 },				 /* a name */
		{ 2, 4000, 96 },			 /* names */
		{ 1, 1000, 200 },			 /* the first region */
		{ 0, 0, 0xfffc },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = sound_leaf();

		f.block[HOLES] = 1;
		put16(f.block, FREEMAP + 4 * wrong[i].region, wrong[i].base);
		put16(f.block, FREEMAP + 4 * wrong[i].region + 2, wrong[i].size);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_LEAF_FREEMAP, wrong[i].base, 0);
		assert_int_equal(f.reported.problems[0].index, wrong[i].region);
		assert_int_equal(f.reported.problems[0].offset, FREEMAP + 4 * wrong[i].region);
		assert_int_equal(f.visited.count, SOUND_COUNT);
	}
}

static void free_region_that_is_too_small_is_reported_without_holes(void **state)
{
	struct fixture f = sound_leaf();
	uint32_t size = names_start(&f) - entries_end(&f);

	(void)state;
	put16(f.block, FREEMAP + 2, (uint16_t)(size - 8));
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_FREE, size - 8, size);

	f.reported.count = f.visited.count = 0;
	f.block[HOLES] = 1;
	decode(&f);
	assert_int_equal(f.reported.count, 0);
}

static void padding_that_is_not_zero_is_reported(void **state)
{
	static const uint8_t pads[] = { PAD0, PAD0 + 1, PAD1, PAD2, PAD2 + 3 };

	(void)state;
	for (unsigned i = 0; i < sizeof(pads); i++) {
		struct fixture f = sound_leaf();

		f.block[pads[i]] = 1;
		assert_only(&f, F_ATTR_LEAF_PAD, SOUND_COUNT);
	}
}

static void name_outside_of_the_space_for_names_is_reported(void **state)
{
	/* not on a word, in the header, at the entry itself, so far away that a local name fits, but no remote one */
	static const uint16_t local[] = { 4001, 60, ENTRIES }, remote[] = { 4088, 4094, 0xfffc, 0 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = sound_leaf();
		unsigned index = index_of(&f, "omega");

		put16(entry_at(&f, index), 4, local[i]);
		assert_only(&f, F_ATTR_LEAF_NAMEIDX, SOUND_COUNT - 1);
		assert_int_equal(f.reported.problems[0].index, index);
		assert_int_equal(f.reported.problems[0].got, local[i]);
		assert_null(visited_name(&f.visited, "omega"));
	}
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f = sound_leaf();

		put16(entry_at(&f, index_of(&f, "big")), 4, remote[i]);
		assert_only(&f, F_ATTR_LEAF_NAMEIDX, SOUND_COUNT - 1);
	}
}

static void name_that_ends_behind_the_block_is_reported(void **state)
{
	struct fixture f = sound_leaf();
	uint32_t at;

	(void)state;
	at = name_offset(&f, "alpha");
	put16(f.block, at, 4000); /* valuelen */
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_SIZE, 3 + 5 + 4000, 4096 - at);
	assert_int_equal(f.visited.count, SOUND_COUNT - 1);
}

static void value_that_grew_over_others_does_not_hide_them(void **state)
{
	struct fixture f = sound_leaf();
	uint32_t at = name_offset(&f, "omega"); /* added last: the names of all others lie after it */

	(void)state;
	put16(f.block, at, 80);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_OVERLAP, at, 0);
	assert_int_equal(f.visited.count, SOUND_COUNT - 1);
	assert_null(visited_name(&f.visited, "omega"));
}

static void two_entries_for_one_name_are_reported(void **state)
{
	struct fixture f = sound_leaf();
	unsigned i = index_of(&f, "alpha");

	(void)state;
	memmove(entry_at(&f, i + 1), entry_at(&f, i), 8 * (f.count - i));
	f.count++;
	put_header_counts(&f);
	assert_only(&f, F_ATTR_LEAF_OVERLAP, SOUND_COUNT);
	assert_int_equal(f.reported.problems[0].index, i + 1);
}

static void entry_that_points_to_the_name_of_another_does_not_hide_it(void **state)
{
	struct fixture f = sound_leaf();
	unsigned i = index_of(&f, "omega");

	(void)state;
	put16(entry_at(&f, i), 4, (uint16_t)name_offset(&f, "alpha"));
	assert_only(&f, F_ATTR_HASH, SOUND_COUNT - 1);
	assert_int_equal(f.reported.problems[0].index, i);
	assert_non_null(visited_name(&f.visited, "alpha"));
	assert_null(visited_name(&f.visited, "omega"));
}

static void wrong_hash_is_reported_once_and_the_attribute_visited(void **state)
{
	static const uint32_t wrong[] = { 0, 1, 0x80000000, UINT32_MAX };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned index = 0; index < SOUND_COUNT; index++) {
			struct fixture f = sound_leaf();
			uint32_t right = entry_hash(&f, index);

			put32(entry_at(&f, index), 0, wrong[i]);
			decode(&f);
			assert_reported_once(&f.reported, F_ATTR_HASH, wrong[i], right);
			assert_int_equal(f.reported.problems[0].index, index);
			assert_int_equal(f.visited.count, SOUND_COUNT);
		}
	}
}

static void entries_out_of_order_are_reported(void **state)
{
	struct fixture f = sound_leaf();
	uint32_t first = entry_hash(&f, 1), second = entry_hash(&f, 2);
	uint8_t swap[8];

	(void)state;
	memcpy(swap, entry_at(&f, 1), 8);
	memcpy(entry_at(&f, 1), entry_at(&f, 2), 8);
	memcpy(entry_at(&f, 2), swap, 8);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_ORDER, first, second);
	assert_int_equal(f.reported.problems[0].index, 2);
	assert_int_equal(f.visited.count, SOUND_COUNT);
}

static void impossible_flags_are_reported(void **state)
{
	static const uint8_t wrong[] = { 0x10, 0x20, 0x40, ATTR_ROOT | ATTR_SECURE, ATTR_ROOT | ATTR_PARENT };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong); i++) {
		struct fixture f = sound_leaf();

		entry_at(&f, index_of(&f, "alpha"))[6] = wrong[i] | LOCAL;
		assert_only(&f, F_ATTR_FLAGS, SOUND_COUNT - 1);
		assert_int_equal(f.reported.problems[0].got, wrong[i] | LOCAL);
	}
}

static void incomplete_attribute_is_reported_and_not_visited(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	/* the new value of an attribute that is being replaced, and one whose value is not yet there */
	add_local(&f, ATTR_INCOMPLETE, "alpha", "new value", 9);
	add_remote(&f, ATTR_INCOMPLETE, "coming", 0, 0);
	decode(&f);
	assert_int_equal(f.reported.count, 2);
	assert_int_equal(reported_times(&f.reported, F_ATTR_INCOMPLETE), 2);
	assert_int_equal(f.visited.count, SOUND_COUNT);
	assert_memory_equal(visited_name(&f.visited, "alpha")->value, "first value", 11);
}

static void same_name_in_one_namespace_is_reported(void **state)
{
	struct fixture f = sound_leaf();
	unsigned other = index_of(&f, "alpha");
	unsigned i = add_local(&f, 0, "alpha", "second value", 12);

	(void)state;
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_DUPLICATE, i, other);
	assert_int_equal(f.visited.count, SOUND_COUNT);

	f = sound_leaf();
	add_local(&f, ATTR_ROOT, "alpha", "trusted value", 13);
	add_local(&f, ATTR_SECURE, "alpha", "security value", 14);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, SOUND_COUNT + 2);
}

static void names_may_share_a_hash(void **state)
{
	struct fixture f = sound_leaf();
	unsigned i;

	(void)state;
	assert_int_equal(name_hash("aaaac"), name_hash("qaaab"));
	add_local(&f, 0, "aaaac", "one", 3);
	add_local(&f, ATTR_INCOMPLETE, "aaaac", "half", 4);
	add_local(&f, 0, "qaaab", "other", 5);
	assert_only(&f, F_ATTR_INCOMPLETE, SOUND_COUNT + 2);

	f = sound_leaf();
	add_local(&f, 0, "aaaac", "one", 3);
	add_local(&f, 0, "qaaab", "other", 5);
	i = add_local(&f, 0, "aaaac", "again", 5);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_DUPLICATE, i, i - 2);
	assert_int_equal(f.visited.count, SOUND_COUNT + 2);
}

static void hard_links_of_one_name_need_different_parents(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	add_parent(&f, "file", PARENT + 1, 77);
	decode(&f);
	assert_int_equal(f.reported.count, 0);

	f = sound_leaf();
	add_parent(&f, "file", PARENT, 78);
	assert_only(&f, F_ATTR_DUPLICATE, SOUND_COUNT);
}

static void hash_of_parent_pointers_folds_case_where_names_do(void **state)
{
	struct fixture f = empty_leaf_of(12);
	uint32_t hash = name_hash("file") ^ PARENT;
	uint32_t folded;

	(void)state;
	f.geo.ascii_ci = true;
	add_hashed(&f, ATTR_PARENT, "FILE", parent_value(PARENT, 1), 12, hash);
	add_local(&f, 0, "UPPER", NULL, 0); /* other attributes are never folded */
	decode(&f);
	assert_int_equal(f.reported.count, 0);

	f.visited.count = 0;
	f.geo.ascii_ci = false;
	folded = name_hash("FILE") ^ PARENT;
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_HASH, hash, folded);
}

static void parent_pointer_is_never_remote(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	add_remote(&f, ATTR_PARENT, "link", 1, 12);
	assert_only(&f, F_ATTR_PARENT_REMOTE, SOUND_COUNT);
}

static void parent_of_an_impossible_number_is_reported(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	add_parent(&f, "link", OWNER, 1);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_PARENT_INO, OWNER, 0);
	assert_int_equal(f.visited.count, SOUND_COUNT);
}

static void remote_value_of_impossible_length_is_reported(void **state)
{
	static const uint32_t wrong[] = { 0, 65537, UINT32_MAX };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = sound_leaf();

		put32(f.block, name_offset(&f, "big") + 4, wrong[i]);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_REMOTE_VALUELEN, wrong[i], 65536);
		assert_int_equal(f.visited.count, SOUND_COUNT - 1);
	}
}

static void remote_value_at_an_impossible_block_is_reported(void **state)
{
	static const uint32_t wrong[] = { 0, UINT32_MAX, UINT32_MAX - 1 };
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		f = sound_leaf();
		put32(f.block, name_offset(&f, "big"), wrong[i]);
		assert_only(&f, F_ATTR_REMOTE_VALUEBLK, SOUND_COUNT - 1);
	}
	/* 9000 bytes take three blocks of 4040 */
	f = sound_leaf();
	put32(f.block, name_offset(&f, "big"), UINT32_MAX - 2);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
}

static void leaf_full_to_the_last_word_is_sound(void **state)
{
	static const uint8_t value[65000];
	struct fixture f = empty_leaf_of(16);
	uint16_t rest;

	(void)state;
	add_local(&f, 0, "a", value, 40000);
	rest = (uint16_t)(names_start(&f) - entries_end(&f) - 8 - 4);
	add_local(&f, 0, "b", value, rest);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, 2);
	assert_int_equal(get16(f.block, FREEMAP + 2), 0);
}

/* Makes it the leaf of V4: fields from byte 12, entries from 32 on; what was free before stays free. */
static void make_v4(struct fixture *f)
{
	f->geo.version = 4;
	f->geo.crc = false;
	f->geo.parent = false;
	f->keep_crc = true;
	put16(f->block, MAGIC, 0xfbee);
	memmove(f->block + COUNT - 44, f->block + COUNT, PAD2 - COUNT);
	memmove(f->block + ENTRIES - 48, f->block + ENTRIES, 8 * f->count);
	memset(f->block + entries_end(f) - 48, 0, 48);
	put16(f->block, FREEMAP - 44, (uint16_t)(get16(f->block, FREEMAP - 44) - 48));
	put16(f->block, FREEMAP - 44 + 2, (uint16_t)(get16(f->block, FREEMAP - 44 + 2) + 48));
}

static struct fixture leaf_of_v4(uint8_t block_log)
{
	struct fixture f = empty_leaf_of(block_log);

	add_local(&f, 0, "alpha", "first value", 11);
	add_remote(&f, 0, "big", 3, 9000);
	add_local(&f, ATTR_ROOT, "nothing", NULL, 0);
	make_v4(&f);
	return f;
}

static void leaf_of_v4_has_a_short_header(void **state)
{
	static const uint8_t block_logs[] = { 9, 12, 16 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = leaf_of_v4(block_logs[i]);

		assert_true(decode(&f)->decoded);
		assert_int_equal(f.reported.count, 0);
		assert_int_equal(f.visited.count, 3);
		assert_int_equal(f.leaf.count, 3);
		assert_int_equal(f.leaf.remote_entries, 1);
		assert_int_equal(visited_name(&f.visited, "big")->valueblk.v, 3);
		assert_memory_equal(visited_name(&f.visited, "alpha")->value, "first value", 11);

		f = empty_leaf_of(block_logs[i]);
		put_header_counts(&f);
		make_v4(&f);
		assert_true(decode(&f)->decoded);
		assert_int_equal(f.reported.count, 0);
	}
}

static void fields_of_v4_are_checked_where_they_are(void **state)
{
	static const struct {
		uint32_t at, value, offset;
		enum finding finding;
	} cases[] = {
		{ 14, 4, 14, F_ATTR_LEAF_USEDBYTES },  { 16, 512 - 4, 16, F_ATTR_LEAF_FIRSTUSED },
		{ 18, 0x0200, 18, F_ATTR_LEAF_HOLES }, { 20, 40, 20, F_ATTR_LEAF_FREEMAP },
		{ 22, 4, 20, F_ATTR_LEAF_FREE },       { 10, 1, 10, F_ATTR_LEAF_PAD },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = leaf_of_v4(9);

		put16(f.block, cases[i].at, (uint16_t)cases[i].value);
		decode(&f);
		assert_int_equal(f.reported.count, 1);
		assert_int_equal(f.reported.problems[0].finding, cases[i].finding);
		assert_int_equal(f.reported.problems[0].offset, cases[i].offset);
		assert_int_equal(f.visited.count, 3);
	}
}

static void entries_of_v4_are_checked_where_they_are(void **state)
{
	struct fixture f = leaf_of_v4(9);
	uint32_t hash = (uint32_t)get16(f.block, 32) << 16 | get16(f.block, 34);

	(void)state;
	put32(f.block, 32, hash ^ 1);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_HASH, hash ^ 1, hash);

	f = leaf_of_v4(9);
	put16(f.block, 12, 60); /* more than fit into 512 bytes */
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_COUNT, 60, 3);
	assert_int_equal(f.visited.count, 3);
}

/* There are no parent pointers without V5. */
static void parent_pointer_on_v4_is_reported(void **state)
{
	struct fixture f = empty_leaf_of(9);

	(void)state;
	add_parent(&f, "file", PARENT, 77);
	make_v4(&f);
	decode(&f);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_ATTR_FLAGS);
	assert_int_equal(f.visited.count, 0);
}

/* Old kernels left the last word of 64k blocks unused, since 65536 did not fit into firstused. */
static void last_word_of_64k_blocks_may_be_left_out(void **state)
{
	struct fixture f = empty_leaf_of(16);

	(void)state;
	f.used = 4;
	put_header_counts(&f);
	put16(f.block, USEDBYTES, 0);
	decode(&f);
	assert_int_equal(f.reported.count, 0);

	f = empty_leaf_of(16);
	f.used = 4;
	add_local(&f, 0, "alpha", "first value", 11);
	put16(f.block, USEDBYTES, (uint16_t)(f.used - 4));
	decode(&f);
	assert_int_equal(f.reported.count, 0);

	f = empty_leaf_of(15);
	f.used = 4;
	add_local(&f, 0, "alpha", "first value", 11);
	put16(f.block, USEDBYTES, (uint16_t)(f.used - 4));
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_LEAF_HOLES, 0, 1);
}

static void incomplete_attributes_are_left_out(void **state)
{
	struct fixture f = empty_leaf_of(12);

	(void)state;
	add_local(&f, 0, "alpha", "first value", 11);
	add_remote(&f, ATTR_INCOMPLETE, "big", 0, 0);
	decode(&f);
	assert_int_equal(reported_times(&f.reported, F_ATTR_INCOMPLETE), 1);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.leaf.left_out, 1);
	assert_int_equal(f.visited.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_leaf_is_visited_without_a_word),
		cmocka_unit_test(empty_leaf_is_allowed),
		cmocka_unit_test(firstused_of_zero_is_only_for_64k_blocks),
		cmocka_unit_test(other_magic_is_no_leaf),
		cmocka_unit_test(wrong_identity_does_not_hide_the_contents),
		cmocka_unit_test(leaf_of_another_place_and_owner_is_not_visited),
		cmocka_unit_test(count_that_is_too_large_is_reported_once),
		cmocka_unit_test(count_that_is_one_too_large_shows_as_an_entry_without_name),
		cmocka_unit_test(count_that_is_too_small_loses_nothing),
		cmocka_unit_test(entries_behind_the_count_need_their_bytes_counted),
		cmocka_unit_test(wrong_usedbytes_is_reported),
		cmocka_unit_test(firstused_above_a_name_is_reported),
		cmocka_unit_test(firstused_in_the_entries_is_reported),
		cmocka_unit_test(firstused_below_the_names_needs_holes),
		cmocka_unit_test(hole_needs_the_flag),
		cmocka_unit_test(wrong_free_region_is_reported),
		cmocka_unit_test(free_region_that_is_too_small_is_reported_without_holes),
		cmocka_unit_test(padding_that_is_not_zero_is_reported),
		cmocka_unit_test(name_outside_of_the_space_for_names_is_reported),
		cmocka_unit_test(name_that_ends_behind_the_block_is_reported),
		cmocka_unit_test(value_that_grew_over_others_does_not_hide_them),
		cmocka_unit_test(two_entries_for_one_name_are_reported),
		cmocka_unit_test(entry_that_points_to_the_name_of_another_does_not_hide_it),
		cmocka_unit_test(wrong_hash_is_reported_once_and_the_attribute_visited),
		cmocka_unit_test(entries_out_of_order_are_reported),
		cmocka_unit_test(impossible_flags_are_reported),
		cmocka_unit_test(incomplete_attribute_is_reported_and_not_visited),
		cmocka_unit_test(same_name_in_one_namespace_is_reported),
		cmocka_unit_test(names_may_share_a_hash),
		cmocka_unit_test(hard_links_of_one_name_need_different_parents),
		cmocka_unit_test(hash_of_parent_pointers_folds_case_where_names_do),
		cmocka_unit_test(parent_pointer_is_never_remote),
		cmocka_unit_test(parent_of_an_impossible_number_is_reported),
		cmocka_unit_test(remote_value_of_impossible_length_is_reported),
		cmocka_unit_test(remote_value_at_an_impossible_block_is_reported),
		cmocka_unit_test(leaf_full_to_the_last_word_is_sound),
		cmocka_unit_test(leaf_of_v4_has_a_short_header),
		cmocka_unit_test(fields_of_v4_are_checked_where_they_are),
		cmocka_unit_test(entries_of_v4_are_checked_where_they_are),
		cmocka_unit_test(parent_pointer_on_v4_is_reported),
		cmocka_unit_test(last_word_of_64k_blocks_may_be_left_out),
		cmocka_unit_test(incomplete_attributes_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
