/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lists of bad places of a device. */
#ifndef XFSCK_REPAIR_BAD_FILE_H
#define XFSCK_REPAIR_BAD_FILE_H

#include <stdio.h>

#include "spans.h"

struct words;

enum bad_kind {
	BAD_EMPTY,    /* no places, so the kind is unknown */
	BAD_DDRESCUE, /* a ddrescue mapfile */
	BAD_BLOCKS,   /* output of badblocks: a block number per line */
	BAD_SECTORS,  /* "123s" or "123-130s" per line */
};

enum bad_state {
	BAD_SURE,    /* unreadable, or still being tried */
	BAD_UNTRIED, /* not tried */
	BAD_STATES,
};

/* Start with { 0 }. */
struct bad_file {
	enum bad_kind kind;
	struct bad_list {
		struct span *v; /* bytes of the device; after reading: ascending, not adjacent */
		size_t count, room;
	} of[BAD_STATES];
	uint64_t block_size; /* BAD_BLOCKS: bytes of a block */
};

/*
 * Reads a list; its first line that is not a comment shows the kind. block_size: bytes of a block, for badblocks. 0,
 * -ENOMEM, -EIO, or -EINVAL with the reason in *why. Call bad_file_free() in any case.
 */
int bad_file_read(FILE *in, uint64_t block_size, struct bad_file *ret_file, struct words *why);
void bad_file_free(struct bad_file *file);
/* Returns "a ddrescue mapfile" and the like. */
const char *bad_file_kind(enum bad_kind kind);

#endif
