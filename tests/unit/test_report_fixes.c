/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people read of fixes: each with how certain it is, and how many there are. */
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/report_text.h"
#include "reported.h"

static void only_a_fix_that_is_not_certain_says_so_at_its_end(void **state)
{
	struct found found = { .place = place_of(OBJ_AGF), .problem = { F_AGF_FREEBLKS_COUNT, 0, NO_INDEX, 1, 2 } };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	found.place.agno.v = 3;
	report_text_fix(out, "value set right", SURE_CERTAIN, &found, NULL);
	report_text_fix(out, "value set right", SURE_LIKELY, &found, NULL);
	report_text_fix(out, "value set right", SURE_GUESS, &found, NULL);
	fclose(out);
	assert_string_equal(text, "Fix: agf.freeblks.count: AG 3 AGF: value set right\n"
				  "Fix: agf.freeblks.count: AG 3 AGF: value set right (likely)\n"
				  "Fix: agf.freeblks.count: AG 3 AGF: value set right (guess)\n");
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
	report_text_mended(&layout, &(struct fixes){ { 1 } }, 0, false);
	report_text_mended(&layout, &(struct fixes){ { [SURE_CERTAIN] = 1990, [SURE_LIKELY] = 8, [SURE_GUESS] = 2 } },
			   0, false);
	report_text_mended(&layout, &(struct fixes){ { [SURE_LIKELY] = 1, [SURE_GUESS] = 1 } }, 1, false);
	report_text_mended(&layout, &(struct fixes){ { [SURE_GUESS] = 1 } }, 2, true);
	fclose(out);
	assert_string_equal(
		text, "1 fix was made in memory (1 certain); checked with it, the file system is clean.\n"
		      "2,000 fixes were made in memory (1,990 certain, 8 likely, 2 guesses); checked with them, the "
		      "file system is clean.\n"
		      "2 fixes were made in memory (1 likely, 1 guess), but 1 problem is left that can't be mended: "
		      "nothing of it is "
		      "written.\n"
		      "1 fix was made in memory (1 guess), but 2 problems are left that can't be mended: it is written "
		      "nevertheless, as --commit-unproven wants it.\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_fix_that_is_not_certain_says_so_at_its_end),
		cmocka_unit_test(one_fix_and_more_are_spoken_of_as_such),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
