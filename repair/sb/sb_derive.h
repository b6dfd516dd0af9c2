/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A superblock made from everything else, where none is left. */
#ifndef XFSCK_REPAIR_SB_DERIVE_H
#define XFSCK_REPAIR_SB_DERIVE_H

#include "cache.h"
#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/rmapbt.h"
#include "disk/sb.h"

#define SB_DERIVE_BLOCK 65536u /* the largest block there is */

/* What is left. The superblock is filled step by step, each relying on the one before. */
struct sb_derive {
	struct device *device;
	uint8_t *block;	     /* SB_DERIVE_BLOCK */
	struct agf_disk agf; /* of the first AG, or if it is lost of another one; magic 0: none is left */
	struct agi_disk agi; /* of the first AG */
	uint8_t uuid[16];    /* what headers say, if any are left: */
	unsigned uuid_votes; /* so many more say this than another; 0: none does */
	uint32_t sector_size;
	uint32_t block_size;
	uint32_t inode_size;
	bool crc;
	uint32_t first_inode; /* the root directory's number */
	bool log_known;
	unsigned witnesses;    /* blocks that know where they lie: the headers of the first AG are lost, too */
	uint32_t last_ag;      /* by these */
	uint64_t lowest_inode; /* likewise: the first of them all that was seen; UINT64_MAX: none was ... */
	bool chunks_seen;      /* ... and leaves of inode btrees, ... */
	bool sparse_seen;      /* ... whose records are those of sparse chunks */
	uint32_t log_agno;     /* likewise; 0 blocks: none has it */
	struct rmap_rec_disk log_record;
	struct sb_disk *sb;
	bool no_memory; /* what was not seen for want of memory must not count as lost */
};

struct sb_derived {
	uint8_t *sector;     /* SB_READ_BYTES: the superblock, with its checksum */
	bool log_known;	     /* else it has none */
	unsigned witnesses;  /* as above */
	const char *missing; /* what would be needed, where something of XFS was found at all; NULL: nothing was */
};

/*
 * Make a superblock from the headers of AGs, the first inodes and the rmapbt.  Features that nothing on the device
 * shows are off.  False: too little is left; -ENOMEM in *ret_error, else 0.
 */
bool sb_derive(struct device *device, struct sb_derived *derived, int *ret_error);

/*
 * sb_derive_blocks.c: where the AGI of the first AG does not lead to its inobt, all blocks that know where they lie do,
 * as far as the AGI and an AGF are wanted here.  False: too few are left, or don't agree.
 */
bool sb_derive_blocks(struct sb_derive *d);
/* sb_derive_inodes.c: inode size, root directory, features that inodes show. False: no inode could be read. */
bool sb_derive_inodes(struct sb_derive *d);
/* sb_derive_log.c: where the rmapbt says that the log is. */
void sb_derive_log(struct sb_derive *d);

struct repair;
struct geometry;
/*
 * sb_derive_rt.c: put the realtime section, if there is one, into a superblock that has been derived, and whose
 * geometry this is; its checksum is the caller's matter.  *ret_missing: what that would take, where too little is left,
 * NULL otherwise.  0 or negative errno.
 */
int sb_derive_rt(struct repair *rc, const struct geometry *geo, struct sb_disk *sb, const char **ret_missing);

/* The first record of a btree of an AG's short pointers, as bytes in d->block; NULL: there is none. */
const uint8_t *sb_derive_first_leaf(struct sb_derive *d, uint64_t ag_start, uint32_t root, uint32_t magic,
				    uint32_t key_bytes, uint32_t *ret_numrecs);
bool sb_derive_read(struct sb_derive *d, void *buf, uint64_t offset, uint32_t len);
/* The AGI of the AG that begins there, in bytes. False: it is lost. */
bool sb_derive_agi(struct sb_derive *d, uint64_t ag_start, uint32_t agno, struct agi_disk *ret);

/* What lies there, and so many bytes of it. False: enough was seen. */
typedef bool sb_derive_visit(void *ctx, const uint8_t *bytes, uint32_t room, uint64_t at);
/* What of the device begins before end, step by step of so many bytes; holes are passed over. */
void sb_derive_scan(struct sb_derive *d, uint64_t end, uint32_t step, sb_derive_visit *visit, void *ctx);

#endif
