/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as a page to look at: one file, which needs nothing else.  It is written as the run goes, so that it is
 * there if the run fails; the verdict, which comes last, is shown first.
 */
#ifndef XFSCK_REPAIR_HTML_H
#define XFSCK_REPAIR_HTML_H

#include "outcome.h"

struct entries;
struct group_map;
struct html;
struct losses_told;
struct reattachments;

/* Create the file that --html names, as report_file_open().  *ret_html: NULL if none is wanted.  0 or negative errno.
 */
int html_open(const struct options *options, FILE *err, struct html **ret_html);
/* Write out what is buffered; errors show in html_close(). */
void html_flush(struct html *html);
/* 0, or the negative errno of the first that could not be written. */
int html_close(struct html *html);

/* Begin a map of the groups of this geometry. */
void html_geometry(struct html *html, const struct geometry *geo);
/* NULL: there is none. */
struct group_map *html_map(const struct html *html);

/* All of the following do nothing if html is NULL. */
void html_phase(struct html *html, const char *title, const struct phase_cost *cost);
void html_note(struct html *html, const char *sentence);
void html_trouble(struct html *html, const char *sentence);
void html_findings(struct html *html, const struct entries *entries, struct paths *paths);
void html_excess(struct html *html, enum finding finding, uint64_t count);
void html_fix(struct html *html, const struct fix *fix, const struct found *found, struct paths *paths);
void html_reattached(struct html *html, const struct reattachments *list, struct paths *before, struct paths *after);
void html_losses(struct html *html, const struct losses_told *told);
void html_left(struct html *html, const struct found *found, size_t count, struct paths *paths);
/* The end of the page: the map, what the run cost, and its outcome. */
void html_outcome(struct html *html, const struct outcome *outcome);

/* What is the same on every page. */

/* Up to the title, behind it, and behind the heading; then the end. */
extern const char html_page_begin[], html_page_head[], html_page_open[], html_page_end[];

#endif
