/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run: data that all its checks share, and its outcomes. */
#ifndef XFSCK_REPAIR_RUN_H
#define XFSCK_REPAIR_RUN_H

#include "consent.h"
#include "ask/names/numbers_asked.h"
#include "log/log_end.h"
#include "log/log_index.h"
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
	bool damage;   /* the first check found damage; false: mending only completed operations or changed features */
	uint64_t done; /* objects mended */
	uint64_t left; /* findings of damage in the last check; 0: the repair is proven */
};

/*
 * The start of the last mount in the log whose head is `head`.  start is the head itself if no mount is known, and 0 if
 * it was not searched for.
 */
struct log_mount {
	lsn_t head, start;
	struct log_index index; /* of the log from there on, once it has been read */
};

/* Numbers of log items that were replayed, by kind, and of those that were skipped. */
struct replay_counts {
	uint64_t transactions, items, buffers, inodes, icreates, dquots, intents;
	uint64_t cancelled; /* skipped: their blocks were freed later in the log */
	uint64_t newer;	    /* skipped: the disk has a newer version */
};

/* The superblock that won when contradictory ones were tried (sb_try.c). */
struct sb_tried {
	bool any;
	uint64_t position;    /* bytes from the start of the device */
	uint8_t primary[512]; /* start of the primary at that time: the result holds while it is the same */
};

/* Data that all checks share.  Phases set the outcomes of the log once, and menders only add to `reattached`. */
struct run {
	/* fixed after start-up */
	const struct options *options;
	unsigned max_workers;	     /* upper bound of `workers`; findings have a lane for each */
	struct interrupt *interrupt; /* NULL: signals have their default actions */
	struct trace *trace;	     /* NULL: not wanted */
	struct device *device;
	struct device *log_device;   /* NULL: the log is on the device */
	struct device *rt_device;    /* NULL: there is no realtime section, or it is on the device */
	struct device *connected[3]; /* by enum device_inner: opened early, not used yet; NULL: none */
	struct hash_key key;	     /* of all checksums of facts in the run, so that two checks can be compared */
	struct memory memory;
	bool over_memory[OVER_MEMORY_NR]; /* by over_memory() */

	struct fix_plan *plan;		  /* --plan, --plan-apply; NULL: none */
	struct preview_files *preview;	  /* --preview; NULL: none */
	struct applied *applied;	  /* the preview that was staged (--apply); NULL: none */
	struct numbers_asked names_asked; /* after phase names: the inodes of --name-of */

	struct extract_target *target; /* where files are extracted to; NULL: nowhere */
	struct undo_place *undo_place; /* where the undo file goes */
	struct redo_place resumed;     /* the redo record of an interrupted repair, now staged; bytes 0: none */

	bool shrunk; /* to the end of the device: ignore the old superblock behind it */
	struct sb_tried sb_tried;

	/* the outcome of the log */
	bool log_replayed;    /* the log was dirty; the device now shows the state after the replay */
	bool frextents_stale; /* recovery recounts free realtime extents, which is not done yet */
	bool log_superblock;  /* the replay changed the primary superblock */
	bool log_left_out;    /* the log is dirty, and the user wants to ignore it (--log=ignore) */
	bool log_lost; /* the log may hold changes that can't be read, and the user has not agreed to discard it */
	bool log_cut;  /* replayed except for what a hole lost, as the user accepts */
	/* contents of the log behind its holes, if the replay continues there (--log=across); else NULL */
	struct log_across *log_across;
	bool log_kept;		      /* replayed, but stays dirty: an operation in it can't be completed */
	struct log_end log_end;	      /* the blocks that make the log clean, if staged; the log then reads as clean */
	struct log_losses log_losses; /* lost with the log, or the part of it, that is discarded (-L, --log=upto) */
	struct ino_set lost_inodes;   /* inodes that the discarded part changes */
	struct log_mount log_mount;   /* see log_history.c */
	struct intents *intents;      /* operations that wait for recovery; settled after phase log; NULL: none */
	struct replay_counts replay_counts;

	bool answered_short;  /* after phase inventory: some questions could not be answered completely */
	bool committed;	      /* after phase commit: all staged data is on the devices */
	uint64_t beside;      /* after phase mend: fixes that the plan lacks, so nothing is written */
	struct mended mended; /* after phase mend */
	consents_t consents;  /* consent_ask(): reasons to ask for consent before the commit */
	consents_t lacking;   /* after phase commit: consents that were missing, so nothing was written */
	struct losses losses; /* after phase mend */
	struct totals after;  /* after phase mend, if anything was mended: counts of the repaired file system */
	struct reattachments reattached; /* inodes that menders reconnected */
};

#endif
