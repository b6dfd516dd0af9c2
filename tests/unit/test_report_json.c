/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON report: every line parses and holds what was reported; it is never written to the file system's device. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../repair/report/finding.h"
#include "../../repair/report/json_out.h"
#include "report.h"
#include "reported.h"

#define MAX_LINES 32

struct lines {
	json_t *objects[MAX_LINES];
	size_t count;
};

static struct lines parse_lines(char *text)
{
	struct lines l = { 0 };
	char *state = NULL;

	assert_true(!text[0] || text[strlen(text) - 1] == '\n');
	for (char *s = strtok_r(text, "\n", &state); s; s = strtok_r(NULL, "\n", &state)) {
		json_error_t error;

		assert_true(l.count < MAX_LINES);
		l.objects[l.count] = json_loads(s, JSON_REJECT_DUPLICATES, &error);
		if (!l.objects[l.count])
			fail_msg("%s in: %s", error.text, s);
		l.count++;
	}
	return l;
}

static void drop_lines(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		json_decref(l->objects[i]);
}

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	assert_non_null(text);
	return text;
}

static json_int_t number_at(const json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return json_integer_value(json_object_get(object, key));
}

/* Writes a report of a whole run with everything in it, as JSON to `out`. */
static void write_run(FILE *out, FILE *err)
{
	char *argv[] = { (char[]){ "xfsck" }, (char[]){ "--json" },
			 (char[]){ "caf\xc3\xa9-\xff"
				   "a" },
			 NULL };
	const struct options options = { .program = "xfsck", .device = "d", .json = "-", .interval = 60 };
	const struct geometry geo = { .version = 5,
				      .agcount = 4,
				      .crc = true,
				      .reflink = true,
				      .label = "l\xff",
				      .uuid = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef } };
	const struct stat_line stats[] = { { "read_requests", 77, "" }, { "peak_memory", 1u << 20, "bytes" } };
	const struct totals totals = { .inodes = 64, .extents = UINT64_MAX };
	const struct problem problem = { F_BLOCK_OWNER, 24, 3, UINT64_MAX, INT64_MAX };
	struct place place = place_of(OBJ_BNOBT);
	struct findings *findings = findings_new(1);
	struct report *report;

	assert_int_equal(report_open(&options, 3, argv, out, err, &report), 0);
	report_device(report, ROLE_DATA, "d", 0, 1u << 30);
	report_device(report, ROLE_DATA, "d", 0, 1u << 30); /* told once */
	report_geometry(report, &geo);
	report_phase_begin(report, 3, "inodes");
	report_phase_end(report);
	report_note(report, "a \"quoted\"\tnote");
	place.agno.v = 2;
	place.agbno.v = 9;
	place.name = (struct name_view){ (const uint8_t *)"n\xff", 2 };
	findings_add(findings, 0, &place, &problem);
	report_findings(report, findings, NULL);
	findings_free(findings);
	report_stats(report, stats, 2);
	assert_int_equal(report_close(report, &totals, true, "log not replayed", 2, 1), 0);
}

static struct lines lines_of_run(char **ret_err)
{
	size_t size, err_size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	FILE *err = open_memstream(ret_err, &err_size);
	struct lines l;

	write_run(out, err);
	fclose(out);
	fclose(err);
	for (const char *c = text; *c; c++)
		assert_true((unsigned char)*c < 0x7f); /* nothing that a terminal or a pipe could choke on */
	l = parse_lines(text);
	free(text);
	return l;
}

static void every_line_is_an_object_in_the_documented_order(void **state)
{
	static const char *const types[] = {
		"run", "device", "geometry", "phase", "note", "finding", "stats", "summary"
	};
	char *err;
	struct lines l = lines_of_run(&err);

	(void)state;
	assert_int_equal(l.count, sizeof(types) / sizeof(types[0]));
	for (size_t i = 0; i < l.count; i++)
		assert_string_equal(text_at(l.objects[i], "type"), types[i]);
	assert_string_equal(err, "");
	drop_lines(&l);
	free(err);
}

static void the_run_names_format_version_and_arguments(void **state)
{
	char *err;
	struct lines l = lines_of_run(&err);
	const json_t *run = l.objects[0];
	const json_t *arguments = json_object_get(run, "arguments");

	(void)state;
	assert_int_equal(number_at(run, "format"), 2);
	assert_string_equal(text_at(run, "device"), "d");
	assert_int_equal(strlen(text_at(run, "start")), strlen("2026-03-01T07:05:00Z"));
	assert_string_equal(text_at(run, "tool"), "xfsck");
	assert_string_equal(text_at(run, "version"), XFSCK_VERSION);
	assert_int_equal(json_array_size(arguments), 3);
	assert_string_equal(json_string_value(json_array_get(arguments, 1)), "--json");
	drop_lines(&l);
	free(err);
}

static void bytes_that_are_not_utf8_come_twice(void **state)
{
	char *err;
	struct lines l = lines_of_run(&err);
	const json_t *odd = json_array_get(json_object_get(l.objects[0], "arguments"), 2);

	(void)state;
	assert_string_equal(text_at(odd, "text"), "caf\xc3\xa9-\xef\xbf\xbd"
						  "a");
	assert_string_equal(text_at(odd, "bytes"), "636166c3a92dff61");
	assert_string_equal(text_at(json_object_get(l.objects[2], "label"), "bytes"), "6cff");
	drop_lines(&l);
	free(err);
}

static void assert_string_given_as(const char *bytes, size_t length, const char *text)
{
	json_t *string = json_out_bytes(bytes, length);

	assert_non_null(string);
	assert_string_equal(text_at(string, "text"), text);
	assert_int_equal(strlen(text_at(string, "bytes")), 2 * length);
	json_decref(string);
}

static void broken_utf8_of_every_kind_is_replaced(void **state)
{
	json_t *nul = json_out_bytes("a\0b", 3);

	(void)state;
	assert_int_equal(json_string_length(nul), 3);
	json_decref(nul);
	assert_string_given_as("\x80", 1, "\xef\xbf\xbd");
	assert_string_given_as("\xc3", 1, "\xef\xbf\xbd");		   /* ends too early */
	assert_string_given_as("\xc0\x80", 2, "\xef\xbf\xbd\xef\xbf\xbd"); /* longer than need be */
	assert_string_given_as("\xed\xa0\x80"
			       "x",
			       4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx"); /* surrogate */
	assert_string_given_as("\xf0\x9f\x98\x80\xff", 5, "\xf0\x9f\x98\x80\xef\xbf\xbd");
}

static void the_geometry_has_uuid_and_features(void **state)
{
	char *err;
	struct lines l = lines_of_run(&err);
	const json_t *g = l.objects[2];

	(void)state;
	assert_string_equal(text_at(g, "uuid"), "01234567-89ab-cdef-0000-000000000000");
	assert_int_equal(number_at(g, "ag_count"), 4);
	assert_int_equal(json_array_size(json_object_get(g, "features")), 2);
	drop_lines(&l);
	free(err);
}

static void a_finding_has_place_and_values(void **state)
{
	char *err;
	struct lines l = lines_of_run(&err);
	const json_t *f = l.objects[5];
	const json_t *place = json_object_get(f, "place");

	(void)state;
	assert_string_equal(text_at(f, "id"), "block.owner");
	assert_string_equal(text_at(f, "severity"), "corrupt");
	assert_string_equal(text_at(f, "class"), "primary");
	assert_string_equal(text_at(place, "object"), "bnobt");
	assert_int_equal(number_at(place, "agno"), 2);
	assert_int_equal(number_at(place, "agbno"), 9);
	assert_true(json_is_null(json_object_get(place, "ino")));
	assert_true(json_is_null(json_object_get(place, "fileoff")));
	assert_string_equal(text_at(json_object_get(place, "name"), "bytes"), "6eff");
	assert_int_equal(number_at(f, "offset"), 24);
	assert_int_equal(number_at(f, "index"), 3);
	assert_string_equal(text_at(f, "got"), "18446744073709551615"); /* does not fit in a signed integer */
	assert_true(number_at(f, "want") == INT64_MAX);
	assert_string_equal(text_at(f, "message"), "owner is 18446744073709551615, should be 9223372036854775807");
	drop_lines(&l);
	free(err);
}

static void the_summary_has_totals_and_exit_status(void **state)
{
	char *err;
	struct lines l = lines_of_run(&err);
	const json_t *s = l.objects[7];

	(void)state;
	assert_int_equal(number_at(json_object_get(s, "totals"), "inodes"), 64);
	assert_string_equal(text_at(json_object_get(s, "totals"), "extents"), "18446744073709551615");
	assert_int_equal(number_at(s, "findings"), 1);
	assert_int_equal(number_at(json_object_get(s, "severities"), "corrupt"), 1);
	assert_true(json_is_true(json_object_get(s, "complete")));
	assert_true(json_is_false(json_object_get(s, "clean")));
	assert_string_equal(text_at(s, "log"), "dirty");
	assert_int_equal(number_at(json_object_get(s, "ids"), "block.owner"), 1);
	assert_int_equal(json_object_size(json_object_get(s, "ids")), 1);
	assert_string_equal(text_at(s, "device"), "d");
	assert_int_equal(number_at(s, "device_bytes"), 1u << 30);
	assert_true(json_real_value(json_object_get(s, "seconds")) > 0);
	assert_true(strcmp(text_at(s, "start"), text_at(s, "end")) <= 0);
	assert_int_equal(number_at(s, "exit_status"), 2);
	assert_int_equal(number_at(json_object_get(l.objects[6], "values"), "read_requests"), 77);
	drop_lines(&l);
	free(err);
}

/* ---- the file ---- */

static int try_file(const char *json, const char *device, char **ret_err)
{
	char *argv[] = { (char[]){ "xfsck" }, NULL };
	const struct options options = { .program = "xfsck", .device = device, .json = json, .interval = 60 };
	const struct totals totals = { 0 };
	size_t size, out_size;
	FILE *err = open_memstream(ret_err, &size);
	struct report *report;
	char *text;
	FILE *out = open_memstream(&text, &out_size);
	int error = report_open(&options, 1, argv, out, err, &report);

	if (!error)
		error = report_close(report, &totals, false, "clean", 0, 1);
	fclose(out);
	fclose(err);
	free(text);
	return error;
}

static void a_file_gets_the_json_and_the_text_stays(void **state)
{
	char path[] = "/tmp/test_report_json.XXXXXX";
	char buf[4096] = { 0 };
	struct lines l;
	char *err;
	FILE *file;

	(void)state;
	assert_true(close(mkstemp(path)) == 0);
	assert_int_equal(try_file(path, "d", &err), 0);
	free(err);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(buf, 1, sizeof(buf) - 1, file) > 0);
	fclose(file);
	unlink(path);
	l = parse_lines(buf);
	assert_int_equal(l.count, 2);
	assert_true(json_is_true(json_object_get(l.objects[1], "clean")));
	drop_lines(&l);
}

static void the_file_system_is_never_overwritten(void **state)
{
	char path[] = "/tmp/test_report_json.XXXXXX";
	char other[sizeof(path) + 8];
	struct stat st;
	char *err;
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, "XFSB", 4), 4);
	close(fd);
	snprintf(other, sizeof(other), "%s.link", path);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(try_file(other, path, &err), -EINVAL);
	assert_non_null(strstr(err, "it is what is to be checked"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 4);
	unlink(other);
	unlink(path);
	free(err);
}

static void a_file_that_can_not_be_written_is_trouble(void **state)
{
	char *err;

	(void)state;
	assert_int_equal(try_file("/nonexistent/file", "d", &err), -ENOENT);
	assert_string_equal(err, "xfsck: can't write JSON to /nonexistent/file: No such file or directory\n");
	free(err);
	assert_int_equal(try_file("/dev/full", "d", &err), -ENOSPC);
	assert_string_equal(err, "xfsck: the JSON report could not be written: No space left on device; nothing was "
				 "written to the device\n");
	free(err);
}

/* Returns the lines of a report; `say` writes those between the first one and the summary; left: as report_close(). */
static struct lines written_by(void (*say)(struct report *report), uint64_t left)
{
	char *argv[] = { (char[]){ "xfsck" }, NULL };
	const struct options options = { .program = "xfsck", .device = "d", .json = "-", .interval = 60 };
	const struct totals totals = { 0 };
	struct report *report;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	struct lines l;

	assert_int_equal(report_open(&options, 1, argv, out, stderr, &report), 0);
	say(report);
	assert_int_equal(report_close(report, &totals, false, "damaged", left, 1), 0);
	fclose(out);
	l = parse_lines(text);
	free(text);
	return l;
}

static struct found wrong_length(void)
{
	struct found found = { .place = place_of(OBJ_AGF), .problem = { F_AGF_LENGTH, 12, NO_INDEX, 5, 6 } };

	found.place.agno.v = 3;
	return found;
}

static void say_crash(struct report *report)
{
	struct crash_summary summary = { .finished = false };

	for (unsigned i = 0; i < CRASH_KINDS; i++)
		summary.kinds[i] =
			(struct stat_line){ (const char *[]){ "a", "b", "c", "d", "e", "f", "g", "h" }[i], i, "" };
	report_crash(report, &summary);
	summary.finished = true;
	report_crash(report, &summary);
}

static void what_a_crash_left_is_told_with_its_fate(void **state)
{
	struct lines l = written_by(say_crash, 0);

	(void)state;
	assert_int_equal(l.count, 4);
	assert_string_equal(text_at(l.objects[1], "type"), "crash");
	assert_string_equal(text_at(l.objects[1], "fate"), "waits");
	assert_int_equal(number_at(json_object_get(l.objects[1], "kinds"), "d"), 3);
	assert_string_equal(text_at(l.objects[2], "fate"), "finished");
	drop_lines(&l);
}

static void say_fixes(struct report *report)
{
	const struct fixes fixes = { .count = { [SURE_CERTAIN] = 4300, [SURE_LIKELY] = 150, [SURE_GUESS] = 27 } };
	const struct found found = wrong_length();

	for (enum sure sure = 0; sure < SURE_NR; sure++)
		report_fix(report, &(struct fix){ MEND_field, "counter corrected", sure }, &found, NULL);
	report_mended(report, &fixes, 0, NULL);
}

static void a_fix_says_how_certain_it_is_and_totals_add_up(void **state)
{
	static const char *const names[SURE_NR] = { "certain", "likely", "guess" };
	struct lines l = written_by(say_fixes, 0);

	(void)state;
	assert_int_equal(l.count, 6);
	for (unsigned i = 0; i < SURE_NR; i++) {
		assert_string_equal(text_at(l.objects[1 + i], "type"), "fix");
		assert_string_equal(text_at(l.objects[1 + i], "sure"), names[i]);
		assert_string_equal(text_at(l.objects[1 + i], "mender"), "field");
		assert_string_equal(text_at(l.objects[1 + i], "message"), "counter corrected");
	}
	for (unsigned i = 4; i < 6; i++) { /* "mended" and the summary */
		assert_int_equal(number_at(l.objects[i], "fixes"), 4477);
		assert_int_equal(number_at(json_object_get(l.objects[i], "sure"), "certain"), 4300);
		assert_int_equal(number_at(json_object_get(l.objects[i], "sure"), "likely"), 150);
		assert_int_equal(number_at(json_object_get(l.objects[i], "sure"), "guess"), 27);
	}
	drop_lines(&l);
}

static void say(struct findings *findings, enum finding finding, enum object object, uint64_t ino, uint64_t got)
{
	struct place place = place_of(object);

	place.agno.v = 0;
	place.ino.v = ino;
	findings_add(findings, 0, &place, &(struct problem){ finding, 0, NO_INDEX, got, 9 });
}

/*
 * Reports findings in two parts, as a run does: a group header; then two directories, each with damage from which
 * something follows, and a finding that may follow from both.
 */
static void say_findings(struct report *report)
{
	struct findings *findings = findings_new(1);

	say(findings, F_AGF_LENGTH, OBJ_AGF, NULL_INO, 5);
	report_findings(report, findings, NULL);
	say(findings, F_DIR_DATA_TORN, OBJ_DIR_BLOCK, 131, 5);
	say(findings, F_DIR_NAMES, OBJ_DIRECTORY, 131, 0);
	say(findings, F_DIR_DATA_TORN, OBJ_DIR_BLOCK, 5000, 5);
	say(findings, F_INODE_NLINK_COUNT, OBJ_INODE, 9000, 5);
	report_findings(report, findings, NULL);
	findings_free(findings);
}

/* Returns the line of the finding of this kind about this inode. */
static const json_t *finding_of(const struct lines *l, const char *id, json_int_t ino)
{
	for (size_t i = 0; i < l->count; i++) {
		const json_t *place = json_object_get(l->objects[i], "place");

		if (place && !strcmp(text_at(l->objects[i], "id"), id) &&
		    json_integer_value(json_object_get(place, "ino")) == ino)
			return l->objects[i];
	}
	fail();
	return NULL;
}

static void a_finding_names_the_number_of_its_cause(void **state)
{
	struct lines l = written_by(say_findings, 1);
	const json_t *cause = finding_of(&l, "dir.data.torn", 131), *other = finding_of(&l, "dir.data.torn", 5000),
		     *effect = finding_of(&l, "dir.names.index", 131),
		     *of_several = finding_of(&l, "inode.nlink.count", 9000);

	(void)state;
	assert_int_equal(l.count, 7);
	for (size_t i = 1; i <= 5; i++)
		assert_int_equal(number_at(l.objects[i], "number"), i);
	assert_true(json_is_null(json_object_get(l.objects[1], "cause")));
	assert_true(json_is_null(json_object_get(cause, "cause")));
	assert_true(json_is_null(json_object_get(other, "cause")));
	assert_int_equal(number_at(cause, "entry"), number_at(cause, "number"));
	assert_int_equal(number_at(effect, "cause"), number_at(cause, "number"));
	assert_string_equal(text_at(of_several, "cause"), "several");
	drop_lines(&l);
}

static void say_neighbours(struct report *report)
{
	struct findings *findings = findings_new(1);

	say(findings, F_INODE_NLINK_COUNT, OBJ_INODE, 9000, 5);
	say(findings, F_INODE_NLINK_COUNT, OBJ_INODE, 9001, 5);
	report_findings(report, findings, NULL);
	findings_free(findings);
}

static void findings_put_together_name_the_first_of_them(void **state)
{
	struct lines l = written_by(say_neighbours, 1);

	(void)state;
	assert_int_equal(number_at(l.objects[1], "entry"), 1);
	assert_int_equal(number_at(l.objects[2], "number"), 2);
	assert_int_equal(number_at(l.objects[2], "entry"), 1);
	drop_lines(&l);
}

static void values_that_a_message_does_not_show_are_null(void **state)
{
	struct lines l = written_by(say_findings, 1);
	const json_t *names = finding_of(&l, "dir.names.index", 131); /* "entries and hash index do not match" */
	const json_t *length = finding_of(&l, "agf.length", 0);	      /* which has both */

	(void)state;
	assert_true(json_is_null(json_object_get(names, "got")));
	assert_true(json_is_null(json_object_get(names, "want")));
	assert_int_equal(number_at(length, "got"), 5);
	assert_int_equal(number_at(length, "want"), 9);
	drop_lines(&l);
}

static void a_rollback_ends_with_what_became_of_it(void **state)
{
	char *argv[] = { (char[]){ "xfsck" }, NULL };
	const struct options options = {
		.program = "xfsck", .device = "d", .json = "-", .interval = 60, .rollback = "kept"
	};
	struct report *report;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	struct lines l;

	(void)state;
	assert_int_equal(report_open(&options, 1, argv, out, stderr, &report), 0);
	assert_int_equal(report_close(report, NULL, false, "clean", 0, 1), 0);
	fclose(out);
	l = parse_lines(text);
	assert_int_equal(l.count, 2);
	assert_string_equal(text_at(l.objects[1], "type"), "rollback");
	assert_string_equal(text_at(l.objects[1], "undo"), "kept");
	assert_true(json_is_true(json_object_get(l.objects[1], "rolled_back")));
	assert_int_equal(number_at(l.objects[1], "exit_status"), 0);
	drop_lines(&l);
	free(text);
}

static void say_left(struct report *report)
{
	const struct found found = wrong_length();

	report_mended(report, &(struct fixes){ .count = { 1 } }, 1, NULL);
	report_left(report, &found, 1, NULL);
}

static void say_proof_by_books(struct report *report)
{
	report_mended(report, &(struct fixes){ .count = { 1 }, .by_books = true }, 0, NULL);
}

static void what_proves_the_fixes_is_told_if_none_is_left(void **state)
{
	static const struct {
		void (*say)(struct report *report);
		const char *proof;
	} cases[] = { { say_fixes, "whole" }, { say_proof_by_books, "books" }, { say_left, NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lines l = written_by(cases[i].say, cases[i].proof ? 0 : 1);
		const json_t *proof = NULL;

		for (size_t k = 0; k < l.count; k++)
			if (json_object_get(l.objects[k], "proof"))
				proof = json_object_get(l.objects[k], "proof");
		if (cases[i].proof)
			assert_string_equal(json_string_value(proof), cases[i].proof);
		else
			assert_true(json_is_null(proof));
		drop_lines(&l);
	}
}

static void what_is_left_is_told_with_its_place(void **state)
{
	struct lines l = written_by(say_left, 1);

	(void)state;
	assert_int_equal(l.count, 4);
	assert_int_equal(number_at(l.objects[1], "left"), 1);
	assert_string_equal(text_at(l.objects[2], "type"), "left");
	assert_string_equal(text_at(l.objects[2], "id"), "agf.length");
	assert_int_equal(number_at(json_object_get(l.objects[2], "place"), "agno"), 3);
	assert_int_equal(number_at(l.objects[2], "got"), 5);
	drop_lines(&l);
}

static void trouble_leaves_log_and_cleanness_open(void **state)
{
	char *argv[] = { (char[]){ "xfsck" }, NULL };
	const struct options options = { .program = "xfsck", .device = "d", .json = "-", .interval = 60 };
	const struct totals totals = { 0 };
	size_t size, err_size;
	struct report *report;
	char *text, *err;
	FILE *out = open_memstream(&text, &size);
	FILE *err_file = open_memstream(&err, &err_size);
	struct lines l;

	(void)state;
	assert_int_equal(report_open(&options, 1, argv, out, err_file, &report), 0);
	report_trouble(report, "no memory");
	assert_int_equal(report_close(report, &totals, false, "incomplete", 1, 1), 0);
	fclose(out);
	fclose(err_file);
	assert_string_equal(err, "xfsck: no memory\n");
	l = parse_lines(text);
	assert_int_equal(l.count, 3);
	assert_string_equal(text_at(l.objects[1], "type"), "trouble");
	assert_true(json_is_false(json_object_get(l.objects[2], "complete")));
	assert_true(json_is_false(json_object_get(l.objects[2], "clean")));
	assert_true(json_is_null(json_object_get(l.objects[2], "log")));
	drop_lines(&l);
	free(text);
	free(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_is_an_object_in_the_documented_order),
		cmocka_unit_test(the_run_names_format_version_and_arguments),
		cmocka_unit_test(bytes_that_are_not_utf8_come_twice),
		cmocka_unit_test(broken_utf8_of_every_kind_is_replaced),
		cmocka_unit_test(the_geometry_has_uuid_and_features),
		cmocka_unit_test(a_finding_has_place_and_values),
		cmocka_unit_test(the_summary_has_totals_and_exit_status),
		cmocka_unit_test(a_file_gets_the_json_and_the_text_stays),
		cmocka_unit_test(the_file_system_is_never_overwritten),
		cmocka_unit_test(a_file_that_can_not_be_written_is_trouble),
		cmocka_unit_test(what_a_crash_left_is_told_with_its_fate),
		cmocka_unit_test(a_fix_says_how_certain_it_is_and_totals_add_up),
		cmocka_unit_test(what_proves_the_fixes_is_told_if_none_is_left),
		cmocka_unit_test(a_finding_names_the_number_of_its_cause),
		cmocka_unit_test(findings_put_together_name_the_first_of_them),
		cmocka_unit_test(values_that_a_message_does_not_show_are_null),
		cmocka_unit_test(a_rollback_ends_with_what_became_of_it),
		cmocka_unit_test(what_is_left_is_told_with_its_place),
		cmocka_unit_test(trouble_leaves_log_and_cleanness_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
