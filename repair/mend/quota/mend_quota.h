/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which inodes are the quota files: what the menders of quotas share (ondisk 10). */
#ifndef XFSCK_REPAIR_MEND_QUOTA_H
#define XFSCK_REPAIR_MEND_QUOTA_H

#include "mend/mend.h"

/* What the superblock says, and shall say. */
struct quota_roots {
	xino_t ino[QUOTA_TYPES];    /* 0 or NULL_INO: none */
	uint8_t types[QUOTA_TYPES]; /* DQUOT_TYPE_* of the records in it; 0: none could be made out */
	unsigned recount;	    /* types whose usage the next mount is to count: a bit each */
	bool last_word;		    /* no file will be found later: without any, nothing shall speak for quotas */
	bool changed;
};

/* As they are. 0 or negative errno. */
int quota_roots_load(struct mend *m, struct quota_roots *ret_roots);
/*
 * Types without a file, and those whose file holds no records of theirs, get the one that does: another type's, or one
 * that findings have as orphan.  0 or negative errno.
 */
int quota_roots_find(struct mend *m, struct quota_roots *roots, const struct found *found, size_t count);
/* Take away a type's file. */
void quota_roots_drop(struct quota_roots *roots, enum quota_type type);
/* Whether the inode can be this type's file, by the records in it. */
bool quota_roots_right(const struct mend *m, const struct quota_roots *roots, enum quota_type type);
/* The finding to mend it by: the first about the superblock or a quota file, or NULL. */
const struct found *quota_reason(const struct found *found, size_t count);
/* Stage the primary superblock with them, if they have changed. 0 or negative errno. */
int quota_roots_store(struct mend *m, const struct quota_roots *roots);

/*
 * mend_quota_sb.c: what has been changed may change what is used, which has not been compared: have the next mount
 * count it. *ret_changed: the superblock was changed. 0 or negative errno.
 */
int mend_quota_recount(struct mend *m, bool *ret_changed);

#endif
