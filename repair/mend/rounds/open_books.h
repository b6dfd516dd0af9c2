/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The books of the first check, kept open.  The ledger is a sum: subtracting the old content of changed objects and
 * adding the new gives the ledger that a whole check of the overlay would have.
 */
#ifndef XFSCK_REPAIR_OPEN_BOOKS_H
#define XFSCK_REPAIR_OPEN_BOOKS_H

#include "check/changed.h"

struct ledger;
struct repair;

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

/*
 * Reads the changed objects as they were and as they are.  rc: the first check.  Nothing else may read meanwhile.  0 or
 * negative errno; call open_books_close() in either case.
 */
int open_books_correct(struct repair *rc, struct open_books *ret);
void open_books_close(struct open_books *books);
/*
 * Returns a check that replaces a whole one: that of the changed objects, with the ledger of the books.  Everything
 * unchanged comes from the first check, which must outlive it.  Only if not `unknown`.  Free it by check_again_free().
 */
struct repair *open_books_check(struct open_books *books);

#endif
