/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of --trace: what rounds of mending do, for whoever works on xfsck or sends in a report about it. */
#ifndef XFSCK_REPAIR_TRACE_H
#define XFSCK_REPAIR_TRACE_H

#include <stdint.h>

#include "options.h"

struct trace; /* NULL: no trace is wanted; then all functions but trace_open() do nothing */

/*
 * Begin the trace that options want, on err or in a file.  *ret_trace: the caller's, or NULL.  0, or a negative errno,
 * with the reason printed to err.
 */
int trace_open(const struct options *options, FILE *err, struct trace **ret_trace);
/* Whether all of it could be written: 0, or a negative errno, with the reason printed to err. */
int trace_close(struct trace *trace);

/* Now, in nanoseconds, for trace_end(). 0: no trace is wanted. */
uint64_t trace_now(const struct trace *trace);
/* Write a part of a line. */
void trace_say(struct trace *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End a line with the time since then, unless that is 0. */
void trace_end(struct trace *trace, uint64_t since);

#endif
