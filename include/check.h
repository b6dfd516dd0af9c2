/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a decoder says what is wrong.  Decoders are pure: they know neither
 * where a block lies in the tree of things nor what becomes of a finding.
 * They report a finding id, the offset in the bytes they were given, and
 * what they found and expected; the caller knows the place.
 */
#ifndef XFSCK_CHECK_H
#define XFSCK_CHECK_H

#include <stddef.h>

#include "findings.h"
#include "geometry.h"

#define NO_INDEX UINT32_MAX

struct problem {
	enum finding finding;
	uint32_t offset; /* bytes from the start of what was decoded */
	uint32_t index;	 /* record, entry or slot, or NO_INDEX */
	uint64_t got;
	uint64_t want;
};

struct check {
	const struct geometry *geo;
	void (*report)(void *ctx, const struct problem *problem);
	void *ctx;
};

static inline void problem_ignored(void *ctx, const struct problem *problem)
{
	(void)ctx;
	(void)problem;
}

/* A check that says nothing: for bytes that are only tried, or that another reader reports on. */
static inline struct check check_silent(const struct geometry *geo)
{
	return (struct check){ geo, problem_ignored, NULL };
}

static inline void problem_counted(void *ctx, const struct problem *problem)
{
	(void)problem;
	++*(unsigned *)ctx;
}

/* One that says how many problems there are: *count, which starts as the caller likes. */
static inline struct check check_counting(const struct geometry *geo, unsigned *count)
{
	return (struct check){ geo, problem_counted, count };
}

/* What problem_at() does. Nearly nothing is ever wrong: compilers keep what leads here out of the way. */
__attribute__((cold)) void check_report(const struct check *c, enum finding finding, uint32_t offset, uint32_t index,
					uint64_t got, uint64_t want);

/* Report one problem.  Always false, so that a decoder can `return problem(...)`. */
static inline bool problem_at(const struct check *c, enum finding finding, uint32_t offset, uint32_t index,
			      uint64_t got, uint64_t want)
{
	check_report(c, finding, offset, index, got, want);
	return false;
}

static inline bool problem(const struct check *c, enum finding finding, uint32_t offset, uint64_t got, uint64_t want)
{
	return problem_at(c, finding, offset, NO_INDEX, got, want);
}

/* True if got is what it should be, else it is reported. */
static inline bool check_eq(const struct check *c, enum finding finding, uint32_t offset, uint64_t got, uint64_t want)
{
	return got == want || problem(c, finding, offset, got, want);
}

#endif
