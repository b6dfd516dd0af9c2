/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all other structures say of certain inodes: one traversal for all that are mended in a round. */
#ifndef XFSCK_REPAIR_MEND_FACTS_H
#define XFSCK_REPAIR_MEND_FACTS_H

#include "mend.h"

enum ino_fact_kind {
	FACT_CHUNK,  /* the inobt has it; value: 1: in use, 0: free */
	FACT_ENTRY,  /* a directory names it; value: that directory */
	FACT_CHILD,  /* a directory has it as `..`, or a parent pointer; value: one that does */
	FACT_GEN,    /* parent pointers say what its generation is; value: that */
	FACT_RMAP,   /* the rmapbt has blocks as its own; value: the first */
	FACT_RTRMAP, /* an rtrmapbt has realtime blocks as its own; value: the first */
};

struct ino_fact {
	xino_t ino;
	uint8_t kind;
	uint8_t ftype; /* FACT_ENTRY */
	bool metadata; /* FACT_ENTRY, FACT_CHILD: the one at value belongs to the metadata tree */
	uint8_t flags; /* FACT_RMAP, FACT_RTRMAP: RMAP_* */
	uint32_t len;  /* likewise: blocks */
	uint64_t value;
	fileoff_t off; /* likewise */
};

struct mend_facts {
	struct ino_fact *v; /* by inode, kind, flags, place in the fork */
	size_t count;
};

/* Kinds of facts, a bit each: the fewer are wanted, the less has to be read. */
#define FACTS_BIT(kind) (1u << (kind))
#define FACTS_CHUNKS	FACTS_BIT(FACT_CHUNK)
#define FACTS_NAMES	(FACTS_BIT(FACT_ENTRY) | FACTS_BIT(FACT_CHILD) | FACTS_BIT(FACT_GEN))
#define FACTS_RMAPS	(FACTS_BIT(FACT_RMAP) | FACTS_BIT(FACT_RTRMAP))
#define FACTS_ALL	(FACTS_CHUNKS | FACTS_NAMES | FACTS_RMAPS)

/* inos: sorted. 0 or negative errno; free it after 0. */
int mend_facts_collect(const struct mend *m, const xino_t *inos, size_t count, unsigned kinds,
		       struct mend_facts *ret_facts);
void mend_facts_free(struct mend_facts *facts);
/*
 * Keep all facts about these inodes, which are sorted, for who asks about any of them again in this round; both are
 * gone then. 0, or -ENOMEM: they are the caller's.
 */
int mend_facts_keep(struct mend *m, xino_t *inos, size_t count, struct mend_facts *facts);
/* Others than those of mend_bereft() say something else now, or the round is over. */
void mend_facts_forget(struct mend *m);
/* All facts, like mend_facts_collect(): those that are kept, and what inodes say that have been mended since. */
int mend_facts_collect_again(const struct mend *m, const xino_t *inos, size_t count, struct mend_facts *ret_facts);

/* The facts of one kind about an inode: the first, and how many. */
const struct ino_fact *mend_facts_of(const struct mend_facts *facts, xino_t ino, enum ino_fact_kind kind,
				     size_t *ret_count);

/*
 * Whether the rmapbt's record i is of the same fork as the next one and reaches into its place in the file: one of the
 * two is damaged, and the longer would take the place of all behind it.
 */
bool mend_facts_reaches_next(const struct ino_fact *rmap, size_t count, size_t i);

/* What others take the inode for; FT_UNKNOWN: nobody says, or they don't agree. */
enum ftype mend_facts_type(const struct mend_facts *facts, xino_t ino);

/* The inode numbers that findings are about, sorted, each once. *ret_inos is the caller's. 0 or -ENOMEM. */
int mend_facts_inodes(const struct found *found, size_t count, xino_t **ret_inos, size_t *ret_count);

#endif
