/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lost blocks and inodes, as the last mount logged them.  The log still holds these changes, although they were written
 * in place long ago.  It is complete from there on, so the last version of a byte that was logged is what the byte
 * should be.  Version 5 only, since blocks of that version show by themselves that they are lost.
 */
#ifndef XFSCK_REPAIR_LOG_HISTORY_H
#define XFSCK_REPAIR_LOG_HISTORY_H

#include "extent_counts.h"
#include "libxfs/da.h"
#include "log_trace.h"

struct repair;

/*
 * What is looked for in the log, and what was found.  Set geo and limit, the rest to 0.  If what is found needs more
 * than `limit` bytes, it is found in parts, by address: log_history_next() goes on to the next part.
 */
struct log_history {
	const struct geometry *geo;
	uint64_t limit, used; /* bytes of memory for what is found */
	uint64_t from, to;    /* the current part: sectors [from, to); to 0: all from there on */
	size_t wanted;	      /* so many of the traces, the first, were asked for; the others turned up in the log */
	struct log_trace *traces; /* in the order in which they were asked for or turned up */
	size_t count, room;
	struct extent_counts index; /* for the place of a trace, its index in traces plus 1 */
	bool *groups;		    /* allocation groups of which all inodes are looked for; NULL: none */
	bool names;		    /* look for all blocks and inodes that hold names of directories */
};

/* Whether the log can be used as history at all. */
bool log_history_there(const struct repair *rc);
/*
 * To be called when something will be written that is not in the log, which ends its use as history until the next
 * mount: stages a superblock that has the LSN of the record that ends the log, as a mark.  0 or negative errno.
 */
int log_history_end(struct repair *rc);
/* Ask for a block, an inode, or all inodes of a group; these must be valid. 0 or -ENOMEM. */
int log_history_want(struct log_history *h, xdaddr_t daddr, uint32_t len);
int log_history_want_inode(struct log_history *h, xino_t ino);
int log_history_want_group(struct log_history *h, agno_t agno);
/* What to set `limit` to: what -m allows, less what going through the log takes. */
uint64_t log_history_limit(const struct repair *rc);
/* Go through the log, and fill the traces of the current part. 0 or negative errno. */
int log_history_read(struct log_history *h, struct repair *rc);
/* What was found of a block that was asked for; NULL: it was not, or it does not belong to the current part. */
struct log_trace *log_history_find(const struct log_history *h, xdaddr_t daddr, uint32_t len);
/* Forget the current part, and go on to the next, which must be read then; *ret_more: there is one. 0 or -ENOMEM. */
int log_history_next(struct log_history *h, bool *ret_more);
/* What log_history_read() does with each item, in the order of recovery; lsn: the transaction's. 0 or -ENOMEM. */
int log_history_item(struct log_history *h, lsn_t lsn, const struct log_item *item);
void log_history_free(struct log_history *h);

/*
 * Call fn for each name of a directory that the traces of the current part hold; the entry is valid during the call
 * only.  A result of fn other than 0 ends this and is returned; else 0.
 */
typedef int log_name_fn(void *ctx, xino_t directory, const struct dir_entry *entry);
int log_history_names(struct log_history *h, log_name_fn *fn, void *ctx);

#endif
