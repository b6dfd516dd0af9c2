/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a repair loses, changes and restores, object by object, for the report. */
#ifndef XFSCK_REPAIR_LOSS_LIST_H
#define XFSCK_REPAIR_LOSS_LIST_H

#include <stddef.h>

#include "losses.h"
#include "units.h"

enum loss_fate {
	FATE_LOST,
	FATE_CHANGED,
	FATE_GAINED,
	FATE_OUTDATED, /* an obsolete name, which the inode no longer had: removed without loss */
	FATE_NR,
};

/* Evidence that the object existed. */
enum loss_witness {
	WITNESS_BLOCK, /* its own record, when the repair began */
	WITNESS_ROUND, /* a record found during the repair */
	WITNESS_COUNT, /* only a counter or an index, so its contents are unknown */
};

/* Why a difference is not confirmed. */
enum loss_doubt {
	DOUBT_NONE,
	DOUBT_CHECKSUM, /* read from a block or inode with a wrong checksum: it may have been something else */
	DOUBT_AGE,	/* only an inode that may be outdated shows it: perhaps nothing is lost */
	DOUBT_AREA,	/* data among destroyed blocks of metadata: it may have been overwritten, or not */
	DOUBT_FREE,	/* read from a block that may have been free: perhaps the name was removed before */
	DOUBT_PARENTS,	/* perhaps only parent pointers are lost, which are made again */
};

/* clang-format off */
/* Inode fields that can change: x(symbol, id, octal) */
#define LOSS_FIELDS(x)                                                                              \
	x(MODE, "mode", 1)                                                                          \
	x(UID, "owner", 0)                                                                          \
	x(GID, "group", 0)                                                                          \
	x(PROJID, "project", 0)                                                                     \
	x(SIZE, "size", 0)                                                                          \
	x(ATIME, "access time", 0)                                                                  \
	x(MTIME, "modification time", 0)                                                            \
	x(CTIME, "change time", 0)                                                                  \
	x(CRTIME, "creation time", 0)                                                               \
	x(GEN, "generation", 0)                                                                     \
	x(FLAGS, "flags", 0)                                                                        \
	x(FLAGS2, "more flags", 0)                                                                  \
	x(EXTSIZE, "extent size hint", 0)                                                           \
	x(COWEXTSIZE, "copy-on-write extent size hint", 0)                                          \
	x(CRC, "checksum", 0) /* was wrong, and nothing confirms the other fields */       \
	x(AGE, "age", 0)      /* the inode's block is stale: all its contents may be outdated */

enum loss_field {
#define x(symbol, id, octal) LOSS_FIELD_##symbol,
	LOSS_FIELDS(x)
#undef x
	LOSS_FIELD_NR,
};
/* clang-format on */

struct loss {
	uint8_t kind;	 /* enum loss_kind */
	uint8_t fate;	 /* enum loss_fate */
	uint8_t reason;	 /* enum drop_reason */
	uint8_t witness; /* enum loss_witness */
	uint8_t ftype;	 /* of the inode, if known */
	uint8_t flags;	 /* of an attribute: ATTR_ROOT, ATTR_SECURE */
	uint8_t field;	 /* of a changed inode */
	uint8_t namelen; /* length of the name in bytes[]; if now_dir is set, the new name follows it */
	uint8_t now_len;
	uint8_t doubt;	 /* enum loss_doubt */
	bool reattached; /* a restored name whose inode is in the list of reconnected inodes */
	xino_t ino;	 /* its inode; of a name: the inode it pointed to; NULL_INO: unknown */
	xino_t dir;	 /* of a name: the directory; NULL_INO: unknown */
	xino_t now_dir;	 /* of a name: directory of the inode's new name; NULL_INO: none */
	/*
	 * Data: bytes from `from` to `to`. Field: old and new value. Name that points to another inode now: old and new
	 * inode; other names: 0.
	 */
	uint64_t from, to;
	uint64_t count; /* of unknown names: how many `dir` had; of data: bytes; else 1 */
	uint8_t *bytes;
};

/* Start with { 0 } and a limit in bytes. */
struct loss_list {
	struct loss *all;
	size_t count, room;
	size_t bytes, limit;
	uint64_t left_out; /* losses that there was no room for */
	struct losses totals;
	uint64_t names_unknown; /* lost names of which even the directory is unknown */
};

/* Adds a loss with copies of its names. If there is no room, counts it in left_out. */
void loss_list_add(struct loss_list *list, const struct loss *loss, const uint8_t *name, const uint8_t *now);
/* Drops losses of kind LOSS_NR, and sorts the rest by fate, kind, directory or inode, reason, then place or name. */
void loss_list_settle(struct loss_list *list);
void loss_list_free(struct loss_list *list);
/* True if two neighbours in the list are about the same object, for the same reason. */
bool loss_same_object(const struct loss *a, const struct loss *b);

const char *loss_kind_id(enum loss_kind kind);
const char *loss_fate_id(enum loss_fate fate);
const char *loss_witness_id(enum loss_witness witness);
const char *loss_doubt_id(enum loss_doubt doubt); /* not for DOUBT_NONE */
const char *loss_field_id(enum loss_field field);
const char *loss_reason_id(enum drop_reason reason);
const char *loss_reason_text(enum drop_reason reason);

#endif
