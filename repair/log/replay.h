/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay of a dirty log into the overlay (ondisk 11, "Recovery rules"): the device is as it was, and whoever reads it
 * afterwards sees what the next mount would make of it.
 */
#ifndef XFSCK_REPAIR_REPLAY_H
#define XFSCK_REPAIR_REPLAY_H

#include "block_cache.h"
#include "extent_counts.h"
#include "log_transactions.h"
#include "repair.h"
#include "spot.h"

#define REPLAY_BUFFER_MAX (64u << 10) /* bytes: the largest block, inode cluster and directory block */

struct replay {
	struct repair *rc;
	struct spot spot;
	struct check check;	     /* reports for the log, with the geometry of the replayed state */
	const struct log_item *item; /* the one at hand: of what is reported */
	unsigned problems;
	struct log_source log;
	struct log_mark committed; /* where the transaction that is being looked at was */
	struct log_mark bad;	   /* where the first one that has a problem was */
	/* as the superblock of the replayed state has it: it may have grown */
	struct geometry geo;
	uint8_t *superblock; /* SB_READ_BYTES */

	/* pass 1 */
	uint64_t end;			/* bytes: of the largest file system that the log knows of */
	struct extent_counts cancelled; /* buffers whose blocks were freed: how often */
	struct extent_counts wanted;	/* buffers that will be changed */
	uint32_t quota_off;		/* LOG_BUF_*DQUOT: types that were turned off */

	/* pass 2 */
	struct block_cache *cache;
	uint8_t *buffer; /* REPLAY_BUFFER_MAX */
	lsn_t lsn;	 /* of the transactions being replayed */
	/* buffers changed by transactions of this date, with their type: they are dated when the last one is through */
	struct extent_counts undated;
	struct replay_counts *counts;
};

/*
 * Replay transactions committed before `until` (no commits of the head: all) into LAYER_REPLAY. *ret_end is `until` if
 * all that the log holds up to there has been replayed, and rc->geo and rc->primary follow the superblock; else what is
 * wrong has been reported, nothing is staged, and what was committed before *ret_end can be replayed. 0 or negative
 * errno.
 */
int replay_log(struct repair *rc, struct log_mark until, struct log_mark *ret_end);

/*
 * Whether that is said of an item that is left out, since what it changes is damaged on the disk: no fault of the log,
 * which is replayed without it.
 */
bool replay_leaves_out(enum finding finding);

/* The parts, one per kind of item; 0, or a negative errno that ends the replay. What can't be done is reported. */
int replay_buf(struct replay *r, const struct log_item *item);
int replay_buf_date(struct replay *r); /* what is undated */
int replay_inode(struct replay *r, const struct log_item *item);
int replay_icreate(struct replay *r, const struct log_item *item);
int replay_dquot(struct replay *r, const struct log_item *item);
/* replay_ahead.c: the buffer will be wanted in pass 2 */
int replay_want(struct replay *r, xdaddr_t daddr, uint32_t len);
/* Between the passes: read what is wanted into the cache. */
void replay_ahead(struct replay *r);
/* replay_owner.c: the blocks of a bmbt whose root is in this inode belong to it from now on */
int replay_owner(struct replay *r, const uint8_t *dinode, xino_t ino, enum fork fork);

/* replay_sb.c: if the buffer is the primary superblock, what was logged of it changes the geometry from here on */
void replay_sb_follow(struct replay *r, const struct log_item *item, const struct log_buf *buf);
/* After the last item: what a mount corrects in the superblock. 0 or negative errno. */
int replay_sb_finish(struct replay *r);

/* replay_bytes.c: whether these bytes may be changed by the log: they lie on the file system and off the log. Else it
 * is reported.  A superblock that is logged again leaves the place where the log said first that it had grown, and
 * changes beyond its former end may come before that. */
bool replay_may_change(struct replay *r, uint64_t offset, uint32_t len);
bool replay_is_cancelled(const struct replay *r, xdaddr_t daddr, uint32_t len);
/*
 * Read or write bytes of the replayed state.  What the device can't give is reported; *ret_ok false: these were such
 * bytes. 0 or negative errno.
 */
int replay_read(struct replay *r, void *buf, uint64_t offset, uint32_t len, bool *ret_ok);
int replay_write(struct replay *r, const void *buf, uint64_t offset, uint32_t len);

#endif
