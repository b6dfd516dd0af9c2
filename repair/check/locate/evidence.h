/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence: the facts about a part of the file system as records, where the ledger has only sums.  It is a sink for a
 * second traversal.  First set what is wanted: ranges of blocks of groups, sets of inodes; then traverse; then close,
 * which makes sorted arrays.  Memory is bounded: if the records don't fit, evidence_full() is true, and they are
 * incomplete and must not be used.
 */
#ifndef XFSCK_REPAIR_EVIDENCE_H
#define XFSCK_REPAIR_EVIDENCE_H

#include "check/books/doubts.h"
#include "check/books/ledger.h"
#include "sets/sort.h"

struct evidence;

/* What a record says about a range of blocks. */
enum use_kind {
	USE_CLAIM,  /* they have an owner; also records for staging of the refcountbt */
	USE_FREE,   /* they are free, by the bnobt, or the btree of evidence_free_tree(), or a realtime bitmap */
	USE_BNO,    /* a record of the bnobt, not cut */
	USE_CNT,    /* a record of the cntbt, not cut */
	USE_RMAP,   /* a record of the rmapbt */
	USE_SHARED, /* a record of the refcountbt, except for staging */
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
		uint64_t refcount; /* USE_SHARED: the blocks may have refcount - 1 further owners */
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

/* An inode without links, or a pointer to an inode from an unlinked list. */
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

/* What points to an inode. */
enum link_kind {
	LINK_ENTRY,  /* an entry with a name */
	LINK_DOT,    /* `.` */
	LINK_DOTDOT, /* `..` of another directory */
	LINK_ROOTED, /* the superblock points to it */
	LINK_PPTR,   /* no link: a parent pointer of the inode, which names such an entry */
	LINK_PARENT, /* no link: the inode's own `..`, which is also a LINK_DOTDOT of its parent */
};

struct link_fact {
	xino_t key;	  /* the inode that the link points to; LINK_PARENT: the directory that has the `..` */
	xino_t directory; /* the directory that has the entry; LINK_PARENT: the target of the `..` */
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

/* limit: maximum of bytes, including those for sorting.  Returns NULL if memory is out. */
struct evidence *evidence_new(const struct geometry *geo, unsigned workers, const struct hash_key *key, size_t limit);
void evidence_free(struct evidence *evidence);
/* Returns the sink for the traversal; the evidence must outlive it. */
struct sink evidence_sink(struct evidence *evidence);

/* The following five functions are for use before the traversal. */

/*
 * Collects facts about blocks [from, to) of a group.  USE_BNO, USE_CNT, chunks and unlinked inodes are collected if
 * they begin there; all other ranges are cut to [from, to).
 */
void evidence_want_blocks(struct evidence *evidence, group_t group, uint64_t from, uint64_t to);
/* Sets the free-space btree for USE_FREE in this group, instead of the bnobt. */
void evidence_free_tree(struct evidence *evidence, group_t group, enum btree_kind kind);
/* Collects facts about the inodes of a ledger's bucket that pass number `pass` of `passes` is for. */
void evidence_want_inodes(struct evidence *evidence, unsigned bucket, uint32_t pass, uint32_t passes);
/* Restricts facts about wanted inodes to those in doubt. */
void evidence_only_doubts(struct evidence *evidence, const struct doubts *doubts);
/* Collects only these kinds of uses (1 << enum use_kind); by default all. */
void evidence_only_uses(struct evidence *evidence, unsigned kinds);

/* True if something wanted did not fit into memory. */
bool evidence_full(const struct evidence *evidence);
/* Sorts the records after the traversal; they live as long as the evidence.  Returns 0 or -ENOMEM. */
int evidence_close(struct evidence *evidence, struct evidence_records *ret_records);

/* Kinds of records, and the order in which each is sorted. */

enum evidence_kind {
	REC_USE,
	REC_CHUNK,
	REC_UNLINKED,
	REC_INODE,
	REC_LINK,
	REC_NR,
};

/* Returns the order.  longest: blocks of the largest group; must outlive the order. */
struct number_order evidence_order(enum evidence_kind kind, const uint64_t *longest);

/* Compares two uses of the same group and kind, except their objects: 0 if they are the same in the rmap account. */
int evidence_order_in_group(const struct use *x, const struct use *y);
/* Compares two struct chunk_fact by AG, btree and start. */
int evidence_order_of_chunks(const void *a, const void *b);

#endif
