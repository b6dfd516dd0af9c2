/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings for people, causes first, each with its possible consequences below it; and reconnected files. */
#ifndef XFSCK_REPAIR_TEXT_FINDINGS_H
#define XFSCK_REPAIR_TEXT_FINDINGS_H

#include "entries.h"
#include "layout.h"
#include "names/paths.h"
#include "reattached.h"

/* Prints entries with at most `limit` places each. *number: the last cause's number; counts on from there. */
void text_findings(struct layout *layout, const struct entries *entries, struct paths *paths, unsigned limit,
		   unsigned *number);
/* Prints "Problems by id: dir.entry.ino 12, inode.orphan 3.", unless there are none. */
void text_findings_totals(struct layout *layout, const struct finding_counts *counts);

/* Prints reconnected files by directory, at most `limit` of each group. before, after: paths before and after the
 * repair. */
void text_reattached(struct layout *layout, const struct reattachments *list, struct paths *before, struct paths *after,
		     unsigned limit);

#endif
