/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one worker of the traversal needs, and the services that all walk_*.c
 * use: memory, posting, reporting for the current place, claims.
 */
#ifndef XFSCK_REPAIR_WALKER_H
#define XFSCK_REPAIR_WALKER_H

#include <pthread.h>

#include "ag_state.h"
#include "place.h"
#include "prefetch.h"
#include "report.h"
#include "rt_state.h"
#include "shared.h"
#include "sink.h"
#include "tree_gaps.h"

/* `..` of a directory: 16 bytes each, the only table that grows with the file system */
struct dir_parent {
	xino_t dir;
	xino_t parent; /* NULL_INO: it has no usable `..` */
};

/* What is not known of an inode, because of damage that has been reported. */
enum {
	GAP_CLAIMS = 1,	  /* some of the blocks it owns */
	GAP_CONTENTS = 2, /* some of the names or attributes it holds */
	GAP_POINTERS = 4, /* the next inode on a list of unlinked ones */
	GAP_ALL = 7,
	GAP_RTFILE = 8, /* with GAP_CLAIMS: it is a file of the realtime section's own, whose blocks are not realtime */
};

struct gap {
	xino_t ino;
	unsigned what; /* GAP_* */
};

struct inflight;
struct ino_set;

#define WALK_SIZE_CLASSES 17 /* of 64 bytes each; larger pieces are not kept */

#define WALK_MAX_ENTRIES 8192 /* of one block: 64 KiB of 16-byte entries, and then some */

/* What one worker needs: its findings carry the place that is set here. */
struct walker {
	struct traverse *t;
	unsigned lane;
	struct check check;
	struct place place;
	struct inflight *spare;			      /* for the next inode */
	struct recycled *recycled[WALK_SIZE_CLASSES]; /* memory that was given back, by size */
	struct slab *slabs;			      /* what it was cut from, newest first */
	size_t slab_used;			      /* bytes of the newest */
	struct dir_parent *dirs;
	size_t ndirs, dirs_room;
	struct gap *gaps; /* what judging came upon; an inode may be in it several times */
	size_t ngaps, gaps_room;
	struct tree_gap *tree_gaps; /* likewise */
	size_t ntree_gaps, tree_gaps_room;
	struct totals totals;
	uint64_t rt_staged; /* blocks that refcount btrees of realtime groups stage for copy on write */
	uint64_t fingerprints[WALK_MAX_ENTRIES]; /* of the names in the block at hand */
	size_t nfingerprints;
};

/*
 * What a traversal goes into.  The screen goes into everything and judges it; later ones look at what has been
 * judged already, for the facts that somebody wants.
 */
struct scope {
	bool judge;			/* report problems, and collect what connectivity needs */
	bool claims;			/* AG btrees and the extents of all files: who owns which block */
	bool trees;			/* AG btrees alone */
	bool names;			/* what directories hold */
	bool pptrs;			/* what attribute forks hold, */
	const struct ino_set *pptrs_of; /* of these inodes; NULL: of all. For what neither judges nor claims */
	bool shallow;			/* no inodes, and so nothing that they lead to */
};

struct traverse {
	/* fixed */
	struct scope scope;
	const struct geometry *geo;
	struct device *device;
	const uint8_t *primary; /* sector of the primary superblock */
	struct sink sink;
	struct findings *findings;
	struct quota *quota; /* NULL: nobody wants to know */
	struct sweep *sweep;
	unsigned nwalkers;
	struct walker **walkers;
	struct ag_state *ags;
	size_t keep_bytes;	  /* of blocks, once damage is found: they will be wanted again. 0: not by this one */
	size_t chunks_most;	  /* that wait to be read, of an AG, before more of its inobt is read */
	uint64_t device_blocks;	  /* as many as the file system and the device both have */
	uint8_t apart[64];	  /* what all look at shares no cache line with what any may write to */
	pthread_mutex_t ags_lock; /* of what any worker may change in them */
	struct rt_state rt;
	/* atomic */
	uint64_t contents;	 /* blocks of directories, attributes and symlinks that were wanted */
	uint64_t assembly_bytes; /* in use, of directory blocks in several pieces */
	uint64_t inodes_done;	 /* for the progress line */
	bool damage;		 /* some was reported */
	bool incomplete;	 /* something could not be gone into: its facts are missing from the accounts */
	int error;		 /* negative errno that stopped us, or 0 */
};

enum want_kind {
	WANT_HEADERS,
	WANT_BTREE, /* of an AG */
	WANT_CHUNK,
	WANT_BMBT,
	WANT_FORK, /* blocks of a directory, attributes or symlink */
	WANT_PART, /* part of a directory block that lies in several places */
};

/* what every posted item begins with */
struct want {
	struct sweep_item item;
	enum want_kind kind;
	uint32_t size; /* bytes of the whole */
};

/* NULL: out of memory. */
struct walker *walker_new(struct traverse *t, unsigned lane);
void walker_free(struct walker *w);

/* walk_memory.c: memory, or NULL after the run has been marked as failed. Zeroed. */
void *walk_alloc(struct walker *w, size_t size);
/* Give it back, to any walker; size as it was. */
void walk_free(struct walker *w, void *p, size_t size);
/* All of it, given back or not: others may hold some of it until they are through, too. */
void walk_memory_free(struct walker *w);

/* There was no memory: the run comes to nothing. */
__attribute__((cold)) void walk_failed(struct walker *w);
/* As walk_alloc(), for something to post. */
void *walk_want(struct walker *w, size_t size);
/* array_grow(): 0, or -ENOMEM after the run has been marked as failed. */
int walk_grow(struct walker *w, void *array, size_t *room, size_t count, size_t element);
/* Post a want for len bytes at a place of an AG. */
void walk_post(struct walker *w, struct want *want, enum want_kind kind, agno_t agno, xdaddr_t daddr, uint64_t len,
	       uint32_t unit);
/* True if all bytes could be read; else that is reported for the current place. */
bool walk_readable(struct walker *w, uint64_t offset, uint64_t len);
/* Report for the current place. */
__attribute__((cold)) void walk_problem(struct walker *w, enum finding finding, uint32_t index, uint64_t got,
					uint64_t want);
/* GAP_* of an inode are not known: facts are missing from here on. */
__attribute__((cold)) void walk_gap(struct walker *w, xino_t ino, unsigned what);
/* Records of a btree are not known; claims: nor are the blocks that it has there. */
__attribute__((cold)) void walk_tree_gap(struct walker *w, const struct tree_gap *gap);
/* The records that a block would have, had it been where the expectation says. */
__attribute__((cold)) void walk_tree_gap_at(struct walker *w, const struct btree_expect *expect, bool claims);
/* Facts are missing from here on. */
__attribute__((cold)) void walk_incomplete(struct walker *w);
/* An inode uses blocks of an AG; alone: nobody else may. */
static inline void walk_claim(struct walker *w, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner,
			      uint64_t offset, uint8_t flags, bool alone)
{
	const struct claim claim = {
		{ group_of_ag(agno), { agbno.v }, len }, owner, offset, flags, alone ? OBJ_INODE : 0
	};

	w->t->sink.ops->claim(w->t->sink.ctx, w->lane, &claim);
	if (alone && shared_any(&w->t->ags[agno.v], agbno, len))
		w->t->sink.ops->alone(w->t->sink.ctx, w->lane, &claim.at);
}

/* The same for the owners that are no inodes, who share nothing; object: which part of them it is. */
void walk_claim_special(struct walker *w, enum object object, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner);
/* Or of a realtime group. */
void walk_claim_rt(struct walker *w, fsbno_t rtbno, uint32_t len, uint64_t owner, uint64_t offset, uint8_t flags);

#endif
