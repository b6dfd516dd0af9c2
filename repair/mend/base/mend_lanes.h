/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the records of a traversal: each thread adds to its own lane; at the end, the lanes are joined. */
#ifndef XFSCK_REPAIR_MEND_LANES_H
#define XFSCK_REPAIR_MEND_LANES_H

#include <stddef.h>

struct repair;

struct mend_lanes {
	struct mend_lane {
		void *records;
		size_t count, room;
		int error; /* why the lane is closed; mend_lanes_join() returns it */
	} * v;
	unsigned count;
	size_t size; /* of a record, in bytes */
};

/*
 * Creates a lane for each worker of rc, for records of `size` bytes.  The caller owns whatever the records point to.  0
 * or -ENOMEM; free the lanes in any case.
 */
int mend_lanes_new(struct mend_lanes *lanes, const struct repair *rc, size_t size);
void mend_lanes_free(struct mend_lanes *lanes);
/* Copies a record to the lane of a worker. Returns 0 or the lane's error. */
int mend_lanes_add(struct mend_lanes *lanes, unsigned worker, const void *record);
/*
 * Joins all records in one array, which the caller frees, and empties the lanes.  array: address of the pointer to set.
 * Returns 0, the error of a lane, or -ENOMEM; after an error nothing has changed.
 */
int mend_lanes_join(struct mend_lanes *lanes, void *array, size_t *ret_count);

#endif
