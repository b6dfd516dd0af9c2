/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How finishing an interrupted operation changes the accounts (ondisk 11, "Intents/dones"; 12: S7 to S11, D8): effects
 * for each extent of an intent, and changes of parent pointers.
 */
#ifndef XFSCK_REPAIR_EFFECTS_H
#define XFSCK_REPAIR_EFFECTS_H

#include "libxfs/log_item.h"
#include "base/sink.h"

enum effect_kind {
	EFFECT_NONE,
	EFFECT_FREE,	/* EFI: blocks that nobody claims any more become free, and lose their rmapbt records */
	EFFECT_MAP,	/* BUI: a file gets an extent, and its rmapbt record is added */
	EFFECT_UNMAP,	/* BUI: a file gives up an extent, and its rmapbt record is removed */
	EFFECT_RMAP,	/* RUI: an rmapbt record is added */
	EFFECT_UNRMAP,	/* RUI: an rmapbt record is removed; converting one is both */
	EFFECT_SHARE,	/* CUI: blocks get one more owner */
	EFFECT_UNSHARE, /* CUI: blocks lose an owner; if it is the last, they become free */
	EFFECT_STAGE,	/* CUI: blocks become staged for copy on write */
	EFFECT_UNSTAGE, /* CUI: blocks are staged no more */
};

struct effect {
	enum effect_kind kind;
	struct claim claim; /* the blocks; owner, offset and flags only for kinds that need them */
};

/* A parent pointer that an intent names.  Compared as bytes, so all of it must be set, padding included. */
struct logged_pptr {
	xino_t child;
	xino_t parent;
	uint32_t parent_gen;
	uint8_t namelen; /* 0: none */
	uint8_t name[255];
};
/* What an ATTRI does with parent pointers of an inode; namelen 0: none is removed, or none is added. */
struct pptr_change {
	xino_t child;
	struct logged_pptr goes, comes; /* the one that is removed, and the one that is there afterwards */
};

/* Blocks [start, end) of a group. */
struct span {
	uint32_t group;
	uint64_t start, end;
};

/* The effects of all intents of a log that wait; start with { 0 }. */
struct effects {
	struct effect *v; /* sorted by kind, but EFFECT_MAP and EFFECT_UNMAP together by owner */
	size_t count;
	struct span *freed; /* blocks of all EFFECT_FREE, sorted, without overlaps */
	size_t nfreed;
	struct pptr_change *pptrs;
	size_t npptrs;
	struct logged_pptr *touched; /* all that pptrs name, sorted; whether the disk has these yet does not matter */
	size_t ntouched;
};

/* Whether the blocks of an extent of an intent lie in the file system. */
bool effects_possible(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent);
/* The effects of an extent that is possible: two for a conversion, else the second is EFFECT_NONE. */
#define EFFECTS_PER_EXTENT 2
void effects_of_extent(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent,
		       struct effect ret_effects[EFFECTS_PER_EXTENT]);
/* What an ATTRI does with parent pointers. False: it is about another attribute. */
bool effects_of_attri(const struct log_attri *attri, struct pptr_change *ret_change);

/* Index in v of the first EFFECT_MAP or EFFECT_UNMAP of this file; where it would be, if there is none. */
size_t effects_of_file(const struct effects *effects, xino_t ino);
/* Whether an intent adds or removes this parent pointer. */
bool effects_touch_pptr(const struct effects *effects, const struct logged_pptr *name);
/* When v and pptrs are complete: sort them, and fill freed and touched. 0 or -ENOMEM. */
int effects_settle(struct effects *effects);
void effects_free(struct effects *effects);

#endif
