/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of a run: writes text, JSON and the page, times phases, keeps the progress line out of the way, and counts
 * what the summary needs.
 */
#define _GNU_SOURCE 1 /* fopencookie() */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entries.h"
#include "explain.h"
#include "finding.h"
#include "findings.h"
#include "html.h"
#include "outcome.h"
#include "progress.h"
#include "quote.h"
#include "report.h"
#include "report_file.h"
#include "report_json.h"
#include "report_losses.h"
#include "report_text.h"
#include "run_clock.h"
#include "sections.h"
#include "sets/number_set.h"
#include "words.h"

struct report {
	const struct options *options;
	FILE *out;		  /* standard output */
	FILE *text;		  /* the text report; NULL: none */
	struct sections sections; /* of the text */
	FILE *err;
	bool watched;		     /* standard output is a terminal */
	struct report_json *json;    /* NULL: none */
	struct report_json *answers; /* JSON for answers to queries; NULL: none; reports within a run share it */
	FILE *nowhere;		     /* sink for the text of answers if there is no text report; NULL: not in use */
	struct html *html;	     /* NULL: none */
	struct html *page;	     /* page for answers; NULL: none; shared likewise */
	struct progress *progress;   /* NULL: none; shared likewise */
	struct run_clock clock;
	uint64_t device_bytes[ROLE_NR]; /* 0: not opened yet */

	unsigned phase;
	const char *title; /* title of the phase; NULL: between phases */
	struct run_clock phase_clock;
	uint64_t phase_read, phase_kept; /* bytes read from devices, and reused */

	struct outcome outcome;	   /* what is known so far; owns `undo`, `preview`, `why` and `advice` */
	bool reported[FINDING_NR]; /* ids used in the report */
	bool trouble;
	int text_error; /* the first negative errno */
};

/* The line with the ids of findings, as --explain takes them. */

#define IDS_MOST 8

void report_ids(FILE *out, const bool reported[static FINDING_NR])
{
	unsigned count = 0;

	for (enum finding i = 0; i < FINDING_NR; i++)
		if (reported[i] && count++ < IDS_MOST)
			fprintf(out, "%s%s", count == 1 ? "Explained by: xfsck --explain " : ",", finding_id(i));
	if (count > IDS_MOST)
		fprintf(out, " (and %u more)", count - IDS_MOST);
	if (count)
		fputc('\n', out);
}

/* Call this before printing, since it clears the progress line, and one of the next two afterwards. */
static void report_begin_output(struct report *r)
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

static void report_end_output(struct report *r)
{
	flush(r);
	progress_resume(r->progress);
}

/* The same after one of many lines, which is flushed only if standard output is a terminal. */
static void report_end_line(struct report *r)
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
	*r = (struct report){ .options = options, .err = err };
	error = options->json || options->result ? report_json_open(options, out, err, &r->json) : 0;
	if (!error)
		error = html_open(options, err, &r->html);
	if (error) {
		report_json_close(r->json);
		free(r);
		return error;
	}
	r->answers = r->json;
	r->page = r->html;
	r->out = out;
	if (!options->quiet && (!options->json || strcmp(options->json, "-") != 0))
		r->text = query_any(&options->query) || options->to_stderr ? err : out;
	r->watched = isatty(fileno(out));
	if (r->text)
		sections_begin(&r->sections, r->text, options);
	outputs = progress_choose(options, r->text, out, err);
	r->progress = progress_new(&outputs);
	run_clock_start(&r->clock);
	r->outcome = (struct outcome){
		.range = options->range,
		.device = options->device,
		.log_device = options->log_device,
		.rt_device = options->rt_device,
		.start = r->clock.start,
		.rollback = options->rollback,
		.plan = options->plan,
		.plan_apply = options->plan_apply,
		.no_modify = options->no_modify,
	};
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

	if (r) {
		r->progress = run->progress;
		r->answers = run->answers;
		r->page = run->page;
	}
	return r;
}

void report_silent_free(struct report *r)
{
	if (r)
		free(r->outcome.why);
	free(r);
}

void report_device(struct report *r, enum device_role role, const char *path, uint64_t offset, uint64_t bytes)
{
	if (r->device_bytes[role])
		return;
	r->device_bytes[role] = bytes;
	if (role == ROLE_DATA)
		r->outcome.device_bytes = bytes;
	report_json_device(r->json, role, path, offset, bytes);
}

void report_geometry(struct report *r, const struct geometry *geo)
{
	report_begin_output(r);
	r->outcome.agcount = geo->agcount;
	if (r->text && r->options->verbose)
		report_text_geometry(r->text, geo);
	report_json_geometry(r->json, geo);
	html_geometry(r->html, geo);
	report_end_output(r);
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
	report_begin_output(r);
	cost.seconds = run_clock_seconds(&r->phase_clock);
	if (r->text && r->options->verbose)
		report_text_phase(r->text, r->phase, r->title, &cost);
	report_json_phase(r->json, r->phase, r->title, &cost);
	html_phase(r->html, r->title, &cost);
	report_end_output(r);
	r->title = NULL;
}

void report_note(struct report *r, const char *sentence)
{
	report_begin_output(r);
	if (r->text)
		sections_note(&r->sections, sentence);
	report_json_sentence(r->json, "note", sentence);
	html_note(r->html, sentence);
	report_end_output(r);
}

void report_trouble(struct report *r, const char *sentence)
{
	report_begin_output(r);
	r->trouble = true;
	if (!r->outcome.why)
		r->outcome.why = strdup(sentence);
	flush(r); /* so that earlier output comes first */
	quote_said(r->err, r->options->program, "%s", sentence);
	report_json_sentence(r->json, "trouble", sentence);
	html_trouble(r->html, sentence);
	report_end_output(r);
}

FILE *report_answer_begin(struct report *r)
{
	report_begin_output(r);
	if (!r->text && !r->nowhere) {
		r->nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){ 0 });
		return r->nowhere;
	}
	return r->out;
}

struct report_json *report_answer_json(const struct report *r)
{
	return r->answers;
}

struct html *report_answer_page(const struct report *r)
{
	return r->page;
}

void report_answer_end(struct report *r)
{
	if (r->nowhere)
		fclose(r->nowhere);
	r->nowhere = NULL;
	errno = 0;
	if ((fflush(r->out) || ferror(r->out)) && !r->text_error)
		r->text_error = errno ? -errno : -EIO;
	report_end_output(r);
}

void report_advise(struct report *r, const char *advice)
{
	free(r->outcome.advice);
	r->outcome.advice = strdup(advice);
}

void report_unchecked(struct report *r)
{
	r->outcome.unchecked = true;
}

void report_watch(struct report *r)
{
	progress_start(r->progress);
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

void report_log_lost(struct report *r)
{
	r->outcome.log_lost = true;
}

void report_unreadable(struct report *r)
{
	r->outcome.unreadable = true;
}

void report_stopped(struct report *r, const char *command)
{
	report_begin_output(r);
	flush(r);
	r->outcome.resume = command;
	quote_said(r->err, r->options->program, "stopped; to resume: %s", command);
	report_end_output(r);
}

bool report_any_unreadable(const struct report *r)
{
	return r->outcome.unreadable;
}

void report_aside(struct report *r, const char *sentence)
{
	report_begin_output(r);
	flush(r);
	quote_said(r->err, r->options->program, "%s", sentence);
	report_end_output(r);
}

void report_too_short(struct report *r)
{
	r->outcome.too_short = true;
}

void report_undo(struct report *r, const char *path)
{
	r->outcome.undo = strdup(path);
}

void report_write_failed(struct report *r, bool begun)
{
	r->outcome.write_failed = true;
	r->outcome.cut_short = begun;
}

void report_preview(struct report *r, const char *const overlays[ROLE_NR])
{
	for (unsigned i = 0; i < ROLE_NR; i++)
		if (overlays[i])
			r->outcome.preview[i] = strdup(overlays[i]);
}

void report_zeroed(struct report *r)
{
	r->outcome.zeroed = true;
}

void report_consent(struct report *r, consents_t lacking)
{
	const char *separator = "The repair needs --accept-loss: ";
	struct words w = { 0 };

	r->outcome.consents = lacking;
	for (enum consent reason = 0; reason < CONSENT_NR; reason++) {
		if (!(lacking >> reason & 1))
			continue;
		words_add(&w, "%s%s", separator, consent_sentence(reason));
		separator = "; ";
	}
	words_add(&w, ".");
	report_note(r, w.text);
}

void report_written(struct report *r, uint64_t bytes, enum written what, bool mounted)
{
	r->outcome.written = bytes;
	r->outcome.repaired = what == WRITTEN_REPAIRED;
	r->outcome.unproven = what == WRITTEN_UNPROVEN;
	r->outcome.mounted = mounted && bytes;
}

bool report_any_damage(const struct report *r)
{
	uint64_t found[SEVERITY_NR];

	finding_counts_by_severity(&r->outcome.counts, found);
	for (unsigned i = 0; i < SEVERITY_NR; i++)
		if (severity_is_damage(i) && found[i])
			return true;
	return false;
}

bool report_any_harm(const struct report *r)
{
	uint64_t found[SEVERITY_NR];
	bool harm = false;

	finding_counts_by_severity(&r->outcome.counts, found);
	for (unsigned i = 0; i < SEVERITY_NR; i++)
		harm |= severity_is_harm(i) && found[i];
	return harm;
}

void report_stats(struct report *r, const struct stat_line *lines, size_t count)
{
	report_begin_output(r);
	if (r->text && r->options->verbose)
		report_text_stats(r->text, lines, count);
	report_json_stats(r->json, lines, count);
	report_end_output(r);
}

void report_before(struct report *r, const struct totals *before)
{
	r->outcome.before = before;
}

/* True if there is nothing to report besides the answers to a query. */
static bool is_nothing_wrong(const struct report *r)
{
	if (report_any_damage(r) || r->trouble || r->outcome.unreadable)
		return false;
	return r->outcome.unchecked || !r->options->verbose;
}

/* -q: prints a line unless the file system is clean. */
static void close_quietly(struct report *r, const char *verdict, const struct outcome *o)
{
	FILE *out = r->options->to_stderr || (r->options->json && !strcmp(r->options->json, "-")) ? r->err : r->out;
	struct words w = { 0 };

	if (!strcmp(verdict, "clean"))
		return;
	words_add(&w, "%s: %s: ", o->device, verdict);
	words_add_count(&w, outcome_problems(o), "problem", "problems");
	if (o->consents)
		words_add(&w, ", the repair needs --accept-loss");
	if (o->undo)
		words_add(&w, ", undo file %s", o->undo);
	quote_sentence(out, w.text);
	fputc('\n', out);
	errno = 0;
	if ((fflush(out) || ferror(out)) && !r->text_error)
		r->text_error = errno ? -errno : -EIO;
}

int report_close(struct report *r, const struct totals *totals, bool log_dirty, const char *verdict, int exit_status,
		 int unwritten_status)
{
	const bool summed_up = r->text && totals && !(query_any(&r->options->query) && is_nothing_wrong(r));
	struct outcome *o = &r->outcome;
	const uint64_t *written = totals ? &o->written : NULL;
	int text_error, json_error, html_error;

	report_phase_end(r);
	progress_stop(r->progress);
	r->progress = NULL;
	o->end = time(NULL);
	o->seconds = run_clock_seconds(&r->clock);
	o->totals = totals;
	o->complete = !r->trouble && !o->unchecked && !o->resume;
	o->unchecked &= !r->trouble;
	o->log_dirty = log_dirty;
	o->exit_status = exit_status;
	finding_counts_by_severity(&o->counts, o->found);
	if (summed_up) {
		sections_summary(&r->sections, o);
		report_ids(r->text, r->reported);
		report_text_disk(&r->sections.layout, o);
	}
	if (r->text)
		sections_end(&r->sections);
	if (summed_up)
		fprintf(r->text, "Verdict: %s\n", verdict);
	if (r->options->quiet && totals)
		close_quietly(r, verdict, o);
	report_end_output(r);
	text_error = r->text_error;
	html_outcome(r->html, o);
	html_error = html_close(r->html);
	if (text_error || html_error)
		o->exit_status = unwritten_status;
	if (totals)
		report_json_summary(r->json, o);
	else
		report_json_rollback(r->json, o);
	json_error = report_json_close(r->json);
	report_file_unwritten(r->err, r->options->program, "report", text_error, written);
	report_file_unwritten(r->err, r->options->program, "JSON report", json_error, written);
	report_file_unwritten(r->err, r->options->program, "page", html_error, written);
	free(o->undo);
	free(o->why);
	free(o->advice);
	for (unsigned i = 0; i < ROLE_NR; i++)
		free(o->preview[i]);
	free(r);
	return text_error ? text_error : json_error ? json_error : html_error;
}

/* ---- findings, fixes, losses and the log ---- */

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
		r->outcome.counts.of[i] += excess;
	}
}

/* Counts new findings, even if there is no memory to list them. */
static void count_unreported(struct report *r, struct findings *findings)
{
	const struct found *found;

	findings_rewind(findings);
	while ((found = findings_next_shown(findings))) {
		if (found->reported)
			continue;
		r->outcome.counts.of[found->problem.finding]++;
		r->reported[found->problem.finding] = true;
	}
}

void report_findings(struct report *r, struct findings *findings, struct paths *paths)
{
	const struct found **found;
	struct entries entries;
	size_t count;

	report_begin_output(r);
	findings_settle(findings);
	count_unreported(r, findings);
	if (findings_unreported(findings, &found, &count))
		report_trouble(r, "out of memory for the list of problems: it is incomplete");
	entries_make(&entries, found, count);
	if (r->text)
		sections_findings(&r->sections, &entries, paths);
	report_json_findings(r->json, &entries, paths);
	html_findings(r->html, &entries, paths);
	entries_free(&entries);
	free(found);
	report_excess(r, findings);
	findings_mark_reported(findings);
	findings_rewind(findings);
	report_end_output(r);
}

void report_log(struct report *r, const struct log_summary *reported)
{
	report_begin_output(r);
	r->outcome.log_fate = reported->fate;
	r->outcome.log_losses = reported->lost;
	if (r->text)
		report_text_log(&r->sections.layout, reported, r->options->no_modify, r->options->verbose > 0);
	report_json_log(r->json, reported);
	report_end_output(r);
}

void report_crash(struct report *r, const struct crash_summary *reported)
{
	report_begin_output(r);
	if (r->text && r->options->verbose > 0)
		report_text_crash(r->text, reported);
	report_json_crash(r->json, reported);
	report_end_output(r);
}

void report_fix(struct report *r, const struct fix *fix, const struct found *found, struct paths *paths)
{
	report_begin_output(r);
	r->reported[found->problem.finding] |= r->options->lines;
	if (r->text)
		sections_fix(&r->sections, fix, found, paths);
	report_json_fix(r->json, fix, found, paths);
	html_fix(r->html, fix, found, paths);
	report_end_line(r);
}

void report_reattached(struct report *r, const struct reattachments *list, struct paths *before, struct paths *after)
{
	report_begin_output(r);
	if (r->text)
		sections_reattached(&r->sections, list, before, after);
	report_json_reattached(r->json, list, before, after);
	html_reattached(r->html, list, before, after);
	report_end_output(r);
}

void report_planned(struct report *r)
{
	r->sections.planned = true;
	html_planned(r->html);
}

void report_losses(struct report *r, const struct loss_list *list, struct paths *before, struct paths *after)
{
	struct ino_set gone = { 0 };
	const struct reported_losses reported = {
		list, before, after, r->options->no_modify || r->sections.planned, r->json != NULL, &gone
	};

	losses_gone(list, &gone);
	report_begin_output(r);
	r->outcome.losses = list->totals;
	if (r->text)
		sections_losses(&r->sections, &reported);
	report_json_losses(r->json, &reported);
	html_losses(r->html, &reported);
	ino_set_free(&gone);
	report_end_output(r);
}

void report_left(struct report *r, const struct found *found, size_t count, struct paths *paths)
{
	report_begin_output(r);
	if (r->text)
		sections_left(&r->sections, found, count, paths);
	for (size_t i = 0; i < count; i++) {
		r->reported[found[i].problem.finding] = true;
		report_json_left(r->json, &found[i], paths);
	}
	html_left(r->html, found, count, paths);
	report_end_output(r);
}

int report_fix_inodes(const struct report *r, struct ino_set *inos)
{
	return r->text ? sections_fix_inodes(&r->sections, inos) : 0;
}

void report_mended(struct report *r, const struct fixes *fixes, uint64_t left, struct paths *later)
{
	report_begin_output(r);
	r->outcome.mendable = !left;
	r->outcome.fixes = *fixes;
	if (r->text)
		sections_mended(&r->sections, fixes, left, r->options->commit_unproven && !r->outcome.log_lost, later);
	report_json_mended(r->json, fixes, left);
	report_end_output(r);
}
