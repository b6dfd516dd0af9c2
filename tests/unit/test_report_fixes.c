/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of fixes in text: each with how certain it is, and how many there are. */
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/fix_list.h"
#include "../../repair/report/report_text.h"
#include "../../repair/sets/number_set.h"
#include "reported.h"

static void only_a_fix_that_is_not_certain_says_so_at_its_end(void **state)
{
	struct found found = { .place = place_of(OBJ_AGF), .problem = { F_AGF_FREEBLKS_COUNT, 0, NO_INDEX, 1, 2 } };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	found.place.agno.v = 3;
	report_text_fix(out, "counter corrected", SURE_CERTAIN, &found, NULL);
	report_text_fix(out, "counter corrected", SURE_LIKELY, &found, NULL);
	report_text_fix(out, "counter corrected", SURE_GUESS, &found, NULL);
	fclose(out);
	assert_string_equal(text, "Fix: agf.freeblks.count: AG 3 AGF: counter corrected\n"
				  "Fix: agf.freeblks.count: AG 3 AGF: counter corrected (likely)\n"
				  "Fix: agf.freeblks.count: AG 3 AGF: counter corrected (guess)\n");
	free(text);
}

static void one_fix_and_more_are_spoken_of_as_such(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct layout layout;

	(void)state;
	layout_begin(&layout, out, false);
	report_text_mended(&layout, &(struct fixes){ .count = { 1 } }, 0, false);
	report_text_mended(&layout,
			   &(struct fixes){ .count = { [SURE_CERTAIN] = 1990, [SURE_LIKELY] = 8, [SURE_GUESS] = 2 } },
			   0, false);
	report_text_mended(&layout, &(struct fixes){ .count = { [SURE_LIKELY] = 1, [SURE_GUESS] = 1 } }, 1, false);
	report_text_mended(&layout, &(struct fixes){ .count = { [SURE_GUESS] = 1 } }, 2, true);
	fclose(out);
	assert_string_equal(
		text, "1 fix staged in memory (1 certain). A check with it applied finds no problems.\n"
		      "2,000 fixes staged in memory (1,990 certain, 8 likely, 2 guesses). A check with them applied "
		      "finds no problems.\n"
		      "2 fixes staged in memory (1 likely, 1 guess), but 1 problem is left that cannot be repaired: "
		      "nothing is written.\n"
		      "1 fix staged in memory (1 guess), but 2 problems are left that cannot be repaired: they are "
		      "written anyway (--commit-unproven).\n");
	free(text);
}

static struct found found_of_inode(uint64_t ino)
{
	struct found found = { .place = place_of(OBJ_INODE),
			       .problem = { F_INODE_MODE, 0, NO_INDEX, 1, 2 },
			       .times = 1 };

	found.place.ino.v = ino;
	return found;
}

static void add_fix(struct fix_list *list, const char *text, const struct found *found)
{
	const struct fix fix = { MEND_inode_core, text, SURE_CERTAIN };

	assert_true(fix_list_add(list, &fix, found));
}

/* Returns what a list prints; the caller frees it. */
static char *printed(struct fix_list *list)
{
	struct layout layout;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	layout_begin(&layout, out, false);
	fix_list_print(list, &layout, NULL, NULL);
	fclose(out);
	return text;
}

static void fixes_that_say_the_same_are_one_item(void **state)
{
	struct fix_list *list = fix_list_new(2);
	char *text;

	(void)state;
	for (uint64_t ino = 131; ino < 134; ino++)
		add_fix(list, "made anew", &(struct found[]){ found_of_inode(ino) }[0]);
	text = printed(list);
	assert_string_equal(text, "3 times: made anew:\n   inode 131\n   inode 132\n   and 1 more\n");
	free(text);
	fix_list_free(list);
}

static void add_dir_fix(struct fix_list *list, const char *text, uint64_t ino, const char *name)
{
	const struct fix fix = { MEND_dir, text, SURE_LIKELY };
	struct found found = found_of_inode(ino);

	found.place.name = (struct name_view){ (const uint8_t *)name, (uint8_t)strlen(name) };
	assert_true(fix_list_add(list, &fix, &found));
}

static void a_directory_that_is_rebuilt_counts_once(void **state)
{
	struct fix_list *list = fix_list_new(1);
	char *text;

	(void)state;
	for (uint64_t ino = 131; ino < 133; ino++) {
		add_dir_fix(list, "directory rebuilt from all its entries", ino, "a");
		add_dir_fix(list, "directory rebuilt from all its entries", ino, "b");
		add_dir_fix(list, "entry removed", ino, "a");
		add_dir_fix(list, "entry removed", ino, "b");
	}
	text = printed(list);
	assert_non_null(strstr(text, "2 times: directory rebuilt from all its entries (likely):\n"));
	assert_non_null(strstr(text, "4 times: entry removed (likely):\n"));
	free(text);
	fix_list_free(list);
}

static void numbers_are_said_of_each_place(void **state)
{
	struct fix_list *list = fix_list_new(2);
	char *text;

	(void)state;
	add_fix(list, "1 value set", &(struct found[]){ found_of_inode(131) }[0]);
	add_fix(list, "7 values set", &(struct found[]){ found_of_inode(132) }[0]);
	text = printed(list);
	assert_string_equal(text, "2 times: field corrected from the rest of the object:\n   inode 131: 1 value set\n"
				  "   inode 132: 7 values set\n");
	free(text);
	fix_list_free(list);
}

static void paths_that_were_not_looked_for_are_asked_for(void **state)
{
	struct fix_list *list = fix_list_new(1);
	struct ino_set inos = { 0 };

	(void)state;
	add_fix(list, "made anew", &(struct found[]){ found_of_inode(131) }[0]);
	add_fix(list, "made anew", &(struct found[]){ found_of_inode(132) }[0]); /* is not listed */
	assert_int_equal(fix_list_inodes(list, NULL, &inos), 0);
	assert_int_equal(ino_set_count(&inos), 1);
	assert_true(ino_set_has(&inos, (xino_t){ 131 }));
	ino_set_free(&inos);
	fix_list_free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_fix_that_is_not_certain_says_so_at_its_end),
		cmocka_unit_test(one_fix_and_more_are_spoken_of_as_such),
		cmocka_unit_test(fixes_that_say_the_same_are_one_item),
		cmocka_unit_test(a_directory_that_is_rebuilt_counts_once),
		cmocka_unit_test(numbers_are_said_of_each_place),
		cmocka_unit_test(paths_that_were_not_looked_for_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
