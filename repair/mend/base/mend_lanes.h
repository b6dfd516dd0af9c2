/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects records in a traversal: each thread puts them into a lane of its own, and in the end they are joined. */
#ifndef XFSCK_REPAIR_MEND_LANES_H
#define XFSCK_REPAIR_MEND_LANES_H

#include <stddef.h>

struct repair;

struct mend_lanes {
	struct mend_lane {
		void *records;
		size_t count, room;
		int error; /* why the lane takes no more; mend_lanes_join() returns it */
	} * v;
	unsigned count;
	size_t size; /* bytes of a record */
};

/*
 * A lane for each worker of rc, for records of `size` bytes.  0 or -ENOMEM; free them in any case.  What records point
 * to belongs to the caller.
 */
int mend_lanes_new(struct mend_lanes *lanes, const struct repair *rc, size_t size);
void mend_lanes_free(struct mend_lanes *lanes);
/* Copy a record into lane `at`. 0, or the lane's error. */
int mend_lanes_add(struct mend_lanes *lanes, unsigned at, const void *record);
/*
 * Join all records in one array, which the caller frees; the lanes are empty then.  array: address of the pointer to
 * it.  0, or the error of a lane, or -ENOMEM; after an error nothing has changed.
 */
int mend_lanes_join(struct mend_lanes *lanes, void *array, size_t *ret_count);

#endif
