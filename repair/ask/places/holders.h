/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Properties of inodes that own requested blocks: type, size, paths. */
#ifndef XFSCK_REPAIR_HOLDERS_H
#define XFSCK_REPAIR_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sets/number_set.h"

struct dinode;
struct geometry;
struct paths;
struct repair;

struct holder {
	xino_t ino;
	uint64_t size;	 /* bytes */
	uint8_t ftype;	 /* enum ftype */
	bool metadata;	 /* internal to the file system */
	bool keeps_more; /* extents beyond the end are intentional: see map_shown_end() */
	bool realtime;	 /* its data is in the realtime section */
	bool reflink;
};

/* Start with { 0 }. */
struct holders {
	struct holder *v; /* by inode */
	size_t count;
	struct paths *paths; /* NULL: not looked for */
};

/* Returns the properties of an inode. */
struct holder holder_of(const struct geometry *geo, const struct dinode *inode);

/*
 * Reads the properties of these inodes, whose numbers must be valid, from the devices, unless they are known. 0 or
 * negative errno; call holders_free() in either case.
 */
int holders_look(struct repair *rc, const struct ino_set *inos, struct holders *holders);
/* Adds known properties. 0 or -ENOMEM. */
int holders_add(struct holders *holders, const struct holder *more, size_t count);
void holders_free(struct holders *holders);
/* Returns the properties of an inode; NULL: not in use, or not requested. */
const struct holder *holders_of(const struct holders *holders, uint64_t ino);

#endif
