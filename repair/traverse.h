/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traversal: from the AG headers through btrees, inodes and forks down to
 * names, each block when the sweep brings it.  It checks what a block and its
 * expectation can tell, tells the sink all facts, and posts what the block leads to.
 * traverse.c has the common parts; walk_*.c one kind of object each.
 */
#ifndef XFSCK_REPAIR_TRAVERSE_H
#define XFSCK_REPAIR_TRAVERSE_H

#include "libxfs/ag.h"
#include "place.h"
#include "prefetch.h"
#include "report.h"
#include "sink.h"

/* One btree while it is walked: what only the whole tree can tell. */
struct tree {
	uint64_t blocks; /* pointed to, the root of an AG tree included */
	uint64_t limit; /* blocks it can have at most */
	uint64_t links; /* right-sibling pointers seen */
	uint64_t siblings; /* sum over (block, right) minus (left, block): 0 if they agree */
	uint32_t suspects; /* children of blocks whose keys were wrong */
	bool gap; /* a part could not be gone into: counts mean nothing */
};

/* a range of blocks that refcounts allow to be shared */
struct shared_range {
	uint32_t start;
	uint32_t end;
};

/* an inode without links and the next one on its list */
struct unlinked_inode {
	uint32_t agino;
	uint32_t next;
};

/* What is learnt of one AG.  But for `shared`, which is complete before inodes are looked at, and the locked
 * part, only the worker that sweeps the AG touches it. */
struct ag_state {
	bool have_agf, have_agi;
	struct agf agf;
	struct agi agi;
	struct tree tree[BT_AG_NR];
	uint64_t free_blocks; /* sum over the bnobt */
	uint32_t longest; /* of its records */
	uint64_t inodes, free_inodes; /* sums over the inobt */
	struct shared_range *shared;
	size_t nshared, shared_room;
	struct unlinked_inode *unlinked;
	size_t nunlinked, unlinked_room;
};

/* `..` of a directory: 16 bytes each, the only table that grows with the file system */
struct dir_parent {
	xino_t dir;
	xino_t parent; /* NULL_INO: it has no usable `..` */
};

struct inflight;
struct traverse;

#define WALK_MAX_ENTRIES 8192 /* of one block: 64 KiB of 16-byte entries, and then some */

/* What one worker needs: its findings carry the place that is set here. */
struct walker {
	struct traverse *t;
	unsigned lane;
	struct check check;
	struct place place;
	struct inflight *spare; /* for the next inode */
	struct dir_parent *dirs;
	size_t ndirs, dirs_room;
	struct totals totals;
	uint64_t fingerprints[WALK_MAX_ENTRIES]; /* of the names in the block at hand */
	size_t nfingerprints;
};

struct traverse {
	/* fixed */
	const struct geometry *geo;
	struct device *device;
	const uint8_t *primary; /* sector of the primary superblock */
	struct sink sink;
	struct findings *findings;
	struct sweep *sweep;
	unsigned nwalkers;
	struct walker **walkers;
	struct ag_state *ags;
	/* atomic */
	uint64_t inodes_done; /* for the progress line */
	bool incomplete; /* something could not be gone into: its facts are missing from the accounts */
	int error; /* negative errno that stopped us, or 0 */
};

int traverse_new(const struct geometry *geo, struct device *device, const uint8_t *primary, const struct sink *sink,
		 struct findings *findings, const struct sweep_options *options, struct traverse **ret_traverse);
void traverse_free(struct traverse *t);

/* Read the headers of all AGs and their refcount btrees. 0 or negative errno. */
int traverse_groups(struct traverse *t);
/* Sweep everything else. 0 or negative errno. */
int traverse_inodes(struct traverse *t);
/* Sum of what the walkers counted. */
struct totals traverse_totals(const struct traverse *t);

/* ---- for walk_*.c ---- */

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
};

/* Memory, or NULL after the run has been marked as failed. Zeroed. */
void *walk_alloc(struct walker *w, size_t size);
/* Room for one more element of a growing array: 0, or -ENOMEM after the run has been marked as failed. */
int walk_grow(struct walker *w, void **array, size_t *room, size_t count, size_t element);
/* Post a want for len bytes at a place of an AG. */
void walk_post(struct walker *w, struct want *want, enum want_kind kind, agno_t agno, xdaddr_t daddr, uint64_t len,
	       uint32_t unit);
/* True if all bytes could be read; else that is reported for the current place. */
bool walk_readable(struct walker *w, uint64_t offset, uint64_t len);
/* Report for the current place. */
void walk_problem(struct walker *w, enum finding finding, uint32_t index, uint64_t got, uint64_t want);
/* Facts are missing from here on. */
void walk_incomplete(struct walker *w);
void walk_claim(struct walker *w, agno_t agno, agbno_t agbno, uint32_t len, uint64_t owner, uint64_t offset,
		uint8_t flags);
/* Book a decoded block of a tree: its siblings. */
void tree_block_seen(struct walker *w, struct tree *tree, uint64_t self, const struct btree_block *block);
/* Whether a child may be gone into: bounds the work on trees that loop. A refusal is reported once. */
bool tree_may_descend(struct walker *w, struct tree *tree, bool keys_ok);
/* After the last block: levels = levels of blocks in the tree. Reports siblings that disagree. */
void tree_settle(struct walker *w, const struct tree *tree, unsigned levels);

/* walk_ag.c */
void walk_headers_post(struct walker *w, agno_t agno);
void walk_headers(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_tree_start(struct walker *w, agno_t agno, enum btree_kind kind);
void walk_btree(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);

/* walk_chunk.c */
void walk_chunk_found(struct walker *w, agno_t agno, const struct inobt_record *record);
void walk_chunk(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

/* walk_inode.c */
void walk_inode(struct walker *w, const struct dinode *inode);

/* walk_fork.c */
void walk_bmbt(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_fork_blocks(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len,
		      bool last);
void walk_part(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

#endif
