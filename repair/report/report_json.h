/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as JSON lines. */
#ifndef XFSCK_REPAIR_REPORT_JSON_H
#define XFSCK_REPAIR_REPORT_JSON_H

#include <stdio.h>
#include <time.h>

#include "names/paths.h"
#include "outcome.h"
#include "reattached.h"

struct entries;
struct report_json;

/*
 * json_out.c: opens options->json, as report_file_open() does; "-" means `out`, which the caller closes. 0, or a
 * negative errno after a message on err.
 */
int report_json_open(const struct options *options, FILE *out, FILE *err, struct report_json **ret_json);

/* json_out.c: flushes the output; report_json_close() returns errors */
void report_json_flush(struct report_json *json);
/* json_out.c: frees json; 0, or the negative errno of the first line that failed, after which none is written */
int report_json_close(struct report_json *json);

/* Each of these writes one line, or nothing if json is NULL. */
void report_json_run(struct report_json *json, const char *device, int argc, char **argv, time_t start);
void report_json_device(struct report_json *json, enum device_role role, const char *path, uint64_t offset,
			uint64_t bytes);
void report_json_geometry(struct report_json *json, const struct geometry *geo);
void report_json_phase(struct report_json *json, unsigned number, const char *title, const struct phase_cost *cost);
void report_json_sentence(struct report_json *json, const char *type, const char *sentence); /* note, trouble */
void report_json_findings(struct report_json *json, const struct entries *entries, struct paths *paths);
/* Writes a finding that could not be repaired. */
void report_json_left(struct report_json *json, const struct found *found, struct paths *paths);
void report_json_excess(struct report_json *json, enum finding finding, uint64_t count);
void report_json_fix(struct report_json *json, const struct fix *fix, const struct found *found, struct paths *paths);
/* Writes a line for each inode of the list. */
void report_json_reattached(struct report_json *json, const struct reattachments *list, struct paths *before,
			    struct paths *after);
/* left: remaining findings of damage */
void report_json_mended(struct report_json *json, const struct fixes *fixes, uint64_t left);
void report_json_log(struct report_json *json, const struct log_summary *summary);
void report_json_crash(struct report_json *json, const struct crash_summary *summary);
void report_json_stats(struct report_json *json, const struct stat_line *lines, size_t count);
/* Writes the last line of a check or a repair ... */
void report_json_summary(struct report_json *json, const struct outcome *outcome);
/* ... or of a rollback. */
void report_json_rollback(struct report_json *json, const struct outcome *outcome);

#endif
