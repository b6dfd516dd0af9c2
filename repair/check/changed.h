/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a repair has changed since the first check, as objects: inodes in use, with all that hangs from them; allocation
 * groups, with their headers and btrees; counters of the superblock.  What was staged tells it; whether anything else
 * has changed, too, is answered on the safe side.
 */
#ifndef XFSCK_REPAIR_CHANGED_H
#define XFSCK_REPAIR_CHANGED_H

#include <stdbool.h>
#include <stddef.h>

#include "libxfs/btree.h"
#include "units.h"

struct ag_state;
struct claim;
struct geometry;
struct hash_key;
struct repair;

/* What the changed objects say of a changed block. */
enum told {
	TOLD_BEFORE = 1, /* one of them claimed it before the repair, ... */
	TOLD_AFTER = 2,	 /* ... or claims it now, ... */
	TOLD_FREE = 4,	 /* ... or has it as free now */
};

/* A block outside of inode chunks that has changed. */
struct changed_block {
	fsbno_t at;
	bool group;   /* as it is now, it says of blocks whose they are, and nothing else: AGF, AGFL, their btrees */
	uint8_t told; /* TOLD_*; atomic */
};

struct changed {
	const char *unknown; /* not NULL: what else has changed, or why that can't be told; then there is no more */
	xino_t *inos;	     /* in ascending order: those that have changed, or that findings are about */
	size_t ninos;
	agno_t *groups; /* in ascending order: those whose headers or btrees may have changed */
	size_t ngroups, groups_room;
	bool counters;		      /* of the superblock have changed, and nothing else of it */
	struct changed_block *blocks; /* in ascending order */
	size_t nblocks, blocks_room;
};

/* rc: the first check.  0 or negative errno; call changed_free() either way. */
int changed_find(struct repair *rc, struct changed *ret);
void changed_free(struct changed *changed);
/* Note what the objects say of these blocks.  Any thread may call it. */
void changed_told(struct changed *changed, fsbno_t start, uint64_t len, enum told told);
/* Whether any of len > 0 blocks has changed. */
bool changed_has_any(const struct changed *changed, fsbno_t start, uint64_t len);
bool changed_has_group(const struct changed *changed, agno_t agno);
/*
 * True if nothing else than what has changed has any of the blocks.  balances: whether all blocks of a group have one
 * owner now, or none and are free.
 */
bool changed_is_all(const struct changed *changed, bool (*balances)(const void *ctx, fsbno_t block), const void *ctx);
/* True if one of the objects claimed or claims each block, or it is known otherwise who does. */
bool changed_is_somebodys(const struct changed *changed, bool (*known)(const void *ctx, fsbno_t block),
			  const void *ctx);
/* True if all of them are claimed now, are free, or are groups': then no other inode holds anything else than before.
 */
bool changed_files_known(const struct changed *changed);

/* What one view says of the inobts, which tell which inodes are in use.  Start with { 0 }.  Any thread may add to it.
 */
struct inobts {
	uint64_t records; /* a sum over them */
	bool changed;	  /* a block of one of them has changed */
};
void inobts_claim(struct inobts *inobts, const struct geometry *geo, const struct changed *changed,
		  const struct claim *claim);
void inobts_chunk(struct inobts *inobts, const struct hash_key *key, enum btree_kind kind, agno_t agno,
		  const struct inobt_record *record);
/* True if the same inodes are in use in two views whose inobts begin at the same blocks, which is asked by group. */
bool inobts_alike(const struct inobts *a, const struct inobts *b);
bool inobts_root_alike(const struct ag_state *a, const struct ag_state *b);

#endif
