/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that tell which places of a device are bad. */
#ifndef XFSCK_REPAIR_BAD_FILE_H
#define XFSCK_REPAIR_BAD_FILE_H

#include <stdio.h>

#include "spans.h"

struct words;

enum bad_kind {
	BAD_EMPTY,    /* it names no place, and so does not show what it is */
	BAD_DDRESCUE, /* a mapfile of ddrescue */
	BAD_BLOCKS,   /* what badblocks prints: a block number a line */
	BAD_SECTORS,  /* "123s" or "123-130s" a line */
};

enum bad_state {
	BAD_SURE,    /* it could not be read, or not yet when more was tried */
	BAD_UNTRIED, /* not tried */
	BAD_STATES,
};

/* Start with { 0 }. */
struct bad_file {
	enum bad_kind kind;
	struct bad_list {
		struct span *v; /* bytes of the device; once all are read, ascending, and none touches the next */
		size_t count, room;
	} of[BAD_STATES];
	uint64_t block_size; /* BAD_BLOCKS: bytes of a block */
};

/*
 * Read it; what kind it is shows in the first line that is no comment.  block_size: bytes of a block, if it is of
 * badblocks.  0, -ENOMEM, -EIO, or -EINVAL after *why was filled.  Free it in any case.
 */
int bad_file_read(FILE *in, uint64_t block_size, struct bad_file *ret_file, struct words *why);
void bad_file_free(struct bad_file *file);
/* "a ddrescue mapfile" */
const char *bad_file_kind(enum bad_kind kind);

#endif
