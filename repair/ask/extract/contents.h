/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that are extracted consist of, beside their inodes: where their data lies, and their attributes.
 * Facts that come in any order, sorted by inode number in bounded memory.
 */
#ifndef XFSCK_REPAIR_EXTRACT_CONTENTS_H
#define XFSCK_REPAIR_EXTRACT_CONTENTS_H

#include "sets/number_set.h"
#include "base/sink.h"

struct contents;
struct repair;

/* The order in which the parts of an inode come. */
enum contents_part {
	PART_ATTR_MAP,	/* an extent of the attribute fork */
	PART_ATTRIBUTE, /* an attribute */
	PART_ATTR_LOST, /* some of its attributes are lost */
	PART_DATA,	/* an extent of a regular file that holds data */
	PART_DATA_LOST, /* a part of a regular file whose place is unknown */
	PART_LAST = PART_DATA_LOST,
};

struct contents_record {
	enum contents_part part;
	uint64_t offset;	     /* of an extent or a lost part: block of the fork */
	struct blocks at;	     /* of an extent; of a lost part only its length */
	struct attr_entry attribute; /* valid until the next call of any function */
};

/* wanted: collect what is about these only; NULL: about all inodes.  It must live as long. NULL: out of memory. */
struct contents *contents_new(const struct repair *rc, const struct ino_set *wanted);
void contents_free(struct contents *contents);
/* Receives facts, with a struct contents as ctx. */
extern const struct sink_ops contents_sink;

/* When all facts are in. 0 or negative errno. */
int contents_settle(struct contents *contents);
/* Begin again. 0 or negative errno. */
int contents_rewind(struct contents *contents);
/*
 * The next record of an inode, of no later part than `last`; inodes must be asked for in ascending order.  1, 0: there
 * are no more up to that part, or negative errno.
 */
int contents_next(struct contents *contents, xino_t ino, enum contents_part last, struct contents_record *ret);

#endif
