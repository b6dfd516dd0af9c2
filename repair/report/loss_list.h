/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a repair loses, changes and brings back, object by object, for the report. */
#ifndef XFSCK_REPAIR_LOSS_LIST_H
#define XFSCK_REPAIR_LOSS_LIST_H

#include <stddef.h>

#include "losses.h"
#include "units.h"

enum loss_fate {
	FATE_LOST,
	FATE_CHANGED,
	FATE_GAINED,
	FATE_OUTDATED, /* a name that the inode no longer had: it is removed, and nothing is lost */
	FATE_NR,
};

/* What tells that it was there. */
enum loss_witness {
	WITNESS_BLOCK, /* its own record, when the repair began */
	WITNESS_ROUND, /* a record that came to light in the course of the repair */
	WITNESS_COUNT, /* a counter or an index: what it was is not known */
};

/* clang-format off */
/* Fields of an inode that can change: x(symbol, id, octal) */
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
	x(CRC, "checksum", 0) /* it was wrong, and nothing else vouches for the other fields */       \
	x(AGE, "age", 0)      /* the inode's block is stale, so all that it holds may be older than it was */

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
	uint8_t ftype;	 /* of the inode, as far as it is known */
	uint8_t flags;	 /* of an attribute: ATTR_ROOT, ATTR_SECURE */
	uint8_t field;	 /* of a changed inode */
	uint8_t namelen; /* of bytes[]: of its name, behind which, if now_dir is set, is the one that it has now */
	uint8_t now_len;
	bool unsound;	 /* it was read from a block or an inode with a wrong checksum */
	bool reattached; /* of a gained name: its inode is in the list of those that have been given a name */
	xino_t ino;	 /* whose data, attribute ... it is; of a name: the inode that it led to; NULL_INO: not known */
	xino_t dir;	 /* of a name: the directory; NULL_INO: not known */
	xino_t now_dir;	 /* of a name: where the inode is now, if it has got a name for it; else NULL_INO */
	/*
	 * Of data: the bytes from `from` to `to`.  Of a field: its old and its new value.  Of a name that leads to
	 * another inode now: the two inodes, else 0.
	 */
	uint64_t from, to;
	uint64_t count; /* how many: of names that are not known, those in dir; of data, bytes; else 1 */
	uint8_t *bytes;
};

/* Begin with { 0 } and a limit. */
struct loss_list {
	struct loss *all;
	size_t count, room;
	size_t bytes, limit;
	uint64_t left_out; /* for which there was no room */
	struct losses totals;
	uint64_t names_unknown; /* of the names that are lost, those of which not even the directory is known */
};

/* Add one, with a copy of the names. It is counted in left_out if there is no room. */
void loss_list_add(struct loss_list *list, const struct loss *loss, const uint8_t *name, const uint8_t *now);
/* Drop what has kind LOSS_NR, and sort the rest: by fate, kind, directory or inode, reason, then place or name. */
void loss_list_settle(struct loss_list *list);
void loss_list_free(struct loss_list *list);
/* Whether two that follow each other are about the same object, for the same reason. */
bool loss_same_object(const struct loss *a, const struct loss *b);

const char *loss_kind_id(enum loss_kind kind);
const char *loss_fate_id(enum loss_fate fate);
const char *loss_witness_id(enum loss_witness witness);
const char *loss_field_id(enum loss_field field);
const char *loss_reason_id(enum drop_reason reason);
const char *loss_reason_text(enum drop_reason reason);

#endif
