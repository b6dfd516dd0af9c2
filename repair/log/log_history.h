/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the last mount logged of blocks and inodes that are lost.  The log has kept it, although it was replayed or
 * written long ago, and nothing is missing behind it: what it says last of any byte is what that byte should be.
 * Version 5 only: there, what is on the disk tells by itself whether it is lost.
 */
#ifndef XFSCK_REPAIR_LOG_HISTORY_H
#define XFSCK_REPAIR_LOG_HISTORY_H

#include "extent_counts.h"
#include "libxfs/da.h"
#include "log_trace.h"
#include "repair.h"

/*
 * Start with the geometry, and how many bytes may be taken for what is known; the rest is 0.  What is known of all that
 * is wanted may be more than that: it is told in parts, by address.
 */
struct log_history {
	const struct geometry *geo;
	uint64_t limit, used; /* bytes */
	uint64_t from, to;    /* sectors where the part begins and ends; to 0: all from there on */
	size_t wanted; /* of the traces, the first are wanted whatever the log says: known as soon as it is read */
	struct log_trace *traces; /* in the order in which they were wanted or found */
	size_t count, room;
	struct extent_counts index; /* of them, and 1 */
	bool *groups;		    /* NULL: none; all inodes of these allocation groups are wanted */
	bool names;		    /* all that holds names of directories is wanted */
};

/* Whether the log is one that holds any. */
bool log_history_there(const struct repair *rc);
/*
 * Something will be written that is not in the log: stage that the superblock is dated by the record that ends the log,
 * after which no history is there until the file system has been mounted again.  0 or negative errno.
 */
int log_history_end(struct repair *rc);
/* To be looked for: a block, an inode, all inodes of a group, which are valid. 0 or -ENOMEM. */
int log_history_want(struct log_history *h, xdaddr_t daddr, uint32_t len);
int log_history_want_inode(struct log_history *h, xino_t ino);
int log_history_want_group(struct log_history *h, agno_t agno);
/* Bytes for what is known, of what -m allows for; the rest is for going through the log. */
uint64_t log_history_limit(const struct repair *rc);
/* Go through the log for what is known of a part. 0 or negative errno. */
int log_history_read(struct log_history *h, struct repair *rc);
/* Forget that part, for the next to be read.  *ret_more: there is one.  0 or -ENOMEM. */
int log_history_next(struct log_history *h, bool *ret_more);
/* What that does with each item, in the order of recovery; lsn: of the transaction. 0 or -ENOMEM. */
int log_history_item(struct log_history *h, lsn_t lsn, const struct log_item *item);
void log_history_free(struct log_history *h);

/*
 * Each name of which the log knows, and in which directory: as far as what it lies in is known.  The entry is good
 * during the call. Other than 0 ends it, and is returned. 0 or -ENOMEM else.
 */
typedef int log_name_fn(void *ctx, xino_t directory, const struct dir_entry *entry);
int log_history_names(struct log_history *h, log_name_fn *fn, void *ctx);

#endif
