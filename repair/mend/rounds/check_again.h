/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks within a run: of what the overlay shows after a round of mending, or of what somebody believes. */
#ifndef XFSCK_REPAIR_CHECK_AGAIN_H
#define XFSCK_REPAIR_CHECK_AGAIN_H

#include <stdbool.h>

struct doubts;
struct mend_survey;
struct repair;
struct sink;
struct totals;

/* A check within the run of another, which knows what does not change; NULL: out of memory */
struct repair *check_within(const struct repair *rc);
void check_again_free(struct repair *again);
/*
 * Run the phases up to the sums of the accounts, which tell what is in doubt, but not yet what is wrong.
 * beside: a second receiver of all facts; NULL: none.
 */
enum phase_result check_sums(struct repair *check, struct sink *beside);
/* What the file system holds by the check. */
struct totals check_totals(const struct repair *check);
/* Free all that phases learnt of the file system; devices and report stay open */
void check_forget(struct repair *rc);

/*
 * Check what the overlay shows, silently: a run of its own with the devices of rc. Free it with check_again_free().
 * What accounts leave in doubt is for check_again_exactly(), which must follow, for all parts, unless *ret_whole, or
 * unless what has been found is wrong enough.  before: who was in doubt in the check before, if this one will go as
 * far, else NULL; it is the check's.  *ret_survey comes with it, if there is memory for it, else NULL: for the
 * caller to free.  parts: LOCATE_*.  0 or negative errno; trouble has been said.
 */
int check_again(struct repair *rc, struct doubts *before, struct repair **ret_again, bool *ret_whole,
		struct mend_survey **ret_survey);
int check_again_exactly(struct repair *again, unsigned parts);

#endif
