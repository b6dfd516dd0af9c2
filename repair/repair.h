/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context of one run, handed down; nothing else is shared between phases. */
#ifndef XFSCK_REPAIR_REPAIR_H
#define XFSCK_REPAIR_REPAIR_H

#include "books/ledger.h"
#include "interrupt.h"
#include "libxfs/log.h"
#include "locate/locate_early.h"
#include "log/intents.h"
#include "log/log_end.h"
#include "memory.h"
#include "names/dir_table.h"
#include "names/paths.h"
#include "phases.h"
#include "redo.h"
#include "report/reattached.h"
#include "sets/ino_set.h"
#include "walk/quota.h"
#include "walk/traverse.h"

/* What mending, in memory, came to. */
struct mended {
	bool damage;   /* there was some; else what a crash left was finished */
	uint64_t done; /* objects mended */
	uint64_t left; /* findings of damage in the check that came last: with none, what was mended is proven */
};

/* where in the log with that head the last mount begins: the head, where nothing is known of one; 0: not looked for */
struct log_mount {
	lsn_t head, start;
};

/* what the log held and what became of it */
struct replay_counts {
	uint64_t transactions, items, buffers, inodes, icreates, dquots, intents;
	uint64_t cancelled; /* of blocks that were freed later */
	uint64_t newer;	    /* what is on the disk is newer */
};

struct repair {
	/* fixed after start-up */
	const struct options *options;
	unsigned max_workers;	     /* lanes of the findings */
	struct interrupt *interrupt; /* NULL: signals do what they do by default */
	struct device *device;
	struct device *log_device; /* NULL: the log is on the device */
	struct device *rt_device;  /* NULL: there is no realtime section, or on the device */
	struct memory memory;
	struct hash_key key;

	struct redo_place resumed; /* the redo record that was staged; bytes 0: none */

	/* fixed after phase superblock */
	struct geometry geo;
	uint8_t *primary; /* what was read at the start of the device: the primary superblock's sector */
	struct log_state log;
	bool log_before_superblock; /* it is dirty, and the primary is relied on for its replay: settled after that */
	bool log_sound;		    /* it is clean, as the primary has it: known before that has been settled */
	bool log_replayed;	    /* it was dirty, and what is read of the device is as after its replay */
	bool log_superblock;	    /* what was replayed changed the primary superblock */
	bool log_left_out;	    /* it is dirty, and that does not count, as the user wants it */
	bool log_lost;		    /* what may wait in it can't be read, and the user has not given it up */
	struct log_end log_end;	    /* what makes it clean, if that is staged: then it is read as clean */
	struct ino_set lost_inodes; /* that the log changes, if it is to be discarded */
	bool log_kept;		    /* although replayed, the log is not written: what waits in it can't be finished */
	struct log_mount log_mount; /* log_history.c */
	struct intents *intents;    /* that wait for recovery, settled, after phase log; NULL: none */
	struct intents_filter intents_filter; /* in front of the ledger */
	struct replay_counts replay_counts;
	unsigned workers; /* threads that sweep AGs, or help those that do */

	/* written by each phase in turn, by workers as their own comments say */
	struct report *report;
	struct findings *findings; /* one lane per worker */
	struct ledger *ledger;
	struct doubts *doubts;	   /* after phase links; NULL: the ledger's buckets are all that is known */
	struct locate_early early; /* of the first check, until phase locate */
	struct sink *beside;   /* hears of all facts, too, in a check between rounds of mending; NULL: nobody does */
	struct sink_both both; /* the ledger's and that */
	struct quota *quota;
	struct traverse *traverse;
	struct dir_table dirs;		 /* after phase links */
	struct paths *paths;		 /* after phase paths, if anybody wants to know; else NULL */
	bool committed;			 /* after phase commit: the devices hold all that was staged */
	struct mended mended;		 /* after phase mend */
	struct reattachments reattached; /* by menders */
};

/* check_again.c: give up all that phases made of the file system, as opposed to devices and report */
void check_forget(struct repair *rc);

/* Whether the superblock knows of a place where the log can be, on a device that is open. */
static inline bool log_has_place(const struct repair *rc)
{
	return rc->geo.logblocks && (rc->log_device || fsb_range_valid(&rc->geo, rc->geo.logstart, rc->geo.logblocks));
}

/* Something of ours, not of the file system, keeps us from going on. Always PHASE_FAILED. */
enum phase_result trouble(const struct repair *rc, const char *sentence);
/* The same where a call failed with a negative errno while we were at `what`. */
enum phase_result failed(const struct repair *rc, const char *what, int error);

/* commit/resume.c: where a repair was cut short, stage what it had yet to write */
enum phase_result resume(struct repair *rc);
/* phase_superblock.c: choose the superblock, and look at what it says of the devices and the log */
enum phase_result superblock_settle(struct repair *rc);
/* The same of the log alone, once what makes it clean is staged. */
enum phase_result superblock_log_again(struct repair *rc);
/* other_device.c: device_open() for what -l or -r names, if it is none of those that are open */
int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message,
		      size_t size);
/* rt_device.c: the same for the realtime device, if the user names one and it isn't open yet */
int rt_device_open(struct repair *rc, char *message, size_t size);
/* the same, if there is to be one, and check what is on it */
enum phase_result rt_device_examine(struct repair *rc);
/* sweep_options.c: how large requests are, how many are in flight, and what is read rather than skipped */
struct sweep_options sweep_options_of(const struct repair *rc);
/* facts.c: what no AG and no inode says of itself: the log's blocks, and the inodes that only the superblock
 * names */
void superblock_facts(const struct geometry *geo, const struct sink *sink);
/* Have the facts about all that the scope names go to `ops`, with nothing reported. 0 or negative errno. */
int facts_gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		 const struct sink_ops *ops, void *ctx);
/*
 * The same of these inodes alone, whose numbers are such as can be, for a scope without claims: worth it for few of
 * them, ...
 */
int facts_gather_near(const struct repair *rc, const struct scope *scope, const xino_t *inos, size_t count,
		      const struct sink_ops *ops, void *ctx);
/* ... which are so many at most, of those that were swept. */
size_t facts_near_most(const struct repair *rc);
/* connectivity.c: every directory hangs, by its `..`, below a root; leaves the table of directories behind */
void connectivity_check(struct repair *rc, struct walker *w);
/* counters.c: what headers count and what there is (ondisk 12, S2 to S6, I1, I3, I4) */
void counters_check(struct repair *rc, struct walker *w);
/* rt_check.c: files of the realtime groups, and what bitmaps, summaries and the superblock count */
void rt_check(struct repair *rc, struct walker *w);
/* memory.c: how many inodes there are, by the superblock, and as far as there is room for them */
uint64_t inodes_expected(const struct repair *rc);
/* phase_locate.c: the records behind accounts that differ, of groups, of inodes, or of both */
enum {
	LOCATE_GROUPS = 1,
	LOCATE_INODES = 2,
};
enum phase_result locate_parts(struct repair *rc, unsigned parts);
/* accounts.c: whether an account is one that must balance, and does not */
bool accounts_unbalanced(const struct repair *rc, group_t group, enum group_account account);
/* accounts.c: whether any account of a group is */
bool accounts_any_unbalanced(const struct repair *rc, group_t group);
/* accounts.c: the finding that accounts of who owns which block of a group don't balance; false: they do */
bool accounts_say_space(const struct repair *rc, group_t group, struct found *ret_found);
/* accounts.c: what the ledger says of accounts whose bit is not set in the settled ones, per group and per bucket;
 * NULL: of these nothing */
void accounts_check(struct repair *rc, struct walker *w, const unsigned *group_settled, const unsigned *bucket_settled);
/* quota_check.c: quota files and what inodes use; 0 or -ENOMEM */
int quota_check(struct repair *rc, struct walker *w);
/* the types of quota whose counts can be compared, a bit (1 << enum quota_type) each */
unsigned quota_compared(const struct repair *rc);
/* leftovers.c: says what a crash left for the next mount, which is no damage; unlinked: inodes without links */
void leftovers_tell(const struct repair *rc, uint64_t unlinked);
/* The same for programs and -v; finished: of what a repair has done */
void leftovers_report(const struct repair *rc, const struct intents *intents, uint64_t inodes, uint64_t blocks,
		      bool finished);
/* unlinked.c: the lists of inodes that were deleted while open (ondisk 12, I8); returns how many there are */
uint64_t unlinked_check(struct repair *rc, struct walker *w);
/* one of ag->unlinked[], which that has sorted; NULL: it is none */
const struct unlinked_inode *unlinked_find(const struct ag_state *ag, uint32_t agino);

#endif
