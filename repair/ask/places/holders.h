/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the answer says about inodes that own blocks the user asks for: type, size, paths. */
#ifndef XFSCK_REPAIR_HOLDERS_H
#define XFSCK_REPAIR_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sets/number_set.h"

struct dinode;
struct geometry;
struct names_noted;
struct paths;
struct repair;

struct holder {
	xino_t ino;
	uint64_t size;	 /* bytes */
	uint8_t ftype;	 /* enum ftype */
	bool metadata;	 /* it is a file of the file system's own */
	bool keeps_more; /* extents behind the end are meant to be there: see map_shown_end() */
	bool realtime;	 /* its data lies in the realtime section */
	bool reflink;
};

/* Start with { 0 }. */
struct holders {
	struct holder *v; /* by inode */
	size_t count;
	struct paths *paths;
};

/* What the answer says about this inode. */
struct holder holder_of(const struct geometry *geo, const struct dinode *inode);

/*
 * Look at these inodes, whose numbers must be valid, in what the devices show now, unless they are there already.  0 or
 * negative errno; free them in either case.
 */
int holders_look(struct repair *rc, const struct ino_set *inos, struct holders *holders);
/* Add some that are known. 0 or -ENOMEM. */
int holders_add(struct holders *holders, const struct holder *more, size_t count);
/* Find the paths of these inodes. 0 or negative errno. */
int holders_name(struct repair *rc, const struct ino_set *inos, const struct names_noted *noted,
		 struct holders *holders);
void holders_free(struct holders *holders);
/* NULL: that inode is not in use, or was not asked for. */
const struct holder *holders_of(const struct holders *holders, uint64_t ino);

#endif
