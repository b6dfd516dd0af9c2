/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that menders gave up in any round.  The comparison of before and after (loss.h) takes reasons from here, and
 * losses of things that only a later round discovered.  Whatever exists at the end is not a loss.
 */
#ifndef XFSCK_REPAIR_DROPS_H
#define XFSCK_REPAIR_DROPS_H

#include <stddef.h>

#include "losses.h"
#include "units.h"

/* One record. Names are the bytes on disk; they are copied. */
struct drop {
	enum loss_kind kind;
	enum drop_reason reason;
	xino_t ino;	 /* the directory of a name; else the inode of the data, attribute ... */
	xino_t target;	 /* of a name: the inode that it points to; NULL_INO: unknown */
	uint64_t offset; /* of data, like `blocks` */
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
	uint64_t left_out; /* number of records for which there was no room */
};

/* Adds a record. Beyond `limit` bytes, records are only counted. */
void drops_add(struct drops *drops, const struct drop *drop, size_t limit);
void drops_free(struct drops *drops);

#endif
