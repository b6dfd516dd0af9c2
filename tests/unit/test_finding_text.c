/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for one finding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/finding_text.h"
#include "libxfs/btree.h"
#include "libxfs/dinode.h"
#include "reported.h"

static const struct problem plain = { F_IO_SHORT, 0, NO_INDEX, 1000, 2000 };

struct text {
	FILE *out;
	char *text; /* once out is closed; to be freed */
	size_t size;
};

static void begin_text(struct text *t)
{
	t->out = open_memstream(&t->text, &t->size);
	assert_non_null(t->out);
}

static char *message_text(const struct problem *problem)
{
	struct text t;

	begin_text(&t);
	finding_text_message(t.out, problem, NULL);
	fclose(t.out);
	return t.text;
}

static char *place_text(const struct found *found)
{
	struct text t;

	begin_text(&t);
	finding_text_place(t.out, found, NULL);
	fclose(t.out);
	return t.text;
}

static void assert_place(struct place place, uint32_t offset, uint32_t index, const char *expected)
{
	struct found found = { .place = place, .problem = plain, .times = 1 };
	char *text;

	found.problem.offset = offset;
	found.problem.index = index;
	text = place_text(&found);
	assert_string_equal(text, expected);
	free(text);
}

static void every_message_is_filled_in(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINDING_NR; i++) {
		struct problem p = { i, UINT32_MAX, UINT32_MAX - 1, UINT64_MAX, UINT64_MAX - 1 };
		const char *template = finding_template(i);
		char *text = message_text(&p);

		assert_null(strpbrk(text, "{|}"));
		assert_int_equal(strstr(template, "{got}") || strstr(template, "{got:inode}") ||
					 strstr(template, "{got:ftype}"),
				 !!strstr(text, "18446744073709551615"));
		assert_int_equal(strstr(template, "{want}") || strstr(template, "{want:inode}") ||
					 strstr(template, "{want:owner}") || strstr(template, "{want:ftype}") ||
					 strstr(template, "{want:object}"),
				 !!strstr(text, "18446744073709551614"));
		assert_int_equal(!!strstr(template, "{got:x}"), !!strstr(text, "0xffffffffffffffff"));
		assert_int_equal(!!strstr(template, "{want:x}"), !!strstr(text, "0xfffffffffffffffe"));
		assert_int_equal(!!strstr(template, "{index}"), !!strstr(text, "4294967294"));
		free(text);
	}
}

static void assert_message(struct problem problem, const char *expected)
{
	char *text = message_text(&problem);

	assert_string_equal(text, expected);
	free(text);
}

static void values_are_where_the_message_wants_them(void **state)
{
	(void)state;
	assert_message((struct problem){ F_BLOCK_MAGIC, 0, NO_INDEX, 0x1234, 0x41423343 },
		       "magic is 0x1234, should be 0x41423343");
	assert_message(plain, "device has 1000 bytes, superblock says 2000");
}

/* Fails unless a placeholder turns a value into this text. */
static void assert_filled(const char *template, uint64_t got, const char *expected)
{
	const struct problem problem = { F_IO_SHORT, 0, NO_INDEX, got, 0 };
	struct text t;

	begin_text(&t);
	finding_text_fill(t.out, template, &problem, NULL);
	fclose(t.out);
	assert_string_equal(t.text, expected);
	free(t.text);
}

static void owners_are_inodes_or_parts_of_the_file_system(void **state)
{
	(void)state;
	assert_filled("used by {got:owner} too", 133, "used by inode 133 too");
	assert_filled("{got:owner}", OWNER_FS, "the AG headers");
	assert_filled("{got:owner}", OWNER_LOG, "the log");
	assert_filled("{got:owner}", OWNER_AG, "the free-space btrees or free list");
	assert_filled("{got:owner}", OWNER_INOBT, "the inode btrees");
	assert_filled("{got:owner}", OWNER_INODES, "inode chunks");
	assert_filled("{got:owner}", OWNER_REFC, "the refcount btree");
	assert_filled("{got:owner}", OWNER_COW, "copy-on-write staging");
	assert_filled("{got:owner}", 0, "inode 0");
	assert_filled("{got:owner}", (uint64_t)-1, "inode 18446744073709551615");
	assert_filled("{got:owner}", (uint64_t)-10, "inode 18446744073709551606");
}

static void file_types_are_words(void **state)
{
	(void)state;
	assert_filled("{got:ftype}", FT_REG, "a file");
	assert_filled("{got:ftype}", FT_DIR, "a directory");
	assert_filled("{got:ftype}", FT_SYMLINK, "a symlink");
	assert_filled("{got:ftype}", FT_UNKNOWN, "of unknown type");
	assert_filled("{got:ftype}", 255, "of type 255");
}

static void objects_are_words(void **state)
{
	(void)state;
	assert_filled("{got:object}", OBJ_BNOBT, "bnobt");
	assert_filled("{got:object}", OBJECT_NR, "object 38");
}

static void words_go_with_the_number_before_them(void **state)
{
	(void)state;
	assert_filled("{got} block{|s} {is|are} free", 1, "1 block is free");
	assert_filled("{got} block{|s} {is|are} free", 2, "2 blocks are free");
	assert_filled("{got} block{|s} {is|are} free", 0, "0 blocks are free");
	assert_filled("{got} entr{y|ies} of {want} name{|s}", 1, "1 entry of 0 names");
	assert_filled("{a|b", 1, "{a|b");
	assert_filled("{|}{got}", 1, "1");
}

static void what_is_no_placeholder_stays(void **state)
{
	(void)state;
	assert_filled("{got {} {nothing} {got:y}", 1, "{got {} {nothing} {got:y}");
	assert_filled("{got} of {want}, {want", 1, "1 of 0, {want");
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

static void a_name_stands_behind_its_entry_and_can_not_end_the_line(void **state)
{
	struct place p = place_of(OBJ_DIR_DATA);

	(void)state;
	p.ino.v = 133;
	p.name = (struct name_view){ (const uint8_t *)"a\"b\nc", 5 };
	assert_place(p, 0, NO_INDEX, "inode 133 directory data block, entry \"a\\\"b\\x0ac\"");
	assert_place(p, 96, 3, "inode 133 directory data block, byte 96, entry 3 \"a\\\"b\\x0ac\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_is_filled_in),
		cmocka_unit_test(values_are_where_the_message_wants_them),
		cmocka_unit_test(owners_are_inodes_or_parts_of_the_file_system),
		cmocka_unit_test(file_types_are_words),
		cmocka_unit_test(objects_are_words),
		cmocka_unit_test(words_go_with_the_number_before_them),
		cmocka_unit_test(what_is_no_placeholder_stays),
		cmocka_unit_test(places_of_ag_objects_start_with_the_ag),
		cmocka_unit_test(places_of_inode_objects_start_with_the_inode),
		cmocka_unit_test(places_of_the_whole_have_no_numbers),
		cmocka_unit_test(a_name_stands_behind_its_entry_and_can_not_end_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
