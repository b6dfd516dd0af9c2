/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about given inodes from all other structures. One traversal serves all inodes mended in a round. */
#ifndef XFSCK_REPAIR_MEND_FACTS_H
#define XFSCK_REPAIR_MEND_FACTS_H

#include "libxfs/btree.h"
#include "mend/base/mend.h"

struct mend;

enum ino_fact_kind {
	FACT_CHUNK,  /* the inobt lists it; value: 1: in use, 0: free */
	FACT_ENTRY,  /* a directory entry points to it; value: the directory */
	FACT_CHILD,  /* it is the parent by `..` or a parent pointer; value: one such child; only once */
	FACT_GEN,    /* a parent pointer gives its generation; value: the generation */
	FACT_RMAP,   /* an rmapbt record lists blocks for it; value: the first block */
	FACT_RTRMAP, /* an rtrmapbt record lists realtime blocks for it; value: the first block */
};

struct ino_fact {
	xino_t ino;
	uint8_t kind;
	uint8_t ftype; /* FACT_ENTRY */
	bool metadata; /* FACT_ENTRY, FACT_CHILD: the inode in `value` belongs to the metadata tree */
	uint8_t flags; /* FACT_RMAP, FACT_RTRMAP: RMAP_* */
	uint32_t len;  /* FACT_RMAP, FACT_RTRMAP: blocks */
	uint64_t value;
	fileoff_t off; /* FACT_RMAP, FACT_RTRMAP: block in the fork */
};

struct mend_facts {
	struct ino_fact *v; /* by inode, kind, fork, place in the fork */
	size_t count;
};

/* Kinds of facts, one bit each: fewer kinds need less reading. */
#define FACTS_BIT(kind) (1u << (kind))
#define FACTS_CHUNKS	FACTS_BIT(FACT_CHUNK)
#define FACTS_NAMES	(FACTS_BIT(FACT_ENTRY) | FACTS_BIT(FACT_CHILD) | FACTS_BIT(FACT_GEN))
#define FACTS_RMAPS	(FACTS_BIT(FACT_RMAP) | FACTS_BIT(FACT_RTRMAP))
#define FACTS_ALL	(FACTS_CHUNKS | FACTS_NAMES | FACTS_RMAPS)

/* Collects facts of these kinds about the inodes, which are sorted. 0, then free them; or negative errno. */
int mend_facts_collect(struct mend *m, const xino_t *inos, size_t count, unsigned kinds, struct mend_facts *ret_facts);
void mend_facts_free(struct mend_facts *facts);
/*
 * Keeps all facts about these sorted inodes for other menders of this round.  After 0, m owns inos[] and the facts;
 * after -ENOMEM, the caller still does.
 */
int mend_facts_keep(struct mend *m, xino_t *inos, size_t count, struct mend_facts *facts);
/* Drops kept facts: inodes changed without mend_note_map_mended(), or the round is over. */
void mend_facts_forget(struct mend *m);
/*
 * Like mend_facts_collect() with all kinds of facts, but reuses kept facts, and adds what the inodes of
 * mend_note_map_mended(), which were mended since, say of others.  If facts about one of inos[] are not kept, traverses
 * everything.
 */
int mend_facts_collect_again(struct mend *m, const xino_t *inos, size_t count, struct mend_facts *ret_facts);
/*
 * Like mend_facts_collect() with all kinds of facts, if it is known which directories and inodes refer to these inodes:
 * unless there are many, only the names of `sources` are read.
 */
int mend_facts_collect_from(struct mend *m, const xino_t *inos, size_t count, const struct ino_set *sources,
			    struct mend_facts *ret_facts);

/* Returns the facts of one kind about an inode: the first one, and their number. */
const struct ino_fact *mend_facts_of(const struct mend_facts *facts, xino_t ino, enum ino_fact_kind kind,
				     size_t *ret_count);

/*
 * True if rmapbt record i overlaps, in the file, the next record of the same fork: one of the two is damaged, possibly
 * this one, by its length.  rmap: the facts about an inode's blocks.
 */
bool mend_facts_reaches_next(const struct ino_fact *rmap, size_t count, size_t i);

/* Returns the file type of an inode according to others; FT_UNKNOWN: no information, or contradictions. */
enum ftype mend_facts_type(const struct mend_facts *facts, xino_t ino);

/* Gets the inode numbers of findings, sorted, each once; the caller frees *ret_inos. 0 or -ENOMEM. */
int mend_facts_inodes(const struct found *found, size_t count, xino_t **ret_inos, size_t *ret_count);

/* Reads unreferenced blocks of an AG to find lost objects. */

struct mend_scan {
	struct mend *m;
	agno_t agno;
	/* Both are called by several threads concurrently. */
	bool (*wants)(void *ctx, uint64_t block);			/* whether to read a block */
	void (*visit)(void *ctx, uint64_t block, const uint8_t *bytes); /* receives a wanted block that was read */
	void *ctx;
};

/*
 * Visits all wanted blocks, except holes of an image file and unreadable blocks.  Adjacent blocks are read together.  0
 * or -ENOMEM.
 */
int mend_scan(const struct mend_scan *scan);

/* Unreferenced rmapbt leaves, below an unowned block. Nothing else lists the blocks that lost inodes owned. */

/*
 * Passes the records of such leaves, if their blocks are lost or shared, to fn (as in struct sink_ops, worker 0).  Each
 * AG is searched once; an AG that takes too much memory is skipped.  0 or negative errno.
 */
typedef void mend_stray_fn(void *ctx, unsigned worker, group_t group, const struct rmap_record *record);
int mend_strays_tell(struct mend *m, mend_stray_fn *fn, void *ctx);
void mend_strays_free(struct mend *m);

#endif
