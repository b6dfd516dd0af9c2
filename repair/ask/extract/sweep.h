/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads all segments of a plan in one sweep over the devices, into staged files. */
#ifndef XFSCK_REPAIR_EXTRACT_SWEEP_H
#define XFSCK_REPAIR_EXTRACT_SWEEP_H

#include "bad_ranges.h"
#include "plan.h"
#include "stage.h"

struct sweep_out {
	const struct repair *rc;
	struct stage *stage;
	struct bad_ranges *bad;
	struct stage_notes notes;
	uint64_t *bytes_read; /* for progress */
};

/* 0 or the negative errno of a read or write. */
int sweep_to_files(const struct sweep_out *out, struct plan *plan);

#endif
