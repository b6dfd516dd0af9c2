/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of inodes that no directory named, and that have been given a name again, for a table of the report. */
#ifndef XFSCK_REPAIR_REATTACHED_H
#define XFSCK_REPAIR_REATTACHED_H

#include <stddef.h>

#include "names/paths.h"

/* The evidence of where the inode belongs; of several for one inode, the last in this order counts. */
enum reattached_by {
	BY_NOBODY, /* nothing: it is in lost+found */
	BY_LOG,
	BY_PARENT_POINTER,
};

/* What the inode is, so that people can recognize it. */
struct reattached_what {
	uint8_t ftype; /* enum ftype */
	uint64_t size; /* bytes */
	uint32_t uid;
	int64_t mtime;	   /* seconds since 1970: last change of its contents */
	uint64_t children; /* of a directory: names in it */
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

/* 0 or -ENOMEM. */
int reattached_add(struct reattachments *list, const struct reattached *one);
void reattached_free(struct reattachments *list);
/* Sort the list by inode number, and drop duplicates. */
void reattached_settle(struct reattachments *list);

/* Why the inode is where it is now, for the user. before: its path before the repair. */
const char *reattached_why(const struct reattached *reattached, const struct path *before);

#endif
