/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Derives a superblock from the rest of the device if none is left. */
#ifndef XFSCK_REPAIR_SB_DERIVE_H
#define XFSCK_REPAIR_SB_DERIVE_H

#include "cache.h"
#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/rmapbt.h"
#include "disk/sb.h"

#define SB_DERIVE_BLOCK 65536u /* the largest block size */

/* The results so far.  The superblock is filled step by step, and each step relies on those before. */
struct sb_derive {
	struct device *device;
	uint8_t *block;	     /* SB_DERIVE_BLOCK bytes to read into */
	struct agf_disk agf; /* of the first AG, or if that is lost of another one; magic 0: none is left */
	struct agi_disk agi; /* of the first AG */
	uint8_t uuid[16];    /* of most headers ... */
	unsigned uuid_votes; /* ... if this is not 0, see vote_uuid() */
	uint32_t sector_size;
	uint32_t block_size;
	uint32_t inode_size;
	bool crc;
	uint32_t first_inode; /* number of the root directory */
	bool log_known;
	/* by sb_derive_blocks() */
	unsigned witnesses;    /* blocks with their own address or number; 0: the first AG's headers were enough */
	uint32_t last_ag;      /* the last AG in which blocks were found */
	uint64_t lowest_inode; /* the lowest inode number that was found; UINT64_MAX: none */
	bool chunks_seen;      /* leaves of inode btrees were found ... */
	bool sparse_seen;      /* ... with records like those of sparse chunks */
	uint32_t log_agno;     /* the AG of the log ... */
	struct rmap_rec_disk log_record; /* ... and the log's rmapbt record there; blockcount 0: not found */
	struct sb_disk *sb;
	bool no_memory; /* memory was short, so a failure proves nothing */
};

struct sb_derived {
	uint8_t *sector;     /* SB_READ_BYTES: the superblock, with its checksum */
	bool log_known;	     /* false: the superblock has no log */
	unsigned witnesses;  /* as in struct sb_derive */
	const char *missing; /* on failure: the missing parts; NULL: there is no trace of XFS */
};

/*
 * Makes a superblock from AG headers, the first inodes and the rmapbt.  Features without a trace on the device are off.
 * False: too little is left, or memory is out: then *ret_error is -ENOMEM, else 0.
 */
bool sb_derive(struct device *device, struct sb_derived *derived, int *ret_error);

/*
 * sb_derive_blocks.c: if the AGI of the first AG does not lead to its inobt, fills the needed fields of AGI and AGF
 * from all blocks that have their own address.  False: too few are left, or they don't agree.
 */
bool sb_derive_blocks(struct sb_derive *d);
/* sb_derive_inodes.c: finds inode size, root directory, and features of inodes.  False: no inode was readable. */
bool sb_derive_inodes(struct sb_derive *d);

struct repair;
struct geometry;
/*
 * sb_derive_rt.c: adds the realtime section, if there is one, to a derived superblock, whose geometry this is; the
 * caller sets the checksum.  *ret_missing: the missing parts, if too little is left, else NULL.  Returns 0 or a
 * negative errno.
 */
int sb_derive_rt(struct repair *rc, const struct geometry *geo, struct sb_disk *sb, const char **ret_missing);

/* Returns the records in the first leaf of a short-pointer btree, after reading it into d->block; NULL: it is lost. */
const uint8_t *sb_derive_first_leaf(struct sb_derive *d, uint64_t ag_start, uint32_t root, uint32_t magic,
				    uint32_t key_bytes, uint32_t *ret_numrecs);
/* Reads bytes of the device.  False: some are unreadable. */
bool sb_derive_read(struct sb_derive *d, void *buf, uint64_t offset, uint32_t len);
/* Reads the AGI of the AG that begins at byte ag_start.  False: it is lost. */
bool sb_derive_agi(struct sb_derive *d, uint64_t ag_start, uint32_t agno, struct agi_disk *ret);

/* Called with `room` bytes from byte `at` of the device on.  False ends the scan. */
typedef bool sb_derive_visit(void *ctx, const uint8_t *bytes, uint32_t room, uint64_t at);
/* Visits the device every `step` bytes, up to `end`, without holes of a sparse file. */
void sb_derive_scan(struct sb_derive *d, uint64_t end, uint32_t step, sb_derive_visit *visit, void *ctx);

#endif
