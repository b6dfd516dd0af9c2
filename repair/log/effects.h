/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes to the accounts when an interrupted operation is completed (ondisk 11, "Intents/dones"; 12: S7 to S11, D8):
 * effects for each extent of an intent, and changes of parent pointers.
 */
#ifndef XFSCK_REPAIR_EFFECTS_H
#define XFSCK_REPAIR_EFFECTS_H

#include "libxfs/log_item.h"
#include "base/sink.h"

enum effect_kind {
	EFFECT_NONE,
	EFFECT_FREE,	/* EFI: unowned blocks become free, and lose their rmapbt records */
	EFFECT_MAP,	/* BUI: a file gets an extent, and its rmapbt record is added */
	EFFECT_UNMAP,	/* BUI: a file loses an extent, and its rmapbt record is removed */
	EFFECT_RMAP,	/* RUI: an rmapbt record is added */
	EFFECT_UNRMAP,	/* RUI: an rmapbt record is removed; a conversion is both */
	EFFECT_SHARE,	/* CUI: blocks gain an owner */
	EFFECT_UNSHARE, /* CUI: blocks lose an owner; after the last, they become free */
	EFFECT_STAGE,	/* CUI: blocks become staged for copy on write */
	EFFECT_UNSTAGE, /* CUI: blocks are no longer staged */
};

struct effect {
	enum effect_kind kind;
	struct claim claim; /* the blocks; owner, offset and flags only for kinds that need them */
};

/* A parent pointer in an intent.  Compared as bytes, so all of it must be set, padding included. */
struct logged_pptr {
	xino_t child;
	xino_t parent;
	uint32_t parent_gen;
	uint8_t namelen; /* 0: none */
	uint8_t name[255];
};
/* The change of an ATTRI to parent pointers of an inode; namelen 0: none is removed, or none is added. */
struct pptr_change {
	xino_t child;
	struct logged_pptr goes, comes; /* the one that is removed, and the one that is there afterwards */
};

/* Blocks [start, end) of a group. */
struct span {
	uint32_t group;
	uint64_t start, end;
};

/* The effects of all waiting intents of a log; start with { 0 }. */
struct effects {
	struct effect *v; /* sorted by kind, but EFFECT_MAP and EFFECT_UNMAP together by owner */
	size_t count;
	struct span *freed; /* blocks of all EFFECT_FREE, sorted, without overlaps */
	size_t nfreed;
	struct pptr_change *pptrs;
	size_t npptrs;
	struct logged_pptr *touched; /* all parent pointers in pptrs, sorted, whether or not the disk has them yet */
	size_t ntouched;
};

/* True if the blocks of an intent's extent are in the file system. */
bool effects_possible(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent);
/* Translates a valid extent into effects: two for a conversion, else the second is EFFECT_NONE. */
#define EFFECTS_PER_EXTENT 2
void effects_of_extent(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent,
		       struct effect ret_effects[EFFECTS_PER_EXTENT]);
/* Translates an ATTRI into a change of parent pointers.  False: it is about another attribute. */
bool effects_of_attri(const struct log_attri *attri, struct pptr_change *ret_change);

/* Returns the index in v of this file's first EFFECT_MAP or EFFECT_UNMAP, or the place for it. */
size_t effects_of_file(const struct effects *effects, xino_t ino);
/* True if an intent adds or removes this parent pointer. */
bool effects_touch_pptr(const struct effects *effects, const struct logged_pptr *name);
/* Sorts v and pptrs after the last one, and fills freed and touched.  Returns 0 or -ENOMEM. */
int effects_settle(struct effects *effects);
void effects_free(struct effects *effects);

#endif
