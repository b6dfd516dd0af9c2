/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who uses how much, as inodes say and as the quota files say, per id
 * (ondisk 10, Usage rule; 12, Q1 and Q2).  An exact table, for the user is to be
 * told about ids: it grows with the ids that own something or have a count, not with
 * inodes.  Every worker has a lane of its own; nothing here locks.
 */
#ifndef XFSCK_REPAIR_QUOTA_H
#define XFSCK_REPAIR_QUOTA_H

#include "quota_table.h"
#include "sink.h"

/* an entry of the metadata tree that may be that of a quota file */
struct quota_name {
	xino_t directory;
	xino_t target;
	enum quota_type type;
};

struct quota_lane {
	struct quota_table ids[QUOTA_TYPES];
	struct quota_table blocks[QUOTA_TYPES]; /* of the quota file: those that there are */
	bool gap[QUOTA_TYPES];			/* not all of the file could be gone into */
	xino_t file[QUOTA_TYPES][2];		/* the first two that are in use; NULL_INO: none */
	xino_t directory;			/* of the quota files, or NULL_INO */
	struct quota_name *names;
	size_t nnames, names_room;
};

struct quota {
	const struct geometry *geo;
	struct hash_key key;
	unsigned compared; /* types whose counts are: a bit (1 << enum quota_type) each */
	unsigned nlanes;
	struct quota_lane *lanes;
	const struct intents *intents; /* that wait for recovery; NULL: none */
};

/* compared: as above. lanes: threads that may post at the same time. NULL: out of memory. */
struct quota *quota_new(const struct geometry *geo, unsigned lanes, const struct hash_key *key, unsigned compared);
void quota_free(struct quota *quota);

/* Of the files in the quota directory of the metadata tree. */
extern const char *const quota_file_names[QUOTA_TYPES];

/* The types whose counts are right, says the superblock: a bit each. */
unsigned quota_counted(const struct geometry *geo);

/* Whether there is anything to be learnt: an inode may be a quota file, or usage is compared. */
bool quota_possible(const struct quota *quota);

/* All of these return 0 or -ENOMEM. */

/* An inode uses so much, on behalf of these ids, one per type. */
int quota_charge(struct quota *quota, unsigned lane, const uint32_t ids[QUOTA_TYPES],
		 const uint64_t used[QUOTA_COUNTS]);
/* A record of a quota file. */
int quota_record(struct quota *quota, unsigned lane, enum quota_type type, const struct dquot *dquot);
/* A block of a quota file. */
int quota_block(struct quota *quota, unsigned lane, enum quota_type type, fileoff_t off);
/* An inode in use is the quota file of this type. */
void quota_file(struct quota *quota, unsigned lane, enum quota_type type, xino_t ino);
/* An entry, of any name, in a directory of the metadata tree. */
int quota_entry(struct quota *quota, unsigned lane, const struct entry_fact *entry);
/* Add up the lanes, in the first; when all has been posted. */
int quota_close(struct quota *quota);

#endif
