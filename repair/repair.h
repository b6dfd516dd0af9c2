/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context that is passed down: the run (run.h) and one of its checks.  Phases share nothing else.  A run begins
 * with a check, and makes another one after each round of mending (check_again.h).
 */
#ifndef XFSCK_REPAIR_REPAIR_H
#define XFSCK_REPAIR_REPAIR_H

#include "libxfs/log.h"
#include "check/locate/locate_early.h"
#include "log/intents.h"
#include "names/dir_table.h"
#include "phases.h"
#include "sets/number_set.h"
#include "totals.h"

struct checkpoint;
struct doubts;
struct findings;
struct inventory;
struct ledger;
struct paths;
struct quota;
struct report;
struct run;
struct traverse;

/* One check: what its phases have found out about the file system. */
struct repair {
	struct run *run;

	/* fixed after phase superblock */
	struct geometry geo;
	uint8_t *primary; /* the primary superblock: SB_READ_BYTES from the start of the device */
	struct log_state log;
	bool log_before_superblock; /* dirty: replay it with the primary's geometry, then choose a superblock */
	bool log_sound;		    /* the log is clean by that geometry, and need not be examined again */
	struct intents_filter intents_filter; /* in front of the ledger */
	unsigned workers;		      /* threads that sweep AGs, or help the threads that do */

	/* written by each phase in turn; for workers see the comments of each type */
	struct report *report;	   /* silent in a check between rounds */
	struct findings *findings; /* one lane per worker */
	struct ledger *ledger;
	struct doubts *doubts;	   /* after phase links; NULL: only the ledger's buckets are known */
	struct locate_early early; /* evidence that is collected during the sweep, until phase locate */
	struct inventory
		*inventory;	  /* answers the user's questions about files, from the facts; NULL: none are asked */
	struct sink *beside;	  /* in a check between rounds, a second receiver of all facts; NULL: none */
	struct sink_both both[3]; /* pass facts to the ledger, and to `beside`, the inventory and the map */
	struct quota *quota;
	struct traverse *traverse;
	struct dir_table dirs;	       /* after phase links */
	struct checkpoint *checkpoint; /* another run can resume from it; NULL: not wanted */
	struct ino_set namers;	       /* after phase locate: some of the directories that name affected inodes */
	struct ino_set strays;	       /* after phase locate: inodes with a parent pointer that matches no entry */
	bool strays_known;	       /* true if `strays` has all of them, as the check found them */
	struct paths *paths;	       /* after phase paths; NULL: not enough memory */

	/*
	 * NULL, or the check that this one was derived from by correcting its ledger (open_books.c).  Then quota,
	 * and dirs if none has changed, belong to that check, traverse knows the AGs as they are now and the rest as
	 * far as it is unchanged, and totals has the counts of a check that was never made.
	 */
	const struct repair *base;
	struct totals totals;
};

/* Reports a problem other than damage that ends the run.  Returns PHASE_FAILED. */
enum phase_result trouble(const struct repair *rc, const char *sentence);
/* Reports a negative errno in the same way.  what: the operation that failed. */
enum phase_result failed(const struct repair *rc, const char *what, int error);

#endif
