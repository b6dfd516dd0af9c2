/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of mending, and the checks between them; phase_mend.c decides whether there is another round. */
#ifndef XFSCK_REPAIR_ROUNDS_H
#define XFSCK_REPAIR_ROUNDS_H

#include "mend/plan/damage.h"
#include "open_books.h"

/*
 * How deep a check went.  Damage that shows within blocks is found in a fraction of the time that exact places take, so
 * accounts are compared only when no such damage is left that must be mended first.  Menders of names take blocks that
 * are free by two witnesses, and give blocks up, so the groups' trees are built when all names have been mended.
 */
enum depth {
	DEPTH_BLOCKS,	/* what blocks say by themselves, counters, connectivity */
	DEPTH_NAMES,	/* and the exact differences in accounts of inodes */
	DEPTH_ACCOUNTS, /* and which groups' accounts don't balance: enough to build their trees anew */
	DEPTH_WHOLE,	/* and the exact differences in accounts of groups */
	DEPTH_NR,
};

/*
 * What each mender was given last, as fingerprints of findings: it is not called again with the same findings.  If it
 * mended nothing, other damage may have kept it from that: then it is called again when any finding has changed.
 */
struct attempts {
	uint64_t last[MEND_NR]; /* of the findings that it was given */
	uint64_t idle[MEND_NR]; /* of all findings, if it mended nothing; 0: it mended something */
};

/* Rounds, and the check that came last. */
struct rounds {
	struct mend *m;
	struct repair *again; /* the last check; NULL: it is that of the run itself */
	enum depth depth;     /* of that check */
	bool names_begun;     /* stage names was reached: which groups' accounts don't balance is enough from then on */
	bool lost_is_all;     /* lost blocks are known without exact places: mend_lost_is_all() */
	bool claims_wait; /* who should have which blocks was found, but not mended yet: exact places are wanted again
			   */
	struct damage damage; /* what that check found */
	struct attempts attempts[DEPTH_NR];
	struct open_books books; /* as they were after the last round; see rounds_prove() */
	bool by_books;		 /* the last check was none: the books told what it would find */
};

/*
 * round.c: run the menders of the earliest stage in which anything can be mended, and those of later stages that need
 * not wait for a check.  *ret_any: whether anything was mended.  0 or negative errno, as all these.
 */
int rounds_run_one(struct rounds *r, bool *ret_any);

/* round_check.c: check what the overlay shows now, as deep as is needed to know what can be mended next. */
int rounds_check(struct rounds *r);
/* The same after changes that may be of any kind: nothing that was known about free blocks or names is relied on. */
int rounds_check_anew(struct rounds *r);
/*
 * round_books.c: the same, but where that is enough for a proof, check only what was changed since the first check,
 * and correct the sums of that by it (open_books.h).
 */
int rounds_prove(struct rounds *r);
#define BOOKS_DIFFER                                                                                                   \
	"The books that were kept open are not those of a whole check: " /* so begins what tests look for */
/* Take the last check to the next depth. */
int rounds_look_further(struct rounds *r);
/* Take the last check to DEPTH_WHOLE. */
int rounds_look_at_everything(struct rounds *r);
/* Whether menders of this stage run on the findings of a check of that depth. */
bool depth_has_turn(enum mend_stage stage, enum depth depth);
/* Add a finding for each group whose space accounts don't balance, so that its trees are built anew. */
int rounds_add_accounts(struct rounds *r);

#endif
