/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running menders, within a round and at its end. */
#ifndef XFSCK_REPAIR_MEND_RUN_H
#define XFSCK_REPAIR_MEND_RUN_H

#include <stddef.h>

struct found;
struct mend;

/* Sort these findings, at least one, and have the mender of m->kind mend them. 0 or a negative errno. */
int mend_run(struct mend *m, struct found *found, size_t count);

/* Mend all that was added by mend_follows(). 0 or a negative errno. */
int mend_follows_run(struct mend *m);
/* Free what was kept for a round, and at the end of all rounds the rest. */
void mend_round_end(struct mend *m);
void mend_end(struct mend *m);

#endif
