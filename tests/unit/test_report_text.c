/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text report: lines of findings, notes, statistics, and a summary that is true in every case. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../repair/report/report_text.h"
#include "reported.h"

struct run {
	struct options options;
	struct report *report;
	struct findings *findings;
	char *out, *err;
	size_t out_size, err_size;
	FILE *out_file, *err_file;
};

/* options: those of the case, without those that each run has */
static void begin_with(struct run *r, struct options options)
{
	char *argv[] = { (char[]){ "xfsck" }, NULL };

	options.program = "xfsck";
	options.device = "/dev/x";
	options.interval = 60;
	options.limit = 3;
	*r = (struct run){ .options = options };
	r->out_file = open_memstream(&r->out, &r->out_size);
	r->err_file = open_memstream(&r->err, &r->err_size);
	assert_int_equal(report_open(&r->options, 1, argv, r->out_file, r->err_file, &r->report), 0);
	report_watch(r->report);
	r->findings = findings_new(1);
}

static void begin(struct run *r, unsigned verbose)
{
	begin_with(r, (struct options){ .verbose = verbose });
}

static void geometry_of_4_groups(struct run *r)
{
	const struct geometry geo = { .version = 5, .agcount = 4, .agblocks = 25600, .dblocks = 102400 };

	report_geometry(r->report, &geo);
}

static void add(struct run *r, enum finding finding, uint64_t ino)
{
	const struct problem problem = { finding, 0, NO_INDEX, 1, 2 };
	struct place place = place_of(OBJ_INODE);

	place.ino.v = ino;
	findings_add(r->findings, 0, &place, &problem);
}

/* Returns any finding of this severity. */
static enum finding any_of(enum severity severity)
{
	for (unsigned i = 0; i < FINDING_NR; i++) {
		if (finding_severity(i) == severity)
			return i;
	}
	fail_msg("no finding is '%s'", severity_name(severity));
	return FINDING_NR;
}

static int end(struct run *r, bool log_dirty)
{
	const struct totals totals = {
		.inodes = 100316, .directories = 1, .entries = 100315, .extents = 5, .attributes = 0
	};
	int error;

	report_findings(r->report, r->findings, NULL);
	error = report_close(r->report, &totals, log_dirty, "as given", 0, 1);
	findings_free(r->findings);
	fclose(r->out_file);
	fclose(r->err_file);
	return error;
}

static void drop(struct run *r)
{
	free(r->out);
	free(r->err);
}

static const char checked[] = "Checked /dev/x: 4 allocation groups, 100,316 inodes, 1 directory with 100,315 names, "
			      "5 extents, 0 attributes.\n";

static void a_clean_run_is_three_sentences(void **state)
{
	char expected[512];
	struct run r;

	(void)state;
	begin(&r, 0);
	geometry_of_4_groups(&r);
	report_phase_begin(r.report, 2, "allocation groups");
	report_phase_end(r.report);
	report_stats(r.report, &(struct stat_line){ "read_requests", 1, "" }, 1);
	assert_false(report_any_damage(r.report));
	assert_int_equal(end(&r, false), 0);
	snprintf(expected, sizeof(expected), "%s%s", checked,
		 "The file system is clean.\nNothing was written.\nNext: nothing to do.\nVerdict: as "
		 "given\n");
	assert_string_equal(r.out, expected);
	assert_string_equal(r.err, "");
	drop(&r);
}

static void findings_are_lines_with_id_place_and_message(void **state)
{
	const struct found found = {
		.place = { OBJ_BNOBT, { 2 }, { 77 }, { NULL_INO }, { NO_FILEOFF }, { NULL, 0 }, NO_RGNO, { NO_RGBNO } },
		.problem = { F_BLOCK_MAGIC, 4, NO_INDEX, 0x41, 0x42 },
		.times = 1,
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	report_text_finding(out, &found, NULL, false);
	report_text_finding(out, &found, NULL, true);
	report_text_excess(out, F_BLOCK_MAGIC, 12345);
	fclose(out);
	assert_string_equal(
		text, "block.magic: AG 2 bnobt block 77, byte 4: magic is 0x41, should be 0x42\n"
		      "block.magic: AG 2 bnobt block 77, byte 4: magic is 0x41, should be 0x42 [corrupt, primary]\n"
		      "block.magic: and 12,345 more\n");
	free(text);
}

static void damage_is_counted_and_the_next_step_named(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	geometry_of_4_groups(&r);
	add(&r, F_BLOCK_CRC, 1);
	add(&r, F_BLOCK_CRC, 2);
	add(&r, F_BLOCK_CRC, 2); /* the same again */
	report_findings(r.report, r.findings, NULL);
	assert_true(report_any_damage(r.report));
	end(&r, false);
	assert_non_null(strstr(r.out,
			       "\n2 problems were found: 2 corrupt.\nNothing was written.\n"
			       "Next: copy the device before anything changes it, then repair it with xfs_repair(8)"));
	assert_null(strstr(r.out, "clean"));
	drop(&r);
}

static void severities_are_told_apart(void **state)
{
	struct totals totals = { 0 };
	struct outcome o = {
		.range = "",
		.device = "d",
		.totals = &totals,
		.agcount = 1,
		.complete = true,
		.found = { [SEV_FATAL] = 1, [SEV_CORRUPT] = 1, [SEV_XREF] = 2000, [SEV_PREEN] = 3, [SEV_NOTE] = 7 },
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct layout layout;

	(void)state;
	layout_begin(&layout, out, false);
	report_text_summary(&layout, &o);
	fclose(out);
	assert_non_null(strstr(text, "2,005 problems were found: 1 that ended the check, 1 corrupt, "
				     "2,000 disagreements between two structures, 3 harmless. "
				     "Nothing beyond that was checked.\n"));
	free(text);
}

static void notes_do_not_make_a_file_system_unclean(void **state)
{
	struct totals totals = { 0 };
	struct outcome o = {
		.range = "",
		.device = "d",
		.totals = &totals,
		.agcount = 1,
		.complete = true,
		.found = { [SEV_NOTE] = 7 },
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct layout layout;

	(void)state;
	layout_begin(&layout, out, false);
	report_text_summary(&layout, &o);
	fclose(out);
	assert_non_null(strstr(text, "The file system is clean.\n"));
	free(text);
}

static void a_dirty_log_is_no_corruption_and_not_clean(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	geometry_of_4_groups(&r);
	end(&r, true);
	assert_null(strstr(r.out, "clean"));
	assert_null(strstr(r.out, "corrupt"));
	assert_null(strstr(r.out, "Checked"));
	assert_non_null(strstr(r.out, "The log is dirty: "));
	assert_non_null(strstr(r.out, "The rest was not checked.\n"));
	assert_non_null(strstr(r.out, "--log=upto"));
	drop(&r);

	begin(&r, 0);
	geometry_of_4_groups(&r);
	add(&r, F_BLOCK_CRC, 1);
	end(&r, true);
	assert_non_null(strstr(r.out, "\n1 problem was found: 1 corrupt.\nThe log is dirty: "));
	assert_non_null(strstr(r.out, "Next: copy the device; then choose: "));
	drop(&r);
}

static void what_became_of_a_dirty_log_is_said(void **state)
{
	const struct log_summary replayed = { .fate = LOG_FATE_REPLAYED,
					      .transactions = 1,
					      .items = 2345,
					      .bytes = 4096,
					      .kinds = { { "buffers", 2000, "" } } };
	const struct log_summary discarded = { .fate = LOG_FATE_DISCARDED,
					       .lost = { .transactions = 3, .items = 4, .inodes = 1, .names = 2 } };
	struct log_summary damaged = discarded;
	struct run r;

	(void)state;
	begin(&r, 0);
	report_log(r.report, &replayed);
	geometry_of_4_groups(&r);
	end(&r, false);
	assert_non_null(strstr(r.out, "The log was replayed"));
	assert_non_null(strstr(r.out, ": 1 transaction, 2,345 changes, 4 KiB of metadata.\n"));
	assert_null(strstr(r.out, "buffers"));
	assert_non_null(strstr(r.out, "The file system is clean.\n"));
	drop(&r);

	for (unsigned no_modify = 0; no_modify < 2; no_modify++) {
		begin_with(&r, (struct options){ .no_modify = no_modify });
		report_log(r.report, &discarded);
		end(&r, false);
		assert_non_null(strstr(r.out, no_modify ? "Note: Discarding the log would lose what it holds: "
							: "Note: The log is discarded, with what it holds: "));
		assert_non_null(strstr(
			r.out,
			" holds: 3 transactions, 4 changes of 1 inode and other metadata, and at least 2 names.\n"));
		drop(&r);
	}
	/* what can't be read may have removed these names */
	damaged.lost.at_least = true;
	begin(&r, 0);
	report_log(r.report, &damaged);
	end(&r, false);
	assert_non_null(strstr(r.out, "at least 3 transactions, "));
	assert_non_null(strstr(r.out, ", and in its readable parts 2 names; parts of it are damaged, "));
	drop(&r);
}

/* A repair replays the log and may find other problems than -n without the log. */
static void without_its_log_a_file_system_is_not_advised_to_be_left_or_repaired(void **state)
{
	static const struct {
		enum log_fate fate;
		const char *next;
	} cases[] = {
		{ LOG_FATE_IGNORED, "\nNext: run xfsck without --log=ignore " },
		{ LOG_FATE_DISCARDED, "\nNext: run xfsck without -L " },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned damaged = 0; damaged < 2; damaged++) {
			const struct log_summary summary = { .fate = cases[i].fate,
							     .lost = { .transactions = 3, .items = 4 } };
			struct run r;

			begin_with(&r, (struct options){ .no_modify = true });
			geometry_of_4_groups(&r);
			report_log(r.report, &summary);
			if (damaged)
				add(&r, F_BLOCK_CRC, 1);
			report_mended(r.report, &(struct fixes){ .count = { damaged } }, 0, NULL);
			end(&r, false);
			assert_non_null(strstr(r.out, cases[i].next));
			drop(&r);
		}
	}
}

static void a_log_that_only_a_newer_kernel_knows_is_for_that_kernel(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	add(&r, F_SB_LOG_INCOMPAT_UNSUPPORTED, 128);
	end(&r, true);
	assert_non_null(
		strstr(r.out, "\nNext: mount and unmount the file system with a kernel that knows these features"));
	drop(&r);
}

static void trouble_is_not_taken_for_corruption_nor_for_clean(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	report_trouble(r.report, "can't open /dev/x: Permission denied");
	assert_false(report_any_damage(r.report));
	end(&r, false);
	assert_string_equal(r.err, "xfsck: can't open /dev/x: Permission denied\n");
	assert_string_equal(
		r.out,
		"Check not completed: can't open /dev/x: Permission denied. The state of the file system is unknown.\n"
		"Nothing was written.\nNext: fix this, then run xfsck again.\nVerdict: as given\n");
	drop(&r);
}

static void trouble_with_writing_is_not_taken_for_trouble_with_checking(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	geometry_of_4_groups(&r);
	add(&r, any_of(SEV_CORRUPT), 1);
	report_findings(r.report, r.findings, NULL);
	report_mended(r.report, &(struct fixes){ .count = { 1 } }, 0, NULL);
	report_trouble(r.report, "can't write to /dev/x: Input/output error");
	end(&r, false);
	assert_null(strstr(r.out, "Check not completed"));
	assert_non_null(strstr(
		r.out, "The repair could not be written completely: can't write to /dev/x: Input/output error.\n"));
	assert_non_null(strstr(r.out, "Next: fix this, then run xfsck again.\n"));
	drop(&r);
}

static void without_a_superblock_no_repair_is_advised(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	add(&r, any_of(SEV_FATAL), 1);
	report_findings(r.report, r.findings, NULL);
	assert_true(report_any_damage(r.report));
	end(&r, false);
	assert_null(strstr(r.out, "Checked"));
	assert_null(strstr(r.out, "xfs_repair"));
	assert_non_null(strstr(r.out, "Next: make sure that this is the right device and that it holds XFS"));
	drop(&r);
}

static void verbose_tells_geometry_timings_and_statistics(void **state)
{
	const struct stat_line stats[] = { { "read_requests", 1234, "" }, { "peak_memory", 5678901, "bytes" } };
	struct run r;

	(void)state;
	begin(&r, 1);
	geometry_of_4_groups(&r);
	report_phase_begin(r.report, 2, "allocation groups");
	report_phase_end(r.report);
	report_phase_begin(r.report, 3, "inodes");
	report_phase_reads(r.report, 3000000, 1000000);
	report_phase_end(r.report);
	report_stats(r.report, stats, 2);
	end(&r, false);
	assert_non_null(strstr(r.out, "XFS version 5: 4 allocation groups of 25,600 blocks, 102,400 in all"));
	assert_non_null(strstr(r.out, "\nPhase 2 (allocation groups): 0."));
	assert_non_null(strstr(r.out, " s; 3.0 MB read, 1.0 MB kept from before (25 %)\n"));
	assert_non_null(strstr(r.out, "\nStatistics:\n  read requests                               1,234\n"
				      "  peak memory                             5,678,901 bytes\n"));
	drop(&r);
}

static void a_note_is_a_line(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	report_note(r.report, "quota was not compared");
	end(&r, false);
	assert_ptr_equal(strstr(r.out, "Note: quota was not compared\n"), r.out);
	drop(&r);
}

/* Reports so many inodes of one kind as left. */
static void leave(struct run *r, unsigned count)
{
	struct found *found = calloc(count, sizeof(*found));

	assert_non_null(found);
	for (unsigned i = 0; i < count; i++) {
		found[i].place = place_of(OBJ_INODE);
		found[i].place.ino.v = 1000 + i;
		found[i].problem = (struct problem){ F_INODE_MODE, 0, NO_INDEX, 1, 2 };
		found[i].times = 1;
	}
	report_left(r->report, found, count, NULL);
	free(found);
}

static void all_that_is_left_has_a_line_if_lines_are_wanted(void **state)
{
	unsigned lines = 0;
	struct run r;

	(void)state;
	begin(&r, 0);
	r.options.lines = true;
	leave(&r, 1104);
	end(&r, false);
	for (const char *at = r.out; (at = strstr(at, "Left: inode.mode: ")); at++)
		lines++;
	assert_int_equal(lines, 1104);
	drop(&r);
}

static void of_much_that_is_left_some_is_listed_and_the_rest_is_counted(void **state)
{
	struct run r;

	(void)state;
	begin(&r, 0);
	leave(&r, 1104);
	end(&r, false);
	assert_non_null(strstr(r.out, "\nRemaining problems\n1. inode 1000: "));
	assert_non_null(strstr(r.out, "\n   inode 1002: "));
	assert_null(strstr(r.out, "\n   inode 1003: "));
	assert_non_null(strstr(r.out, "\n   and 1,101 more of this kind, the last: inode 2103\n"));
	drop(&r);
}

static void a_check_within_a_run_tells_no_more_than_how_far_it_is(void **state)
{
	const struct timespec a_while = { 0, 250000000 };
	uint64_t done = 0;
	const struct report_work work = { .look = report_look_count, .ctx = &done, .total = 10, .unit = "inodes" };
	struct report *within;
	struct run r;

	(void)state;
	begin_with(&r, (struct options){ .verbose = 0, .progress = PROGRESS_ALWAYS });
	report_phase_begin(r.report, 8, "mending");
	within = report_within(r.report);
	assert_non_null(within);
	report_note(within, "a note");
	report_progress(within, &work);
	__atomic_store_n(&done, 5, __ATOMIC_RELAXED);
	nanosleep(&a_while, NULL);
	report_progress_end(within);
	report_silent_free(within);
	end(&r, false);
	assert_ptr_equal(strstr(r.out, "\rPhase 8 (mending): 50%, "), r.out);
	assert_null(strstr(r.out, "a note"));
	drop(&r);
}

static void text_that_can_not_be_written_is_trouble(void **state)
{
	char *argv[] = { (char[]){ "xfsck" }, NULL };
	struct options options = { .program = "xfsck", .device = "d", .interval = 60 };
	struct totals totals = { 0 };
	struct report *report;
	FILE *full = fopen("/dev/full", "w");
	char *err;
	size_t size;
	FILE *err_file = open_memstream(&err, &size);

	(void)state;
	assert_non_null(full);
	assert_int_equal(report_open(&options, 1, argv, full, err_file, &report), 0);
	assert_int_equal(report_close(report, &totals, false, "clean", 0, 1), -ENOSPC);
	fclose(full);
	fclose(err_file);
	assert_string_equal(
		err,
		"xfsck: the report could not be written: No space left on device; nothing was written to the device\n");
	free(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_run_is_three_sentences),
		cmocka_unit_test(findings_are_lines_with_id_place_and_message),
		cmocka_unit_test(damage_is_counted_and_the_next_step_named),
		cmocka_unit_test(severities_are_told_apart),
		cmocka_unit_test(notes_do_not_make_a_file_system_unclean),
		cmocka_unit_test(a_dirty_log_is_no_corruption_and_not_clean),
		cmocka_unit_test(what_became_of_a_dirty_log_is_said),
		cmocka_unit_test(without_its_log_a_file_system_is_not_advised_to_be_left_or_repaired),
		cmocka_unit_test(a_log_that_only_a_newer_kernel_knows_is_for_that_kernel),
		cmocka_unit_test(trouble_is_not_taken_for_corruption_nor_for_clean),
		cmocka_unit_test(trouble_with_writing_is_not_taken_for_trouble_with_checking),
		cmocka_unit_test(without_a_superblock_no_repair_is_advised),
		cmocka_unit_test(verbose_tells_geometry_timings_and_statistics),
		cmocka_unit_test(a_note_is_a_line),
		cmocka_unit_test(all_that_is_left_has_a_line_if_lines_are_wanted),
		cmocka_unit_test(of_much_that_is_left_some_is_listed_and_the_rest_is_counted),
		cmocka_unit_test(a_check_within_a_run_tells_no_more_than_how_far_it_is),
		cmocka_unit_test(text_that_can_not_be_written_is_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
