/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context, handed down; nothing else is shared between phases: the run (run.h), and one of its checks.  A run
 * begins with a check, and makes another one after each round of mending (check_again.h).
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

/* One check: what its phases learn of the file system. */
struct repair {
	struct run *run;

	/* fixed after phase superblock */
	struct geometry geo;
	uint8_t *primary; /* SB_READ_BYTES from the start of the device: the primary superblock's sector */
	struct log_state log;
	bool log_before_superblock; /* it is dirty: replayed by the primary's geometry, then a superblock is chosen */
	bool log_sound;		    /* it is clean by that geometry, and need not be examined again */
	struct intents_filter intents_filter; /* in front of the ledger */
	unsigned workers;		      /* threads that sweep AGs, or help those that do */

	/* written by each phase in turn, by workers as their own comments say */
	struct report *report;	   /* silent in a check between rounds */
	struct findings *findings; /* one lane per worker */
	struct ledger *ledger;
	struct doubts *doubts;	     /* after phase links; NULL: the ledger's buckets are all that is known */
	struct locate_early early;   /* evidence that is collected during the sweep, until phase locate */
	struct inventory *inventory; /* what the user asks about the files, which wants the facts; NULL: nothing */
	struct sink *beside;	     /* in a check between rounds, a second receiver of all facts; NULL: none */
	struct sink_both both[3];    /* pass facts on to the ledger, to `beside`, the inventory, and the map */
	struct quota *quota;
	struct traverse *traverse;
	struct dir_table dirs;	       /* after phase links */
	struct checkpoint *checkpoint; /* from which another run can go on; NULL: none is wanted */
	struct ino_set namers;	       /* after phase locate: directories that name inodes concerned, not all of them */
	struct ino_set strays;	       /* likewise: inodes with a parent pointer that no entry matches, ... */
	bool strays_known;	       /* ... if these are all, as the check found them */
	struct paths *paths;	       /* after phase paths; NULL: there was no memory for them */

	/*
	 * A check that was not made, since its ledger is that of another one, corrected (open_books.h): quota and dirs
	 * are those of that check, and traverse knows groups as they are, and of the rest what has not changed; totals:
	 * what it would count.  NULL: it was made.
	 */
	const struct repair *base;
	struct totals totals;
};

/* Tell the user what, other than damage, keeps us from going on. Always PHASE_FAILED. */
enum phase_result trouble(const struct repair *rc, const char *sentence);
/* The same for a negative errno; what: what failed, or what we were doing. */
enum phase_result failed(const struct repair *rc, const char *what, int error);

#endif
