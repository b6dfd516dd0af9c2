/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Problems, causes first, and fixes: all of them, while the text lists the first of each kind. */
#include <errno.h>
#include <stdlib.h>

#include "entries.h"
#include "finding_text.h"
#include "html_out.h"

#define PLACES_MOST 1000u  /* of one entry */
#define FIXES_MOST  10000u /* listed */

static void put_id(struct html *h, enum finding finding)
{
	h->reported[finding] = true;
	fprintf(h->out, " <a class=\"id\" href=\"#%s\">%s</a>", finding_id(finding), finding_id(finding));
}

/* Writes the place of a finding and its message. */
static void put_finding(struct html *h, const struct found *found, struct paths *paths)
{
	FILE *line = html_line(h);

	group_map_mark(h->map, MAP_DAMAGED, &found->place);
	finding_text_place(line, found, paths);
	fputs(": ", line);
	finding_text_message(line, &found->problem, paths);
	html_line_end(h);
}

static void put_more(struct html *h, uint64_t count, const char *what)
{
	html_put(h, "<li>and ");
	html_number(h, count);
	html_put(h, what);
	html_put(h, "</li>\n");
}

/* Writes an entry: its first finding, and the others in a section that unfolds. */
static void put_entry(struct html *h, const struct entries *e, const struct entry *entry, struct paths *paths)
{
	size_t at = entry->first;

	put_finding(h, e->found[at], paths);
	put_id(h, entry->finding);
	fprintf(h->out, " <span class=\"severity %s\">%s</span>\n", severity_name(finding_severity(entry->finding)),
		severity_name(finding_severity(entry->finding)));
	if (entry->count == 1)
		return;
	html_put(h, "<details><summary>and ");
	html_number(h, entry->count - 1);
	html_put(h, " more of this kind</summary><ul>\n");
	for (size_t i = 1; i < entry->count && i < PLACES_MOST; i++) {
		at = e->next[at];
		html_put(h, "<li>");
		put_finding(h, e->found[at], paths);
		html_put(h, "</li>\n");
	}
	if (entry->count > PLACES_MOST)
		put_more(h, entry->count - PLACES_MOST, " more, which --json lists");
	html_put(h, "</ul></details>\n");
}

/* Writes the entries below an entry: related ones, or possible consequences. */
static void put_below(struct html *h, const struct entries *e, const struct entry *entry, struct paths *paths,
		      bool follows)
{
	bool any = false;

	for (size_t child = entry->child; child != NO_ENTRY; child = e->all[child].sibling) {
		const struct entry *below = &e->all[child];

		if (finding_is_effect(below->finding) != follows)
			continue;
		if (!any)
			html_put(h, follows ? "<p>possible consequences:</p><ul class=\"effects\">\n" : "<ul>\n");
		any = true;
		html_put(h, "<li>");
		put_entry(h, e, below, paths);
		html_put(h, "</li>\n");
	}
	if (any)
		html_put(h, "</ul>\n");
}

static void put_entries(struct html *h, const struct entries *e, struct paths *paths)
{
	html_list_end(h);
	fprintf(h->out, "<ol class=\"causes\" start=\"%llu\">\n", (unsigned long long)h->causes + 1);
	for (size_t i = 0; i < e->nroots; i++) {
		html_put(h, "<li>");
		put_entry(h, e, e->order[i], paths);
		put_below(h, e, e->order[i], paths, false);
		put_below(h, e, e->order[i], paths, true);
		html_put(h, "</li>\n");
	}
	html_put(h, "</ol>\n");
	h->causes += e->nroots;
	if (e->nseveral)
		html_put(h, "<p>Consequences of one or more of these:</p><ul class=\"effects\">\n");
	for (size_t i = e->nroots; i < e->nroots + e->nseveral; i++) {
		html_put(h, "<li>");
		put_entry(h, e, e->order[i], paths);
		html_put(h, "</li>\n");
	}
	if (e->nseveral)
		html_put(h, "</ul>\n");
}

void html_findings(struct html *h, const struct entries *entries, struct paths *paths)
{
	if (!h || !entries->nfound)
		return;
	html_enter(h, SECTION_WRONG);
	if (entries_made(entries))
		put_entries(h, entries, paths);
	else
		h->error = h->error ? h->error : -ENOMEM;
}

void html_excess(struct html *h, enum finding finding, uint64_t count)
{
	if (!h)
		return;
	html_enter(h, SECTION_WRONG);
	html_list(h, "<ul>\n", "</ul>\n");
	html_put(h, "<li>and ");
	html_number(h, count);
	html_put(h, " more: ");
	put_id(h, finding);
	html_put(h, "</li>\n");
}

void html_left(struct html *h, const struct found *found, size_t count, struct paths *paths)
{
	if (!h || !count)
		return;
	html_enter(h, SECTION_LEFT);
	html_list(h, "<ul>\n", "</ul>\n");
	for (size_t i = 0; i < count; i++) {
		html_put(h, "<li>");
		put_finding(h, &found[i], paths);
		put_id(h, found[i].problem.finding);
		html_put(h, "</li>\n");
	}
}

void html_fix(struct html *h, const struct fix *fix, const struct found *found, struct paths *paths)
{
	if (!h)
		return;
	group_map_mark(h->map, MAP_REBUILT, &found->place);
	if (h->fixes++ >= FIXES_MOST)
		return; /* html_fixes_end() prints how many */
	html_enter(h, SECTION_FIXES);
	html_list(h, "<ul class=\"rows\">\n", "</ul>\n");
	html_put(h, "<li>");
	finding_text_place(html_line(h), found, paths);
	html_line_end(h);
	html_put(h, ": <b>");
	html_text(h, fix->text);
	fprintf(h->out, "</b> <span class=\"sure %s\">%s</span>", sure_name(fix->sure), sure_name(fix->sure));
	put_id(h, found->problem.finding);
	html_put(h, "</li>\n");
}

void html_fixes_end(struct html *h)
{
	if (h->fixes <= FIXES_MOST)
		return;
	html_enter(h, SECTION_FIXES);
	html_list(h, "<ul>\n", "</ul>\n");
	put_more(h, h->fixes - FIXES_MOST, " more, which --json lists");
}
