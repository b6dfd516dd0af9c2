/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay that continues behind holes in the log: data about the part behind them, so that nothing older than a hole
 * overwrites newer data.
 */
#ifndef XFSCK_REPAIR_LOG_ACROSS_H
#define XFSCK_REPAIR_LOG_ACROSS_H

#include <stddef.h>

#include "geometry.h"
#include "libxfs/dinode.h"
#include "libxfs/log_item.h"
#include "sets/hash.h"

/* An inode that was logged behind a hole. */
struct log_later {
	xino_t ino;
	uint32_t holes; /* before its last change */
	uint16_t mode;	/* 0: unknown, or freed */
};

/* The use of a span's blocks, which decides the older buffers that may still be replayed there. */
enum log_span_kind {
	LOG_SPAN_FILE,	  /* a file's data: none, as data is not in the log */
	LOG_SPAN_ATTR,	  /* attribute fork: buffers of attributes; remote values are not in the log */
	LOG_SPAN_SYMLINK, /* buffers of symbolic links */
};

/* Blocks of an inode that was logged behind a hole: sectors [from, to) of the device. */
struct log_span {
	uint64_t from, to, reach; /* reach: the highest end of this span and all before it */
	uint32_t holes;
	enum log_span_kind kind;
};

/* An entry in a directory behind the hole, for an inode that was not logged there. */
struct log_former {
	uint64_t entry; /* log_former_hash() */
	xino_t ino;
};

struct log_across {
	struct log_later *later; /* by number, each once, after log_across_settle() */
	size_t nlater, later_room;
	struct log_span *spans; /* by place, after log_across_settle() */
	size_t nspans, spans_room;
	uint64_t guarded;	   /* items that were not replayed because of these */
	struct log_former *former; /* sorted by `entry` */
	size_t nformer, former_room;
	bool former_known; /* `former` is settled: names of inodes from before the hole */
};

void log_across_free(struct log_across *across);
/* Notes that an inode is in a transaction behind so many holes.  Returns 0 or -ENOMEM. */
int log_across_note(struct log_across *across, const struct log_inode *inode, uint32_t holes);
/* Notes that such an inode owns these sectors.  Returns 0 or -ENOMEM. */
int log_across_span(struct log_across *across, uint64_t from, uint64_t to, uint32_t holes, enum log_span_kind kind);
/* Sorts both, after the last one. */
void log_across_settle(struct log_across *across);
/* Returns the inode if it was logged behind a hole, else NULL. */
const struct log_later *log_across_later(const struct log_across *across, xino_t ino);
/* True if these sectors belong to an inode that was logged behind a hole after the current item.  holes: before it. */
bool log_across_guards(const struct log_across *across, uint64_t from, uint64_t len, uint32_t holes,
		       enum log_buf_type type);

static inline uint64_t log_former_hash(const struct hash_key *key, xino_t dir, xino_t ino, uint64_t name_hash)
{
	return hash3(key, dir.v, ino.v, name_hash);
}
/* Returns the index of an entry in `former`, or nformer. */
size_t log_former_find(const struct log_across *across, uint64_t entry);

#endif
