/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unreadable ranges of files, by inode; a stopped run leaves them to the next one. */
#ifndef XFSCK_REPAIR_EXTRACT_BAD_RANGES_H
#define XFSCK_REPAIR_EXTRACT_BAD_RANGES_H

#include <stddef.h>

#include "units.h"

struct bad_ranges;
struct device;

struct bad_range {
	uint64_t offset, len; /* bytes of the file */
};

/* memory: bytes. NULL: out of memory. */
struct bad_ranges *bad_ranges_new(size_t memory);
void bad_ranges_free(struct bad_ranges *bad);
/* Reads ranges from a list, and appends later ones to it. It closes fd when all were added. */
void bad_ranges_list(struct bad_ranges *bad, int fd);
/* Adds a range that is known without reading, so it is not appended to the list. */
void bad_ranges_add(struct bad_ranges *bad, xino_t ino, uint64_t offset, uint64_t len);
/* Adds the unreadable parts of these bytes of a device, which are those of a file from `offset` on. 0 or -errno. */
int bad_ranges_note(struct bad_ranges *bad, const struct device *device, uint64_t address, uint64_t len, xino_t ino,
		    uint64_t offset);
/* Sorts the ranges when all were added. 0 or negative errno. */
int bad_ranges_settle(struct bad_ranges *bad);
/*
 * Gets the next range of an inode, with adjacent ones merged. Call it in ascending inode order, for each inode until
 * there are no more. 1, 0 or negative errno.
 */
int bad_ranges_next(struct bad_ranges *bad, xino_t ino, struct bad_range *ret);

#endif
