/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context, handed down; nothing else is shared between phases: the run, and one of its checks.  A run begins with a
 * check, and makes another one after each round of mending (check_again.c).
 */
#ifndef XFSCK_REPAIR_REPAIR_H
#define XFSCK_REPAIR_REPAIR_H

#include "books/ledger.h"
#include "interrupt.h"
#include "libxfs/log.h"
#include "locate/locate_early.h"
#include "log/intents.h"
#include "log/log_end.h"
#include "losses.h"
#include "memory.h"
#include "names/dir_table.h"
#include "names/paths.h"
#include "phases.h"
#include "redo.h"
#include "report/reattached.h"
#include "sets/ino_set.h"
#include "walk/quota.h"
#include "walk/traverse.h"

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

/* Which superblock has won when those that contradict each other were tried (sb/sb_try.c). */
struct sb_tried {
	bool any;
	uint64_t position;    /* bytes from the start of the device */
	uint8_t primary[512]; /* how the primary began then: this holds as long as it is the same */
};

struct trial;

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
	struct device *log_device; /* NULL: the log is on the device */
	struct device *rt_device;  /* NULL: there is no realtime section, or it is on the device */
	struct hash_key key;	   /* of all sums of the run, so that those of two checks can be compared */
	struct memory memory;

	struct redo_place resumed; /* the redo record of a repair that was cut short, now staged; bytes 0: none */

	int (*trial)(struct repair *rc, struct trial *trial); /* trial_run(), or NULL: nothing is tried any more */
	struct sb_tried sb_tried;

	/* what has become of the log */
	bool log_replayed;	    /* the log was dirty; from now on the device is read as after the replay */
	bool log_superblock;	    /* the replay changed the primary superblock */
	bool log_left_out;	    /* the log is dirty, and the user wants it ignored (--log=ignore) */
	bool log_lost;		    /* the log may hold changes that can't be read, and the user has not given it up */
	bool log_kept;		    /* replayed, but it stays dirty: an operation in it can't be completed */
	struct log_end log_end;	    /* if staged, what makes the log clean; it is then read as clean */
	struct ino_set lost_inodes; /* inodes that a log changes which is to be discarded */
	struct log_mount log_mount; /* see log_history.c */
	struct intents *intents;    /* operations that wait for recovery; after phase log, settled; NULL: none */
	struct replay_counts replay_counts;

	bool committed;			 /* after phase commit: the devices hold all that was staged */
	struct mended mended;		 /* after phase mend */
	struct losses losses;		 /* after phase mend */
	struct totals after;		 /* after phase mend, if anything was mended: of what is there then */
	struct reattachments reattached; /* inodes that menders have given a name again */
};

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
	struct doubts *doubts;	   /* after phase links; NULL: the ledger's buckets are all that is known */
	struct locate_early early; /* evidence that is collected during the sweep, until phase locate */
	struct sink *beside;	   /* in a check between rounds, a second receiver of all facts; NULL: none */
	struct sink_both both;	   /* passes facts on to the ledger and to `beside` */
	struct quota *quota;
	struct traverse *traverse;
	struct dir_table dirs; /* after phase links */
	struct paths *paths;   /* after phase paths; NULL: there was no memory for them */
};

/* check_again.c: a check within the run of another, which knows what does not change; NULL: out of memory */
struct repair *check_within(const struct repair *rc);
void check_again_free(struct repair *check);
/*
 * check_again.c: run the phases up to the sums of the accounts, which tell what is in doubt, but not yet what is wrong.
 * beside: a second receiver of all facts; NULL: none.
 */
enum phase_result check_sums(struct repair *check, struct sink *beside);
/* check_again.c: free all that phases learnt of the file system; devices and report stay open */
void check_forget(struct repair *rc);

/* True if the place of the log that the superblock gives is possible, and its device open. */
static inline bool log_has_place(const struct repair *rc)
{
	return rc->geo.logblocks &&
	       (rc->run->log_device || fsb_range_valid(&rc->geo, rc->geo.logstart, rc->geo.logblocks));
}

/* Tell the user what, other than damage, keeps us from going on. Always PHASE_FAILED. */
enum phase_result trouble(const struct repair *rc, const char *sentence);
/* The same for a negative errno; what: what failed, or what we were doing. */
enum phase_result failed(const struct repair *rc, const char *what, int error);

/* commit/resume.c: if a repair was cut short, stage what it had yet to write */
enum phase_result resume(struct repair *rc);
/* phase_superblock.c: choose the superblock, open the devices it speaks of, and examine the log */
enum phase_result superblock_settle(struct repair *rc);
/* The same for a superblock that has been chosen: geo and primary are set. */
enum phase_result superblock_use(struct repair *rc);
/* Examine the log again, once what makes it clean is staged; and choose the superblock if that waited for the log. */
enum phase_result superblock_log_again(struct repair *rc);
/* other_device.c: device_open() for the path that -l or -r gives; -EINVAL if that device is open already */
int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message,
		      size_t size);
/* rt_device.c: the same for the realtime device, if the user names one and it isn't open yet */
int rt_device_open(struct repair *rc, char *message, size_t size);
/* Open the realtime device if the file system has one, and check what is on it. */
enum phase_result rt_device_examine(struct repair *rc);
/* sweep_options.c: how large requests are, how many are in flight, and what is read rather than skipped */
struct sweep_options sweep_options_of(const struct repair *rc);
/* phase_paths.c: find the paths of these inodes, in what the devices show now; for the caller to free. 0 or -errno. */
int paths_seek(struct repair *rc, const struct ino_set *inos, struct paths **ret_paths);
/* facts.c: post the facts that only the superblock has: the blocks of the log, and the inodes that it names */
void superblock_facts(const struct geometry *geo, const struct sink *sink);
/* Traverse what the scope names, hand all facts to `ops`, and report nothing. 0 or negative errno. */
int facts_gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		 const struct sink_ops *ops, void *ctx);
/* The same with a sink, and as it will be when what waits in the log is completed; with facts of the superblock. */
int facts_gather_settled(const struct repair *rc, const struct scope *scope, const struct sink *sink);
/* For more than one traversal with the same sink: it reports nothing, and is not begun. 0 or negative errno. */
int facts_traverse(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		   const struct sink *sink, struct traverse **ret_traverse);
/*
 * As facts_gather() for these inodes alone, whose numbers must be valid; the scope must be without claims.  This reads
 * inode by inode: for more than facts_near_most() inodes, a whole traversal takes less time.
 */
int facts_gather_near(const struct repair *rc, const struct scope *scope, const xino_t *inos, size_t count,
		      const struct sink_ops *ops, void *ctx);
size_t facts_near_most(const struct repair *rc);
/* connectivity.c: every directory hangs, by its `..`, below a root; leaves the table of directories behind */
void connectivity_check(struct repair *rc, struct walker *w);
/* counters.c: what headers count and what there is (ondisk 12, S2 to S6, I1, I3, I4) */
void counters_check(struct repair *rc, struct walker *w);
/* rt_check.c: files of the realtime groups, and what bitmaps, summaries and the superblock count */
void rt_check(struct repair *rc, struct walker *w);
/* memory.c: how many inodes the superblock counts, but no more than fit into the file system */
uint64_t inodes_expected(const struct repair *rc);
/* phase_locate.c: find the records behind accounts that are not zero; parts: LOCATE_*, whose accounts to look at */
enum {
	LOCATE_GROUPS = 1,
	LOCATE_INODES = 2,
};
enum phase_result locate_parts(struct repair *rc, unsigned parts);
/* accounts.c: whether an account is one that must balance, and does not */
bool accounts_unbalanced(const struct repair *rc, group_t group, enum group_account account);
/* accounts.c: whether accounts_unbalanced() is true of any account of a group */
bool accounts_any_unbalanced(const struct repair *rc, group_t group);
/* accounts.c: the finding that accounts of who owns which block of a group don't balance; false: they do */
bool accounts_say_space(const struct repair *rc, group_t group, struct found *ret_found);
/*
 * accounts.c: report the accounts that don't balance and have not been settled by exact findings.  group_settled[] and
 * bucket_settled[] have a bit per account for each group and each bucket; NULL: report nothing of groups, or buckets.
 */
void accounts_check(struct repair *rc, struct walker *w, const unsigned *group_settled, const unsigned *bucket_settled);
/* quota_check.c: quota files and what inodes use; 0 or -ENOMEM */
int quota_check(struct repair *rc, struct walker *w);
/* The types of quota whose counts can be compared, a bit (1 << enum quota_type) each. */
unsigned quota_compared(const struct repair *rc);
/*
 * leftovers.c: tell the user what a crash left for the next mount, which is no damage.  unlinked: how many inodes on
 * the unlinked lists
 */
void leftovers_tell(const struct repair *rc, uint64_t unlinked);
/* The same for JSON and -v; finished: the repair has completed it, so it is not left any more */
void leftovers_report(const struct repair *rc, const struct intents *intents, uint64_t inodes, uint64_t blocks,
		      bool finished);
/* unlinked.c: the lists of inodes that were deleted while open (ondisk 12, I8); returns how many there are */
uint64_t unlinked_check(struct repair *rc, struct walker *w);
/* The inode among ag->unlinked[], which unlinked_check() has sorted; NULL: it is not there. */
const struct unlinked_inode *unlinked_find(const struct ag_state *ag, uint32_t agino);

#endif
