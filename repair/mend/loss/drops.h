/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What menders have dropped in any round: records that they had in hand and did not put back.  The comparison of what
 * was with what is (loss.h) takes reasons from here, and what only came to light in a later round.  What is there after
 * all at the end is no loss.
 */
#ifndef XFSCK_REPAIR_DROPS_H
#define XFSCK_REPAIR_DROPS_H

#include <stddef.h>

#include "losses.h"
#include "units.h"

/* One record.  Names are the bytes on the disk; they are copied. */
struct drop {
	enum loss_kind kind;
	enum drop_reason reason;
	xino_t ino;	 /* the directory that had the name, else the inode whose data, attribute ... it was */
	xino_t target;	 /* of a name: the inode that it leads to; NULL_INO: not known */
	uint64_t offset; /* of data, as `blocks` */
	uint64_t blocks;
	const uint8_t *name; /* of a name or an attribute */
	uint8_t namelen;
	uint8_t flags; /* of an attribute: ATTR_ROOT, ATTR_SECURE */
};

/* Begin with { 0 }. */
struct drops {
	struct drop *all;
	size_t count, room;
	size_t name_bytes;
	uint64_t left_out; /* records for which there was no room */
};

/* Add a record; at most `limit` bytes are kept, and others only counted. */
void drops_add(struct drops *drops, const struct drop *drop, size_t limit);
void drops_free(struct drops *drops);

#endif
