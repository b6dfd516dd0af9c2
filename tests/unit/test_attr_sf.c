/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes in the inode, and the rules that hold for attributes anywhere (ondisk 07). */
#include "attrs.h"

#define FORK_SIZE 200

struct fixture {
	struct geometry geo;
	uint8_t fork[FORK_SIZE];
	uint16_t totsize;
	struct reported reported;
	struct visited visited;
	bool decoded;
};

static struct fixture empty_fork(void)
{
	return (struct fixture){ .geo = attrs_geometry(12), .fork = { 0, 4 }, .totsize = 4 };
}

/* Appends an attribute; returns the byte where its lengths are. */
static uint16_t add(struct fixture *f, uint8_t flags, const char *name, const void *value, uint8_t valuelen)
{
	uint8_t namelen = (uint8_t)strlen(name);
	uint16_t start = f->totsize;
	uint8_t *at = f->fork + start;

	at[0] = namelen;
	at[1] = valuelen;
	at[2] = flags;
	memcpy(at + 3, name, namelen);
	if (valuelen)
		memcpy(at + 3 + namelen, value, valuelen);
	f->totsize = (uint16_t)(start + 3 + namelen + valuelen);
	assert_true(f->totsize <= FORK_SIZE);
	put16(f->fork, 0, f->totsize);
	f->fork[2]++;
	return start;
}

static struct fixture *decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };

	f->decoded = attr_sf_decode(&c, f->fork, FORK_SIZE, (xino_t){ OWNER }, remember, &f->visited);
	return f;
}

/* Three usual attributes. */
static struct fixture sound_fork(void)
{
	struct fixture f = empty_fork();

	add(&f, ATTR_PARENT, "file", parent_value(PARENT, 77), 12);
	add(&f, ATTR_SECURE, "selinux", "label", 6);
	add(&f, 0, "empty", NULL, 0);
	return f;
}

static void sound_attributes_are_visited(void **state)
{
	struct fixture f = sound_fork();
	const struct attr_entry *e;

	(void)state;
	decode(&f);
	assert_true(f.decoded);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, 3);
	e = visited_name(&f.visited, "file");
	assert_non_null(e);
	assert_int_equal(e->flags, ATTR_PARENT);
	assert_true(e->parent.v == PARENT);
	assert_int_equal(e->parent_gen, 77);
	assert_int_equal(attr_hash(&f.geo, e), 0x0cda7665 ^ PARENT); /* "file" by the recurrence of ondisk 06 */
	e = visited_name(&f.visited, "selinux");
	assert_non_null(e);
	assert_int_equal(e->valuelen, 6);
	assert_memory_equal(e->value, "label", 6);
	assert_false(e->remote);
	assert_int_equal(visited_name(&f.visited, "empty")->valuelen, 0);
}

static void fork_without_attributes_is_allowed(void **state)
{
	struct fixture f = empty_fork();

	(void)state;
	assert_true(decode(&f)->decoded);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, 0);
}

static void fork_too_small_for_a_header_is_reported(void **state)
{
	struct fixture f = empty_fork();
	struct check c = { &f.geo, reported_add, &f.reported };

	(void)state;
	assert_false(attr_sf_decode(&c, f.fork, 3, (xino_t){ OWNER }, remember, &f.visited));
	assert_reported_once(&f.reported, F_ATTR_SF_TOTSIZE, 3, 4);
}

static void wrong_totsize_is_reported_and_all_are_visited(void **state)
{
	static const uint16_t wrong[] = { 0, 3, 20, FORK_SIZE + 1, 0xffff };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = sound_fork();

		put16(f.fork, 0, wrong[i]);
		assert_true(decode(&f)->decoded);
		assert_reported_once(&f.reported, F_ATTR_SF_TOTSIZE, wrong[i], f.totsize);
		assert_int_equal(f.visited.count, 3);
	}
}

static void wrong_count_is_reported_and_all_are_visited(void **state)
{
	static const uint8_t wrong[] = { 0, 2, 4, 255 };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong); i++) {
		struct fixture f = sound_fork();

		f.fork[2] = wrong[i];
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_SF_COUNT, wrong[i], 3);
		assert_int_equal(f.visited.count, 3);
	}
}

static void wrong_length_is_reported_once(void **state)
{
	struct fixture f = sound_fork();

	(void)state;
	f.fork[4] += 1; /* namelen of the parent pointer */
	decode(&f);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_ATTR_SF_TOTSIZE);
}

static void entry_beyond_the_fork_is_reported(void **state)
{
	struct fixture f = empty_fork();
	uint16_t second;

	(void)state;
	add(&f, 0, "first", "value", 5);
	second = add(&f, 0, "second", "value", 5);
	f.fork[second + 1] = 255; /* valuelen */
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_SF_ENTRY, 3 + 6 + 255, FORK_SIZE - second);
	assert_int_equal(f.reported.problems[0].index, 1);
	assert_int_equal(f.reported.problems[0].offset, second);
	assert_int_equal(f.visited.count, 1);
}

static void entry_whose_lengths_do_not_fit_is_reported(void **state)
{
	static const uint8_t value[194];
	struct fixture f = empty_fork();

	(void)state;
	add(&f, 0, "n", value, 190); /* ends two bytes before the fork */
	put16(f.fork, 0, FORK_SIZE);
	f.fork[2] = 2;
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_SF_ENTRY, 3, 2);
	assert_int_equal(f.visited.count, 1);
}

static void impossible_flags_are_reported(void **state)
{
	static const uint8_t wrong[] = {
		ATTR_LOCAL, ATTR_INCOMPLETE, 0x10, 0x20, 0x40, ATTR_ROOT | ATTR_SECURE, ATTR_SECURE | ATTR_PARENT
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong); i++) {
		struct fixture f = sound_fork();

		add(&f, wrong[i], "name", parent_value(PARENT, 1), 12);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_FLAGS, wrong[i], ATTR_ROOT | ATTR_SECURE | ATTR_PARENT);
		assert_int_equal(f.reported.problems[0].index, 3);
		assert_int_equal(f.visited.count, 3);
	}
}

static void parent_pointer_without_the_feature_is_reported(void **state)
{
	struct fixture f = sound_fork();

	(void)state;
	f.geo.parent = false;
	decode(&f);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_ATTR_FLAGS);
	assert_int_equal(f.visited.count, 2);
}

static void nameless_attribute_is_reported(void **state)
{
	struct fixture f = sound_fork();

	(void)state;
	add(&f, 0, "", "value", 5);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_NAMELEN, 0, 1);
	assert_int_equal(f.visited.count, 3);
}

static void name_with_a_nul_is_reported(void **state)
{
	struct fixture f = sound_fork();
	uint16_t at = add(&f, 0, "name", "value", 5);

	(void)state;
	f.fork[at + 3 + 2] = 0;
	decode(&f);
	assert_int_equal(f.reported.count, 1);
	assert_int_equal(f.reported.problems[0].finding, F_ATTR_NAME);
	assert_int_equal(f.visited.count, 3);
}

static void user_attribute_may_have_a_name_with_slashes(void **state)
{
	struct fixture f = empty_fork();

	(void)state;
	add(&f, 0, "a/b", NULL, 0);
	add(&f, ATTR_ROOT, "..", NULL, 0);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, 2);
}

static void parent_pointer_with_an_impossible_name_is_reported(void **state)
{
	static const char *const wrong[] = { "a/b", ".", "..", "/" };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fixture f = empty_fork();

		add(&f, ATTR_PARENT, wrong[i], parent_value(PARENT, 1), 12);
		decode(&f);
		assert_int_equal(f.reported.count, 1);
		assert_int_equal(f.reported.problems[0].finding, F_ATTR_NAME);
		assert_int_equal(f.visited.count, 0);
	}
}

static void parent_pointer_of_wrong_size_is_reported(void **state)
{
	static const uint8_t wrong[] = { 0, 8, 11, 13 };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong); i++) {
		uint8_t value[16] = { 0 };
		struct fixture f = empty_fork();

		memcpy(value, parent_value(PARENT, 1), 12);
		add(&f, ATTR_PARENT, "file", value, wrong[i]);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_PARENT_SIZE, wrong[i], 12);
		assert_int_equal(f.visited.count, 0);
	}
}

static void parent_that_cannot_be_is_reported(void **state)
{
	/* none, in the AG header, beyond the last AG, not an inode number at all, the file itself */
	static const uint64_t wrong[] = { 0, 2 << 3, 4ull << 19, UINT64_MAX, OWNER };

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fixture f = empty_fork();

		add(&f, ATTR_PARENT, "file", parent_value(wrong[i], 1), 12);
		decode(&f);
		assert_reported_once(&f.reported, F_ATTR_PARENT_INO, wrong[i], 0);
		assert_int_equal(f.visited.count, 0);
	}
}

static void same_name_in_one_namespace_is_reported(void **state)
{
	struct fixture f = sound_fork();

	(void)state;
	add(&f, ATTR_SECURE, "selinux", "other", 5);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_DUPLICATE, 3, 1);
	assert_int_equal(f.visited.count, 3);
}

static void same_name_in_other_namespaces_is_allowed(void **state)
{
	struct fixture f = sound_fork();

	(void)state;
	add(&f, 0, "selinux", "user", 4);
	add(&f, ATTR_ROOT, "selinux", "root", 4);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, 5);
}

static void hard_links_of_one_name_need_different_parents(void **state)
{
	struct fixture f = sound_fork();

	(void)state;
	add(&f, ATTR_PARENT, "file", parent_value(PARENT + 1, 77), 12);
	decode(&f);
	assert_int_equal(f.reported.count, 0);

	f = sound_fork();
	add(&f, ATTR_PARENT, "file", parent_value(PARENT, 78), 12);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_DUPLICATE, 3, 0);
}

static void acl_whose_count_does_not_give_its_size_is_reported(void **state)
{
	uint8_t acl[4 + 3 * 12] = { 0, 0, 0, 3, [7] = 1, [19] = 4, [31] = 0x20 };
	struct fixture f = empty_fork();
	uint16_t at;

	(void)state;
	at = add(&f, ATTR_ROOT, "SGI_ACL_FILE", acl, sizeof(acl));
	add(&f, ATTR_ROOT, "SGI_ACL_DEFAULT", acl, sizeof(acl));
	add(&f, 0, "SGI_ACL_FILE", "not an ACL", 10);
	decode(&f);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(f.visited.count, 3);

	f.fork[at + 3 + 12 + 3] = 4;
	f.visited.count = 0;
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_ACL, sizeof(acl), 4 + 4 * 12);
	assert_int_equal(f.visited.count, 2);

	f = empty_fork();
	add(&f, ATTR_ROOT, "SGI_ACL_DEFAULT", acl, 3);
	decode(&f);
	assert_reported_once(&f.reported, F_ATTR_ACL, 3, 4);
}

/* The kinds of an ACL's entries, and the findings for them. */
struct acl_case {
	uint8_t kinds[7]; /* up to 0 */
	bool sound;
	enum finding finding;
	uint32_t got, want;
};

static void assert_acl(const struct acl_case *acl_case)
{
	uint8_t acl[4 + 7 * 12] = { 0 };
	struct fixture f = empty_fork();
	uint8_t count = 0;

	for (; acl_case->kinds[count]; count++)
		acl[4 + 12 * count + 3] = acl_case->kinds[count];
	acl[3] = count;
	add(&f, ATTR_ROOT, "SGI_ACL_FILE", acl, (uint8_t)(4 + 12 * count));
	decode(&f);
	if (acl_case->sound)
		assert_int_equal(f.reported.count, 0);
	else
		assert_reported_once(&f.reported, acl_case->finding, acl_case->got, acl_case->want);
	assert_int_equal(f.visited.count, acl_case->sound);
}

static void acl_has_each_kind_that_it_must_have_once(void **state)
{
	static const struct acl_case cases[] = {
		{ { 1, 4, 0x20 }, true, 0, 0, 0 },
		{ { 1, 4, 0x10, 0x20 }, true, 0, 0, 0 },
		{ { 1, 2, 2, 4, 0x10, 0x20 }, true, 0, 0, 0 },
		{ { 1, 4, 8, 8, 0x10, 0x20 }, true, 0, 0, 0 },
		{ { 0 }, false, F_ATTR_ACL_LACKS, 0, 0x25 },
		{ { 1, 4 }, false, F_ATTR_ACL_LACKS, 2, 0x20 },
		{ { 4, 0x20 }, false, F_ATTR_ACL_LACKS, 2, 1 },
		{ { 1, 2, 4, 0x20 }, false, F_ATTR_ACL_LACKS, 4, 0x10 },
		{ { 1, 4, 8, 0x20 }, false, F_ATTR_ACL_LACKS, 4, 0x10 },
		{ { 1, 1, 4, 0x20 }, false, F_ATTR_ACL_ENTRY, 1, 1 },
		{ { 1, 4, 0x20, 0x20 }, false, F_ATTR_ACL_ENTRY, 3, 0x20 },
		{ { 1, 4, 0x10, 0x10, 0x20 }, false, F_ATTR_ACL_ENTRY, 3, 0x10 },
		{ { 1, 4, 0x40, 0x20 }, false, F_ATTR_ACL_ENTRY, 2, 0x40 },
		{ { 1, 5, 0x20 }, false, F_ATTR_ACL_ENTRY, 1, 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_acl(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_attributes_are_visited),
		cmocka_unit_test(fork_without_attributes_is_allowed),
		cmocka_unit_test(fork_too_small_for_a_header_is_reported),
		cmocka_unit_test(wrong_totsize_is_reported_and_all_are_visited),
		cmocka_unit_test(wrong_count_is_reported_and_all_are_visited),
		cmocka_unit_test(wrong_length_is_reported_once),
		cmocka_unit_test(entry_beyond_the_fork_is_reported),
		cmocka_unit_test(entry_whose_lengths_do_not_fit_is_reported),
		cmocka_unit_test(impossible_flags_are_reported),
		cmocka_unit_test(parent_pointer_without_the_feature_is_reported),
		cmocka_unit_test(nameless_attribute_is_reported),
		cmocka_unit_test(name_with_a_nul_is_reported),
		cmocka_unit_test(user_attribute_may_have_a_name_with_slashes),
		cmocka_unit_test(parent_pointer_with_an_impossible_name_is_reported),
		cmocka_unit_test(parent_pointer_of_wrong_size_is_reported),
		cmocka_unit_test(parent_that_cannot_be_is_reported),
		cmocka_unit_test(same_name_in_one_namespace_is_reported),
		cmocka_unit_test(same_name_in_other_namespaces_is_allowed),
		cmocka_unit_test(hard_links_of_one_name_need_different_parents),
		cmocka_unit_test(acl_whose_count_does_not_give_its_size_is_reported),
		cmocka_unit_test(acl_has_each_kind_that_it_must_have_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
