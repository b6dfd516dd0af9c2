/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which inodes are the quota files: what the menders of quotas share (ondisk 10). */
#ifndef XFSCK_REPAIR_MEND_QUOTA_H
#define XFSCK_REPAIR_MEND_QUOTA_H

#include "libxfs/dquot.h"
#include "mend/base/mend.h"

/* The quota files, as the superblock names them, and as it shall name them. */
struct quota_roots {
	xino_t ino[QUOTA_TYPES];    /* 0 or NULL_INO: none */
	uint8_t types[QUOTA_TYPES]; /* DQUOT_TYPE_* of the records in the file; 0: none could be made out */
	unsigned recount;	    /* types whose usage the next mount is to count, a bit each */
	bool last_word;		    /* no file can be found later: if there is none, quotas are not in use */
	bool changed;
};

/* True if the finding is about what a quota file holds. */
static inline bool mend_is_quota_file(const struct found *found)
{
	return found->place.object >= OBJ_QUOTA_USER && found->place.object <= OBJ_QUOTA_PROJECT;
}

/* The files that the superblock names now. 0 or negative errno. */
int quota_roots_load(struct mend *m, struct quota_roots *ret_roots);
/*
 * For types without a file, or with one that has no records of theirs, find a file that has: another type's, or one
 * that a finding has as orphan.  0 or negative errno.
 */
int quota_roots_find(struct mend *m, struct quota_roots *roots, const struct found *found, size_t count);
/* Leave a type without a file. */
void quota_roots_drop(struct quota_roots *roots, enum quota_type type);
/* Whether a type has a file with records that can be its. */
bool quota_roots_right(const struct mend *m, const struct quota_roots *roots, enum quota_type type);
/* The finding to report the change with: the first about the superblock or a quota file, or NULL. */
const struct found *quota_reason(const struct found *found, size_t count);
/* Stage the primary superblock with these files, and with flags that fit. 0 or negative errno. */
int quota_roots_store(struct mend *m, const struct quota_roots *roots);

/*
 * mend_quota_sb.c: if what was mended may change usage that no check has compared, have the next mount count it.
 * *ret_changed: the superblock was changed.  0 or negative errno.
 */
int mend_quota_recount(struct mend *m, bool *ret_changed);

#endif
