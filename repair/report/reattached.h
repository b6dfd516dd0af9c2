/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes that no directory named and that have been given a name again: what the report's table lists. */
#ifndef XFSCK_REPAIR_REATTACHED_H
#define XFSCK_REPAIR_REATTACHED_H

#include <stddef.h>

#include "names/paths.h"

/* Who told where it belongs; the last one counts. */
enum reattached_by {
	BY_NOBODY, /* it is in lost+found */
	BY_LOG,
	BY_PARENT_POINTER,
};

struct reattached {
	xino_t ino;
	enum reattached_by by;
};

struct reattachments {
	struct reattached *all;
	size_t count, room;
};

/* 0 or -ENOMEM. */
int reattached_add(struct reattachments *list, xino_t ino, enum reattached_by by);
void reattached_free(struct reattachments *list);
/* By number, and each only once. */
void reattached_settle(struct reattachments *list);

/* Why it is where it is now. before: its path before that. */
const char *reattached_why(const struct reattached *reattached, const struct path *before);

#endif
