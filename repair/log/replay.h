/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay of a dirty log into the overlay (ondisk 11, "Recovery rules").  The device itself does not change, but reads
 * show it as after the recovery of the next mount.
 */
#ifndef XFSCK_REPAIR_REPLAY_H
#define XFSCK_REPAIR_REPLAY_H

#include "block_cache.h"
#include "extent_counts.h"
#include "log_across.h"
#include "log_transactions.h"
#include "base/spot.h"

#define REPLAY_BUFFER_MAX (64u << 10) /* bytes: the largest block, inode cluster and directory block */

struct replay {
	struct repair *rc;
	struct spot spot;
	struct check check;	     /* reports problems at their place in the log; has the replayed geometry */
	const struct log_item *item; /* the current one, for reports */
	unsigned problems;	     /* that prevent the replay */
	struct log_source log;
	struct log_mark committed; /* the place right before the current transaction */
	struct log_mark bad;	   /* the place right before the first transaction with a problem */
	/* from the superblock as replayed so far: the file system may have grown */
	struct geometry geo;
	uint8_t *superblock; /* SB_READ_BYTES */

	/* pass 1 */
	uint64_t end;			/* bytes: the end of the file system, by the largest size in the log */
	struct extent_counts cancelled; /* buffers whose blocks were freed, and how often */
	struct extent_counts wanted;	/* buffers that will be changed */
	uint32_t quota_off;		/* LOG_BUF_*DQUOT: types that were turned off */

	/* pass 2 */
	struct block_cache *cache;
	uint8_t *buffer; /* REPLAY_BUFFER_MAX */
	lsn_t lsn;	 /* of the transactions being replayed */
	/* buffers that transactions with this LSN changed, with their type; they get the LSN after the last of these */
	struct extent_counts undated;
	struct replay_counts *counts;

	struct log_across *across; /* data about the log behind holes; NULL: the replay ends at the first one */
	uint32_t holes;		   /* before the current transaction */

	uint64_t progress; /* items of this pass so far; atomic */
};

/*
 * Replays the transactions committed before `until` ({ head, 0 }: all) into LAYER_REPLAY.  On success *ret_end is
 * `until`, and rc->geo and rc->primary are those of the replayed superblock.  Otherwise the problem was reported,
 * nothing is staged, and another call can replay the transactions before *ret_end.  Returns 0 or a negative errno.
 */
int replay_log(struct repair *rc, struct log_mark until, struct log_mark *ret_end);

/*
 * True if a finding is about an item that was not replayed because its target is damaged on the disk.  That is no fault
 * of the log, which is replayed without the item.
 */
bool replay_leaves_out(enum finding finding);

/* Replay an item of each kind, and report problems.  Return 0, or a negative errno that ends the replay. */
int replay_buf(struct replay *r, const struct log_item *item);
int replay_buf_date(struct replay *r); /* gives the buffers in r->undated the LSN r->lsn */
int replay_inode(struct replay *r, const struct log_item *item);
int replay_icreate(struct replay *r, const struct log_item *item);
int replay_dquot(struct replay *r, const struct log_item *item);
/* replay_ahead.c: notes in pass 1 that pass 2 will need this buffer.  Returns 0 or -ENOMEM. */
int replay_want(struct replay *r, xdaddr_t daddr, uint32_t len);
/* Reads the noted buffers into the cache between the passes, as far as they fit. */
void replay_ahead(struct replay *r);
/* replay_owner.c: makes an inode the owner in the headers of all blocks of a fork's bmbt. */
int replay_owner(struct replay *r, const uint8_t *dinode, xino_t ino, enum fork fork);

/* replay_sb.c: takes over the geometry if the buffer is the primary superblock. */
void replay_sb_follow(struct replay *r, const struct log_item *item, const struct log_buf *buf);
/* Corrects the superblock after the last item, as a mount does.  Returns 0 or a negative errno. */
int replay_sb_finish(struct replay *r);

/*
 * replay_bytes.c: true if the log may change these bytes: they must be in the file system, and not in the log.  Else
 * reports that.  The end is that of the largest file system in the log (r->end), since the item that made it grow may
 * be logged behind the changes: a superblock that is logged again moves forward in the log.
 */
bool replay_may_change(struct replay *r, uint64_t offset, uint32_t len);
/* True if a buffer is cancelled later in the log, so that it must not be replayed. */
bool replay_is_cancelled(const struct replay *r, xdaddr_t daddr, uint32_t len);
/* True if these sectors belong to a file that was logged behind a hole after the current item. */
bool replay_is_guarded(struct replay *r, xdaddr_t daddr, uint32_t len, enum log_buf_type type);
/*
 * Read or write bytes of the replayed state.  Unreadable bytes are reported, and *ret_ok is false.  Return 0, also
 * then, or a negative errno.
 */
int replay_read(struct replay *r, void *buf, uint64_t offset, uint32_t len, bool *ret_ok);
int replay_write(struct replay *r, const void *buf, uint64_t offset, uint32_t len);

#endif
