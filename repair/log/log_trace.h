/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log has of a block or an inode: log_history.h. */
#ifndef XFSCK_REPAIR_LOG_TRACE_H
#define XFSCK_REPAIR_LOG_TRACE_H

#include "libxfs/log_item.h"

#define LOG_TRACE_CHUNKS (LOG_REGION_MAX / LOG_BUF_CHUNK)

/* A block, or an inode. */
struct log_trace {
	xdaddr_t daddr;
	uint32_t len;				/* sectors */
	xino_t ino;				/* NULL_INO: a block */
	bool known;				/* anything of it; what follows is set then */
	lsn_t lsn;				/* of the last transaction that changed it */
	uint8_t *bytes;				/* what is not known is zero; an inode is dated and has its checksum */
	enum log_buf_type type;			/* of a block */
	uint64_t chunks[LOG_TRACE_CHUNKS / 64]; /* of a block: which are known */
	struct {
		uint32_t fields;  /* LOG_INODE_*: as what it was logged last, 0: it was not */
		uint32_t len;	  /* bytes of it */
		uint32_t forkoff; /* of the inode then */
	} fork[2];		  /* of an inode */
};

/* A chunk of a block, of LOG_BUF_CHUNK bytes, is known from now on. */
void log_trace_add_chunk(struct log_trace *trace, uint32_t chunk);
/* Whether bytes [0, len) of a block are known. */
bool log_trace_covers(const struct log_trace *trace, uint32_t len);
/* What the log does not have of a block is as it was before: as it is in the trace->len sectors at `disk`. */
void log_trace_complete(struct log_trace *trace, const uint8_t *disk);
/*
 * Make the inode that it was, as far as it has that in itself; attributes that are not known are left out, unless it is
 * to be whole.  False: a fork that it must have is not known, it makes no sense, or it was deleted and is not free yet.
 */
bool log_trace_make_inode(const struct geometry *geo, struct log_trace *trace, bool whole);

#endif
