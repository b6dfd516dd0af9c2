/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a traversal and of each of its workers, and the services that all walk_*.c use: memory, posting,
 * reporting for the current place, gaps, claims.
 */
#ifndef XFSCK_REPAIR_WALKER_H
#define XFSCK_REPAIR_WALKER_H

#include <pthread.h>

#include "ag_state.h"
#include "place.h"
#include "prefetch.h"
#include "rt_state.h"
#include "shared.h"
#include "base/sink.h"
#include "totals.h"
#include "tree_gaps.h"

/* What is not known of an inode, because of damage that has been reported. */
enum {
	GAP_CLAIMS = 1,	  /* some of the blocks it owns */
	GAP_CONTENTS = 2, /* some of the names or attributes it holds */
	GAP_POINTERS = 4, /* the next inode on a list of unlinked ones */
	GAP_ALL = 7,
	GAP_RTFILE =
		8, /* with GAP_CLAIMS: it is a metadata file of the realtime section; its blocks are not realtime */
};

struct gap {
	xino_t ino;
	unsigned what; /* GAP_* */
};

#define GAPS_FEW 100u /* calls of walk_incomplete() */

struct dir_runs;
struct inflight;
struct ino_set;
struct samples;

#define WALK_SIZE_CLASSES 17 /* of 64 bytes each; larger pieces are not kept */

#define WALK_MAX_ENTRIES 8192 /* of one block: 64 KiB of 16-byte entries, and then some */

/* What one worker needs. */
struct walker {
	struct traverse *t;
	unsigned lane;
	struct check check;
	struct place place; /* what is being looked at: findings are reported for it */
	struct {
		const uint8_t *bytes; /* NULL: none */
		uint32_t size;
		bool shortform;
	} entries; /* what is being looked at, if it holds directory entries: findings about these have their names */
	struct inflight *spare;			      /* reused for the next inode; NULL: none */
	struct recycled *recycled[WALK_SIZE_CLASSES]; /* pieces of memory that were freed, by size class */
	struct slab *slabs;			      /* that pieces are cut from, newest first */
	size_t slab_used;			      /* bytes cut from the newest */
	struct gap *gaps; /* collected if the scope judges; an inode may be in it several times */
	size_t ngaps, gaps_room;
	struct tree_gap *tree_gaps; /* likewise */
	size_t ntree_gaps, tree_gaps_room;
	struct totals totals;
	uint64_t fingerprints[WALK_MAX_ENTRIES]; /* of the names in the block at hand */
	size_t nfingerprints;
	struct samples *samples; /* NULL: none are taken */
};

/*
 * What a traversal goes into.  The first one goes into everything and judges it; later ones do not judge, and go only
 * into what has the facts that are needed.
 */
struct scope {
	bool judge;			/* report problems, and collect what connectivity needs */
	bool wary;			/* without `judge`: verify blocks all the same, and note damage */
	bool claims;			/* AG btrees and the extents of all files: who owns which block */
	bool trees;			/* AG btrees alone */
	bool names;			/* what directories hold */
	bool pptrs;			/* what attribute forks hold, */
	const struct ino_set *pptrs_of; /* of these inodes; NULL: of all. Ignored with `claims` */
	bool contents;			/* with `names` and `pptrs`: all that users' inodes hold, without AG btrees */
	bool maps;			/* with `claims`: what the extents of each fork add up to */
	bool shallow;			/* leave out inodes, and so all that they lead to */
};

struct traverse {
	/* fixed, but for scope.shallow between sweeps */
	struct scope scope;
	const struct geometry *geo;
	struct device *device;
	const uint8_t *primary; /* sector of the primary superblock */
	struct sink sink;
	struct findings *findings;
	struct dir_runs *dirs;		 /* receives directories; NULL: not needed */
	const struct log_across *behind; /* what was logged behind a hole in the log; NULL: nothing is known of it */
	struct quota *quota;		 /* receives usage and quota records; NULL: not needed */
	struct sweep *sweep;
	struct sweep_options options;
	unsigned nwalkers;
	struct walker **walkers;
	struct ag_state *ags;
	struct shared *shared;	/* by group; complete before inodes are looked at, and only read from then on */
	size_t keep_bytes;	/* once damage is found, keep so many bytes of blocks in memory; 0: keep none */
	bool keep_for_gaps;	/* only once facts are missing of many objects */
	size_t chunks_most;	/* runs of inodes of an AG that may wait to be read before its inobt is read on */
	uint64_t device_blocks; /* blocks of the file system, or about those of the device if it has fewer */
	/*
	 * Names are not those of the file system, and parent pointers may have others, since it is an obfuscated
	 * metadump: they are not compared, but who names whom is.
	 */
	bool names_changed;
	uint8_t apart[64];	  /* keeps the above, which all workers read, off cache lines that are written to */
	pthread_mutex_t ags_lock; /* protects what any worker may change in ags[] */
	struct rt_state rt;
	/* atomic */
	uint64_t contents;	 /* blocks posted because of what they contain, by all forks together */
	uint64_t assembly_bytes; /* in use for directory blocks whose parts lie in several places */
	uint64_t groups_done;	 /* these are for the progress line: groups whose headers were read, ... */
	uint64_t inodes_done;	 /* ... inodes in use that were gone into, ... */
	uint64_t at_ino;	 /* ... and one that is, or was */
	bool damage;		 /* some was reported, or noted */
	uint64_t gaps;		 /* how often walk_incomplete() was called */
	bool incomplete;	 /* something could not be read or decoded: its facts are missing from the accounts */
	int error;		 /* negative errno that stopped us, or 0 */
};

/* Blocks of a group that its refcount btree stages for copy on write. */
static inline uint64_t traverse_staged(const struct traverse *t, group_t group)
{
	return group_is_rt(t->geo, group) ? t->rt.group[group.v - t->geo->agcount].staged : t->ags[group.v].staged;
}

/* Where a finding about an object of a group is: of an AG, or of a realtime group. */
static inline struct place place_of_group(const struct geometry *geo, group_t group, enum object of_ag,
					  enum object of_rg)
{
	bool rt = group_is_rt(geo, group);
	struct place place = place_of(rt ? of_rg : of_ag);

	if (rt)
		place.rgno = group.v - geo->agcount;
	else
		place.agno.v = group.v;
	return place;
}

enum want_kind {
	WANT_HEADERS,
	WANT_FREELIST, /* a block of the free list */
	WANT_BTREE,    /* of an AG */
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

/* walk_memory.c: zeroed memory; NULL if there is none, after walk_failed() */
void *walk_alloc(struct walker *w, size_t size);
/* Free memory of the same size, by any walker; NULL is fine. */
void walk_free(struct walker *w, void *p, size_t size);
/* Free all slabs of a walker, even if pieces of them are in use, possibly by others: call it when all are through. */
void walk_memory_free(struct walker *w);

/* There was no memory: the traversal will return -ENOMEM. */
__attribute__((cold)) void walk_failed(struct walker *w);
/* As walk_alloc(), for something to post. */
void *walk_want(struct walker *w, size_t size);
/* array_grow(): 0, or -ENOMEM after the run has been marked as failed. */
int walk_grow(struct walker *w, void *array, size_t *room, size_t count, size_t element);
/* array_add() in the same way. */
#define walk_add(w, v, room, count, ...)                                                                               \
	do {                                                                                                           \
		if (!walk_grow((w), &(v), &(room), (count), sizeof(*(v))))                                             \
			(v)[(count)++] = (__VA_ARGS__);                                                                \
	} while (0)
/* Post a want for len bytes at daddr, which lies in this AG; unit: see struct sweep_item. */
void walk_post(struct walker *w, struct want *want, enum want_kind kind, agno_t agno, xdaddr_t daddr, uint64_t len,
	       uint32_t unit);
/* True if all bytes could be read; else that is reported for the current place. */
bool walk_readable(struct walker *w, uint64_t offset, uint64_t len);
/* Tell a scope with `contents` which checksum these bytes have, before it is told what they hold. */
void walk_seal(struct walker *w, const void *bytes, size_t len, size_t crc_offset);
/* Report for the current place. */
__attribute__((cold)) void walk_problem(struct walker *w, enum finding finding, uint32_t index, uint64_t got,
					uint64_t want);
/* Note what is not known of an inode (GAP_*), and so that facts are missing. */
/* Report something about a name in the directory at hand. */
__attribute__((cold)) void walk_entry_say(struct walker *w, const struct name_view *name, enum finding finding,
					  uint64_t got);
__attribute__((cold)) void walk_gap(struct walker *w, xino_t ino, unsigned what);
/* Note that records of a btree are not known, and so that facts are missing. */
__attribute__((cold)) void walk_tree_gap(struct walker *w, const struct tree_gap *gap);
/* The same for all records that the expected block, or blocks below it, should have; claims: see struct tree_gap. */
__attribute__((cold)) void walk_tree_gap_at(struct walker *w, const struct btree_expect *expect, bool claims);
/* Note that facts are missing, so that the accounts need not balance. */
__attribute__((cold)) void walk_incomplete(struct walker *w);
/* Note that files may share blocks. */
void walk_shared(struct walker *w, group_t group, const struct refcount_record *record);
/* Whether any of some blocks is shared. */
static inline bool walk_shared_any(const struct walker *w, const struct blocks *at)
{
	return shared_any(&w->t->shared[at->group.v], at->start, (uint32_t)at->len);
}

/* Hand an inode's claim on blocks to the sink; alone: nobody else may have these blocks. */
static inline void walk_claim(struct walker *w, const struct blocks *at, uint64_t owner, uint64_t offset, uint8_t flags,
			      bool alone)
{
	const struct claim claim = { *at, owner, offset, flags, alone ? OBJ_INODE : 0 };

	sink_tell(&w->t->sink, claim, w->lane, &claim);
	if (alone && walk_shared_any(w, at))
		sink_tell(&w->t->sink, alone, w->lane, at);
}

/* The same for the special owners (OWNER_*), who share nothing; object: for which part of their metadata. */
void walk_claim_special(struct walker *w, enum object object, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner);

#endif
