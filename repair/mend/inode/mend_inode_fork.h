/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What mending extent maps has at hand: the fork of a file at work (mend_inode_fork.c). */
#ifndef XFSCK_REPAIR_MEND_INODE_FORK_H
#define XFSCK_REPAIR_MEND_INODE_FORK_H

#include "mend_claims.h"
#include "mend_inode.h"
#include "mend_map.h"

/* One fork of an inode at work. */
struct fork_work {
	struct mend *m;
	const struct mend_facts *facts;
	struct mend_inode inode;
	enum fork which;
	const struct found *found; /* about this inode */
	size_t count;
	const struct claims *claims; /* of all of them */
	struct mend_map rmap;	     /* as the rmapbt has it; empty where there is none */
	struct mend_map map;	     /* as it shall be */
};

static inline bool fork_is_realtime(const struct fork_work *w)
{
	return w->inode.inode.fork[w->which].rules.realtime;
}

/* The realtime section's own files are written anew with what they lack (mend_rt_space.c). */
static inline bool fork_is_derived(const struct fork_work *w)
{
	return w->which == DATA_FORK && w->inode.inode.rtfile;
}

/* Whether the rmapbt has all of these blocks there in the file. */
bool fork_confirmed(const struct fork_work *w, const struct bmap_record *extent);

/* mend_inode_claims.c: settle who keeps the blocks of w->map that others claim, too. 0 or negative errno. */
int inode_claims_settle(struct fork_work *w);

#endif
