/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of findings and the words for one of them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../repair/finding.h"
#include "report.h"
#include "reported.h"

static const struct problem plain = { F_IO_SHORT, 0, NO_INDEX, 1000, 2000 };

static void assert_place(struct place place, uint32_t offset, uint32_t index, const char *expected)
{
	struct found found = { place, plain, 1 };
	struct words w = { 0 };

	found.problem.offset = offset;
	found.problem.index = index;
	finding_add_place(&w, &found);
	assert_string_equal(w.text, expected);
}

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
	static const char *const known[] = { "{got}", "{want}", "{got:x}", "{want:x}", "{index}" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strncmp(s, known[i], strlen(known[i])))
			return true;
	}
	return false;
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

static void every_message_is_filled_in_and_fits(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINDING_NR; i++) {
		struct problem p = { i, UINT32_MAX, UINT32_MAX - 1, UINT64_MAX, UINT64_MAX - 1 };
		const char *template = finding_template(i);
		struct words w = { 0 };

		finding_add_message(&w, &p);
		assert_null(strpbrk(w.text, "{}"));
		assert_true(w.length < 400); /* leaves room for id and place in a line of text */
		assert_int_equal(!!strstr(template, "{got}"), !!strstr(w.text, "18446744073709551615"));
		assert_int_equal(!!strstr(template, "{want}"), !!strstr(w.text, "18446744073709551614"));
		assert_int_equal(!!strstr(template, "{got:x}"), !!strstr(w.text, "0xffffffffffffffff"));
		assert_int_equal(!!strstr(template, "{want:x}"), !!strstr(w.text, "0xfffffffffffffffe"));
		assert_int_equal(!!strstr(template, "{index}"), !!strstr(w.text, "4294967294"));
	}
}

static void values_are_where_the_message_wants_them(void **state)
{
	struct problem magic = { F_BLOCK_MAGIC, 0, NO_INDEX, 0x1234, 0x41423343 };
	struct words w = { 0 };

	(void)state;
	finding_add_message(&w, &magic);
	assert_string_equal(w.text, "magic 0x1234, should be 0x41423343");
	w = (struct words){ 0 };
	finding_add_message(&w, &plain);
	assert_string_equal(w.text, "the device has 1000 bytes, the superblock says 2000");
}

static void places_of_ag_objects_start_with_the_ag(void **state)
{
	struct place p = place_of(OBJ_AGF);

	(void)state;
	p.agno.v = 2;
	assert_place(p, 0, NO_INDEX, "AG 2 AGF");
	assert_place(p, 52, NO_INDEX, "AG 2 AGF, byte 52");
	p.object = OBJ_AGFL;
	assert_place(p, 40, 1, "AG 2 AGFL, byte 40, slot 1");
	p.object = OBJ_BNOBT;
	assert_place(p, 0, NO_INDEX, "AG 2 bnobt");
	p.agbno.v = 77;
	assert_place(p, 56, 0, "AG 2 bnobt block 77, byte 56, record 0");
	p.object = OBJ_SYMLINK;
	assert_place(p, 0, NO_INDEX, "AG 2 symlink block 77");
	p.object = OBJ_AG;
	assert_place(p, 0, NO_INDEX, "AG 2 block 77");
	p.agbno.v = NULL_AGBNO;
	assert_place(p, 0, NO_INDEX, "AG 2");
}

static void places_of_inode_objects_start_with_the_inode(void **state)
{
	struct place p = place_of(OBJ_INODE);

	(void)state;
	p.ino.v = 133;
	assert_place(p, 0, NO_INDEX, "inode 133");
	p.object = OBJ_ATTR_FORK;
	assert_place(p, 0, NO_INDEX, "inode 133 attribute fork");
	p.object = OBJ_DIR_DATA;
	p.fileoff.v = 2;
	assert_place(p, 0, NO_INDEX, "inode 133 directory data block at file block 2");
	p.agno.v = 0;
	p.agbno.v = 77;
	assert_place(p, 96, 3, "inode 133 directory data block at file block 2 (AG 0 block 77), byte 96, entry 3");
	p.object = OBJ_INODE;
	p.fileoff.v = NO_FILEOFF;
	assert_place(p, 2, NO_INDEX, "inode 133 (AG 0 block 77), byte 2");
}

static void places_of_the_whole_have_no_numbers(void **state)
{
	(void)state;
	assert_place(place_of(OBJ_FILESYSTEM), 0, NO_INDEX, "file system");
	assert_place(place_of(OBJ_DEVICE), 0, NO_INDEX, "device");
	assert_place(place_of(OBJ_SUPERBLOCK), 208, NO_INDEX, "superblock, byte 208");
}

static void every_field_takes_part_in_the_order(void **state)
{
	struct found base = { place_of(OBJ_AGF), plain, 1 };
	struct found greater[10];

	(void)state;
	base.place = (struct place){ OBJ_AGF, { 1 }, { 1 }, { 1 }, { 1 } };
	base.problem = (struct problem){ F_BLOCK_CRC, 1, 1, 1, 1 };
	for (unsigned i = 0; i < 10; i++)
		greater[i] = base;
	greater[0].place.agno.v = NO_AGNO;
	greater[1].place.agbno.v++;
	greater[2].place.ino.v = UINT64_MAX - 1;
	greater[3].place.object = OBJ_AGI;
	greater[4].place.fileoff.v = NO_FILEOFF;
	greater[5].problem.finding = F_BLOCK_MAGIC; /* as a word behind block.crc, as a row before it */
	greater[6].problem.offset++;
	greater[7].problem.index = NO_INDEX;
	greater[8].problem.got = UINT64_MAX;
	greater[9].problem.want++;
	for (unsigned i = 0; i < 10; i++) {
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
		cmocka_unit_test(every_message_is_filled_in_and_fits),
		cmocka_unit_test(values_are_where_the_message_wants_them),
		cmocka_unit_test(places_of_ag_objects_start_with_the_ag),
		cmocka_unit_test(places_of_inode_objects_start_with_the_inode),
		cmocka_unit_test(places_of_the_whole_have_no_numbers),
		cmocka_unit_test(every_field_takes_part_in_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
