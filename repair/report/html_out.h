/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the parts of the page. All text from outside the program goes through html_line(), which escapes it. */
#ifndef XFSCK_REPAIR_HTML_OUT_H
#define XFSCK_REPAIR_HTML_OUT_H

#include <stdio.h>

#include "group_map.h"
#include "html.h"
#include "sections.h"

/* Sections of the page besides those of the text report. */
enum {
	HTML_NOTES = SECTION_NONE,
	HTML_MAP = SECTION_NR,
	HTML_TIMES,
	HTML_MEANING,
	/* answers to queries */
	HTML_LIST,
	HTML_NAME_OF,
	HTML_OWNER,
	HTML_BAD,
	HTML_EXTENTS,
	HTML_FRAG,
	HTML_FREE,
	HTML_SUMMARY,
	HTML_EXTRACT,
	HTML_SECTIONS,
};

#define HTML_PHASES 32u

struct html_phase {
	const char *title;
	struct phase_cost cost;
};

struct html {
	const struct options *options;
	bool planned; /* the repair waits for consent: its losses would happen */
	FILE *out;
	int error; /* the first negative errno */

	/* the text being written, before escaping */
	FILE *line;
	char *text;
	size_t size;

	unsigned section;
	bool in_section, begun[HTML_SECTIONS];
	const char *list; /* end tag of the open list; NULL: none */

	uint64_t causes, fixes;	   /* printed so far */
	bool reported[FINDING_NR]; /* ids that the page explains */
	struct html_phase phases[HTML_PHASES];
	unsigned phase_count;
	struct group_map *map;
};

/* Writes HTML as it is; it must not contain data from outside the program. */
void html_put(struct html *html, const char *text);
/* Begins a text: html_line_end() escapes what was written to the returned stream, and writes it to the page. */
FILE *html_line(struct html *html);
void html_line_end(struct html *html);
/* Writes a text, escaped. */
void html_text(struct html *html, const char *text);
void html_number(struct html *html, uint64_t number);
/* Draws a bar whose length is part / longest of the full width. */
void html_bar(struct html *html, double value, double longest);
/* Like html_line_end(), but puts each line between these tags, without its leading spaces. */
void html_lines_end(struct html *html, const char *before, const char *after);

/* Enters a section; prints its heading the first time. */
void html_enter(struct html *html, unsigned section);
/* Begins a list, unless one with the same end tag is open. Any other list or section ends it. */
void html_list(struct html *html, const char *begin, const char *end);
void html_list_end(struct html *html);

/* Says how many fixes were not listed, if any. */
void html_fixes_end(struct html *html);
/* Draws the map of AGs. */
void html_draw_map(struct html *html);

#endif
