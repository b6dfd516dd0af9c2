/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fork that is being mended: shared by the files that mend extent maps (mend_inode_fork.c). */
#ifndef XFSCK_REPAIR_MEND_INODE_FORK_H
#define XFSCK_REPAIR_MEND_INODE_FORK_H

#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"

/* The current fork of an inode. */
struct fork_work {
	struct mend *m;
	const struct mend_facts *facts;
	struct mend_inode inode;
	enum fork which;
	const struct found *found; /* all findings about this inode */
	size_t count;
	const struct claims *claims;	      /* of all inodes to be mended */
	const struct unowned_ranges *lacking; /* blocks with missing owners, as far as findings tell */
	struct mend_map rmap;		      /* the fork's map by the rmapbt; empty if there is none */
	struct mend_map map;		      /* the fork's new map */
	bool confirmed;			      /* the rmapbt agrees with all of the new maps so far */
};

static inline bool fork_is_realtime(const struct fork_work *w)
{
	return w->inode.inode.fork[w->which].rules.realtime;
}

/* True if the fork's contents can be derived, because it is a realtime group's bitmap or summary (mend_rt_space.c). */
static inline bool fork_is_derived(const struct fork_work *w)
{
	return w->which == DATA_FORK && w->inode.inode.rtfile;
}

/* ---- mend_fork_rmap.c: functions that return an int return 0 or -ENOMEM ---- */

/* Sets w->rmap, without blocks that have two owners in the rmapbt who may not share them. */
int fork_rmap_load(struct fork_work *w);
/* True if the rmapbt lists all of the extent's blocks at the same file offsets. */
bool fork_rmap_confirms(const struct fork_work *w, const struct bmap_record *extent);
/*
 * Adds blocks of the old bmbt to the fork's `ruins`: they are listed as such in the rmapbt, readable, and hold no
 * metadata of anything.
 */
int fork_rmap_ruins(struct fork_work *w);
/* True if the rmapbt lists as many blocks for the inode as its nblocks. */
bool fork_rmap_is_complete(const struct fork_work *w);
/*
 * Sets *ret if the data that the rmapbt lists belong to another file with the same inode number: the inode's counts
 * match its maps, and the rmapbt confirms none of its extents and lists another number of blocks.  That happens if the
 * inode is stale and its number was reused.
 */
int fork_rmap_is_foreign(const struct fork_work *w, bool *ret);
/* True if rmapbts list data of the file, but all of it on the other device than its realtime flag says. */
bool fork_rmap_on_other_device(const struct fork_work *w);

/* ---- mend_fork_prevail.c ---- */

/*
 * Corrects w->map, if it is the data of a regular file, where others know better: restores unowned blocks that the
 * rmapbt lists for the file, and clears wrong unwritten flags.  0 or -ENOMEM.
 */
int fork_rmap_prevail(struct fork_work *w);
/* True if the file has the reflink flag, and the refcount btree lists all of the extent's blocks as shared. */
bool fork_is_shared(const struct fork_work *w, const struct bmap_record *extent);

/* ---- mend_fork_map.c ---- */

/* True if the map is not fully readable, or findings say that it is damaged in itself. */
bool fork_map_broken(const struct fork_work *w);
/* Sets w->map from the readable extents and w->rmap. 0 or negative errno. */
int fork_map_settle(struct fork_work *w);
/* True if w->map differs from the extents that were read. */
bool fork_map_changed(const struct fork_work *w);
/* True if a place is, or may be, in the current fork. */
bool fork_is_of(const struct fork_work *w, const struct place *place);

/* ---- mend_fork_lengths.c ---- */

/* Extents of a fork that are too long, as far as the file itself tells. */
struct fork_lengths {
	uint64_t surplus;		    /* blocks in the maps beyond the inode's nblocks */
	size_t overlaps;		    /* number of extents of the fork that overlap the next one */
	const struct bmap_record *too_long; /* the only extent that can have all the surplus; NULL: none */
};
struct fork_lengths fork_lengths_of(const struct fork_work *w);
/* Returns by how many blocks extent i is too long; always fewer than it has. */
uint32_t fork_excess(const struct fork_work *w, const struct fork_lengths *lengths, size_t i);

/* mend_inode_claims.c: decides who keeps the blocks of w->map with other claimants. 0 or negative errno. */
int inode_claims_settle(struct fork_work *w);

#endif
