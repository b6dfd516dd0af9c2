/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay that goes on behind holes in the log: what is learnt of the part behind them, so that nothing older than a
 * hole damages what came after it.
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
	uint32_t holes; /* that lie before its last change */
	uint16_t mode;	/* 0: not known, or freed */
};

/* Whose blocks a span has, and so, which older buffers may still be replayed there. */
enum log_span_kind {
	LOG_SPAN_FILE,	  /* a file's data: none, as these are not in the log */
	LOG_SPAN_ATTR,	  /* of an attribute fork: those of attributes, whose values are not in the log */
	LOG_SPAN_SYMLINK, /* those of symbolic links */
};

/* Blocks of an inode that was logged behind a hole: sectors [from, to) of the device. */
struct log_span {
	uint64_t from, to, reach; /* reach: the end of the span that ends last among this one and those before */
	uint32_t holes;
	enum log_span_kind kind;
};

/* A name that directories have behind the hole, of an inode that was not logged there. */
struct log_former {
	uint64_t entry; /* log_former_hash() */
	xino_t ino;
};

struct log_across {
	struct log_later *later; /* in the order of their numbers, each once, after log_across_settle() */
	size_t nlater, later_room;
	struct log_span *spans; /* in the order of the disk, after log_across_settle() */
	size_t nspans, spans_room;
	uint64_t guarded;	   /* items that were not replayed because of these */
	struct log_former *former; /* in the order of `entry` */
	size_t nformer, former_room;
	bool former_known; /* these are names of inodes of before the hole */
};

void log_across_free(struct log_across *across);
/* An inode is in a transaction behind so many holes. 0 or -ENOMEM. */
int log_across_note(struct log_across *across, const struct log_inode *inode, uint32_t holes);
/* Such an inode has these sectors. 0 or -ENOMEM. */
int log_across_span(struct log_across *across, uint64_t from, uint64_t to, uint32_t holes, enum log_span_kind kind);
/* After the last of either. */
void log_across_settle(struct log_across *across);
/* The inode, if it was logged behind a hole; else NULL. */
const struct log_later *log_across_later(const struct log_across *across, xino_t ino);
/* True if sectors belong to an inode that was logged behind a hole that lies behind an item of a transaction. */
bool log_across_guards(const struct log_across *across, uint64_t from, uint64_t len, uint32_t holes,
		       enum log_buf_type type);

static inline uint64_t log_former_hash(const struct hash_key *key, xino_t dir, xino_t ino, uint64_t name_hash)
{
	return hash3(key, dir.v, ino.v, name_hash);
}
/* The index of a name among `former`, or nformer. */
size_t log_former_find(const struct log_across *across, uint64_t entry);

#endif
