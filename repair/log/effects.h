/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the end of an interrupted operation does to the books (ondisk 11, "Intents/dones"; 12: S7 to S11, D8): an
 * effect per extent of an intent, and what becomes of a parent pointer.
 */
#ifndef XFSCK_REPAIR_EFFECTS_H
#define XFSCK_REPAIR_EFFECTS_H

#include "libxfs/log_item.h"
#include "sink.h"

enum effect_kind {
	EFFECT_NONE,
	EFFECT_FREE,	/* EFI: blocks that nobody claims any more become free, and what the rmapbt says of them goes */
	EFFECT_MAP,	/* BUI: a file gets an extent, ... */
	EFFECT_UNMAP,	/* ... or gives it up: its rmap comes or goes with it */
	EFFECT_RMAP,	/* RUI: an rmap record comes ... */
	EFFECT_UNRMAP,	/* ... or goes; a conversion is both */
	EFFECT_SHARE,	/* CUI: blocks get one more owner, ... */
	EFFECT_UNSHARE, /* ... or one less: the last one gone, they become free */
	EFFECT_STAGE,	/* CUI: blocks are staged for copy on write, ... */
	EFFECT_UNSTAGE, /* ... or not any more */
};

struct effect {
	enum effect_kind kind;
	struct claim claim; /* owner, offset and flags where they matter */
};

/* A parent pointer, compared as bytes. */
struct logged_pptr {
	xino_t child;
	xino_t parent;
	uint32_t parent_gen;
	uint8_t namelen; /* 0: none */
	uint8_t name[255];
};
/* The one that goes, and the one that is there in the end. */
struct pptr_change {
	xino_t child;
	struct logged_pptr goes, comes;
};

/* Blocks [start, end) of a group. */
struct span {
	uint32_t group;
	uint64_t start, end;
};

/* All of a log; empty: zeroed. */
struct effects {
	struct effect *v; /* EFFECT_MAP and EFFECT_UNMAP by owner, the others by kind */
	size_t count;
	struct span *freed; /* what EFFECT_FREE covers, by place, apart from each other */
	size_t nfreed;
	struct pptr_change *pptrs;
	size_t npptrs;
	struct logged_pptr *touched; /* of these, sorted: whether they are there now does not matter */
	size_t ntouched;
};

/* Effects of one extent of an intent, of which it must be asked first whether it is possible here; 2 for a conversion,
 * else the second is EFFECT_NONE. */
#define EFFECTS_PER_EXTENT 2
bool effects_possible(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent);
void effects_of_extent(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent,
		       struct effect ret_effects[EFFECTS_PER_EXTENT]);
/* False: it is not about a parent pointer. */
bool effects_of_attri(const struct log_attri *attri, struct pptr_change *ret_change);

/* The first effect that maps or unmaps something of a file. */
size_t effects_of_file(const struct effects *effects, xino_t ino);
bool effects_touch_pptr(const struct effects *effects, const struct logged_pptr *name);
/* When v and pptrs are complete: sort them, and find what is freed. 0 or -ENOMEM. */
int effects_settle(struct effects *effects);
void effects_free(struct effects *effects);

#endif
