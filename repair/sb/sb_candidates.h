/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The superblocks found on a device, as candidates to choose from.  There is one at the start of each AG, and any of
 * them may be damaged.  The choice depends on how many agree, and on which other metadata agrees with them.
 */
#ifndef XFSCK_REPAIR_SB_CANDIDATES_H
#define XFSCK_REPAIR_SB_CANDIDATES_H

#include "cache.h"
#include "check.h"
#include "libxfs/ag.h"

#define SB_CANDIDATE_BYTES    512u
#define SB_CANDIDATE_PROBLEMS 24

/* Other metadata that confirms or contradicts a geometry. */
struct sb_support {
	unsigned headers; /* AGFs and AGIs that fit the geometry */
	unsigned against; /* AGFs and AGIs whose number, length or uuid contradicts it */
	bool log;	  /* its log is readable and sound */
	bool root;	  /* its root inode is a directory */
};

struct sb_candidate {
	uint64_t position;	   /* bytes from the start of the device */
	bool found;		   /* the magic is right */
	bool decoded;		   /* its geometry is valid */
	bool usable;		   /* decoded, and at the start of an AG of its own geometry */
	bool unsupported;	   /* of a file system that this program does not check */
	bool put_back;		   /* one byte had changed on the device, and is restored here */
	struct geometry geo;	   /* if decoded */
	struct sb_support support; /* set by sb_vote() in the first of those that are alike */
	unsigned alike;		   /* number of usable ones that agree with it, including itself; set likewise */
	unsigned problem_count;
	struct problem problems[SB_CANDIDATE_PROBLEMS]; /* the first ones that sb_decode() found */
	uint8_t sector[SB_CANDIDATE_BYTES];
};

/* Superblocks at the right distances from each other, but not from the start of the device. */
struct sb_displaced {
	uint64_t first; /* bytes from the start of the device */
	uint64_t ag_bytes;
	unsigned count;
	struct geometry geo; /* of the first */
};

struct sb_candidates {
	struct device *device;
	uint8_t *buffer;	  /* SB_READ_BYTES: the last read */
	struct sb_candidate *all; /* the first is from the start of the device */
	size_t count, room;
	struct sb_displaced displaced; /* the first that a search of the device found, and others with its AG size */
};

/* Reads the start of the device.  Returns 0 or -ENOMEM; call sb_candidates_free() either way. */
int sb_candidates_init(struct sb_candidates *list, struct device *device);
void sb_candidates_free(struct sb_candidates *list);

/* Reads the superblock at a byte of the device, and adds it if it exists and was not added before.  0 or -ENOMEM. */
int sb_candidates_add(struct sb_candidates *list, uint64_t position);
/* Adds the backups in all AGs of a geometry, or only the first and last ones if there are many.  0 or -ENOMEM. */
int sb_candidates_add_all(struct sb_candidates *list, const struct geometry *geo);
/*
 * Adds a superblock where the next AG behind the end of a geometry would begin, if there is one, and those of its
 * geometry: the file system may have grown since.  Returns 0 or -ENOMEM.
 */
int sb_candidates_add_behind(struct sb_candidates *list, const struct geometry *geo);

/* Decodes the superblock in SB_READ_BYTES at bytes, found at position, as a candidate. */
void sb_candidate_decode(struct sb_candidate *candidate, const uint8_t *bytes, uint64_t position);

/*
 * Returns the number of faults in fields that all superblocks share.  A wrong checksum counts as one, and the mark of
 * an interrupted repair as none.
 */
unsigned sb_candidate_faults(const struct sb_candidate *candidate);

/*
 * sb_byte.c: if the superblock in the SB_READ_BYTES at bytes is sound with one byte changed, changes that byte there,
 * and decodes *candidate again.  False: it is not, and nothing has changed.
 */
bool sb_byte_put_back(uint8_t *bytes, struct sb_candidate *candidate);

/* sb_vote.c: true if two superblocks describe the same file system. */
bool sb_candidates_alike(const struct sb_candidate *a, const struct sb_candidate *b);
/* True if they differ in any field that affects how the device is read or judged. */
bool sb_candidates_compete(const struct sb_candidate *a, const struct sb_candidate *b);
/* True if they differ only in fields that no check can judge and only mkfs.xfs writes, so that the backups decide. */
bool sb_candidates_same_use(const struct sb_candidate *a, const struct sb_candidate *b);
/*
 * Returns the best candidate, which is the first of those that agree with it; NULL if none is usable.  AG headers count
 * first, then how many agree, then the fewest faults; if all are equal, the first in the list wins.  weigh fills in
 * candidate->support.
 */
const struct sb_candidate *sb_vote(struct sb_candidates *list, void (*weigh)(void *ctx, struct sb_candidate *candidate),
				   void *ctx);
/* True if anything else on the device confirms it: another superblock, headers, the log or the root inode. */
bool sb_confirmed(const struct sb_candidate *candidate);

/* sb_witness.c: looks for metadata that confirms or contradicts a geometry.  buffer: SB_READ_BYTES to read into. */
struct sb_support sb_witness(struct device *device, const struct geometry *geo, uint8_t *buffer);

#endif
