/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a traversal and of each of its workers, and services for all walk_*.c: memory, posting, reporting for
 * the current place, gaps, claims.
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

/* The unknown parts of an inode, because of reported damage. */
enum {
	GAP_CLAIMS = 1,	  /* some of its blocks */
	GAP_CONTENTS = 2, /* some of its entries or attributes */
	GAP_POINTERS = 4, /* the next inode on its unlinked list */
	GAP_ALL = 7,
	GAP_RTFILE =
		8, /* with GAP_CLAIMS: it is a metadata file of the realtime section, so its blocks are not realtime */
};

struct gap {
	xino_t ino;
	unsigned what; /* GAP_* */
};

#define GAPS_FEW 100u /* calls of walk_incomplete() */

struct intents;
struct dir_runs;
struct inflight;
struct ino_set;
struct samples;

#define WALK_SIZE_CLASSES 17 /* of 64 bytes each; larger pieces are not kept */

#define WALK_MAX_ENTRIES 8192 /* of one block: 64 KiB of 16-byte entries, and some more */

/* The state of one worker. */
struct walker {
	struct traverse *t;
	unsigned worker;
	struct check check;
	struct place place; /* the current object, for findings */
	struct {
		const uint8_t *bytes; /* NULL: none */
		uint32_t size;
		bool shortform;
	} entries;		/* the current directory entries, if any: findings about them have their names */
	struct inflight *spare; /* reused for the next inode; NULL: none */
	struct recycled *recycled[WALK_SIZE_CLASSES]; /* freed pieces of memory, by size class */
	struct slab *slabs;			      /* pieces are cut from these, newest first */
	size_t slab_used;			      /* bytes cut from the newest */
	struct gap *gaps; /* collected if the scope judges; may have an inode several times */
	size_t ngaps, gaps_room;
	struct tree_gap *tree_gaps; /* likewise */
	size_t ntree_gaps, tree_gaps_room;
	struct totals totals;
	uint64_t fingerprints[WALK_MAX_ENTRIES]; /* of the names in the current block */
	size_t nfingerprints;
	struct samples *samples; /* NULL: not taken */
};

/*
 * The objects that a traversal covers.  The first one covers everything and judges it; later ones do not judge, and
 * cover only objects with the needed facts.
 */
struct scope {
	bool judge;			/* report problems, and collect what connectivity needs */
	bool wary;			/* without `judge`: still verify blocks, and note damage */
	bool claims;			/* AG btrees and the extents of all files: owners of blocks */
	bool trees;			/* AG btrees alone */
	bool names;			/* directory contents */
	bool pptrs;			/* attribute fork contents */
	const struct ino_set *pptrs_of; /* restricts `pptrs` to these inodes; NULL: all.  Ignored with `claims` */
	bool contents;			/* with `names` and `pptrs`: everything in users' inodes, without AG btrees */
	/* restricts `contents` to directories and to inodes for which this is true; NULL: all.  Any thread calls it */
	bool (*contents_of)(const void *ctx, xino_t ino);
	const void *contents_ctx;
	bool maps;    /* with `claims`: totals of the extents of each fork */
	bool shallow; /* leave out inodes and their blocks */
};

struct traverse {
	/* constant, except scope.shallow between sweeps */
	struct scope scope;
	const struct geometry *geo;
	struct device *device;
	const uint8_t *primary; /* sector of the primary superblock */
	struct sink sink;
	struct findings *findings;
	struct dir_runs *dirs;		 /* receives directories; NULL: not needed */
	const struct log_across *behind; /* contents of the log behind a hole; NULL: unknown */
	const struct intents *intents;	 /* operations that wait for recovery; NULL: none, or nothing is judged */
	struct quota *quota;		 /* receives usage and quota records; NULL: not needed */
	struct sweep *sweep;
	struct sweep_options options;
	unsigned nwalkers;
	struct walker **walkers;
	struct ag_state *ags;
	struct shared *shared;	/* by group; complete before inodes are walked, and only read from then on */
	size_t keep_bytes;	/* bytes of blocks to keep in memory after the first damage; 0: none */
	bool keep_for_gaps;	/* keep them only after a number of gaps */
	size_t chunks_most;	/* runs of inodes of an AG that may wait before more of its inobt is read */
	uint64_t device_blocks; /* blocks of the file system, or about those of the device if it has fewer */
	/*
	 * The names are those of an obfuscated metadump, and parent pointers may have others: names in both are not
	 * compared, but directories and inodes are.
	 */
	bool names_changed;
	uint8_t apart[64];	  /* keeps the above, which all workers read, off cache lines that are written to */
	pthread_mutex_t ags_lock; /* protects the part of ags[] that any worker may change */
	struct rt_state rt;
	/* atomic */
	uint64_t contents;	 /* blocks posted for their contents, of all forks */
	uint64_t assembly_bytes; /* used for directory blocks whose parts lie in several places */
	uint64_t groups_done;	 /* for progress: AGs whose headers were read, ... */
	uint64_t inodes_done;	 /* ... inodes in use that were walked, ... */
	uint64_t at_ino;	 /* ... and a recent one */
	bool damage;		 /* some was reported or noted */
	uint64_t gaps;		 /* calls of walk_incomplete() */
	bool incomplete;	 /* something is unreadable or corrupt: its facts are missing from the accounts */
	int error;		 /* the negative errno that ended the traversal, or 0 */
};

/* Returns the blocks of a group staged for copy on write in its refcount btree. */
static inline uint64_t traverse_staged(const struct traverse *t, group_t group)
{
	return group_is_rt(t->geo, group) ? t->rt.group[group.v - t->geo->agcount].staged : t->ags[group.v].staged;
}

/* Returns the place of a finding about an object of a group: of an AG, or of a realtime group. */
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
	WANT_PART, /* part of a directory block in several places */
};

/* the start of every posted item */
struct want {
	struct sweep_item item;
	enum want_kind kind;
	uint32_t size; /* bytes of the whole */
};

/* Makes a walker.  Returns NULL if memory is out. */
struct walker *walker_new(struct traverse *t, unsigned worker);
void walker_free(struct walker *w);

/* walk_memory.c: returns zeroed memory; NULL after walk_failed() */
void *walk_alloc(struct walker *w, size_t size);
/* Frees memory of the same size, of any walker; NULL is allowed. */
void walk_free(struct walker *w, void *p, size_t size);
/* Frees all slabs of a walker, even if pieces of them are in use, possibly by others: call it when all are finished. */
void walk_memory_free(struct walker *w);

/* Notes that memory is out: the traversal will return -ENOMEM. */
__attribute__((cold)) void walk_failed(struct walker *w);
/* walk_alloc() for an item to post. */
void *walk_want(struct walker *w, size_t size);
/* array_grow(): returns 0, or -ENOMEM after walk_failed(). */
int walk_grow(struct walker *w, void *array, size_t *room, size_t count, size_t element);
/* array_add() in the same way. */
#define walk_add(w, v, room, count, ...)                                                                               \
	do {                                                                                                           \
		if (!walk_grow((w), &(v), &(room), (count), sizeof(*(v))))                                             \
			(v)[(count)++] = (__VA_ARGS__);                                                                \
	} while (0)
/* Posts a want for len bytes at daddr, which lies in this AG; unit: see struct sweep_item. */
void walk_post(struct walker *w, struct want *want, enum want_kind kind, agno_t agno, xdaddr_t daddr, uint64_t len,
	       uint32_t unit);
/* True if all bytes could be read; otherwise reports that for the current place. */
bool walk_readable(struct walker *w, uint64_t offset, uint64_t len);
/*
 * Passes the checksum of these bytes, and the inode number in their header, to a sink with `contents`, before the facts
 * in them.
 */
void walk_seal(struct walker *w, const void *bytes, size_t len, size_t crc_offset, const be64_t *owner);
/* Reports a problem for the current place. */
__attribute__((cold)) void walk_problem(struct walker *w, enum finding finding, uint32_t index, uint64_t got,
					uint64_t want);
/* Reports a problem with a name in the current directory. */
__attribute__((cold)) void walk_entry_say(struct walker *w, const struct name_view *name, enum finding finding,
					  uint64_t got);
/* Notes the unknown parts of an inode (GAP_*), and so that facts are missing. */
__attribute__((cold)) void walk_gap(struct walker *w, xino_t ino, unsigned what);
/* Notes that records of a btree are unknown, and so that facts are missing. */
__attribute__((cold)) void walk_tree_gap(struct walker *w, const struct tree_gap *gap);
/* Does the same for all records of the expected block and the blocks below it.  claims: see struct tree_gap. */
__attribute__((cold)) void walk_tree_gap_at(struct walker *w, const struct btree_expect *expect, bool claims);
/* Notes that facts are missing, so that the accounts need not balance. */
__attribute__((cold)) void walk_incomplete(struct walker *w);
/* Notes that files may share blocks. */
void walk_shared(struct walker *w, group_t group, const struct refcount_record *record);
/* True if any of these blocks is shared. */
static inline bool walk_shared_any(const struct walker *w, const struct blocks *at)
{
	return shared_any(&w->t->shared[at->group.v], at->start, (uint32_t)at->len);
}

/* Passes an inode's claim on blocks to the sink.  alone: these blocks may have no other owner. */
static inline void walk_claim(struct walker *w, const struct blocks *at, uint64_t owner, uint64_t offset, uint8_t flags,
			      bool alone)
{
	const struct claim claim = { *at, owner, offset, flags, alone ? OBJ_INODE : 0 };

	sink_tell(&w->t->sink, claim, w->worker, &claim);
	if (alone && walk_shared_any(w, at))
		sink_tell(&w->t->sink, alone, w->worker, at);
}

/* Does the same for special owners (OWNER_*), which share nothing.  object: the part of their metadata. */
void walk_claim_special(struct walker *w, enum object object, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner);

#endif
