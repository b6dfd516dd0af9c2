/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of inodes that no directory named, and that were reconnected, for a table of the report. */
#ifndef XFSCK_REPAIR_REATTACHED_H
#define XFSCK_REPAIR_REATTACHED_H

#include <stddef.h>

#include "names/paths.h"

/* Evidence for the place of the inode. If there are several records of one inode, the greatest value wins. */
enum reattached_by {
	BY_NOBODY, /* none: it is in lost+found */
	BY_LOG,
	BY_PARENT_POINTER,
};

/* Properties of the inode by which people recognize it. */
struct reattached_what {
	uint8_t ftype; /* enum ftype */
	uint64_t size; /* bytes */
	uint32_t uid;
	int64_t mtime;	   /* last change of its contents, in seconds since 1970 */
	uint64_t children; /* of a directory: number of entries */
};

struct reattached {
	xino_t ino;
	enum reattached_by by;
	struct reattached_what what;
};

struct reattachments {
	struct reattached *all;
	size_t count, room;
};

/* Adds a copy. 0 or -ENOMEM. */
int reattached_add(struct reattachments *list, const struct reattached *one);
void reattached_free(struct reattachments *list);
/* Sorts the list by inode number, and drops duplicates. */
void reattached_settle(struct reattachments *list);

/* Returns why the inode is where it is now, in words. before: its path before the repair. */
const char *reattached_why(const struct reattached *reattached, const struct path *before);

#endif
