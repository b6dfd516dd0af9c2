/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks within a run: of the overlay after a round of mending, or with another geometry. */
#ifndef XFSCK_REPAIR_CHECK_AGAIN_H
#define XFSCK_REPAIR_CHECK_AGAIN_H

#include <stdbool.h>

struct locate_before;
struct mend_survey;
struct repair;
struct sink;
struct totals;

/* Returns a check within the run of another, sharing what does not change; NULL: out of memory. */
struct repair *check_within(const struct repair *rc);
void check_again_free(struct repair *again);
/*
 * Runs the phases up to the sums of the accounts, which show what is in doubt, but not yet what is wrong.  beside: a
 * second sink for all facts; NULL: none.
 */
enum phase_result check_sums(struct repair *check, struct sink *beside);
/* Returns what the file system holds by the check. */
struct totals check_totals(const struct repair *check);
/* Frees everything that phases found out about the file system; devices and report stay open. */
void check_forget(struct repair *rc);

/*
 * Checks the overlay silently, as a run of its own with the devices of rc; free it with check_again_free().
 * check_again_exactly() must locate what accounts leave in doubt, for all parts, unless *ret_whole or the findings so
 * far suffice.  before: what was in doubt in the check before, as far as this one will go, too; taken over if the check
 * begins.  *ret_survey: for the caller to free; NULL if there was no memory for it.  parts: LOCATE_*.  0 or negative
 * errno; problems have been reported.
 */
int check_again(struct repair *rc, struct locate_before *before, struct repair **ret_again, bool *ret_whole,
		struct mend_survey **ret_survey);
int check_again_exactly(struct repair *again, unsigned accounts);

#endif
