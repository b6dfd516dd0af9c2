/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run: what is the same for all its checks, and what has become of them. */
#ifndef XFSCK_REPAIR_RUN_H
#define XFSCK_REPAIR_RUN_H

#include "consent.h"
#include "ask/names/numbers_asked.h"
#include "log/log_end.h"
#include "losses.h"
#include "base/over_memory.h"
#include "check/memory.h"
#include "redo.h"
#include "report/reattached.h"
#include "totals.h"

struct applied;
struct device;
struct extract_target;
struct fix_plan;
struct interrupt;
struct intents;
struct log_across;
struct options;
struct preview_files;
struct repair;
struct trace;
struct undo_place;

/* The outcome of phase mend. Nothing of it has been written yet. */
struct mended {
	bool damage;   /* damage had been found; false: what was done completes operations or changes features */
	uint64_t done; /* objects mended */
	uint64_t left; /* findings of damage in the last check; 0: the repair is proven */
};

/*
 * Where the last mount begins in the log whose head is `head`.  start is the head itself if no mount is known, and 0 if
 * it has not been looked for.
 */
struct log_mount {
	lsn_t head, start;
};

/* Items of the log that were replayed, by kind, and those that were not. */
struct replay_counts {
	uint64_t transactions, items, buffers, inodes, icreates, dquots, intents;
	uint64_t cancelled; /* not replayed: their blocks were freed later in the log */
	uint64_t newer;	    /* not replayed: what is on the disk is newer */
};

/* Which superblock has won when those that contradict each other were tried (sb_try.c). */
struct sb_tried {
	bool any;
	uint64_t position;    /* bytes from the start of the device */
	uint8_t primary[512]; /* how the primary began then: this holds as long as it is the same */
};

/*
 * A run: what is the same for all its checks.  Phases set the outcomes of the log once, and menders only add to what is
 * reattached.
 */
struct run {
	/* fixed after start-up */
	const struct options *options;
	unsigned max_workers;	     /* upper bound of `workers`; findings have a lane for each */
	struct interrupt *interrupt; /* NULL: signals do what they do by default */
	struct trace *trace;	     /* NULL: none is wanted */
	struct device *device;
	struct device *log_device;   /* NULL: the log is on the device */
	struct device *rt_device;    /* NULL: there is no realtime section, or it is on the device */
	struct device *connected[3]; /* by enum device_inner: opened early, and not needed yet; NULL: none */
	struct hash_key key;	     /* of all sums of the run, so that those of two checks can be compared */
	struct memory memory;
	bool over_memory[OVER_MEMORY_NR]; /* by over_memory() */

	struct fix_plan *plan;		  /* --plan, --plan-apply; NULL: none */
	struct preview_files *preview;	  /* --preview; NULL: none */
	struct applied *applied;	  /* the preview that was staged (--apply); NULL: none */
	struct numbers_asked names_asked; /* after phase names: what --name-of asks for */

	struct extract_target *target; /* where files are extracted to; NULL: none are */
	struct undo_place *undo_place; /* where an undo file will be */
	struct redo_place resumed;     /* the redo record of a repair that was cut short, now staged; bytes 0: none */

	bool shrunk; /* to the end of the device: the old superblock behind that is none to try any more */
	struct sb_tried sb_tried;

	/* what has become of the log */
	bool log_replayed;    /* the log was dirty; from now on the device is read as after the replay */
	bool frextents_stale; /* recovery counts free realtime extents anew, and that is not done yet */
	bool log_superblock;  /* the replay changed the primary superblock */
	bool log_left_out;    /* the log is dirty, and the user wants it ignored (--log=ignore) */
	bool log_lost;	      /* the log may hold changes that can't be read, and the user has not given it up */
	bool log_cut;	      /* replayed, but for what a hole has lost, as the user accepts */
	/* what is known behind the holes in the log, if the replay goes on there (--log=across); NULL: it does not */
	struct log_across *log_across;
	bool log_kept;		      /* replayed, but it stays dirty: an operation in it can't be completed */
	struct log_end log_end;	      /* if staged, what makes the log clean; it is then read as clean */
	struct log_losses log_losses; /* with the log, or the rest of it, that is to be discarded (-L, --log=upto) */
	struct ino_set lost_inodes;   /* inodes that it changes */
	struct log_mount log_mount;   /* see log_history.c */
	struct intents *intents;      /* operations that wait for recovery; after phase log, settled; NULL: none */
	struct replay_counts replay_counts;

	bool answered_short;  /* after phase inventory: not all of what was asked could be done */
	bool committed;	      /* after phase commit: the devices hold all that was staged */
	uint64_t beside;      /* after phase mend: fixes that the plan does not have, so nothing is written */
	struct mended mended; /* after phase mend */
	consents_t consents;  /* consent_ask(): reasons to ask for consent before the commit */
	consents_t lacking;   /* after phase commit: reasons for which nothing was written */
	struct losses losses; /* after phase mend */
	struct totals after;  /* after phase mend, if anything was mended: of what is there then */
	struct reattachments reattached; /* inodes that menders have given a name again */
};

#endif
