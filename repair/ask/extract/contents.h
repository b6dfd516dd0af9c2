/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of extracted files besides their inodes: data extents and attributes. Facts that come in any order,
 * sorted by inode number in bounded memory.
 */
#ifndef XFSCK_REPAIR_EXTRACT_CONTENTS_H
#define XFSCK_REPAIR_EXTRACT_CONTENTS_H

#include "sets/number_set.h"
#include "base/sink.h"

struct contents;
struct repair;

/* The parts of an inode, in order. */
enum contents_kind {
	CONTENTS_ATTR_MAP,  /* an extent of the attribute fork */
	CONTENTS_ATTRIBUTE, /* an attribute */
	CONTENTS_ATTR_LOST, /* some attributes are lost */
	CONTENTS_DATA,	    /* a data extent of a regular file */
	CONTENTS_DATA_LOST, /* a part of a regular file whose blocks are unknown */
	CONTENTS_LAST = CONTENTS_DATA_LOST,
};

struct contents_record {
	enum contents_kind kind;
	uint64_t offset;	     /* extent or lost part: file block */
	struct blocks at;	     /* extent; for a lost part only its length */
	struct attr_entry attribute; /* valid until the next call of any function */
};

/* wanted: the inodes to collect, which must live as long; NULL: all. Returns NULL if out of memory. */
struct contents *contents_new(const struct repair *rc, const struct ino_set *wanted);
void contents_free(struct contents *contents);
/* Receives facts; ctx is a struct contents. */
extern const struct sink_ops contents_sink;

/* Sorts the facts when all are in. 0 or negative errno. */
int contents_settle(struct contents *contents);
/* Rewinds. 0 or negative errno. */
int contents_rewind(struct contents *contents);
/*
 * Gets the next record of an inode, up to kind `last`; call it in ascending inode order. 1; 0: there are no more up to
 * that kind; or negative errno.
 */
int contents_next(struct contents *contents, xino_t ino, enum contents_kind last, struct contents_record *ret);

#endif
