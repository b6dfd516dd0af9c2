/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a decoder reports what is wrong.  Decoders are pure: they report a finding, the offset in the bytes that were
 * passed, and the values found and expected.  They don't know which object the bytes belong to: the caller adds the
 * place.
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

/* The arguments of all decoders: the geometry to check against, and a callback for problems. */
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

/* A check that reports nothing: for bytes that may not be such a block, or whose problems are reported elsewhere. */
static inline struct check check_silent(const struct geometry *geo)
{
	return (struct check){ geo, problem_ignored, NULL };
}

static inline void problem_counted(void *ctx, const struct problem *problem)
{
	(void)problem;
	++*(unsigned *)ctx;
}

/* A check that only counts problems: each adds 1 to *count, which the caller initializes. */
static inline struct check check_counting(const struct geometry *geo, unsigned *count)
{
	return (struct check){ geo, problem_counted, count };
}

/* Reports a problem, as problem_at() does.  `cold`: problems are rare, so compilers move the calls off the hot path. */
__attribute__((cold)) void check_report(const struct check *c, enum finding finding, uint32_t offset, uint32_t index,
					uint64_t got, uint64_t want);

/* Reports one problem.  Always returns false, so that a decoder can `return problem(...)`. */
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

/* True if got equals want; else reports the problem. */
static inline bool check_eq(const struct check *c, enum finding finding, uint32_t offset, uint64_t got, uint64_t want)
{
	return got == want || problem(c, finding, offset, got, want);
}

#endif
