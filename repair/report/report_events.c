/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports findings, fixes, losses and the log during a run: as text, JSON and page. */
#include <stdlib.h>

#include "entries.h"
#include "findings.h"
#include "html.h"
#include "report_json.h"
#include "report_losses.h"
#include "report_state.h"
#include "report_text.h"
#include "sets/number_set.h"

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
