/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups fixes for people: fixes with the same text are one item, with its first places. */
#ifndef XFSCK_REPAIR_FIX_LIST_H
#define XFSCK_REPAIR_FIX_LIST_H

#include "finding.h"
#include "layout.h"

struct fix;
struct fix_list;
struct ino_set;
struct paths;

/* places: the most that an item lists. NULL: out of memory. */
struct fix_list *fix_list_new(unsigned places);
void fix_list_free(struct fix_list *list);

/* Adds a copy of a fix. False: out of memory, and it is not in the list. */
bool fix_list_add(struct fix_list *list, const struct fix *fix, const struct found *found);
bool fix_list_empty(const struct fix_list *list);
/* Adds inodes of listed places whose paths were not looked up to `inos`. 0 or -ENOMEM. */
int fix_list_inodes(const struct fix_list *list, struct paths *paths, struct ino_set *inos);
/* Prints all items: first those for causes, then the consequential ones. later: paths missing in `paths`, or NULL. */
void fix_list_print(const struct fix_list *list, struct layout *layout, struct paths *paths, struct paths *later);

#endif
