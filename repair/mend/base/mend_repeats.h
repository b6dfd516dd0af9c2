/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that came back although a mender said that it had settled them: what it did was undone by another one, or
 * led nowhere.  After a few times the mender is not given such a finding any more, so that others get their turn.
 */
#ifndef XFSCK_REPAIR_MEND_REPEATS_H
#define XFSCK_REPAIR_MEND_REPEATS_H

#include "sets/number_set.h"

#define REPEATS_MAX 3u /* so often a mender may settle the same finding */

struct found;
struct mend;

/* Hashes of findings with their menders: sets[i] has those that were settled more than i times. */
struct mend_repeats {
	struct number_set sets[REPEATS_MAX];
};

/* A hash of a finding, never 0. It is to tell findings apart, and not safe against an attacker. */
uint64_t found_fingerprint(const struct found *found);
/* Note that the mender at work has settled a finding. If there is no memory for it, it is not noted. */
void mend_repeats_note(struct mend *m, const struct found *found);
/* Whether the mender at work has settled it as often as it may. */
bool mend_repeats_is_stuck(const struct mend *m, const struct found *found);
void mend_repeats_free(struct mend_repeats *repeats);

#endif
