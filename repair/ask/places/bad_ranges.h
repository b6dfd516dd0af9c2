/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bad ranges of a device on the line (line.h). */
#ifndef XFSCK_REPAIR_BAD_RANGES_H
#define XFSCK_REPAIR_BAD_RANGES_H

#include "bad_file.h"
#include "line.h"

struct bad_range {
	uint64_t start, end; /* bytes of the line */
	bool untried;
};

/* Start with { 0 }. */
struct bad_ranges {
	struct bad_range *v; /* ascending; none overlaps another */
	size_t count, room;
	uint64_t bytes[BAD_STATES];  /* of all ranges, by enum bad_state, ... */
	uint64_t log[BAD_STATES];    /* ... of a log that has the device for itself, ... */
	uint64_t behind[BAD_STATES]; /* ... and behind the end of the file system, or of its groups */
	bool no_device;		     /* the file system has no such device */
};

/* Find the places of all ranges. 0 or -ENOMEM; free them in either case. */
int bad_ranges_place(struct bad_ranges *ranges, const struct geometry *geo, enum device_role device,
		     const struct bad_file *file);
void bad_ranges_free(struct bad_ranges *ranges);
/* The first that ends behind this byte of the line; count: none. */
size_t bad_ranges_from(const struct bad_ranges *ranges, uint64_t start);

#endif
