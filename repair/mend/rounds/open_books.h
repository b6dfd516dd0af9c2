/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The books of the first check, kept open: the ledger is a sum, so what changed objects said before the repair is taken
 * off, and what they say now is put on.  What comes out is the ledger of a whole check of what the overlay shows.
 */
#ifndef XFSCK_REPAIR_OPEN_BOOKS_H
#define XFSCK_REPAIR_OPEN_BOOKS_H

#include "check/changed.h"

struct ledger;
struct repair;

struct open_books {
	struct changed changed;
	const char *unknown;   /* not NULL: why the books can't be kept open, and a whole check must follow */
	struct ledger *ledger; /* NULL if that is so */
	struct repair *check;  /* of the changed objects; NULL if the books are not known */
	bool files_known;      /* no inode but the changed ones holds anything else than before, even if `unknown` */
	bool tell_left; /* findings of `check`, and accounts of the space of groups, are all that is left to be mended,
			 */
	bool balance;	/* or the findings alone */
	bool clean;	/* no account is in doubt, and no finding is left: a whole check would find nothing */
};

/*
 * rc: the first check.  Reads the changed objects as they were and as they are; nothing may be read meanwhile.  0 or
 * negative errno; call open_books_close() either way.
 */
int open_books_correct(struct repair *rc, struct open_books *ret);
void open_books_close(struct open_books *books);
/*
 * A check that stands in for the whole one: that of the changed objects, with the ledger of the books.  What has not
 * changed it has from the first check, which must outlive it.  The books must be known.  For check_again_free().
 */
struct repair *open_books_check(struct open_books *books);

#endif
