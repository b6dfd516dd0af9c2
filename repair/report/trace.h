/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --trace: what rounds of repair do, for developers and for bug reports. */
#ifndef XFSCK_REPAIR_TRACE_H
#define XFSCK_REPAIR_TRACE_H

#include <stdint.h>

#include "options.h"

struct trace; /* NULL: no trace is wanted, and all functions but trace_open() do nothing */

/*
 * Opens the trace that options ask for, on err or in a file. *ret_trace is the caller's, or NULL. 0, or a negative
 * errno with the reason printed to err.
 */
int trace_open(const struct options *options, FILE *err, struct trace **ret_trace);
/* Closes and frees the trace. 0, or the negative errno of the first failed write, with the reason printed to err. */
int trace_close(struct trace *trace);

/* Returns the time in nanoseconds, for trace_end(). 0: no trace is wanted. */
uint64_t trace_now(const struct trace *trace);
/* Writes part of a line. */
void trace_say(struct trace *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends a line, with the time passed since `since`, unless that is 0. */
void trace_end(struct trace *trace, uint64_t since);

#endif
