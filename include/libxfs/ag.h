/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Superblock and AG headers in host order (ondisk 01, 02). */
#ifndef XFSCK_LIBXFS_AG_H
#define XFSCK_LIBXFS_AG_H

#include <stddef.h>

#include "check.h"

#define SB_READ_BYTES (32u << 10) /* of a superblock: the largest sector there is */

/*
 * Check a primary superblock of len bytes (the first 512 at least, better the whole sector) and fill *ret_geo.
 * c->geo is not looked at.  True if the geometry can be relied on; lesser faults are reported all the same.
 * A file system that this program does not check (other versions than 4 and 5, directories of version 1, unknown
 * feature bits) is reported as a FATAL finding that names the feature.
 */
bool sb_decode(const struct check *c, const void *sector, size_t len, struct geometry *ret_geo);

/* Compare a secondary superblock of sector_size bytes with the primary's sector (ondisk 01, invariant 10). */
void sb_check_secondary(const struct check *c, const void *sector, const void *primary, agno_t agno);

/*
 * Report each field that describes the file system and differs between two superblocks, with the finding ids of
 * secondary superblocks.  Looks at the first 512 bytes of both, and not at c->geo.
 */
void sb_compare(const struct check *c, const void *sector, const void *primary);

/*
 * Copy the magic and all fields that describe the file system from the other superblock to the one at sector.  Fields
 * that only a primary has stay, and so does the checksum.
 */
void sb_overrule(void *sector, const void *other);

/* Check the stripe unit and width of a superblock, primary or secondary, against its version, block size, AG size. */
void sb_stripe_check(const struct check *c, const void *sector, const struct geometry *g);
/* How many disks a stripe goes over, by unit and width of a superblock; 1: they don't tell. */
uint32_t sb_stripe_disks(const void *sector);

/* Whether the field at that offset must be the same in all superblocks. */
bool sb_is_shared(uint32_t offset);

/* Set the root directory's inode number, and those of the inodes right behind it.  The caller sets the checksum. */
void sb_set_first_inodes(void *sector, xino_t rootino);
/*
 * Turn a secondary superblock into a primary: its inode numbers follow from that of the root directory, nothing is in
 * progress, and what only the lost primary knew is empty (counters, quota inodes).  The caller sets the checksum.
 */
void sb_promote(void *sector, xino_t rootino);

/* Put the right checksum, if the version has one, into a superblock of sector_size bytes. */
void sb_seal(void *sector, uint32_t sector_size);

struct agf {
	agbno_t root[BT_AG_NR]; /* of BT_BNO, BT_CNT, BT_RMAP, BT_REFC */
	uint32_t level[BT_AG_NR];
	bool root_ok[BT_AG_NR]; /* the root is in range; says nothing about the level */
	uint32_t flfirst, fllast, flcount;
	bool freelist_ok;
	uint32_t freeblks, longest, btreeblks;
	uint32_t rmap_blocks, refcount_blocks;
};

struct agi {
	agbno_t root[BT_AG_NR]; /* of BT_INO, BT_FINO */
	uint32_t level[BT_AG_NR];
	bool root_ok[BT_AG_NR];
	uint32_t count, freecount;
	uint32_t iblocks, fblocks;
	agino_t newino, dirino; /* hints; bad ones are reported and NULL_AGINO here */
	agino_t unlinked[64];	/* NULL_AGINO: empty; bad heads are reported and NULL_AGINO here */
};

/* Check one sector of sector_size bytes.  False if the magic makes it meaningless. */
bool agf_decode(const struct check *c, const void *sector, agno_t agno, struct agf *ret_agf);
bool agi_decode(const struct check *c, const void *sector, agno_t agno, struct agi *ret_agi);

/* Check the AGFL and visit its active blocks; bad ones are reported and not visited. */
bool agfl_decode(const struct check *c, const void *sector, agno_t agno, const struct agf *agf,
		 void (*visit)(void *ctx, agbno_t agbno), void *ctx);

/*
 * Write a whole header sector, with checksum, uuid and LSN 0, and zeroes in unused bytes.  Does not look at root_ok and
 * freelist_ok, nor at roots of trees that the file system does not have.
 */
void agf_encode(const struct geometry *g, agno_t agno, const struct agf *agf, void *sector);
void agi_encode(const struct geometry *g, agno_t agno, const struct agi *agi, void *sector);
/* The free list holds `count` blocks, no more than agfl_slots(), and begins in slot 0; agf_set_freelist() goes with it.
 */
void agfl_encode(const struct geometry *g, agno_t agno, const agbno_t *blocks, uint32_t count, void *sector);
void agf_set_freelist(struct agf *agf, uint32_t count);
/* Blocks that the free list should hold, so that each tree can split all the way up: ondisk 02, "Minimum freelist". */
uint32_t agf_least_freelist(const struct geometry *g, const struct agf *agf);

#endif
