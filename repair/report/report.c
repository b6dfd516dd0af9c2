/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of one run: writes everything as text, as JSON, as a page or all of these, takes the time of phases, keeps
 * the progress line out of the way, and counts what the closing summary needs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entries.h"
#include "findings.h"
#include "html.h"
#include "progress.h"
#include "report_file.h"
#include "report_ids.h"
#include "report_json.h"
#include "report_losses.h"
#include "report_text.h"
#include "run_clock.h"
#include "sections.h"

struct report {
	const struct options *options;
	FILE *text;		  /* NULL: JSON goes to standard output in place of the text */
	struct sections sections; /* of the text */
	FILE *err;
	bool watched;		   /* standard output is a terminal */
	struct report_json *json;  /* NULL: none */
	struct html *html;	   /* NULL: none */
	struct progress *progress; /* NULL: none; a report within a run has that of the run */
	struct run_clock clock;
	uint64_t device_bytes[ROLE_NR]; /* 0: not opened yet */

	unsigned phase;
	const char *title; /* of the phase; NULL: between phases */
	struct run_clock phase_clock;
	uint64_t phase_read, phase_kept; /* bytes */

	uint32_t agcount;
	struct finding_counts counts;
	bool told[FINDING_NR]; /* ids that the report has used */
	uint64_t written;
	enum written what;
	bool mounted;
	enum log_fate log_fate;
	bool log_lost;
	bool too_short;
	bool unreadable;
	bool consent;
	char *undo; /* path of the undo file; NULL: there is none, or no memory for its name */
	bool trouble;
	bool mendable; /* report_mended() said so */
	struct fixes fixes;
	struct losses losses;
	const struct totals *before; /* a repair; NULL: there was none */
	int text_error;		     /* negative errno, the first */
};

/* To be called before something is printed, since there may be a progress line; end_output() or end_line() after it. */
static void begin_output(struct report *r)
{
	progress_pause(r->progress);
}

static void flush(struct report *r)
{
	errno = 0;
	if (r->text && (fflush(r->text) || ferror(r->text)) && !r->text_error)
		r->text_error = errno ? -errno : -EIO;
	report_json_flush(r->json);
	html_flush(r->html);
}

static void end_output(struct report *r)
{
	flush(r);
	progress_resume(r->progress);
}

/* The same after one line of many, which need not be flushed unless somebody is watching. */
static void end_line(struct report *r)
{
	if (r->watched)
		flush(r);
	progress_resume(r->progress);
}

int report_open(const struct options *options, int argc, char **argv, FILE *out, FILE *err, struct report **ret_report)
{
	struct progress_outputs outputs;
	struct report *r = calloc(1, sizeof(*r));
	int error;

	if (!r) {
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	r->options = options;
	r->err = err;
	error = options->json ? report_json_open(options, out, err, &r->json) : 0;
	if (!error)
		error = html_open(options, err, &r->html);
	if (error) {
		report_json_close(r->json);
		free(r);
		return error;
	}
	r->text = options->json && !strcmp(options->json, "-") ? NULL : out;
	r->watched = isatty(fileno(out));
	if (r->text)
		sections_begin(&r->sections, out, options);
	outputs = progress_choose(options, r->text, out, err);
	r->progress = progress_start(&outputs);
	run_clock_start(&r->clock);
	report_json_run(r->json, options->device, argc, argv, r->clock.start);
	*ret_report = r;
	return 0;
}

struct report *report_silent(const struct options *options, FILE *err)
{
	struct report *r = calloc(1, sizeof(*r));

	if (r)
		*r = (struct report){ .options = options, .err = err };
	return r;
}

struct report *report_within(const struct report *run)
{
	struct report *r = report_silent(run->options, run->err);

	if (r)
		r->progress = run->progress;
	return r;
}

void report_silent_free(struct report *r)
{
	free(r);
}

void report_device(struct report *r, enum device_role role, const char *path, uint64_t bytes)
{
	if (r->device_bytes[role])
		return;
	r->device_bytes[role] = bytes;
	report_json_device(r->json, role, path, bytes);
}

void report_geometry(struct report *r, const struct geometry *geo)
{
	begin_output(r);
	r->agcount = geo->agcount;
	if (r->text && r->options->verbose)
		report_text_geometry(r->text, geo);
	report_json_geometry(r->json, geo);
	html_geometry(r->html, geo);
	end_output(r);
}

struct group_map *report_map(const struct report *r)
{
	return html_map(r->html);
}

void report_phase_begin(struct report *r, unsigned number, const char *title)
{
	r->phase = number;
	r->title = title;
	r->phase_read = r->phase_kept = 0;
	run_clock_start(&r->phase_clock);
	progress_phase(r->progress, number, title);
}

void report_phase_reads(struct report *r, uint64_t read, uint64_t kept)
{
	r->phase_read = read;
	r->phase_kept = kept;
}

void report_phase_end(struct report *r)
{
	struct phase_cost cost = { .read = r->phase_read, .kept = r->phase_kept };

	if (!r->title)
		return;
	progress_phase_end(r->progress);
	begin_output(r);
	cost.seconds = run_clock_seconds(&r->phase_clock);
	if (r->text && r->options->verbose)
		report_text_phase(r->text, r->phase, r->title, &cost);
	report_json_phase(r->json, r->phase, r->title, &cost);
	html_phase(r->html, r->title, &cost);
	end_output(r);
	r->title = NULL;
}

void report_note(struct report *r, const char *sentence)
{
	begin_output(r);
	if (r->text)
		report_text_note(&r->sections.layout, sentence);
	report_json_sentence(r->json, "note", sentence);
	html_note(r->html, sentence);
	end_output(r);
}

void report_trouble(struct report *r, const char *sentence)
{
	begin_output(r);
	r->trouble = true;
	flush(r); /* so that what was printed before comes first */
	fprintf(r->err, "%s: %s\n", r->options->program, sentence);
	report_json_sentence(r->json, "trouble", sentence);
	html_trouble(r->html, sentence);
	end_output(r);
}

void report_usual_progress(struct report *r, const struct report_work *usual)
{
	progress_usual(r->progress, usual);
}

void report_step(struct report *r, const char *words, const struct report_work *work)
{
	if (r)
		progress_step(r->progress, words, work);
}

void report_progress(struct report *r, const struct report_work *work)
{
	if (r)
		progress_work(r->progress, work);
}

void report_progress_end(struct report *r)
{
	if (r)
		progress_work(r->progress, NULL);
}

void report_status(struct report *r)
{
	progress_ask(r->progress);
}

static void report_excess(struct report *r, struct findings *findings)
{
	for (unsigned i = 0; i < FINDING_NR; i++) {
		uint64_t excess = findings_excess(findings, i);

		if (!excess)
			continue;
		if (r->text)
			sections_excess(&r->sections, i, excess);
		report_json_excess(r->json, i, excess);
		html_excess(r->html, i, excess);
		r->counts.of[i] += excess;
	}
}

void report_findings(struct report *r, struct findings *findings, struct paths *paths)
{
	const struct found **found;
	struct entries entries;
	size_t count;

	begin_output(r);
	findings_settle(findings);
	if (findings_untold(findings, &found, &count))
		report_trouble(r, "no memory for a list of what was found: not all of it is told");
	entries_make(&entries, found, count);
	if (r->text)
		sections_findings(&r->sections, &entries, paths);
	report_json_findings(r->json, &entries, paths);
	html_findings(r->html, &entries, paths);
	entries_free(&entries);
	for (size_t i = 0; i < count; i++) {
		r->counts.of[found[i]->problem.finding]++;
		r->told[found[i]->problem.finding] = true;
	}
	free(found);
	report_excess(r, findings);
	findings_told(findings);
	findings_rewind(findings);
	end_output(r);
}

void report_log(struct report *r, const struct log_told *told)
{
	begin_output(r);
	r->log_fate = told->fate;
	if (r->text)
		report_text_log(&r->sections.layout, told, r->options->no_modify, r->options->verbose > 0);
	report_json_log(r->json, told);
	end_output(r);
}

void report_log_lost(struct report *r)
{
	r->log_lost = true;
}

void report_unreadable(struct report *r)
{
	r->unreadable = true;
}

void report_too_short(struct report *r)
{
	r->too_short = true;
}

void report_crash(struct report *r, const struct crash_told *told)
{
	begin_output(r);
	if (r->text && r->options->verbose > 0)
		report_text_crash(r->text, told);
	report_json_crash(r->json, told);
	end_output(r);
}

void report_fix(struct report *r, const struct fix *fix, const struct found *found, struct paths *paths)
{
	begin_output(r);
	r->told[found->problem.finding] = true;
	if (r->text)
		sections_fix(&r->sections, fix, found, paths);
	report_json_fix(r->json, fix, found, paths);
	html_fix(r->html, fix, found, paths);
	end_line(r);
}

void report_reattached(struct report *r, const struct reattachments *list, struct paths *before, struct paths *after)
{
	begin_output(r);
	if (r->text)
		sections_reattached(&r->sections, list, before, after);
	report_json_reattached(r->json, list, before, after);
	html_reattached(r->html, list, before, after);
	end_output(r);
}

void report_losses(struct report *r, const struct loss_list *list, struct paths *before, struct paths *after)
{
	const struct losses_told told = { list, before, after, r->options->no_modify, r->json != NULL };

	begin_output(r);
	r->losses = list->totals;
	if (r->text)
		sections_losses(&r->sections, &told);
	report_json_losses(r->json, &told);
	html_losses(r->html, &told);
	end_output(r);
}

void report_left(struct report *r, const struct found *found, size_t count, struct paths *paths)
{
	begin_output(r);
	if (r->text)
		sections_left(&r->sections, found, count, paths);
	for (size_t i = 0; i < count; i++) {
		r->told[found[i].problem.finding] = true;
		report_json_left(r->json, &found[i], paths);
	}
	html_left(r->html, found, count, paths);
	end_output(r);
}

int report_fix_inodes(const struct report *r, struct ino_set *inos)
{
	return r->text ? sections_fix_inodes(&r->sections, inos) : 0;
}

void report_mended(struct report *r, const struct fixes *fixes, uint64_t left, struct paths *later)
{
	begin_output(r);
	r->mendable = !left;
	r->fixes = *fixes;
	if (r->text)
		sections_mended(&r->sections, fixes, left, r->options->commit_unproven && !r->log_lost, later);
	report_json_mended(r->json, fixes, left);
	end_output(r);
}

void report_undo(struct report *r, const char *path)
{
	r->undo = strdup(path);
}

void report_consent(struct report *r)
{
	r->consent = true;
	report_note(r, "The repair loses much, and there would be no way back: so it is not written without consent.");
}

void report_written(struct report *r, uint64_t bytes, enum written what, bool mounted)
{
	r->written = bytes;
	r->what = what;
	r->mounted = mounted && bytes;
}

bool report_any_damage(const struct report *r)
{
	uint64_t found[SEVERITY_NR];

	finding_counts_by_severity(&r->counts, found);
	for (unsigned i = 0; i < SEVERITY_NR; i++)
		if (severity_is_damage(i) && found[i])
			return true;
	return false;
}

bool report_any_harm(const struct report *r)
{
	uint64_t found[SEVERITY_NR];

	finding_counts_by_severity(&r->counts, found);
	return found[SEV_FATAL] || found[SEV_CORRUPT] || found[SEV_XREF];
}

void report_stats(struct report *r, const struct stat_line *lines, size_t count)
{
	begin_output(r);
	if (r->text && r->options->verbose)
		report_text_stats(r->text, lines, count);
	report_json_stats(r->json, lines, count);
	end_output(r);
}

void report_before(struct report *r, const struct totals *before)
{
	r->before = before;
}

int report_close(struct report *r, const struct totals *totals, bool log_dirty, int exit_status)
{
	struct outcome outcome = {
		.device = r->options->device,
		.log_device = r->options->log_device,
		.rt_device = r->options->rt_device,
		.device_bytes = r->device_bytes[ROLE_DATA],
		.start = r->clock.start,
		.end = time(NULL),
		.seconds = run_clock_seconds(&r->clock),
		.counts = r->counts,
		.rollback = r->options->rollback,
		.undo = r->undo,
		.consent = r->consent,
		.totals = totals,
		.before = r->before,
		.agcount = r->agcount,
		.complete = !r->trouble,
		.mendable = r->mendable,
		.fixes = r->fixes,
		.losses = r->losses,
		.no_modify = r->options->no_modify,
		.log_dirty = log_dirty,
		.log_fate = r->log_fate,
		.log_lost = r->log_lost,
		.too_short = r->too_short,
		.unreadable = r->unreadable,
		.written = r->written,
		.repaired = r->what == WRITTEN_REPAIRED,
		.unproven = r->what == WRITTEN_UNPROVEN,
		.mounted = r->mounted,
		.exit_status = exit_status,
	};
	const uint64_t *written = totals ? &r->written : NULL;
	int text_error, json_error, html_error;

	report_phase_end(r);
	progress_stop(r->progress);
	r->progress = NULL;
	finding_counts_by_severity(&r->counts, outcome.found);
	if (r->text && totals) {
		sections_summary(&r->sections, &outcome);
		report_ids(r->text, r->told);
	}
	if (totals)
		report_json_summary(r->json, &outcome);
	else
		report_json_rollback(r->json, &outcome);
	html_outcome(r->html, &outcome);
	if (r->text)
		sections_end(&r->sections);
	end_output(r);
	text_error = r->text_error;
	json_error = report_json_close(r->json);
	html_error = html_close(r->html);
	report_file_unwritten(r->err, r->options->program, "report", text_error, written);
	report_file_unwritten(r->err, r->options->program, "JSON report", json_error, written);
	report_file_unwritten(r->err, r->options->program, "page", html_error, written);
	free(r->undo);
	free(r);
	return text_error ? text_error : json_error ? json_error : html_error;
}
