/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lost blocks and inodes, as the last mount logged them.  The log still has these changes, although they were written
 * in place long ago.  It is complete from the start of the mount, so the last logged version of a byte is the right
 * one.  Version 5 only, since only blocks of that version show that they are lost.
 */
#ifndef XFSCK_REPAIR_LOG_HISTORY_H
#define XFSCK_REPAIR_LOG_HISTORY_H

#include "extent_counts.h"
#include "libxfs/da.h"
#include "log_trace.h"

struct repair;

/*
 * The search in the log and its results.  Set geo and limit, the rest to 0.  If the results need more than `limit`
 * bytes, they are found in parts, by address: log_history_next() goes to the next part.
 */
struct log_history {
	const struct geometry *geo;
	uint64_t limit, used;	  /* bytes of memory for results */
	uint64_t from, to;	  /* the current part: sectors [from, to); to 0: all from there on */
	size_t wanted;		  /* number of traces asked for, at the start; the others were found in the log */
	struct log_trace *traces; /* in the order in which they were asked for or found */
	size_t count, room;
	struct extent_counts index; /* the index of a trace, plus 1, by its place */
	bool *groups;		    /* AGs of which all inodes are wanted; NULL: none */
	bool names;		    /* also want all blocks and inodes with directory entries */
};

/* True if the log can be used as history at all. */
bool log_history_there(const struct repair *rc);
/*
 * Stages a superblock with the LSN of the record that ends the log, as a mark.  Call it when something will be written
 * that is not in the log: it ends the use of the log as history until the next mount.  Returns 0 or a negative errno.
 */
int log_history_end(struct repair *rc);
/* Want a block, an inode, or all inodes of an AG; these must be valid.  Return 0 or -ENOMEM. */
int log_history_want(struct log_history *h, xdaddr_t daddr, uint32_t len);
int log_history_want_inode(struct log_history *h, xino_t ino);
int log_history_want_group(struct log_history *h, agno_t agno);
/* Returns the bytes for `limit`: -m minus the memory for reading the log. */
uint64_t log_history_limit(const struct repair *rc);
/* Reads the log, and fills the traces of the current part.  Returns 0 or a negative errno. */
int log_history_read(struct log_history *h, struct repair *rc);
/* Returns the trace of a wanted block; NULL: it was not wanted, or is not in the current part. */
struct log_trace *log_history_find(const struct log_history *h, xdaddr_t daddr, uint32_t len);
/* Frees the current part, and goes to the next, which must then be read.  *ret_more: there is one.  0 or -ENOMEM. */
int log_history_next(struct log_history *h, bool *ret_more);
/* False: log_history_item() would do nothing with the item that begins so. */
bool log_history_wants(const struct log_history *h, const struct log_item_head *head);
/* Adds an item, in the order of recovery, for log_history_read().  lsn: of the transaction.  Returns 0 or -ENOMEM. */
int log_history_item(struct log_history *h, lsn_t lsn, const struct log_item *item);
void log_history_free(struct log_history *h);

/*
 * Calls fn for each directory entry in the traces of the current part; the entry is valid during the call only.  A
 * result of fn other than 0 ends this and is returned; else 0.
 */
typedef int log_name_fn(void *ctx, xino_t directory, const struct dir_entry *entry);
int log_history_names(struct log_history *h, log_name_fn *fn, void *ctx);

#endif
