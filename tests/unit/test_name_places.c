/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories that may have an entry of an inode. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../repair/names/name_places.h"

/* Directory 1000 has the inodes 64 to 127 and 200; directory 2000, in another lane, has 70, and 5000 has 300. */
static struct name_places *filled(size_t limit)
{
	struct name_places *places = name_places_new(2, limit);

	assert_non_null(places);
	for (uint64_t ino = 64; ino < 128; ino++) {
		name_places_add(places, 0, (xino_t){ 1000 }, (xino_t){ ino });
		name_places_add(places, 0, (xino_t){ 1000 }, (xino_t){ 200 });
	}
	name_places_add(places, 1, (xino_t){ 2000 }, (xino_t){ 70 });
	name_places_add(places, 1, (xino_t){ 5000 }, (xino_t){ 300 });
	return places;
}

static void directories_of_the_chunk_are_found(void **state)
{
	struct name_places *places = filled(1 << 20);
	struct ino_set inos = { 0 }, dirs = { 0 };

	(void)state;
	ino_set_put(&inos, (xino_t){ 71 });
	assert_int_equal(name_places_find(places, &inos, &dirs), 0);
	assert_int_equal(ino_set_count(&dirs), 2);
	assert_true(ino_set_has(&dirs, (xino_t){ 1000 }));
	assert_true(ino_set_has(&dirs, (xino_t){ 2000 }));
	ino_set_free(&dirs);
	ino_set_free(&inos);
	name_places_free(places);
}

/* Two pairs fit into the lane, however often they alternate; with room for one, no directory is returned. */
static void all_or_nothing_is_told(void **state)
{
	struct ino_set inos = { 0 };

	(void)state;
	ino_set_put(&inos, (xino_t){ 200 });
	for (size_t pairs = 1; pairs <= 2; pairs++) {
		struct name_places *places = filled(pairs * 2 * 16);
		struct ino_set dirs = { 0 };

		assert_int_equal(name_places_find(places, &inos, &dirs), 0);
		assert_int_equal(ino_set_count(&dirs), pairs - 1);
		ino_set_free(&dirs);
		name_places_free(places);
	}
	ino_set_free(&inos);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directories_of_the_chunk_are_found),
		cmocka_unit_test(all_or_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
