/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects that a repair has changed since the first check: inodes in use with their blocks, AGs with their headers
 * and btrees, and counters of the superblock.  They are found from the staged sectors.  If anything else may have
 * changed, too, the answers are on the safe side.
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

/* What the changed objects say about a changed block. */
enum changed_use {
	CLAIMED_BEFORE = 1, /* one of them claimed it before the repair */
	CLAIMED_AFTER = 2,  /* one of them claims it now */
	FREE_AFTER = 4,	    /* one of them has it as free now */
};

/* A changed block outside of inode chunks. */
struct changed_block {
	fsbno_t at;
	bool group;   /* the block as it is now only records owners and free space: AGF, AGFL, or a btree for these */
	uint8_t uses; /* CLAIMED_*, FREE_AFTER; atomic */
};

struct changed {
	const char *unknown; /* why not all changes are known (the other members are then incomplete), or NULL */
	xino_t *inos;	     /* ascending: inodes that have changed, or that findings are about */
	size_t ninos;
	agno_t *groups; /* ascending: AGs whose headers or btrees may have changed */
	size_t ngroups, groups_room;
	bool counters;		      /* counters of the superblock have changed, and nothing else in it */
	struct changed_block *blocks; /* ascending */
	size_t nblocks, blocks_room;
};

/* Finds the changes.  rc: the first check.  Returns 0 or a negative errno; call changed_free() either way. */
int changed_find(struct repair *rc, struct changed *ret);
void changed_free(struct changed *changed);
/* Records what an object says about these blocks.  Any thread may call it. */
void changed_note_use(struct changed *changed, fsbno_t start, uint64_t len, enum changed_use use);
/* True if any of len > 0 blocks has changed. */
bool changed_has_any(const struct changed *changed, fsbno_t start, uint64_t len);
bool changed_has_group(const struct changed *changed, agno_t agno);
/*
 * True if each changed block belongs to changed objects alone.  balances() is true if each block of a block's group has
 * exactly one owner or is free.
 */
bool changed_is_all(const struct changed *changed, bool (*balances)(const void *ctx, fsbno_t block), const void *ctx);
/* True if a changed object claimed or claims each changed block, or known() is true for the block. */
bool changed_is_somebodys(const struct changed *changed, bool (*known)(const void *ctx, fsbno_t block),
			  const void *ctx);
/* True if each changed block is claimed now, is free, or has AG metadata: then no other inode has changed contents. */
bool changed_files_known(const struct changed *changed);

/* What one view of the device says about the inobts.  Start with { 0 }.  Any thread may add to it. */
struct inobts {
	uint64_t records; /* a sum of hashes of their records */
	bool changed;	  /* one of their blocks has changed */
};
void inobts_claim(struct inobts *inobts, const struct geometry *geo, const struct changed *changed,
		  const struct claim *claim);
void inobts_chunk(struct inobts *inobts, const struct hash_key *key, enum btree_kind kind, agno_t agno,
		  const struct inobt_record *record);
/* True if the same inodes are in use in two views.  The roots of the inobts are compared per AG. */
bool inobts_alike(const struct inobts *a, const struct inobts *b);
bool inobts_root_alike(const struct ag_state *a, const struct ag_state *b);

#endif
