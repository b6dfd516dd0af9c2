/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of each id, once from the inodes and once from the quota files (ondisk 10, Usage rule; 12, Q1 and Q2).  This is
 * an exact table instead of a sum, because findings name the id.  It grows with the ids that own something or have a
 * nonzero count on record, not with inodes.  Every worker has its own lane, so nothing here locks.
 */
#ifndef XFSCK_REPAIR_QUOTA_H
#define XFSCK_REPAIR_QUOTA_H

#include "quota_table.h"

struct entry_fact;

/* an entry in a directory of the metadata tree with a name of quota_file_names[] */
struct quota_name {
	xino_t directory;
	xino_t target;
	enum quota_type type;
};

struct quota_lane {
	struct quota_table ids[QUOTA_TYPES];
	struct quota_table blocks[QUOTA_TYPES]; /* offsets of the blocks in the quota file */
	bool gap[QUOTA_TYPES];			/* some of the file is unreadable or corrupt */
	xino_t file[QUOTA_TYPES][2];		/* the two lowest such inodes; NULL_INO: none */
	xino_t directory;			/* target of `quota` in the metadata root, or NULL_INO */
	struct quota_name *names;
	size_t nnames, names_room;
};

struct quota {
	const struct geometry *geo;
	struct hash_key key;
	unsigned compared; /* types whose usage is compared with the records: a bit (1 << enum quota_type) each */
	unsigned nlanes;
	struct quota_lane *lanes;
};

/* compared: as above.  workers: threads that may post at the same time.  Returns NULL if memory is out. */
struct quota *quota_new(const struct geometry *geo, unsigned workers, const struct hash_key *key, unsigned compared);
void quota_free(struct quota *quota);

/* Names of quota files in the directory `quota` of the metadata tree. */
extern const char *const quota_file_names[QUOTA_TYPES];

/* Returns the types that are counted according to the superblock (XFS_*QUOTA_CHKD): a bit each. */
unsigned quota_counted(const struct geometry *geo);

/* True if inodes must be examined for quota at all: some may be quota files, or usage is compared. */
bool quota_possible(const struct quota *quota);

/* The following functions return 0 or -ENOMEM, if not void. */

/* Charges the usage of an inode to its ids, one per type. */
int quota_charge(struct quota *quota, unsigned worker, const uint32_t ids[QUOTA_TYPES],
		 const uint64_t used[QUOTA_COUNTS]);
/* Adds the counts of a quota file record. */
int quota_record(struct quota *quota, unsigned worker, enum quota_type type, const struct dquot *dquot);
/* Notes that the quota file has a block at this offset. */
int quota_block(struct quota *quota, unsigned worker, enum quota_type type, fileoff_t off);
/* Notes that an inode in use is a quota file of this type. */
void quota_file(struct quota *quota, unsigned worker, enum quota_type type, xino_t ino);
/* Notes an entry in a directory of the metadata tree, if its name is `quota` or that of a quota file. */
int quota_entry(struct quota *quota, unsigned worker, const struct entry_fact *entry);
/* quota_save.c: save the postings (0 or -ENOMEM), or replace them with saved ones.  No thread may post meanwhile. */
struct loader;
struct saver;
int quota_save(struct quota *quota, struct saver *s);
void quota_load(struct quota *quota, struct loader *l);
/* Adds all lanes, except names, to the first one: at the end, or for a checkpoint. */
int quota_close(struct quota *quota);

#endif
