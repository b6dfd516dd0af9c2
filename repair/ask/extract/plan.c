/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts segments by device and address, then by inode for shared blocks. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "sets/spill.h"

struct plan {
	struct spill *spill;
};

struct kept_segment {
	uint64_t offset;
	uint32_t len, pad;
};

struct plan *plan_new(size_t memory)
{
	struct plan *plan = calloc(1, sizeof(*plan));

	if (plan)
		plan->spill = spill_new(1, memory);
	if (plan && plan->spill)
		return plan;
	free(plan);
	return NULL;
}

void plan_free(struct plan *plan)
{
	if (plan)
		spill_free(plan->spill);
	free(plan);
}

void plan_add(struct plan *plan, const struct segment *segment)
{
	const struct kept_segment kept = { segment->offset, segment->len, 0 };

	spill_add(plan->spill, 0,
		  &(struct spill_record){ .key = plan_place(segment),
					  .sub = segment->ino.v,
					  .len = sizeof(kept),
					  .bytes = (const uint8_t *)&kept });
}

int plan_settle(struct plan *plan)
{
	return spill_settle(plan->spill);
}

int plan_next(struct plan *plan, struct segment *ret_segment)
{
	struct spill_record r;
	struct kept_segment kept;
	const int ret = spill_next(plan->spill, &r);

	if (ret <= 0)
		return ret;
	memcpy(&kept, r.bytes, sizeof(kept));
	*ret_segment = (struct segment){ .rt = r.key >> 63,
					 .address = r.key & ~((uint64_t)1 << 63),
					 .offset = kept.offset,
					 .len = kept.len,
					 .ino = { r.sub } };
	return 1;
}
