/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that a traversal of everything brings: each thread puts them into a lane of its own, then they are joined. */
#ifndef XFSCK_REPAIR_MEND_LANES_H
#define XFSCK_REPAIR_MEND_LANES_H

#include "mend.h"

struct mend_lanes {
	struct mend_lane {
		void *records;
		size_t count, room;
		int error; /* it takes no more, and there is no joining */
	} * v;
	unsigned count;
	size_t size; /* bytes of a record */
};

/* Lanes for what this check's traversals bring. 0 or -ENOMEM. Free them either way; what records point to is the
 * caller's. */
int mend_lanes_new(struct mend_lanes *lanes, const struct repair *rc, size_t size);
void mend_lanes_free(struct mend_lanes *lanes);
/* One more record, which is copied. 0, or why the lane takes no more. */
int mend_lanes_add(struct mend_lanes *lanes, unsigned at, const void *record);
/*
 * All records as one array, for the caller to free; the lanes are empty then.  array: address of the pointer to the
 * first.  0, or the error of a lane or -ENOMEM, and all is as it was.
 */
int mend_lanes_join(struct mend_lanes *lanes, void *array, size_t *ret_count);

#endif
