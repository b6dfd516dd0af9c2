/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of mending, and the checks between them; phase_mend.c decides if there is another round. */
#ifndef XFSCK_REPAIR_ROUNDS_H
#define XFSCK_REPAIR_ROUNDS_H

#include "check/changed.h"
#include "mend/loss/loss.h"
#include "mend/plan/damage.h"

/*
 * How deep a check went.  Damage visible within blocks is found much faster than exact places, so accounts are compared
 * only when no such damage is left to mend.  Menders of names allocate blocks that two sources list as free, and give
 * blocks up, so AG btrees are rebuilt after all names.
 */
enum depth {
	DEPTH_BLOCKS,	/* blocks by themselves, counters, connectivity */
	DEPTH_NAMES,	/* and exact differences in accounts of inodes */
	DEPTH_ACCOUNTS, /* and which groups' accounts don't balance, which suffices to rebuild their btrees */
	DEPTH_WHOLE,	/* and exact differences in accounts of groups */
	DEPTH_NR,
};

/*
 * What each mender got last, as fingerprints of findings: it is not called again with the same findings.  If it mended
 * nothing, other damage may be the reason, so it is called again when any finding has changed.
 */
struct attempts {
	uint64_t last[MEND_NR]; /* of its own findings */
	uint64_t idle[MEND_NR]; /* of all findings, if it mended nothing; 0: it mended something */
};

/* The first check's ledger, corrected by what the repair has changed: open_books.c. */
struct open_books {
	struct changed changed;
	const char *unknown;   /* why the books can't be kept open, so that a whole check must follow; NULL: they can */
	struct ledger *ledger; /* NULL if `unknown` */
	struct repair *check;  /* of the changed objects; NULL if `unknown` */
	bool files_known;      /* only the changed inodes have changed in content, even if `unknown` */
	bool tell_left;	       /* findings of `check` and the AGs' space accounts are all that is left to mend */
	bool balance;	       /* the findings alone are */
	bool clean;	       /* no account in doubt and no findings: a whole check would find nothing */
};

void open_books_close(struct open_books *books);

/* The rounds, and the last check. */
struct rounds {
	struct mend *m;
	struct repair *again; /* the last check; NULL: that of the run itself */
	enum depth depth;     /* of that check */
	bool groups_located;  /* that check was deepened to differences in accounts of groups */
	bool names_begun;     /* stage NAMES was reached: the groups with unbalanced accounts suffice */
	bool unowned_is_all;  /* unowned blocks are known without exact places: mend_unowned_is_all() */
	bool claims_wait;     /* owners of disputed blocks were found but not mended: exact places are needed again */
	struct damage damage; /* findings of that check */
	struct attempts attempts[DEPTH_NR];
	struct loss_areas areas; /* that may have been overwritten */
	struct open_books books; /* as of the last round; see rounds_prove() */
	bool by_books;		 /* there was no last check: the books showed what it would find */
};

/*
 * round.c: runs the menders of the earliest stage that can mend anything, and those of later stages that need no check
 * before.  *ret_any: something was mended.  0 or negative errno, like all of these.
 */
int rounds_run_one(struct rounds *r, bool *ret_any);

/* round_check.c: checks the overlay, as deep as needed to know what can be mended next. */
int rounds_check(struct rounds *r);
/* Likewise after arbitrary changes: relies on nothing known about free blocks or names. */
int rounds_check_anew(struct rounds *r);
/*
 * open_books.c: likewise, but if that suffices as proof, checks only what changed since the first check, and corrects
 * its sums.
 */
int rounds_prove(struct rounds *r);
#define BOOKS_DIFFER                                                                                                   \
	"The books that were kept open are not those of a whole check: " /* prefix of messages that tests look for */
/* Takes the last check to the next depth. */
int rounds_look_further(struct rounds *r);
/* Takes the last check to DEPTH_WHOLE. */
int rounds_look_at_everything(struct rounds *r);
/* True if menders of this stage can work with the findings of a check of that depth. */
bool depth_has_turn(enum mend_stage stage, enum depth depth);
/* Adds a finding for each group whose space account does not balance, so that its btrees are rebuilt. */
int rounds_add_accounts(struct rounds *r);

#endif
