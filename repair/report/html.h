/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as a single self-contained web page. It is written during the run, so that it exists even if the run
 * fails; the verdict is written last, and shown first.
 */
#ifndef XFSCK_REPAIR_HTML_H
#define XFSCK_REPAIR_HTML_H

#include "outcome.h"

struct entries;
struct group_map;
struct html;
struct reported_losses;
struct reattachments;

/* Creates the file of --html, like report_file_open(). Without --html, leaves *ret_html alone. 0 or negative errno. */
int html_open(const struct options *options, FILE *err, struct html **ret_html);
/* Flushes the page; html_close() returns errors. */
void html_flush(struct html *html);
/* Ends the page, and frees html. 0, or the negative errno of the first write that failed. */
int html_close(struct html *html);

/* Creates the map of AGs for this geometry. */
void html_geometry(struct html *html, const struct geometry *geo);
/* Returns the map of AGs, owned by html, or NULL. */
struct group_map *html_map(const struct html *html);

/* All of the following do nothing if html is NULL. */
void html_phase(struct html *html, const char *title, const struct phase_cost *cost);
void html_note(struct html *html, const char *sentence);
void html_trouble(struct html *html, const char *sentence);
void html_findings(struct html *html, const struct entries *entries, struct paths *paths);
void html_excess(struct html *html, enum finding finding, uint64_t count);
void html_fix(struct html *html, const struct fix *fix, const struct found *found, struct paths *paths);
void html_reattached(struct html *html, const struct reattachments *list, struct paths *before, struct paths *after);
/* From here on, sections about losses say what would happen. */
void html_planned(struct html *html);
void html_losses(struct html *html, const struct reported_losses *reported);
void html_left(struct html *html, const struct found *found, size_t count, struct paths *paths);
/* Ends the page: map, times, and outcome. */
void html_outcome(struct html *html, const struct outcome *outcome);

/* Constant parts of the page. */

/* Up to the title; from its end to the heading; from the end of the heading; end of the page. */
extern const char html_page_begin[], html_page_head[], html_page_open[], html_page_end[];

#endif
