/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which inodes are the quota files: shared by the menders of quotas (ondisk 10). */
#ifndef XFSCK_REPAIR_MEND_QUOTA_H
#define XFSCK_REPAIR_MEND_QUOTA_H

#include "libxfs/dquot.h"
#include "mend/base/mend.h"

/* The quota files that the superblock names, and will name. */
struct quota_roots {
	xino_t ino[QUOTA_TYPES];    /* 0 or NULL_INO: none */
	uint8_t types[QUOTA_TYPES]; /* DQUOT_TYPE_* of the records in the file; 0: none recognized */
	unsigned recount;	    /* types whose usage the next mount must count, one bit each */
	bool last_word;		    /* no file can turn up later: without a file, quotas are off */
	bool changed;
};

/* True if the finding is about the contents of a quota file. */
static inline bool mend_is_quota_file(const struct found *found)
{
	return found->place.object >= OBJ_QUOTA_USER && found->place.object <= OBJ_QUOTA_PROJECT;
}

/* Gets the files that the superblock names now. 0 or negative errno. */
int quota_roots_load(struct mend *m, struct quota_roots *ret_roots);
/*
 * Finds files for types that have none, or one without records of their type: another type's, or an orphan in the
 * findings.  0 or negative errno.
 */
int quota_roots_find(struct mend *m, struct quota_roots *roots, const struct found *found, size_t count);
/* Leaves a type without a file. */
void quota_roots_drop(struct quota_roots *roots, enum quota_type type);
/* True if a type has a file with records of its type. */
bool quota_roots_right(const struct mend *m, const struct quota_roots *roots, enum quota_type type);
/* Returns the finding for reporting the change: the first one about the superblock or a quota file, or NULL. */
const struct found *quota_reason(const struct found *found, size_t count);
/* Stages the primary superblock with these files and matching flags. 0 or negative errno. */
int quota_roots_store(struct mend *m, const struct quota_roots *roots);

/*
 * mend_quota_sb.c: if repairs may have changed usage that no check has compared, makes the next mount count it.
 * *ret_changed: the superblock was changed.  0 or negative errno.
 */
int mend_quota_recount(struct mend *m, bool *ret_changed);

#endif
