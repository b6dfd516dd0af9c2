/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files share that mend extent maps (mend_inode_fork.c): the fork at work. */
#ifndef XFSCK_REPAIR_MEND_INODE_FORK_H
#define XFSCK_REPAIR_MEND_INODE_FORK_H

#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"

/* One fork of an inode at work. */
struct fork_work {
	struct mend *m;
	const struct mend_facts *facts;
	struct mend_inode inode;
	enum fork which;
	const struct found *found; /* all findings about this inode */
	size_t count;
	const struct claims *claims;	 /* of all inodes that are mended */
	const struct lost_runs *lacking; /* blocks that lack an owner, as far as findings tell */
	struct mend_map rmap;		 /* the fork's map as the rmapbt has it; empty if there is none */
	struct mend_map map;		 /* the fork's map as it shall be */
	bool confirmed;			 /* the rmapbt has all of the forks so far as they shall be */
};

static inline bool fork_is_realtime(const struct fork_work *w)
{
	return w->inode.inode.fork[w->which].rules.realtime;
}

/* Whether the fork's contents follow from others, since it is a realtime group's own file (mend_rt_space.c). */
static inline bool fork_is_derived(const struct fork_work *w)
{
	return w->which == DATA_FORK && w->inode.inode.rtfile;
}

/* ---- mend_fork_rmap.c: functions that return an int return 0 or -ENOMEM ---- */

/* Fill w->rmap with these extents, but for blocks that the rmapbt has as two owners' who may not share them. */
int fork_rmap_load(struct fork_work *w);
/* Whether the rmapbt has all of the extent's blocks in the same place of the file. */
bool fork_rmap_confirms(const struct fork_work *w, const struct bmap_record *extent);
/*
 * Add blocks of the fork's bmbt to its `ruins`: those that the rmapbt has as such, that can be read, and hold no
 * metadata of anybody.  0 or -ENOMEM.
 */
int fork_rmap_ruins(struct fork_work *w);
/* Whether the rmapbt has as many blocks for the inode as the inode counts. */
bool fork_rmap_is_complete(const struct fork_work *w);
/*
 * True if nothing but the inode's number says that the data which the rmapbt has of it are its own: the inode has just
 * the blocks that it counts, the rmapbt has none of these in their place, and it has another number of blocks.  So it
 * is if an inode is as it was before its number was given to another file.  *ret is set; 0 or -ENOMEM.
 */
int fork_rmap_is_foreign(const struct fork_work *w, bool *ret);
/* Whether rmapbts have data of the file, but all of it on the other device than the inode's realtime flag says. */
bool fork_rmap_on_other_device(const struct fork_work *w);

/* ---- mend_fork_prevail.c ---- */

/*
 * Change w->map, if it is the data of a regular file, where others know better: put back blocks that lack an owner and
 * are the file's by the rmapbt, and have extents written that can't be unwritten.  0 or -ENOMEM.
 */
int fork_rmap_prevail(struct fork_work *w);
/* Whether the file has the reflink flag, and the refcount btree has all of an extent's blocks as shared. */
bool fork_is_shared(const struct fork_work *w, const struct bmap_record *extent);

/* ---- mend_fork_map.c ---- */

/* Whether the map could not be read whole, or findings say that it is wrong in itself. */
bool fork_map_broken(const struct fork_work *w);
/* Fill w->map, from the extents that could be read and w->rmap. 0 or negative errno. */
int fork_map_settle(struct fork_work *w);
/* Whether w->map differs from the extents that were read. */
bool fork_map_changed(const struct fork_work *w);
/* Whether a place is, or may be, in the fork at work. */
bool fork_is_of(const struct fork_work *w, const struct place *place);

/* ---- mend_fork_lengths.c ---- */

/* Which extents of a fork are too long, as far as the file itself tells. */
struct fork_lengths {
	uint64_t surplus;		    /* blocks that the maps have more than the inode says it has */
	size_t overlaps;		    /* extents of the fork that reach over the next one */
	const struct bmap_record *too_long; /* the only extent that can have all the surplus; NULL: there is none */
};
struct fork_lengths fork_lengths_of(const struct fork_work *w);
/* By how many blocks extent i of the fork is too long; always fewer than it has. */
uint32_t fork_excess(const struct fork_work *w, const struct fork_lengths *lengths, size_t i);

/* mend_inode_claims.c: settle who keeps the blocks of w->map that others claim, too. 0 or negative errno. */
int inode_claims_settle(struct fork_work *w);

#endif
