/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reconnected, as people read it: those from one directory together, with what helps to recognize them. */
#ifndef XFSCK_REPAIR_TEXT_REATTACHED_H
#define XFSCK_REPAIR_TEXT_REATTACHED_H

#include "layout.h"
#include "reattached.h"

/* Print the list, of those from one directory at most `limit`. before, after: paths before the repair, and after it. */
void text_reattached(struct layout *layout, const struct reattachments *list, struct paths *before, struct paths *after,
		     unsigned limit);

#endif
