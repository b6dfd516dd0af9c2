/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fixes put together for people: those that say the same are one item, with a few of their places. */
#ifndef XFSCK_REPAIR_FIX_LIST_H
#define XFSCK_REPAIR_FIX_LIST_H

#include "finding.h"
#include "layout.h"

struct fix;
struct fix_list;
struct ino_set;
struct paths;

/* places: of each item that are kept. NULL: out of memory. */
struct fix_list *fix_list_new(unsigned places);
void fix_list_free(struct fix_list *list);

/* Add a fix; all of it is copied. False: no memory, it is not in the list. */
bool fix_list_add(struct fix_list *list, const struct fix *fix, const struct found *found);
bool fix_list_empty(const struct fix_list *list);
/* Add the inodes of the places that are listed, if their paths were not looked for. 0 or -ENOMEM. */
int fix_list_inodes(const struct fix_list *list, struct paths *paths, struct ino_set *inos);
/*
 * Print all of them: those that put a cause right, then those that only follow.  later: paths of inodes that are not
 * among those of `paths`, or NULL.
 */
void fix_list_print(const struct fix_list *list, struct layout *layout, struct paths *paths, struct paths *later);

#endif
