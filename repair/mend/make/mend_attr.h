/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of an inode in memory: collects, changes and rewrites them. */
#ifndef XFSCK_REPAIR_MEND_ATTR_H
#define XFSCK_REPAIR_MEND_ATTR_H

#include "libxfs/attr_build.h"
#include "mend/base/name_chains.h"

struct mend;
struct mend_inode;
struct name_view;

#define ATTR_LOST_NAMES 8u

struct attr_items {
	struct attr_item *items; /* each owns the bytes of its name and value */
	size_t count, room;
	struct name_chains chains;		      /* for look-up; made when first needed */
	uint64_t lost;				      /* attributes with missing parts; they are dropped */
	struct attr_item lost_names[ATTR_LOST_NAMES]; /* the known names of the first of these */
	size_t nlost_names;
	uint64_t lost_blocks; /* invalid blocks of the fork */
	bool strays;	      /* a block with a wrong checksum may have held more attributes */
};

/*
 * Collects, each once, all attributes that can be recognized in the inode or the leaves of its attribute fork,
 * regardless of the index.  0; -E2BIG: the fork is too large; or another negative errno.  Free them in any case.
 */
int attr_items_collect(struct mend *m, const struct mend_inode *inode, struct attr_items *ret_items);
void attr_items_free(struct attr_items *items);
/* Adds an attribute; its bytes are copied. 0 or -ENOMEM. */
int attr_items_add(struct attr_items *items, const struct attr_item *item);
/* Finds a parent pointer. *ret_index: items->count if there is none. 0 or -ENOMEM. */
int attr_items_find_pptr(const struct geometry *geo, struct attr_items *items, xino_t parent,
			 const struct name_view *name, size_t *ret_index);
/* Marks an attribute as removed: it is not found any more. Other indexes don't change. */
void attr_items_remove(struct attr_items *items, size_t index);
/* Drops attributes that are marked as removed; indexes change. Call this before writing. */
void attr_items_settle(struct attr_items *items);

/*
 * Writes the attribute fork to new blocks, in the smallest form that fits, then the inode.  The old blocks become
 * unowned.  0; -ENOSPC, also if the inode has no room for an attribute fork; or another negative errno.
 */
int attr_write(struct mend *m, struct mend_inode *inode, struct attr_items *items);

/*
 * mend_attr_room.c: makes the attribute fork at least `bytes` long, by taking room that the data fork does not need.  A
 * fork that is long enough stays unchanged; else it becomes empty.  False: no room, nothing has changed.
 */
bool attr_room_make(struct mend_inode *inode, const struct geometry *geo, uint32_t bytes);

#endif
