/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log holds of one block or inode, see log_history.h. */
#ifndef XFSCK_REPAIR_LOG_TRACE_H
#define XFSCK_REPAIR_LOG_TRACE_H

#include "libxfs/log_item.h"

#define LOG_TRACE_CHUNKS (LOG_REGION_MAX / LOG_BUF_CHUNK)

/* A block, or an inode. */
struct log_trace {
	xdaddr_t daddr;
	uint32_t len;				/* sectors */
	xino_t ino;				/* NULL_INO: a block */
	bool known;				/* something is known of it; only then are the following set */
	lsn_t lsn;				/* of the last transaction that changed it */
	uint8_t *bytes;				/* unknown bytes are zero; an inode has its LSN and checksum */
	enum log_buf_type type;			/* of a block */
	uint64_t chunks[LOG_TRACE_CHUNKS / 64]; /* of a block: which chunks are known, a bit each */
	struct {
		uint32_t fields;  /* the LOG_INODE_* fields that the fork was logged as last; 0: it was not logged */
		uint32_t len;	  /* bytes of it that were logged */
		uint32_t forkoff; /* di_forkoff of the inode then */
	} fork[2];		  /* of an inode */
	bool attributes_left_out; /* of an inode that was made: log_trace_make_inode() */
};

/* Note that a chunk of a block, of LOG_BUF_CHUNK bytes, is known. */
void log_trace_add_chunk(struct log_trace *trace, uint32_t chunk);
/* Whether bytes [0, len) of a block are known. */
bool log_trace_covers(const struct log_trace *trace, uint32_t len);
/* Take unknown chunks of a block from the disk, where they have not changed; disk: its trace->len sectors. */
void log_trace_complete(struct log_trace *trace, const uint8_t *disk);
/*
 * Make an inode in trace->bytes of what is known of its core and its literal area.  An attribute fork that is not known
 * is left out, and that noted, unless `whole`.  False: a fork that it needs is not known, the inode makes no sense, or
 * it is in use but has no links.
 */
bool log_trace_make_inode(const struct geometry *geo, struct log_trace *trace, bool whole);

#endif
