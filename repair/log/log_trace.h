/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of the log for one block or inode; see log_history.h. */
#ifndef XFSCK_REPAIR_LOG_TRACE_H
#define XFSCK_REPAIR_LOG_TRACE_H

#include "libxfs/log_item.h"

#define LOG_TRACE_CHUNKS (LOG_REGION_MAX / LOG_BUF_CHUNK)

/* A block, or an inode. */
struct log_trace {
	xdaddr_t daddr;
	uint32_t len;				/* sectors */
	xino_t ino;				/* NULL_INO: a block */
	bool known;				/* true if anything is known; else the members below are not set */
	lsn_t lsn;				/* of the last transaction that changed it */
	uint8_t *bytes;				/* unknown bytes are zero; an inode has its LSN and checksum */
	enum log_buf_type type;			/* of a block */
	uint64_t chunks[LOG_TRACE_CHUNKS / 64]; /* of a block: a bit for each known chunk */
	struct {
		uint32_t fields;  /* LOG_INODE_* fields of the fork when it was logged last; 0: not logged */
		uint32_t len;	  /* bytes of it that were logged */
		uint32_t forkoff; /* di_forkoff of the inode at that time */
	} fork[2];		  /* of an inode */
	bool attributes_left_out; /* of an inode from log_trace_make_inode() */
};

/* Notes that a chunk of a block, of LOG_BUF_CHUNK bytes, is known. */
void log_trace_add_chunk(struct log_trace *trace, uint32_t chunk);
/* True if bytes [0, len) of a block are known. */
bool log_trace_covers(const struct log_trace *trace, uint32_t len);
/* Fills unknown chunks of a block from the disk, where they have not changed.  disk: its trace->len sectors. */
void log_trace_complete(struct log_trace *trace, const uint8_t *disk);
/*
 * Makes an inode in trace->bytes from the known parts of its core and its literal area.  Leaves out an unknown
 * attribute fork, and notes that, unless `whole`.  False: a needed fork is unknown, the inode is invalid, or it is in
 * use without links.
 */
bool log_trace_make_inode(const struct geometry *geo, struct log_trace *trace, bool whole);

#endif
