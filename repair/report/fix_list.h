/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fixes put together for people: those that say the same are one item, with a few of their places. */
#ifndef XFSCK_REPAIR_FIX_LIST_H
#define XFSCK_REPAIR_FIX_LIST_H

#include "finding.h"
#include "layout.h"

struct fix;
struct fix_list;
struct paths;

/* places: of each item that are kept. NULL: out of memory. */
struct fix_list *fix_list_new(unsigned places);
void fix_list_free(struct fix_list *list);

/* Add a fix; all of it is copied. False: no memory, it is not in the list. */
bool fix_list_add(struct fix_list *list, const struct fix *fix, const struct found *found);
bool fix_list_empty(const struct fix_list *list);
/* Print all of them: those that put a cause right, then those that only follow. */
void fix_list_print(const struct fix_list *list, struct layout *layout, struct paths *paths);

#endif
