/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the parts of the page.  Whatever is not of the program itself goes through html_line(), which escapes it. */
#ifndef XFSCK_REPAIR_HTML_OUT_H
#define XFSCK_REPAIR_HTML_OUT_H

#include <stdio.h>

#include "group_map.h"
#include "html.h"
#include "sections.h"

/* Sections of the page beside those of the text. */
enum {
	HTML_NOTES = SECTION_NONE,
	HTML_MAP = SECTION_NR,
	HTML_TIMES,
	HTML_MEANING,
	/* answers to what the user asks */
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
	FILE *out;
	int error; /* the first, a negative errno */

	/* the text that is being written, before it is escaped */
	FILE *line;
	char *text;
	size_t size;

	unsigned section;
	bool in_section, begun[HTML_SECTIONS];
	const char *list; /* the end tag of the list that is open; NULL: none */

	uint64_t causes, fixes; /* that were printed */
	bool told[FINDING_NR];	/* ids */
	struct html_phase phases[HTML_PHASES];
	unsigned phase_count;
	struct group_map *map;
};

/* Write a piece of the page as it is: it must be of the program itself. */
void html_put(struct html *html, const char *piece);
/* Begin a text: what is written to the stream that is returned is escaped by html_line_end(), and comes into the page.
 */
FILE *html_line(struct html *html);
void html_line_end(struct html *html);
/* Write a text, escaped. */
void html_text(struct html *html, const char *text);
void html_number(struct html *html, uint64_t number);
/* Draw a bar that shows a part of what the longest one shows. */
void html_bar(struct html *html, double part, double longest);
/* The same as html_line_end(), with each line between these tags, and without the blanks that it begins with. */
void html_lines_end(struct html *html, const char *before, const char *after);

/* Go on in this section, with its heading if it is new. */
void html_enter(struct html *html, unsigned section);
/* Begin a list, unless one with the same end tag is open.  What is begun otherwise ends it. */
void html_list(struct html *html, const char *begin, const char *end);
void html_list_end(struct html *html);

/* How many more fixes there are than are listed, if any. */
void html_fixes_end(struct html *html);
/* The sections at the end. */
void html_draw_map(struct html *html);

#endif
