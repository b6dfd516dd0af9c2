/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unreadable ranges of files, by inode; a stopped run leaves them to the next one. */
#ifndef XFSCK_REPAIR_EXTRACT_LOST_RANGES_H
#define XFSCK_REPAIR_EXTRACT_LOST_RANGES_H

#include <stddef.h>

#include "units.h"

struct lost_ranges;
struct device;

struct lost_range {
	uint64_t offset, len; /* bytes of the file */
};

/* memory: bytes. NULL: out of memory. */
struct lost_ranges *lost_ranges_new(size_t memory);
void lost_ranges_free(struct lost_ranges *bad);
/* Reads ranges from a list, and appends later ones to it. It closes fd when all were added. */
void lost_ranges_list(struct lost_ranges *bad, int fd);
/* Adds a range that is known without reading, so it is not appended to the list. */
void lost_ranges_add(struct lost_ranges *bad, xino_t ino, uint64_t offset, uint64_t len);
/* Adds the unreadable parts of these bytes of a device, which are those of a file from `offset` on. 0 or -errno. */
int lost_ranges_note(struct lost_ranges *bad, const struct device *device, uint64_t address, uint64_t len, xino_t ino,
		     uint64_t offset);
/* Sorts the ranges when all were added. 0 or negative errno. */
int lost_ranges_settle(struct lost_ranges *bad);
/*
 * Gets the next range of an inode, with adjacent ones merged. Call it in ascending inode order, for each inode until
 * there are no more. 1, 0 or negative errno.
 */
int lost_ranges_next(struct lost_ranges *bad, xino_t ino, struct lost_range *ret);

#endif
