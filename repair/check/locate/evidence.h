/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence: the facts about a part of the file system as records, where the ledger has only sums.  It is a sink for a
 * second traversal.  First say what is wanted: ranges of blocks of groups, sets of inodes; then traverse; then close,
 * which leaves sorted arrays.  Memory is bounded: if what is wanted does not fit, evidence_full() is true, and what was
 * collected is incomplete and must not be used.
 */
#ifndef XFSCK_REPAIR_EVIDENCE_H
#define XFSCK_REPAIR_EVIDENCE_H

#include "check/books/doubts.h"
#include "check/books/ledger.h"
#include "sets/sort.h"

struct evidence;

/* What a record says of a range of blocks. */
enum use_kind {
	USE_CLAIM,  /* somebody has them; also records for staging of the refcountbt */
	USE_FREE,   /* they are free, by the bnobt, or the tree of evidence_free_tree(), or a realtime bitmap */
	USE_BNO,    /* a record of the bnobt, as it is */
	USE_CNT,    /* a record of the cntbt, as it is */
	USE_RMAP,   /* a record of the rmapbt */
	USE_SHARED, /* a record of the refcountbt, but for staging */
	/* for operations that a crash interrupted (intents.h) */
	USE_UNCLAIM, /* cancels a claim */
	USE_UNMAP,   /* cancels a record of the rmapbt */
	USE_KINDS,
};

struct use {
	uint64_t start; /* block in the group */
	uint64_t len;
	union {
		uint64_t owner;	   /* claims and rmaps: as in struct claim */
		uint64_t refcount; /* USE_SHARED: the blocks may be used refcount - 1 times more than once */
	};
	uint64_t offset; /* claims and rmaps: as in struct claim */
	uint32_t group;
	uint8_t kind;
	uint8_t flags;
	uint8_t object; /* claims: as in struct claim */
};

/* A record of inobt or finobt. */
struct chunk_fact {
	agno_t agno;
	enum btree_kind kind;
	struct inobt_record record;
};

/* An inode without links, or a pointer of an unlinked list to one. */
struct unlinked_fact {
	agno_t agno;
	agino_t agino;
	bool pointer; /* false: the inode itself */
};

struct inode_fact {
	xino_t ino;
	uint32_t nlink;
	uint8_t ftype; /* enum ftype */
	bool metadata;
};

/* What leads to an inode. */
enum link_kind {
	LINK_ENTRY,  /* an entry with a name */
	LINK_DOT,    /* `.` */
	LINK_DOTDOT, /* `..` of another directory */
	LINK_ROOTED, /* the superblock names it */
	LINK_PPTR,   /* no link: a parent pointer of the inode says that such an entry exists */
	LINK_PARENT, /* no link: the inode's own `..`; that entry is also a LINK_DOTDOT of where it leads */
};

struct link_fact {
	xino_t key; /* the inode that it is a fact about: where it leads; LINK_PARENT: the directory with the `..` */
	xino_t directory; /* the directory that the entry is in; LINK_PARENT: where the `..` leads */
	uint64_t name_hash;
	const uint8_t *name; /* NULL: none */
	uint32_t directory_gen;
	uint8_t namelen;
	uint8_t kind;
	uint8_t ftype;
	bool metadata;
};

/* The collected records, sorted. */
struct evidence_records {
	struct use *uses; /* by group, kind, start ... */
	size_t nuses;
	struct chunk_fact *chunks; /* by agno, kind, start */
	size_t nchunks;
	struct unlinked_fact *unlinked; /* by agno, agino */
	size_t nunlinked;
	struct inode_fact *inodes; /* by ino */
	size_t ninodes;
	struct link_fact *links; /* by key, kind, directory ... */
	size_t nlinks;
};

/* limit: how many bytes it may take, sorting included. NULL: out of memory. */
struct evidence *evidence_new(const struct geometry *geo, unsigned lanes, const struct hash_key *key, size_t limit);
void evidence_free(struct evidence *evidence);
/* The sink for the traversal; the evidence must outlive it. */
struct sink evidence_sink(struct evidence *evidence);

/* The following five are called before the traversal. */

/*
 * Collect facts about blocks [from, to) of a group.  USE_BNO, USE_CNT, chunks and unlinked inodes are collected if they
 * begin there; all other ranges are cut to [from, to).
 */
void evidence_want_blocks(struct evidence *evidence, group_t group, uint64_t from, uint64_t to);
/* Which free-space btree USE_FREE is to be taken from in this group, instead of the bnobt. */
void evidence_free_tree(struct evidence *evidence, group_t group, enum btree_kind kind);
/* Collect facts about part number `part` of `parts` of the inodes in a bucket of the ledger. */
void evidence_want_inodes(struct evidence *evidence, unsigned bucket, uint32_t part, uint32_t parts);
/* Of the inodes that are wanted, collect facts only about those that are in doubt. */
void evidence_only_doubts(struct evidence *evidence, const struct doubts *doubts);
/* Collect only these kinds of uses (1 << enum use_kind); if this is not called, all. */
void evidence_only_uses(struct evidence *evidence, unsigned kinds);

/* Whether something that is wanted did not fit into memory. */
bool evidence_full(const struct evidence *evidence);
/* After the traversal: sort the records, which then live as long as the evidence. 0 or -ENOMEM. */
int evidence_close(struct evidence *evidence, struct evidence_records *ret_records);

/* The kinds of records that evidence has, and the order in which each is sorted (evidence.h). */

enum evidence_kind {
	REC_USE,
	REC_CHUNK,
	REC_UNLINKED,
	REC_INODE,
	REC_LINK,
	REC_NR,
};

/* longest: blocks of the largest group; must live as long as the order is used. */
struct number_order evidence_order(enum evidence_kind kind, const uint64_t *longest);

/* Compare two uses of the same group and kind, but not their objects: 0 if both are the same in the rmap account. */
int evidence_order_in_group(const struct use *x, const struct use *y);
/* Compare two struct chunk_fact, by AG, btree and start. */
int evidence_order_of_chunks(const void *a, const void *b);

#endif
