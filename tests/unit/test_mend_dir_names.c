/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/make/mend_dir_names.c: finding names among many, some of them several times. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../repair/mend/make/mend_dir.h"
#include "reported.h"

#define MANY 500u

static const struct geometry plain = { 0 };
static const struct geometry any_case = { .ascii_ci = true };

static void add(const struct geometry *geo, struct dir_names *names, const char *name, uint64_t ino)
{
	const struct dir_name one = { .ino = { ino }, .name = (const uint8_t *)name, .namelen = (uint8_t)strlen(name) };

	assert_int_equal(dir_names_add(geo, names, &one), 0);
}

static void begin(const struct geometry *geo, struct dir_names *names)
{
	*names = (struct dir_names){ 0 };
	add(geo, names, ".", 128);
	add(geo, names, "..", 128);
}

/* Returns the sum of the inode numbers of all entries of a name; *count: of how many. */
static uint64_t each(const struct geometry *geo, struct dir_names *names, const char *name, unsigned *count)
{
	const struct name_view view = { (const uint8_t *)name, (uint8_t)strlen(name) };
	uint64_t sum = 0;
	size_t at = names->count;

	*count = 0;
	while ((at = dir_names_next(geo, names, &view, at)) < names->count && *count <= MANY) {
		sum += names->names[at].ino.v;
		++*count;
	}
	return sum;
}

static void every_entry_of_a_name_is_found_once(void **state)
{
	struct dir_names names;
	unsigned count;
	char name[16];

	(void)state;
	begin(&plain, &names);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "name%u", i % (MANY / 2));
		add(&plain, &names, name, 1000 + i);
	}
	for (unsigned i = 0; i < MANY / 2; i++) {
		snprintf(name, sizeof(name), "name%u", i);
		assert_int_equal(each(&plain, &names, name, &count), 2000 + 2 * i + MANY / 2);
		assert_int_equal(count, 2);
	}
	each(&plain, &names, "name", &count);
	assert_int_equal(count, 0);
	dir_names_free(&names);
}

static void dots_and_no_name_are_not_found(void **state)
{
	struct dir_names names;
	unsigned count;

	(void)state;
	begin(&plain, &names);
	add(&plain, &names, "a", 1);
	each(&plain, &names, ".", &count);
	assert_int_equal(count, 0);
	each(&plain, &names, "..", &count);
	assert_int_equal(count, 0);
	dir_names_remove(&names, 2, DROP_UNKNOWN);
	each(&plain, &names, "a", &count);
	assert_int_equal(count, 0);
	each(&plain, &names, "", &count);
	assert_int_equal(count, 0);
	dir_names_free(&names);
}

static void removed_and_renamed_ones_are_others(void **state)
{
	struct dir_names names;
	unsigned count;

	(void)state;
	begin(&plain, &names);
	add(&plain, &names, "a", 10);
	add(&plain, &names, "a", 20);
	add(&plain, &names, "a", 40);
	assert_int_equal(each(&plain, &names, "a", &count), 70);
	dir_names_remove(&names, 3, DROP_UNKNOWN);
	assert_int_equal(each(&plain, &names, "a", &count), 50);
	assert_int_equal(dir_names_rename(&plain, &names, 4, (const uint8_t *)"b", 1), 0);
	assert_int_equal(each(&plain, &names, "a", &count), 10);
	assert_int_equal(each(&plain, &names, "b", &count), 40);
	dir_names_free(&names);
}

/* Names that are the same to the kernel have the same hash, but their bytes differ. */
static void bytes_count_whatever_their_case_is(void **state)
{
	struct dir_names names;
	unsigned count;

	(void)state;
	begin(&any_case, &names);
	add(&any_case, &names, "Name", 10);
	add(&any_case, &names, "nAME", 20);
	assert_int_equal(each(&any_case, &names, "nAME", &count), 20);
	assert_int_equal(count, 1);
	dir_names_free(&names);
}

static void each_of_many_copies_gets_a_number(void **state)
{
	struct dir_names names;
	unsigned count;

	(void)state;
	begin(&plain, &names);
	add(&plain, &names, "name.7", 999);
	for (unsigned i = 0; i < 20000; i++)
		add(&plain, &names, "name", 1000 + i);
	assert_int_equal(dir_names_unique(&plain, &names), 0);
	assert_int_equal(names.count, 2 + 1 + 20000);
	assert_int_equal(names.nrenames, 19999);
	assert_int_equal(each(&plain, &names, "name", &count), 1000);
	assert_int_equal(each(&plain, &names, "name.6", &count), 1005);
	assert_int_equal(each(&plain, &names, "name.7", &count), 999);
	assert_int_equal(each(&plain, &names, "name.20001", &count), 20999);
	dir_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_of_a_name_is_found_once),
		cmocka_unit_test(dots_and_no_name_are_not_found),
		cmocka_unit_test(removed_and_renamed_ones_are_others),
		cmocka_unit_test(bytes_count_whatever_their_case_is),
		cmocka_unit_test(each_of_many_copies_gets_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
