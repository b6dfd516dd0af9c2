/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of the page: explanations of findings, times, and the verdict, in the words of the text report. */
#include "explain_text.h"
#include "html_out.h"
#include "report_text.h"
#include "run_clock.h"

void html_phase(struct html *h, const char *title, const struct phase_cost *cost)
{
	if (h && h->phase_count < HTML_PHASES)
		h->phases[h->phase_count++] = (struct html_phase){ title, *cost };
}

static void put_when(struct html *h, const struct outcome *o)
{
	char start[RUN_CLOCK_TEXT], end[RUN_CLOCK_TEXT];

	fprintf(h->out, "<p>From <time>%s</time> to <time>%s</time>, %.3f s", run_clock_text(o->start, start),
		run_clock_text(o->end, end), o->seconds);
	if (o->device_bytes) {
		html_put(h, "; the device has ");
		html_number(h, o->device_bytes);
		html_put(h, " bytes");
	}
	html_put(h, ".</p>\n");
}

static void html_tell_times(struct html *h, const struct outcome *o)
{
	double most = 0;

	for (unsigned i = 0; i < h->phase_count; i++)
		if (h->phases[i].cost.seconds > most)
			most = h->phases[i].cost.seconds;
	html_enter(h, HTML_TIMES);
	put_when(h, o);
	html_list(h,
		  "<table><thead><tr><th>phase<th class=\"number\">seconds<th><th class=\"number\">bytes "
		  "read</tr></thead><tbody>\n",
		  "</tbody></table>\n");
	for (unsigned i = 0; i < h->phase_count; i++) {
		const struct html_phase *p = &h->phases[i];

		html_put(h, "<tr><td>");
		html_text(h, p->title);
		fprintf(h->out, "<td class=\"number\">%.3f<td>", p->cost.seconds);
		html_bar(h, p->cost.seconds, most);
		html_put(h, "<td class=\"number\">");
		html_number(h, p->cost.read);
		html_put(h, "</tr>\n");
	}
	html_list_end(h);
}

static void html_tell_meanings(struct html *h)
{
	bool any = false;

	for (enum finding i = 0; i < FINDING_NR; i++) {
		if (!h->reported[i])
			continue;
		html_enter(h, HTML_MEANING);
		html_list(h, "<dl>\n", "</dl>\n");
		fprintf(h->out, "<dt id=\"%s\">%s<dd>", finding_id(i), finding_id(i));
		html_text(h, explain_finding(i));
		html_put(h, "\n");
		any = true;
	}
	if (any)
		html_list_end(h);
}

/* Prints sections that the page always has, even if empty. */
static void put_empty(struct html *h, const struct outcome *o)
{
	static const enum section sections[] = { SECTION_WRONG, SECTION_FIXES, SECTION_LOST };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (h->begun[sections[i]])
			continue;
		html_enter(h, sections[i]);
		html_put(h, o->complete ? "<p>Nothing.</p>\n" : "<p>Not known: the run did not come to its end.</p>\n");
	}
}

/* True if all problems are harmless, so that the exit status is 0. */
static bool is_harmless(const struct outcome *o)
{
	return outcome_problems(o) == o->found[SEV_PREEN];
}

/* Returns the outcome in a few words, as a headline. */
static const char *headline(const struct outcome *o)
{
	if (!o->complete)
		return "Not finished";
	if (o->unproven)
		return "Repaired in part";
	if (o->repaired)
		return losses_any(&o->losses) ? "Repaired, with losses" : "Repaired";
	if (o->log_dirty)
		return "The log is dirty";
	if (!outcome_problems(o))
		return "Clean";
	if (is_harmless(o))
		return "Clean, but for harmless findings";
	return o->mendable ? "Damaged; it can be repaired" : "Damaged";
}

static void put_verdict(struct html *h, const struct outcome *o)
{
	const bool good = o->complete && !o->log_dirty && (!outcome_problems(o) || o->repaired || is_harmless(o));
	struct layout layout = { .out = html_line(h) };

	html_enter(h, SECTION_OUTCOME);
	fprintf(h->out, "<div class=\"verdict %s\">\n<p>%s</p>\n",
		good	      ? "good"
		: o->complete ? "bad"
			      : "open",
		headline(o));
	report_text_summary(&layout, o);
	html_lines_end(h, "<p>", "</p>\n");
	html_put(h, "</div>\n");
}

/* A rollback checks nothing; a note says what was restored. */
static void put_rolled_back(struct html *h, const struct outcome *o)
{
	html_enter(h, SECTION_OUTCOME);
	fprintf(h->out, "<div class=\"verdict %s\"><p>%s</p></div>\n", o->complete ? "good" : "open",
		!o->complete   ? "The repair could not be taken back, or not all of it."
		: o->no_modify ? "The repair can be taken back."
			       : "The repair was taken back.");
}

static void put_unchecked(struct html *h)
{
	html_enter(h, SECTION_OUTCOME);
	html_put(h,
		 "<div class=\"verdict open\"><p>Answered</p><p>What was asked needed no check, so nothing is known of "
		 "whether the file system is clean.</p></div>\n");
}

void html_outcome(struct html *h, const struct outcome *o)
{
	if (!h)
		return;
	html_fixes_end(h);
	if (o->totals && !o->unchecked) {
		put_empty(h, o);
		html_draw_map(h);
		html_tell_meanings(h);
	}
	html_tell_times(h, o);
	if (o->unchecked)
		put_unchecked(h);
	else if (o->totals)
		put_verdict(h, o);
	else
		put_rolled_back(h, o);
}
