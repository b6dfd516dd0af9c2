/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of files that could not be read, by inode; a stopped run leaves them to the next one. */
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
/* Keep those that are noted from now on in a list, too, and take over what is in it.  It is closed with the rest. */
void lost_ranges_list(struct lost_ranges *bad, int fd);
/* Add one that needs no reading to be known, so that it is in no list. */
void lost_ranges_add(struct lost_ranges *bad, xino_t ino, uint64_t offset, uint64_t len);
/* Add what could not be read of these bytes of a device, which are those of a file from `offset` on. 0 or -errno. */
int lost_ranges_note(struct lost_ranges *bad, const struct device *device, uint64_t address, uint64_t len, xino_t ino,
		     uint64_t offset);
/* When all have been added. 0 or negative errno. */
int lost_ranges_settle(struct lost_ranges *bad);
/*
 * The next range of an inode, those that touch as one; inodes must be asked for in ascending order, each until there
 * are no more. 1, 0 or negative errno.
 */
int lost_ranges_next(struct lost_ranges *bad, xino_t ino, struct lost_range *ret);

#endif
