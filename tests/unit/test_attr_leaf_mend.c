/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mending of attribute leaves with one wrong field, by hashes and by the room between names (ondisk 07). */
#include "attr_leaves.h"

static uint8_t *name_at(struct fixture *f, const char *name)
{
	return f->block + name_offset(f, name);
}

static void assert_value(const struct fixture *f, const char *name, const void *value, uint32_t len)
{
	const struct attr_entry *e = visited_name(&f->visited, name);

	assert_non_null(e);
	assert_int_equal(e->valuelen, len);
	if (!e->remote)
		assert_memory_equal(e->value, value, len);
}

/* Mends the leaf; then it has everything that sound_leaf() has. */
static void assert_mended(struct fixture *f)
{
	attr_leaf_mend(&f->geo, f->block, (xino_t){ OWNER });
	decode(f);
	assert_int_equal(f->visited.count, SOUND_COUNT);
	assert_int_equal(f->leaf.left_out, 0);
	assert_value(f, "file", parent_value(PARENT, 77), 12);
	assert_value(f, "alpha", "first value", 11);
	assert_value(f, "selinux", "label", 6);
	assert_value(f, "big", NULL, 9000);
	assert_value(f, "nothing", NULL, 0);
	assert_value(f, "omega", "last value", 10);
	assert_int_equal(visited_name(&f->visited, "big")->valueblk.v, 3);
}

/* Only wrong fields are changed: a sound leaf stays as it is. */
static void sound_leaf_is_not_touched(void **state)
{
	static const uint8_t block_logs[] = { 10, 12, 16 };
	static uint8_t before[65536];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct fixture f = empty_leaf_of(block_logs[i]);

		add_local(&f, 0, "alpha", "first value", 11);
		add_local(&f, 0, "zeros", "\0\0\0\0", 4);
		add_remote(&f, 0, "big", 3, 9000);
		memcpy(before, f.block, f.geo.block_size);
		attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
		assert_memory_equal(f.block, before, f.geo.block_size);
	}
}

static void length_of_a_name_follows_from_its_hash(void **state)
{
	static const uint8_t wrong[] = { 0, 1, 4, 6, 255 };
	static const char *const names[] = { "alpha", "omega", "selinux" };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong); i++) {
		for (unsigned k = 0; k < 3; k++) {
			struct fixture f = sound_leaf();

			name_at(&f, names[k])[2] = wrong[i];
			assert_mended(&f);
		}
	}
}

static void length_of_a_remote_name_follows_from_its_hash(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	name_at(&f, "big")[8] = 77;
	assert_mended(&f);
}

/* The value's blocks may still be found; the name, at least, is known. */
static void name_of_an_impossible_value_is_kept(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put32(name_at(&f, "big"), 4, 0xffffffff);
	attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
	decode(&f);
	assert_int_equal(f.visited.count, SOUND_COUNT);
	assert_int_equal(visited_name(&f.visited, "big")->valueblk.v, 3);

	f = sound_leaf();
	put32(name_at(&f, "big"), 0, 0);
	attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
	decode(&f);
	assert_int_equal(f.visited.count, SOUND_COUNT);
	assert_int_equal(visited_name(&f.visited, "big")->valuelen, 9000);
}

static void name_is_found_by_its_hash(void **state)
{
	static const uint16_t wrong[] = { 0, 84, 2000, 4001, 4096, 0xffff };
	static const char *const names[] = { "alpha", "big", "nothing" };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		for (unsigned k = 0; k < 3; k++) {
			struct fixture f = sound_leaf();

			put16(entry_at(&f, index_of(&f, names[k])), 4, wrong[i]);
			assert_mended(&f);
		}
	}
}

static void entry_that_points_to_the_name_of_another_finds_its_own(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	put16(entry_at(&f, index_of(&f, "alpha")), 4, (uint16_t)name_offset(&f, "omega"));
	assert_mended(&f);
}

/* A replaced value has left its old bytes behind: nothing tells which of the two is the present one. */
static void name_that_is_there_twice_is_not_chosen(void **state)
{
	struct fixture f = empty_leaf_of(12);

	(void)state;
	add_local(&f, 0, "alpha", "first value", 11);
	memcpy(f.block + 2000, f.block + names_start(&f), 20);
	put16(entry_at(&f, 0), 4, 3000);
	attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
	assert_int_equal(get16(entry_at(&f, 0), 4), 3000);
}

static unsigned parent_index(struct fixture *f)
{
	unsigned i = 0;

	while (!(entry_at(f, i)[6] & ATTR_PARENT))
		i++;
	return i;
}

static void flags_that_cannot_be_are_dropped(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	entry_at(&f, index_of(&f, "alpha"))[6] |= 0x10;
	entry_at(&f, index_of(&f, "big"))[6] ^= ATTR_LOCAL;
	entry_at(&f, index_of(&f, "omega"))[6] = ATTR_PARENT;
	entry_at(&f, index_of(&f, "alpha"))[6] = ATTR_ROOT | ATTR_SECURE;
	assert_mended(&f);

	f = sound_leaf();
	entry_at(&f, parent_index(&f))[6] = 0;
	assert_mended(&f);
}

/* A value that fills its room has a known length; where zeroes follow, it ends with the last byte that is not zero. */
static void length_of_a_value_follows_from_its_room(void **state)
{
	static const uint16_t wrong[] = { 0, 1, 50, 5000, 0xffff };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = sound_leaf();

		put16(name_at(&f, "alpha"), 0, wrong[i]);
		assert_mended(&f);
		f = sound_leaf();
		put16(name_at(&f, "omega"), 0, wrong[i]);
		assert_mended(&f);
	}
}

/* Zeroes at the end belong to a value that is invalid without them. */
static void length_of_a_value_with_a_meaning_is_kept(void **state)
{
	static const char *const name = "SGI_ACL_FILE";
	/* the owner, the group, others */
	static const uint8_t acl[4 + 3 * 12] = {
		0, 0, 0, 3, [7] = 1, [13] = 6, [19] = 4, [25] = 4, [31] = 0x20, [37] = 4
	};
	struct fixture f = sound_leaf();

	(void)state;
	put16(f.block + get16(entry_at(&f, parent_index(&f)), 4), 0, 40);
	assert_mended(&f);

	f = empty_leaf_of(12);
	add_local(&f, ATTR_ROOT, name, acl, sizeof(acl));
	add_local(&f, 0, "alpha", "first value", 11);
	put16(name_at(&f, name), 0, 3);
	attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
	decode(&f);
	assert_value(&f, name, acl, sizeof(acl));
	assert_value(&f, "alpha", "first value", 11);
}

/* With gaps between names, a value that is too short can't be found; one that overlaps the next name can. */
static void header_tells_the_length_where_there_are_gaps(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	f.block[HOLES] = 1;
	put16(name_at(&f, "alpha"), 0, 50);
	assert_mended(&f);

	f = sound_leaf();
	put16(f.block, USEDBYTES, 0xfff0);
	put16(name_at(&f, "alpha"), 0, 50);
	attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
	assert_int_equal(get16(name_at(&f, "alpha"), 0), 50);
}

static void name_that_is_damaged_itself_changes_no_other(void **state)
{
	struct fixture f = sound_leaf();

	(void)state;
	name_at(&f, "omega")[4] ^= 1;
	attr_leaf_mend(&f.geo, f.block, (xino_t){ OWNER });
	decode(&f);
	assert_int_equal(f.visited.count, SOUND_COUNT);
	assert_value(&f, "alpha", "first value", 11);
	assert_value(&f, "selinux", "label", 6);
	assert_value(&f, "nothing", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_leaf_is_not_touched),
		cmocka_unit_test(length_of_a_name_follows_from_its_hash),
		cmocka_unit_test(length_of_a_remote_name_follows_from_its_hash),
		cmocka_unit_test(name_of_an_impossible_value_is_kept),
		cmocka_unit_test(name_is_found_by_its_hash),
		cmocka_unit_test(entry_that_points_to_the_name_of_another_finds_its_own),
		cmocka_unit_test(name_that_is_there_twice_is_not_chosen),
		cmocka_unit_test(flags_that_cannot_be_are_dropped),
		cmocka_unit_test(length_of_a_value_follows_from_its_room),
		cmocka_unit_test(length_of_a_value_with_a_meaning_is_kept),
		cmocka_unit_test(header_tells_the_length_where_there_are_gaps),
		cmocka_unit_test(name_that_is_damaged_itself_changes_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
