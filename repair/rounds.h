/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of mending, and the checks between them; phase_mend.c says when there is another. */
#ifndef XFSCK_REPAIR_ROUNDS_H
#define XFSCK_REPAIR_ROUNDS_H

#include "mend/damage.h"
#include "mend/mend.h"

/*
 * How far a check went.  What blocks say by themselves takes a fraction of what exact places take, so as long as that
 * leads to anything that must be mended first, accounts are not gone into.  Menders of names take blocks that are free
 * by two witnesses, and give others up: the groups' trees are built when they have done all they can.
 */
enum depth {
	DEPTH_BLOCKS,
	DEPTH_NAMES,	/* and the accounts of inodes */
	DEPTH_ACCOUNTS, /* and which groups' accounts don't balance: only after mending that must have changed them */
	DEPTH_WHOLE,	/* and where */
	DEPTH_NR,
};

/*
 * What each way of mending was given last, as a fingerprint: what did not help is not tried again and again.  Where
 * nothing could be done that may have been for something else's sake: then it is tried again when anything is
 * different.
 */
struct attempts {
	uint64_t last[MEND_NR];
	uint64_t idle[MEND_NR]; /* all there was when nothing was done; 0: something was */
};

/* Rounds, and the check that came last. */
struct rounds {
	struct mend *m;
	struct repair *again; /* NULL: the run itself */
	enum depth depth;     /* of the check */
	bool names_begun;     /* what exact places of blocks tell has been made use of: accounts will do */
	bool lost_is_all;     /* which blocks are lost is known without exact places: mend_lost_is_all() */
	struct damage damage; /* of the check */
	struct attempts attempts[DEPTH_NR];
};

/*
 * round.c: the earliest stage in which anything can be mended by what the last check says, and what goes along.
 * *ret_any: false if there is none.  0 or negative errno, as all these.
 */
int rounds_run_one(struct rounds *r, bool *ret_any);

/* round_check.c: check what the overlay shows now, as far as it leads to anything that can be mended next. */
int rounds_check(struct rounds *r);
/* The same after what may have changed anything. */
int rounds_check_anew(struct rounds *r);
/* Go one step deeper into it, ... */
int rounds_look_further(struct rounds *r);
/* ... or all the way. */
int rounds_look_at_everything(struct rounds *r);
/* Whether a check of that depth says all that a stage needs, and its turn has come. */
bool depth_has_turn(enum mend_stage stage, enum depth depth);
/* Find the groups whose trees are to be built again, whatever in them is out of date. */
int rounds_add_accounts(struct rounds *r);

#endif
