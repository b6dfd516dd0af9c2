/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A struct check for unit tests that remembers what was reported through it. */
#ifndef XFSCK_TESTS_REPORTED_H
#define XFSCK_TESTS_REPORTED_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check.h"

struct reported {
	unsigned count;		     /* of all problems */
	struct problem problems[64]; /* the first 64 */
};

static inline void reported_add(void *ctx, const struct problem *problem)
{
	struct reported *r = ctx;

	if (r->count < 64)
		r->problems[r->count] = *problem;
	r->count++;
}

/* Returns how often a finding is among the first 64 problems. */
static inline unsigned reported_times(const struct reported *r, enum finding finding)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->count && i < 64; i++)
		n += r->problems[i].finding == finding;
	return n;
}

/* Fails unless exactly one problem was reported: this finding, with these values found and expected. */
static inline void assert_reported_once(const struct reported *r, enum finding finding, uint64_t got, uint64_t want)
{
	assert_int_equal(r->count, 1);
	assert_int_equal(r->problems[0].finding, finding);
	assert_true(r->problems[0].got == got);
	assert_true(r->problems[0].want == want);
}

#endif
