/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as text. ferror(out) shows write errors. */
#ifndef XFSCK_REPAIR_REPORT_TEXT_H
#define XFSCK_REPAIR_REPORT_TEXT_H

#include <stdio.h>

#include "layout.h"
#include "outcome.h"
#include "reattached.h"

void report_text_geometry(FILE *out, const struct geometry *geo);
void report_text_phase(FILE *out, unsigned number, const char *title, const struct phase_cost *cost);
void report_text_note(struct layout *layout, const char *sentence);
/* Prints the command that undoes the repair, with the devices as given by the user. */
void report_text_rollback(FILE *out, const struct outcome *o);

/* For --lines: "agf.freeblks: AG 2 AGF, byte 52: 1234 free blocks, bnobt holds 1240"; detail: and severity, class */
void report_text_finding(FILE *out, const struct found *found, struct paths *paths, bool detail);
/* For --lines: "Fix: agf.longest.count: AG 2 AGF: ...", with "(likely)" or "(guess)" at the end if not certain */
void report_text_fix(FILE *out, const char *text, enum sure sure, const struct found *found, struct paths *paths);
/* For --lines: "Left: ..." for each finding */
void report_text_left(FILE *out, const struct found *found, size_t count, struct paths *paths);
/* Prints how many more there are than a list shows, after `start`. */
void report_text_more(FILE *out, const char *start, uint64_t count, bool json);
/* A table: inode, where it was, where it is now, why. */
void report_text_reattached(FILE *out, const struct reattachments *list, struct paths *before, struct paths *after);
/* left: remaining findings of damage; unproven: the repair is written nevertheless */
void report_text_mended(struct layout *layout, const struct fixes *fixes, uint64_t left, bool unproven);
void report_text_excess(FILE *out, enum finding finding, uint64_t count);
void report_text_log(struct layout *layout, const struct log_summary *summary, bool in_memory_only, bool verbose);
void report_text_crash(FILE *out, const struct crash_summary *summary);
void report_text_stats(FILE *out, const struct stat_line *lines, size_t count);
void report_text_summary(struct layout *layout, const struct outcome *outcome);
/* Prints the last line of a report about a device with unreadable parts. */
void report_text_disk(struct layout *layout, const struct outcome *outcome);
/* Prints the commands that mount the preview read-only on this machine; nothing if there is no preview. */
void report_text_preview(struct layout *layout, const struct outcome *o);

#endif
