/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much each id uses, once by the inodes and once by the quota files (ondisk 10, Usage rule; 12, Q1 and Q2).  This
 * is an exact table instead of a sum, because findings name the id.  It grows with the ids that own something or have a
 * nonzero count on record, not with inodes.  Every worker has a lane of its own, so nothing here locks.
 */
#ifndef XFSCK_REPAIR_QUOTA_H
#define XFSCK_REPAIR_QUOTA_H

#include "quota_table.h"

struct entry_fact;

/* an entry in a directory of the metadata tree whose name is one of quota_file_names[] */
struct quota_name {
	xino_t directory;
	xino_t target;
	enum quota_type type;
};

struct quota_lane {
	struct quota_table ids[QUOTA_TYPES];
	struct quota_table blocks[QUOTA_TYPES]; /* offsets of the blocks that the quota file has */
	bool gap[QUOTA_TYPES];			/* some of the file could not be read or decoded */
	xino_t file[QUOTA_TYPES][2];		/* the two lowest inodes that are such a file; NULL_INO: none */
	xino_t directory;			/* that `quota` in the metadata root leads to, or NULL_INO */
	struct quota_name *names;
	size_t nnames, names_room;
};

struct quota {
	const struct geometry *geo;
	struct hash_key key;
	unsigned compared; /* types whose usage is compared with the records: a bit (1 << enum quota_type) each */
	unsigned nlanes;
	struct quota_lane *lanes;
	const struct intents *intents; /* operations that wait for recovery; NULL: none */
};

/* compared: as above. lanes: threads that may post at the same time. NULL: out of memory. */
struct quota *quota_new(const struct geometry *geo, unsigned lanes, const struct hash_key *key, unsigned compared);
void quota_free(struct quota *quota);

/* The names of quota files in the directory `quota` of the metadata tree. */
extern const char *const quota_file_names[QUOTA_TYPES];

/* The types whose counts are right according to the superblock (XFS_*QUOTA_CHKD): a bit each. */
unsigned quota_counted(const struct geometry *geo);

/* Whether inodes must be looked at for quota at all: some may be quota files, or usage is compared. */
bool quota_possible(const struct quota *quota);

/* All of these return 0 or -ENOMEM. */

/* Charge what an inode uses to its ids, one per type. */
int quota_charge(struct quota *quota, unsigned lane, const uint32_t ids[QUOTA_TYPES],
		 const uint64_t used[QUOTA_COUNTS]);
/* Add the counts of a record of a quota file. */
int quota_record(struct quota *quota, unsigned lane, enum quota_type type, const struct dquot *dquot);
/* Remember that the quota file has a block at this offset. */
int quota_block(struct quota *quota, unsigned lane, enum quota_type type, fileoff_t off);
/* Remember that an inode in use is a quota file of this type. */
void quota_file(struct quota *quota, unsigned lane, enum quota_type type, xino_t ino);
/* Note an entry in a directory of the metadata tree, if its name is `quota` or one that a quota file can have. */
int quota_entry(struct quota *quota, unsigned lane, const struct entry_fact *entry);
/* quota_save.c: while nobody posts: save what was posted so far (0 or -ENOMEM); put it in the place of what was. */
struct loader;
struct saver;
int quota_save(struct quota *quota, struct saver *s);
void quota_load(struct quota *quota, struct loader *l);
/* Add all lanes up in the first one, but names: when all has been posted, or for now. */
int quota_close(struct quota *quota);

#endif
