/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The superblocks that were found on a device, as candidates of which one will be believed.  There is one at the
 * beginning of each AG, and any of them may be damaged.  The choice depends on how many agree, and on what else on the
 * device agrees with them.
 */
#ifndef XFSCK_REPAIR_SB_CANDIDATES_H
#define XFSCK_REPAIR_SB_CANDIDATES_H

#include "cache.h"
#include "check.h"
#include "libxfs/ag.h"

#define SB_CANDIDATE_BYTES    512u
#define SB_CANDIDATE_PROBLEMS 24

/* What else on the device confirms or contradicts a geometry. */
struct sb_support {
	unsigned headers; /* AGFs and AGIs that fit the geometry */
	unsigned against; /* AGFs and AGIs whose number, length or uuid contradicts it */
	bool log;	  /* its log can be read */
	bool root;	  /* its root inode is a directory */
};

struct sb_candidate {
	uint64_t position;	   /* bytes from the start of the device */
	bool found;		   /* the magic is right */
	bool decoded;		   /* its geometry makes sense */
	bool usable;		   /* decoded, and at the beginning of an AG of its own geometry */
	bool unsupported;	   /* it describes a file system that this program does not check */
	bool put_back;		   /* one byte had changed on the device, and has been restored here */
	struct geometry geo;	   /* if decoded */
	struct sb_support support; /* set by sb_vote() in the first of those that are alike */
	unsigned alike;		   /* how many usable ones agree with it, itself included; likewise */
	unsigned problem_count;
	struct problem problems[SB_CANDIDATE_PROBLEMS]; /* the first ones that sb_decode() found */
	uint8_t sector[SB_CANDIDATE_BYTES];
};

/* Superblocks at the right distances from each other, but not from the beginning of the device. */
struct sb_displaced {
	uint64_t first; /* bytes from the start of the device */
	uint64_t ag_bytes;
	unsigned count;
	struct geometry geo; /* of the first */
};

struct sb_candidates {
	struct device *device;
	uint8_t *buffer;	  /* SB_READ_BYTES: what was read last */
	struct sb_candidate *all; /* the first is what lies at the beginning of the device */
	size_t count, room;
	struct sb_displaced displaced; /* the first that a search of the device found, and others of its size of AG */
};

/* Read what lies at the beginning of the device. 0 or -ENOMEM; sb_candidates_free() either way. */
int sb_candidates_init(struct sb_candidates *list, struct device *device);
void sb_candidates_free(struct sb_candidates *list);

/* Read the superblock at a byte of the device, and add it if there is one and it was not added before. 0 or -ENOMEM. */
int sb_candidates_add(struct sb_candidates *list, uint64_t position);
/* Add the secondaries of all AGs of a geometry, or of only the first and last ones if there are many. 0 or -ENOMEM. */
int sb_candidates_add_all(struct sb_candidates *list, const struct geometry *geo);
/*
 * If a superblock lies where the next AG behind the end of a geometry would begin, add it, and those of its geometry:
 * the file system may have grown since.  0 or -ENOMEM.
 */
int sb_candidates_add_behind(struct sb_candidates *list, const struct geometry *geo);

/* Decode the superblock in SB_READ_BYTES at bytes, found at position, as a candidate. */
void sb_candidate_decode(struct sb_candidate *candidate, const uint8_t *bytes, uint64_t position);

/*
 * How many faults it has in fields that all superblocks share; a wrong checksum counts as one, and the mark of a repair
 * that was cut short as none.
 */
unsigned sb_candidate_faults(const struct sb_candidate *candidate);

/*
 * sb_byte.c: if the superblock in the SB_READ_BYTES at bytes is sound with one byte changed, change that byte there,
 * and decode *candidate anew.  False: it is not, and nothing has been changed.
 */
bool sb_byte_put_back(uint8_t *bytes, struct sb_candidate *candidate);

/* sb_vote.c: whether two superblocks describe the same file system */
bool sb_candidates_alike(const struct sb_candidate *a, const struct sb_candidate *b);
/* Whether they differ in anything that decides what the file system holds. */
bool sb_candidates_compete(const struct sb_candidate *a, const struct sb_candidate *b);
/* True if they differ in nothing but what no check can judge and only mkfs.xfs writes, so that the copies decide. */
bool sb_candidates_same_use(const struct sb_candidate *a, const struct sb_candidate *b);
/*
 * The candidate to believe, which is the first of those that agree with it; NULL if none is usable.  What headers of
 * AGs say counts first, then how many agree, then which one has fewer faults; if all are equal, the first in the list
 * is taken.  weigh fills in candidate->support.
 */
const struct sb_candidate *sb_vote(struct sb_candidates *list, void (*weigh)(void *ctx, struct sb_candidate *candidate),
				   void *ctx);
/* Whether anything else on the device confirms it: another superblock, headers, the log or the root inode. */
bool sb_confirmed(const struct sb_candidate *candidate);

/* sb_witness.c: what else on the device says of a geometry; buffer: SB_READ_BYTES to read into */
struct sb_support sb_witness(struct device *device, const struct geometry *geo, uint8_t *buffer);

#endif
