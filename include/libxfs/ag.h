/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Superblock and AG headers in host order (ondisk 01, 02). */
#ifndef XFSCK_LIBXFS_AG_H
#define XFSCK_LIBXFS_AG_H

#include <stddef.h>

#include "check.h"

#define SB_READ_BYTES (32u << 10) /* bytes to read for a superblock: the largest sector size */

/*
 * Checks a primary superblock of len bytes (at least 512, better the whole sector) and fills *ret_geo.  Does not use
 * c->geo.  True if the geometry is usable; lesser faults are reported all the same.  An unsupported file system
 * (version other than 4 and 5, version 1 directories, unknown feature bits) is reported as a FATAL finding that names
 * the feature.
 */
bool sb_decode(const struct check *c, const void *sector, size_t len, struct geometry *ret_geo);

/* Compares a secondary superblock of sector_size bytes with the primary's sector (ondisk 01, invariant 10). */
void sb_check_secondary(const struct check *c, const void *sector, const void *primary, agno_t agno);

/*
 * Reports each field that describes the file system and differs between two superblocks, with the findings of secondary
 * superblocks.  Reads the first 512 bytes of both, and not c->geo.
 */
void sb_compare(const struct check *c, const void *sector, const void *primary);

/*
 * Copies the magic and all fields that describe the file system from the other superblock to the one at sector.  Fields
 * that only a primary has are kept, and so is the checksum.
 */
void sb_overrule(void *sector, const void *other);

/* Checks the stripe unit and width of any superblock against its version, block size and AG size. */
void sb_stripe_check(const struct check *c, const void *sector, const struct geometry *g);
/* The number of data disks in a stripe, from the unit and width of a superblock; 1: unknown. */
uint32_t sb_stripe_disks(const void *sector);

/* True if the field at that offset must be the same in all superblocks. */
bool sb_is_shared(uint32_t offset);

/*
 * Sets the inode number of the root directory, and those of the inodes that follow it.  The caller sets the checksum.
 */
void sb_set_first_inodes(void *sector, xino_t rootino);
/*
 * Turns a secondary superblock into a primary: derives inode numbers from that of the root directory, and clears
 * inprogress, the counters, the log feature bits and the LSN.  Quota inodes stay as they are: usually unset.  The
 * caller sets the checksum.
 */
void sb_promote(void *sector, xino_t rootino);

/* Sets the checksum, if the version has one, in a superblock of sector_size bytes. */
void sb_seal(void *sector, uint32_t sector_size);

struct agf {
	agbno_t root[BT_AG_NR]; /* of BT_BNO, BT_CNT, BT_RMAP, BT_REFC */
	uint32_t level[BT_AG_NR];
	bool root_ok[BT_AG_NR]; /* the root is in range; does not include the level */
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
	agino_t newino, dirino; /* hints; invalid ones are reported, and NULL_AGINO here */
	agino_t unlinked[64];	/* NULL_AGINO: empty; invalid heads are reported, and NULL_AGINO here */
};

/* Checks a sector of sector_size bytes.  False: it has another magic. */
bool agf_decode(const struct check *c, const void *sector, agno_t agno, struct agf *ret_agf);
bool agi_decode(const struct check *c, const void *sector, agno_t agno, struct agi *ret_agi);

/* Checks the AGFL and visits its active blocks; invalid ones are reported and not visited. */
bool agfl_decode(const struct check *c, const void *sector, agno_t agno, const struct agf *agf,
		 void (*visit)(void *ctx, agbno_t agbno), void *ctx);

/*
 * Writes a whole header sector, with checksum, uuid and LSN 0, and zeroes in unused bytes.  Ignores root_ok and
 * freelist_ok, and the roots of btrees that the file system does not have.
 */
void agf_encode(const struct geometry *g, agno_t agno, const struct agf *agf, void *sector);
void agi_encode(const struct geometry *g, agno_t agno, const struct agi *agi, void *sector);
/*
 * Writes an AGFL of `count` blocks, at most agfl_slots(), from slot 0 on.  agf_set_freelist() sets the AGF accordingly.
 */
void agfl_encode(const struct geometry *g, agno_t agno, const agbno_t *blocks, uint32_t count, void *sector);
void agf_set_freelist(struct agf *agf, uint32_t count);
/* The minimum length of the free list, with which each btree can split at all levels: ondisk 02, "Minimum freelist". */
uint32_t agf_least_freelist(const struct geometry *g, const struct agf *agf);

#endif
