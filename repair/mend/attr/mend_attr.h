/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of an inode in memory, for mending them: collected, settled, written anew. */
#ifndef XFSCK_REPAIR_MEND_ATTR_H
#define XFSCK_REPAIR_MEND_ATTR_H

#include "libxfs/attr_build.h"
#include "mend/inode/mend_inode.h"
#include "mend/name_chains.h"

#define ATTR_LOST_NAMES 8u

struct attr_items {
	struct attr_item *items; /* the bytes of names and values are theirs */
	size_t count, room;
	struct name_chains chains;		      /* of those among which one has been looked for */
	uint64_t lost;				      /* could not be kept, although something is left of them */
	struct attr_item lost_names[ATTR_LOST_NAMES]; /* the first of those that still had a name */
	size_t nlost_names;
	uint64_t lost_blocks; /* of the fork, that can't be made sense of */
};

/*
 * All attributes that can be made out in the inode or in its attribute fork's leaves, whatever its index says; each of
 * them once.  0; -E2BIG: too large a fork; or another negative errno. Free it, anyway.
 */
int attr_items_collect(struct mend *m, const struct mend_inode *inode, struct attr_items *ret_items);
void attr_items_free(struct attr_items *items);
/* One more, whose bytes are copied. 0 or -ENOMEM. */
int attr_items_add(struct attr_items *items, const struct attr_item *item);
/* The parent pointer's index; the count: there is none. 0 or -ENOMEM. */
int attr_items_find_pptr(const struct geometry *geo, struct attr_items *items, xino_t parent,
			 const struct name_view *name, size_t *ret_index);
/* It is not found any more, and is not written. */
void attr_items_remove(struct attr_items *items, size_t index);
/* Those that were removed are not among them any more. */
void attr_items_settle(struct attr_items *items);

/*
 * Write the attribute fork anew, in the form that is natural for what there is, with new blocks; the inode is stored
 * with it, last.  The old blocks belong to nobody then.  0, -ENOSPC, also if the inode has no room for an attribute
 * fork, or another negative errno.
 */
int attr_write(struct mend *m, struct mend_inode *inode, struct attr_items *items);

/*
 * mend_attr_room.c: make the attribute fork at least so many bytes large, at the cost of what the data fork does not
 * need.  The fork has nothing in it then.  False: there is no room, and nothing has changed.
 */
bool attr_room_make(struct mend_inode *inode, const struct geometry *geo, uint32_t bytes);

#endif
