/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a problem leaves a decoder. */
#include "check.h"

void check_report(const struct check *c, enum finding finding, uint32_t offset, uint32_t index, uint64_t got,
		  uint64_t want)
{
	const struct problem p = { finding, offset, index, got, want };

	c->report(c->ctx, &p);
}
