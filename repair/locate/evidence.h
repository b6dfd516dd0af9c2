/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence: the facts of a part of the file system as records, where the
 * ledger has only sums.  It is a sink for a second traversal.  First say
 * what is wanted: ranges of blocks of groups, sets of inodes; then traverse;
 * then close, which leaves sorted arrays.  Memory is bounded: when what is
 * wanted does not fit, evidence_full() says so and what was collected is worth nothing.
 */
#ifndef XFSCK_REPAIR_EVIDENCE_H
#define XFSCK_REPAIR_EVIDENCE_H

#include "books/doubts.h"
#include "books/ledger.h"

/* What is said of a range of blocks. */
enum use_kind {
	USE_CLAIM,
	USE_FREE, /* by the bnobt, or the tree that was chosen, or a realtime bitmap */
	USE_BNO,  /* a record of the bnobt ... */
	USE_CNT,  /* ... and of the cntbt, as they are */
	USE_RMAP,
	USE_SHARED, /* refcountbt, but for staging extents: these are claims */
	/* what takes others away, once operations that a crash interrupted are done: */
	USE_UNCLAIM, /* a claim */
	USE_UNMAP,   /* an rmap */
	USE_KINDS,
};

struct use {
	uint64_t start; /* block in the group */
	uint64_t len;
	union {
		uint64_t owner;	   /* claims and rmaps: as in struct claim */
		uint64_t refcount; /* USE_SHARED: 1 changes nothing, 0 is one use less */
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

/* An inode without links, or a list's pointer to one. */
struct unlinked_fact {
	agno_t agno;
	agino_t agino;
	bool pointer;
};

struct inode_fact {
	xino_t ino;
	uint32_t nlink;
	uint8_t ftype; /* enum ftype */
	bool metadata;
};

/* What names an inode. */
enum link_kind {
	LINK_ENTRY,
	LINK_DOT,
	LINK_DOTDOT,
	LINK_ROOTED, /* the superblock does */
	LINK_PPTR,   /* no link: attributes of the target say that this entry exists */
	LINK_PARENT, /* LINK_DOTDOT once more, as a fact about the directory that it is in */
};

struct link_fact {
	xino_t key;	  /* whom it is a fact about: the target; of LINK_PARENT the directory that the `..` is in */
	xino_t directory; /* that it is in; of LINK_PARENT where it leads to */
	uint64_t name_hash;
	const uint8_t *name; /* NULL: none */
	uint32_t directory_gen;
	uint8_t namelen;
	uint8_t kind;
	uint8_t ftype;
	bool metadata;
};

/* The arrays, in order: group, kind, start ...; agno, kind, start; agno, agino; ino; key, kind, directory ... */
struct evidence_records {
	struct use *uses;
	size_t nuses;
	struct chunk_fact *chunks;
	size_t nchunks;
	struct unlinked_fact *unlinked;
	size_t nunlinked;
	struct inode_fact *inodes;
	size_t ninodes;
	struct link_fact *links;
	size_t nlinks;
};

struct evidence;

/* limit: bytes, sorting included. NULL: out of memory. */
struct evidence *evidence_new(const struct geometry *geo, unsigned lanes, const struct hash_key *key, size_t limit);
void evidence_free(struct evidence *evidence);
struct sink evidence_sink(struct evidence *evidence);

/* Before the traversal: blocks [from, to) of a group. Ranges are cut to it, records are in it if their start is. */
void evidence_want_blocks(struct evidence *evidence, group_t group, uint64_t from, uint64_t to);
/* Before the traversal: what is free there is said by this tree; by the bnobt, if nobody says. */
void evidence_free_tree(struct evidence *evidence, group_t group, enum btree_kind kind);
/* Before the traversal: of the inodes of a ledger bucket, part number `part` of `parts`. */
void evidence_want_inodes(struct evidence *evidence, unsigned bucket, uint32_t part, uint32_t parts);
/* Before the traversal: of all the inodes that are wanted only those in doubt. */
void evidence_only_doubts(struct evidence *evidence, const struct doubts *doubts);
/* Before the traversal: no other uses of blocks than those of these kinds, a bit each; unless said, all. */
void evidence_only_uses(struct evidence *evidence, unsigned kinds);

bool evidence_full(const struct evidence *evidence);
/* After the traversal; the records live as long as the evidence. 0 or -ENOMEM. */
int evidence_close(struct evidence *evidence, struct evidence_records *ret_records);

#endif
