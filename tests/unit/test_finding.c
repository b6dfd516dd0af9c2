/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of findings and their order. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../repair/report/finding.h"
#include "report.h"
#include "reported.h"

static const struct problem plain = { F_IO_SHORT, 0, NO_INDEX, 1000, 2000 };

static void ids_are_unique(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINDING_NR; i++) {
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(finding_id(i), finding_id(k));
	}
}

static void ids_are_lower_case_words_with_dots(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINDING_NR; i++) {
		const char *id = finding_id(i);

		assert_true(islower((unsigned char)id[0]));
		assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_."), strlen(id));
		assert_non_null(strchr(id, '.'));
		assert_null(strstr(id, ".."));
		assert_int_not_equal(id[strlen(id) - 1], '.');
	}
}

/* True if s starts with one of the known placeholders. */
static bool known_placeholder(const char *s)
{
	static const char *const known[] = { "{got}",	    "{want}",	    "{got:x}",	    "{want:x}",
					     "{got:inode}", "{want:inode}", "{got:owner}",  "{want:owner}",
					     "{got:ftype}", "{want:ftype}", "{got:object}", "{want:object}",
					     "{index}" };
	size_t length = strcspn(s, "}");

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strncmp(s, known[i], strlen(known[i])))
			return true;
	}
	return s[length] && memchr(s, '|', length); /* {one|many} */
}

static void messages_have_known_placeholders_and_one_line(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINDING_NR; i++) {
		const char *message = finding_template(i);

		assert_true(message[0] != '\0');
		assert_true(message[strlen(message) - 1] != '.');
		for (const char *s = message; *s; s++) {
			assert_true(isprint((unsigned char)*s));
			if (*s == '{' && !known_placeholder(s))
				fail_msg("%s: unknown placeholder in '%s'", finding_id(i), message);
		}
	}
}

static void every_field_takes_part_in_the_order(void **state)
{
	struct found base = { .place = place_of(OBJ_AGF), .problem = plain, .times = 1 };
	struct found greater[14];

	(void)state;
	base.place = (struct place){ OBJ_AGF, { 1 }, { 1 }, { 1 }, { 1 }, { (const uint8_t *)"ab", 2 }, 3, { 4 } };
	base.problem = (struct problem){ F_BLOCK_CRC, 1, 1, 1, 1 };
	for (unsigned i = 0; i < 14; i++)
		greater[i] = base;
	greater[0].place.agno.v = NO_AGNO;
	greater[1].place.rgno++;
	greater[2].place.rgbno.v++;
	greater[3].place.agbno.v++;
	greater[4].place.ino.v = UINT64_MAX - 1;
	greater[5].place.object = OBJ_AGI;
	greater[6].place.fileoff.v = NO_FILEOFF;
	greater[7].problem.finding = F_BLOCK_MAGIC; /* as a word after block.crc, as a row before it */
	greater[8].problem.offset++;
	greater[9].problem.index = NO_INDEX;
	greater[10].problem.got = UINT64_MAX;
	greater[11].problem.want++;
	greater[12].place.name = (struct name_view){ (const uint8_t *)"b", 1 };
	greater[13].place.name = (struct name_view){ (const uint8_t *)"aba", 3 };
	for (unsigned i = 0; i < 14; i++) {
		assert_true(found_compare(&base, &greater[i]) < 0);
		assert_true(found_compare(&greater[i], &base) > 0);
		/* an earlier field outweighs a later one */
		for (unsigned k = 0; k < i; k++)
			assert_true(found_compare(&greater[i], &greater[k]) < 0);
	}
	assert_int_equal(found_compare(&base, &base), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_unique),
		cmocka_unit_test(ids_are_lower_case_words_with_dots),
		cmocka_unit_test(messages_have_known_placeholders_and_one_line),
		cmocka_unit_test(every_field_takes_part_in_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
