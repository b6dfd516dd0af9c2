/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The superblocks of a file system as candidates for the truth.  There is one
 * at the beginning of each AG, and any of them may be damaged: which to
 * believe is decided by what they agree on, and by what else on the device
 * bears them out.
 */
#ifndef XFSCK_REPAIR_SB_CANDIDATES_H
#define XFSCK_REPAIR_SB_CANDIDATES_H

#include "cache.h"
#include "check.h"

#define SB_CANDIDATE_BYTES    512u
#define SB_CANDIDATE_PROBLEMS 24
#define SB_READ_BYTES	      (32u << 10) /* the largest sector there is */

/* What else on the device says of a geometry. */
struct sb_support {
	unsigned headers; /* AGFs and AGIs that are where and as they must be */
	unsigned against; /* those that are there, but of another AG, size or file system */
	bool log;	  /* its log can be read */
	bool root;	  /* its root inode is a directory */
};

struct sb_candidate {
	uint64_t position;	   /* bytes from the start of the device */
	bool found;		   /* the magic is right */
	bool decoded;		   /* its geometry makes sense */
	bool usable;		   /* decoded, and at the beginning of an AG of its own geometry */
	bool unsupported;	   /* it is a file system that this program does not check */
	bool put_back;		   /* one byte of it has changed, and is here as it was */
	struct geometry geo;	   /* if decoded */
	struct sb_support support; /* of the one that stands for those alike */
	unsigned alike;		   /* usable ones that agree with it, itself included */
	unsigned problem_count;
	struct problem problems[SB_CANDIDATE_PROBLEMS]; /* of sb_decode(), the first ones */
	uint8_t sector[SB_CANDIDATE_BYTES];
};

/* Superblocks in places that none should have, at distances from each other that they should. */
struct sb_displaced {
	uint64_t first; /* bytes from the start of the device */
	uint64_t ag_bytes;
	unsigned count;
};

struct sb_candidates {
	struct device *device;
	uint8_t *buffer;	  /* SB_READ_BYTES: what was read last */
	struct sb_candidate *all; /* the first is what lies at the beginning of the device */
	size_t count, room;
	struct sb_displaced displaced; /* the first that a search of the device saw, and those like it */
};

/* Read what lies at the beginning of the device. 0 or -ENOMEM; sb_candidates_free() either way. */
int sb_candidates_init(struct sb_candidates *list, struct device *device);
void sb_candidates_free(struct sb_candidates *list);

/* Read what lies at a place of the device, unless that has been done. 0 or -ENOMEM. */
int sb_candidates_add(struct sb_candidates *list, uint64_t position);
/* All those of a geometry, or of very many AGs the first and last ones. 0 or -ENOMEM. */
int sb_candidates_add_all(struct sb_candidates *list, const struct geometry *geo);

/* Decode the superblock in SB_READ_BYTES at bytes, found at position, as a candidate. */
void sb_candidate_decode(struct sb_candidate *candidate, const uint8_t *bytes, uint64_t position);

/* Faults in what others should have as well, and a wrong checksum. */
unsigned sb_candidate_faults(const struct sb_candidate *candidate);

/*
 * sb_byte.c: where one byte of SB_READ_BYTES at bytes has changed, what was decoded of them there becomes what they are
 * with it put back, and so do they.  False: it is not that, and nothing has changed.
 */
bool sb_byte_put_back(uint8_t *bytes, struct sb_candidate *candidate);

/* sb_vote.c: whether two superblocks describe the same file system */
bool sb_candidates_alike(const struct sb_candidate *a, const struct sb_candidate *b);
/*
 * The one that stands for those to believe, NULL if none is usable: headers of AGs count first, then how many agree,
 * then in which one less is wrong; where nothing of that decides, the one at the beginning of the device is believed.
 * weigh fills in the support of one.
 */
const struct sb_candidate *sb_vote(struct sb_candidates *list, void (*weigh)(void *ctx, struct sb_candidate *candidate),
				   void *ctx);
/* Something but itself bears it out. */
bool sb_confirmed(const struct sb_candidate *candidate);

/* sb_witness.c: what else on the device says of a geometry */
struct sb_support sb_witness(struct device *device, const struct geometry *geo, uint8_t *buffer);

#endif
