/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --trace tells of mending.  All of these do nothing if no trace is wanted. */
#ifndef XFSCK_REPAIR_MEND_TRACE_H
#define XFSCK_REPAIR_MEND_TRACE_H

#include "report/trace.h"

struct damage;
struct mend;

/* What there was before a mender ran. */
struct mend_trace {
	uint64_t start, done, dropped, in_vain;
};
struct mend_trace mend_trace_begin(const struct mend *m);
/* A line for the mender at work, which was given so many findings; ret: what it returned. */
void mend_trace_mender(const struct mend *m, size_t given, const struct mend_trace *before, int ret);
/* A line for the mender m->kind that is not asked, since it was given the same findings before. */
void mend_trace_same(const struct mend *m, const struct damage *damage);

/* A line for a check: how deep it went by now, and what it has found so far, by the menders that it waits for. */
void mend_trace_check(const struct mend *m, const struct damage *damage, const char *depth, uint64_t start);

#endif
