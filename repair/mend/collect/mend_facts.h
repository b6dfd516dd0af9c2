/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about certain inodes, as all other structures tell them: one traversal serves all inodes mended in a round. */
#ifndef XFSCK_REPAIR_MEND_FACTS_H
#define XFSCK_REPAIR_MEND_FACTS_H

#include "libxfs/btree.h"
#include "mend/base/mend.h"

struct mend;

enum ino_fact_kind {
	FACT_CHUNK,  /* the inobt has it; value: 1: in use, 0: free */
	FACT_ENTRY,  /* a directory names it; value: that directory */
	FACT_CHILD,  /* an inode has it as `..` or in a parent pointer; value: one such inode; told once */
	FACT_GEN,    /* a parent pointer says which generation it has; value: that */
	FACT_RMAP,   /* a record of the rmapbt gives it blocks; value: the first block */
	FACT_RTRMAP, /* a record of an rtrmapbt gives it realtime blocks; value: the first block */
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

/* Kinds of facts, a bit each: the fewer are asked for, the less has to be read. */
#define FACTS_BIT(kind) (1u << (kind))
#define FACTS_CHUNKS	FACTS_BIT(FACT_CHUNK)
#define FACTS_NAMES	(FACTS_BIT(FACT_ENTRY) | FACTS_BIT(FACT_CHILD) | FACTS_BIT(FACT_GEN))
#define FACTS_RMAPS	(FACTS_BIT(FACT_RMAP) | FACTS_BIT(FACT_RTRMAP))
#define FACTS_ALL	(FACTS_CHUNKS | FACTS_NAMES | FACTS_RMAPS)

/* Collect facts of these kinds about the inodes, which are sorted. 0 or negative errno; free them after 0. */
int mend_facts_collect(struct mend *m, const xino_t *inos, size_t count, unsigned kinds, struct mend_facts *ret_facts);
void mend_facts_free(struct mend_facts *facts);
/*
 * Keep all facts about these inodes, which are sorted, for menders that ask about some of them again in this round.
 * After 0, inos[] and the facts belong to m; after -ENOMEM they are still the caller's.
 */
int mend_facts_keep(struct mend *m, xino_t *inos, size_t count, struct mend_facts *facts);
/* Drop them: inodes that mend_note_map_mended() does not know say something else now, or the round is over. */
void mend_facts_forget(struct mend *m);
/*
 * As mend_facts_collect(), all kinds of facts: those that are kept, and what the inodes of mend_note_map_mended(),
 * which were mended since, say of others.  If facts about one of inos[] are not kept, everything is traversed.
 */
int mend_facts_collect_again(struct mend *m, const xino_t *inos, size_t count, struct mend_facts *ret_facts);
/*
 * As mend_facts_collect(), all kinds of facts, where it is known who names these inodes: directories, and inodes with
 * `..` or parent pointers.  Unless there are many, of names only theirs are read.
 */
int mend_facts_collect_told(struct mend *m, const xino_t *inos, size_t count, const struct ino_set *tellers,
			    struct mend_facts *ret_facts);

/* The facts of one kind about an inode: the first, and how many. */
const struct ino_fact *mend_facts_of(const struct mend_facts *facts, xino_t ino, enum ino_fact_kind kind,
				     size_t *ret_count);

/*
 * Whether record i of the rmapbt overlaps, in the file, the next record of the same fork: then one of the two is
 * damaged, and it may be the first, with a length that is too large.  rmap: the facts about an inode's blocks.
 */
bool mend_facts_reaches_next(const struct ino_fact *rmap, size_t count, size_t i);

/* The type of an inode by what others say; FT_UNKNOWN: nobody says, or they don't agree. */
enum ftype mend_facts_type(const struct mend_facts *facts, xino_t ino);

/* The inode numbers that findings are about, sorted, each once; the caller frees *ret_inos. 0 or -ENOMEM. */
int mend_facts_inodes(const struct found *found, size_t count, xino_t **ret_inos, size_t *ret_count);

/* Reads blocks of an AG that nothing leads to, to find something lost among them. */

struct mend_scan {
	struct mend *m;
	agno_t agno;
	/* Both are called by several threads at a time. */
	bool (*wants)(void *ctx, uint64_t block);			/* whether to read a block */
	void (*visit)(void *ctx, uint64_t block, const uint8_t *bytes); /* one that was wanted and read */
	void *ctx;
};

/*
 * Visit all blocks that are wanted, but for holes of an image file; those that can't be read are left out.  Blocks that
 * lie near each other are read together.  0 or -ENOMEM.
 */
int mend_scan(const struct mend_scan *scan);

/*
 * Leaves of rmapbts that nothing leads to, because a block above them is lost.  Their records tell which blocks lost
 * inodes had, which nothing else does.
 */

/*
 * Tell the records of such leaves, of blocks that are lost, or shared with others; fn is as in struct sink_ops, with
 * lane 0.  Leaves are searched once for each AG; AGs for which that would take more memory than there is are left out.
 * 0 or negative errno.
 */
typedef void mend_stray_fn(void *ctx, unsigned lane, group_t group, const struct rmap_record *record);
int mend_strays_tell(struct mend *m, mend_stray_fn *fn, void *ctx);
void mend_strays_free(struct mend *m);

#endif
