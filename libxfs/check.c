/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes a problem from a decoder to its caller. */
#include "check.h"

void check_report(const struct check *c, enum finding finding, uint32_t offset, uint32_t index, uint64_t got,
		  uint64_t want)
{
	const struct problem p = { finding, offset, index, got, want };

	c->report(c->ctx, &p);
}
