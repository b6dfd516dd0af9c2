/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of an inode in memory, for mending them: they are collected, changed, and the fork written anew. */
#ifndef XFSCK_REPAIR_MEND_ATTR_H
#define XFSCK_REPAIR_MEND_ATTR_H

#include "libxfs/attr_build.h"
#include "mend/base/name_chains.h"

struct mend;
struct mend_inode;
struct name_view;

#define ATTR_LOST_NAMES 8u

struct attr_items {
	struct attr_item *items; /* each has the bytes of its name and value in memory of its own */
	size_t count, room;
	struct name_chains chains;		      /* for finding items; made when the first is looked for */
	uint64_t lost;				      /* attributes of which only a part is left; they are dropped */
	struct attr_item lost_names[ATTR_LOST_NAMES]; /* the names of the first of these, as far as they are known */
	size_t nlost_names;
	uint64_t lost_blocks; /* blocks of the fork that make no sense */
};

/*
 * Collect all attributes that can be made out in the inode or in the leaves of its attribute fork, whatever the index
 * says; each of them once.  0; -E2BIG: the fork is too large; or another negative errno.  Free them in any case.
 */
int attr_items_collect(struct mend *m, const struct mend_inode *inode, struct attr_items *ret_items);
void attr_items_free(struct attr_items *items);
/* Add an attribute, whose bytes are copied. 0 or -ENOMEM. */
int attr_items_add(struct attr_items *items, const struct attr_item *item);
/* Find a parent pointer; *ret_index: items->count: it is not there. 0 or -ENOMEM. */
int attr_items_find_pptr(const struct geometry *geo, struct attr_items *items, xino_t parent,
			 const struct name_view *name, size_t *ret_index);
/* Mark an attribute as removed, so that it is not found any more; indexes of others stay. */
void attr_items_remove(struct attr_items *items, size_t index);
/* Drop attributes that are marked as removed; indexes change. To be called before items are written. */
void attr_items_settle(struct attr_items *items);

/*
 * Write the attribute fork anew, in the smallest form that has room for its attributes, to new blocks; then the inode.
 * The old blocks belong to nobody then.  0; -ENOSPC, also if the inode has no room for an attribute fork; or another
 * negative errno.
 */
int attr_write(struct mend *m, struct mend_inode *inode, struct attr_items *items);

/*
 * mend_attr_room.c: have an attribute fork of at least so many bytes, at the cost of room that the data fork does not
 * need.  A fork that is large enough stays as it is, else it is empty then.  False: there is no room, and nothing has
 * changed.
 */
bool attr_room_make(struct mend_inode *inode, const struct geometry *geo, uint32_t bytes);

#endif
