/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reconnected files for people: grouped by directory, with what helps to recognize them. */
#ifndef XFSCK_REPAIR_TEXT_REATTACHED_H
#define XFSCK_REPAIR_TEXT_REATTACHED_H

#include "layout.h"
#include "reattached.h"

/* Prints the list, at most `limit` of each group. before, after: paths before and after the repair. */
void text_reattached(struct layout *layout, const struct reattachments *list, struct paths *before, struct paths *after,
		     unsigned limit);

#endif
