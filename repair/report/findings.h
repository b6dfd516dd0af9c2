/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking the collected findings out again, in order; the rest of the contract is in report.h. */
#ifndef XFSCK_REPAIR_FINDINGS_H
#define XFSCK_REPAIR_FINDINGS_H

#include "finding.h"
#include "report.h"

#define FINDINGS_SHOWN 10000 /* to the user, of one kind; those that come first in the order of found_compare() */

/* So many of one kind, for who mends, rather than FINDINGS_SHOWN, which is less. Before any are added. */
void findings_keep(struct findings *findings, uint32_t count);

/* No thread adds any more: put all in order, drop duplicates and what is too much of one kind. */
void findings_settle(struct findings *findings);

/* What they take, but for names. */
uint64_t findings_bytes(const struct findings *findings);

/* After findings_settle(): the next in order, valid until more are added; NULL at the end. */
const struct found *findings_next(struct findings *findings);

/* The same of those that the user is shown. */
const struct found *findings_next_shown(struct findings *findings);

/* The next one is the first again. */
void findings_rewind(struct findings *findings);

/* After findings_settle(): how often a kind was reported beyond those shown, and the user has not been told. */
uint64_t findings_excess(const struct findings *findings, enum finding finding);

/* After findings_settle(): whether there were more of any kind than are kept. */
bool findings_cut(const struct findings *findings);

/* After findings_settle(): whether any is only counted, because there was no memory for it. */
bool findings_starved(const struct findings *findings);

/* After findings_settle(): the user has been told of all that is there. */
void findings_told(struct findings *findings);

#endif
