/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything is explained, once and in different words; and the output of --explain. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../repair/report/explain.h"
#include "../../repair/report/explain_text.h"
#include "../../repair/report/finding.h"
#include "report.h"
#include "reported.h"

/* True if a word stands in a text, not as a part of another one. */
static bool has_word(const char *text, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
			return true;
	return false;
}

/* Fails unless a text consists of whole sentences, in one line, in the terms of the manual pages. */
static void assert_plain(const char *of, const char *text)
{
	/* names of fields and abbreviations of the code; those of btrees are the field's own terms */
	static const char *const insiders[] = { "LSN",	   "CRC",   "nlink", "dirent", "dinode", "agno",
						"forkoff", "xattr", "fsb",   "daddr",  "dentry", "extsize",
						"iclog",   "fsbno", "rgno",  "XREF" };
	const size_t length = text ? strlen(text) : 0;

	if (!length || !isalnum((unsigned char)text[0]) || text[length - 1] != '.') {
		fail_msg("%s: no text, or not whole sentences: %s", of, length ? text : "");
		return;
	}
	if (strstr(text, "  ") || strchr(text, '\n') || strchr(text, '\t'))
		fail_msg("%s: more blanks than between words: %s", of, text);
	for (size_t i = 0; i < sizeof(insiders) / sizeof(insiders[0]); i++)
		if (has_word(text, insiders[i]))
			fail_msg("%s: what is \"%s\"? %s", of, insiders[i], text);
}

static void every_finding_has_a_text_of_its_own(void **state)
{
	(void)state;
	for (enum finding i = 0; i < FINDING_NR; i++) {
		assert_plain(finding_id(i), explain_finding(i));
		for (enum finding k = 0; k < i; k++)
			if (!strcmp(explain_finding(i), explain_finding(k)))
				fail_msg("%s and %s have the same text", finding_id(i), finding_id(k));
	}
}

static void every_finding_is_about_something(void **state)
{
	size_t count;
	const struct explain_subject *subjects = explain_subjects(&count);
	bool used[64] = { 0 };

	(void)state;
	assert_true(count <= 64);
	for (enum finding i = 0; i < FINDING_NR; i++) {
		if (!explain_subject(i))
			fail_msg("nothing tells what %s is about", finding_id(i));
		used[explain_subject(i) - subjects] = true;
	}
	for (size_t i = 0; i < count; i++) {
		assert_non_null(subjects[i].text);
		assert_int_equal(subjects[i].text[strlen(subjects[i].text) - 1], '.');
		if (!used[i])
			fail_msg("no finding is about %s", subjects[i].beginning);
	}
}

static void the_longest_beginning_tells_what_a_finding_is_about(void **state)
{
	(void)state;
	assert_string_equal(explain_subject(F_SB_ROOTINO)->beginning, "sb");
	assert_string_equal(explain_subject(F_SB2_ROOTINO)->beginning, "sb.secondary");
	assert_string_equal(explain_subject(F_AGFL_BNO)->beginning, "agfl");
	assert_string_equal(explain_subject(F_INODES_LINKS)->beginning, "inodes");
}

static void every_object_and_every_mender_has_a_text(void **state)
{
	(void)state;
	for (enum object i = 0; i < OBJECT_NR; i++)
		assert_plain(object_name(i), explain_object(i));
	for (enum mend_kind i = 0; i < MEND_NR; i++)
		assert_plain("a mender", explain_mender(i));
}

static bool chooses(const char *list, bool chosen[static FINDING_NR])
{
	struct words why = { 0 };

	memset(chosen, 0, FINDING_NR * sizeof(chosen[0]));
	return explain_choose(list, chosen, &why) && !why.length;
}

static unsigned chosen_by(const char *list)
{
	bool chosen[FINDING_NR];
	unsigned count = 0;

	assert_true(chooses(list, chosen));
	for (enum finding i = 0; i < FINDING_NR; i++)
		count += chosen[i];
	return count;
}

static void ids_their_beginnings_and_all_are_chosen(void **state)
{
	bool chosen[FINDING_NR];

	(void)state;
	assert_true(chooses("inode.orphan,dir.entry.ino", chosen));
	assert_true(chosen[F_INODE_ORPHAN] && chosen[F_DIR_ENTRY_INO]);
	assert_int_equal(chosen_by("inode.orphan,dir.entry.ino,inode.orphan"), 2);
	assert_int_equal(chosen_by("agi.count"), 1); /* not agi.count.count, too */
	assert_int_equal(chosen_by("symlink"), 5);
	assert_int_equal(chosen_by("all"), FINDING_NR);
}

static void what_is_unknown_is_refused_with_what_is_like_it(void **state)
{
	static const char *const unknown[] = { "", "dir.entry.in", "dir.", "symlink,", ",symlink", "All", "all.x" };
	bool chosen[FINDING_NR] = { 0 };
	struct words why = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		if (chooses(unknown[i], chosen))
			fail_msg("'%s' is taken", unknown[i]);
	assert_false(explain_choose("symlink.lenght", chosen, &why));
	assert_string_equal(why.text, "no finding is called 'symlink.lenght'; there are symlink.nul, symlink.offset, "
				      "symlink.bytes, symlink.length, symlink.parts");
}

/* Returns how often a line stands in a text. */
static unsigned lines(const char *text, const char *line)
{
	const size_t length = strlen(line);
	unsigned count = 0;

	for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
		count += (at == text || at[-1] == '\n') && at[length] == '\n';
	return count;
}

static char *explained(const char *list)
{
	bool chosen[FINDING_NR];
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_true(chooses(list, chosen));
	explain_print(out, chosen);
	fclose(out);
	return text;
}

static void what_is_common_to_findings_is_told_once(void **state)
{
	char *text = explained("dir.entry.ino,dir.entry.name,block.crc");

	(void)state;
	assert_int_equal(lines(text, "dir.entry.ino"), 1);
	assert_int_equal(lines(text, "dir.entry.name"), 1);
	assert_int_equal(lines(text, "dir"), 2);   /* its object, and its mender */
	assert_int_equal(lines(text, "inode"), 1); /* an object: block.crc leaves it to that */
	assert_int_equal(lines(text, "TREES AND BLOCKS OF OBJECTS"), 0);
	free(text);
}

static void no_line_is_wider_than_a_terminal(void **state)
{
	char *text = explained("all");
	unsigned width = 0;

	(void)state;
	for (const char *at = text; *at; at += at[width] ? width + 1 : width) {
		width = (unsigned)strcspn(at, "\n");
		assert_true(width < 80);
	}
	free(text);
}

/* Includes menders that no row of a finding names. */
static void all_is_every_finding_and_every_mender(void **state)
{
	static const char *const names[] = {
#define x(name, stage, rank, joins, wants, space, sure, text) #name,
		MEND_TABLE(x)
#undef x
	};
	char *text = explained("all");
	char *repairs = strstr(text, "\nREPAIRS\n"), *objects = strstr(text, "\nCONTENTS OF OBJECTS\n");

	(void)state;
	for (enum finding i = 0; i < FINDING_NR; i++)
		assert_int_equal(lines(text, finding_id(i)), 1);
	assert_true(repairs && objects > repairs);
	*objects = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(lines(repairs, names[i]), 1);
	free(text);
}

static char *ids_line(const bool reported[static FINDING_NR])
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	report_ids(out, reported);
	fclose(out);
	return text;
}

static void a_report_ends_with_how_its_ids_are_explained(void **state)
{
	bool reported[FINDING_NR] = { 0 };
	char *text = ids_line(reported);

	(void)state;
	assert_string_equal(text, "");
	free(text);
	reported[F_DIR_ENTRY_INO] = reported[F_BLOCK_CRC] = true;
	text = ids_line(reported);
	assert_string_equal(text, "Explained by: xfsck --explain block.crc,dir.entry.ino\n");
	free(text);
	memset(reported, true, sizeof(reported));
	text = ids_line(reported);
	assert_non_null(strstr(text, " --explain io.unreadable,inode.unreadable,io.short,block.magic,block.crc,"
				     "block.blkno,block.owner,block.uuid (and "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_finding_has_a_text_of_its_own),
		cmocka_unit_test(every_finding_is_about_something),
		cmocka_unit_test(the_longest_beginning_tells_what_a_finding_is_about),
		cmocka_unit_test(every_object_and_every_mender_has_a_text),
		cmocka_unit_test(ids_their_beginnings_and_all_are_chosen),
		cmocka_unit_test(what_is_unknown_is_refused_with_what_is_like_it),
		cmocka_unit_test(what_is_common_to_findings_is_told_once),
		cmocka_unit_test(no_line_is_wider_than_a_terminal),
		cmocka_unit_test(all_is_every_finding_and_every_mender),
		cmocka_unit_test(a_report_ends_with_how_its_ids_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
