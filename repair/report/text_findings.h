/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings as people read them: causes first, and below each what may follow from it. */
#ifndef XFSCK_REPAIR_TEXT_FINDINGS_H
#define XFSCK_REPAIR_TEXT_FINDINGS_H

#include "entries.h"
#include "layout.h"
#include "names/paths.h"

/* Print entries, of each at most `limit` places. *number: of the last cause that was printed before; it counts on. */
void text_findings(struct layout *layout, const struct entries *entries, struct paths *paths, unsigned limit,
		   unsigned *number);
/* "Problems by id: dir.entry.ino 12, inode.orphan 3.", unless there are none. */
void text_findings_totals(struct layout *layout, const struct finding_counts *counts);

#endif
