/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the parts of a directory were written last, by their LSNs: a block whose last write was lost is sound, but older
 * than what was written together with it (ondisk 00, section 6).  Version 5 only.
 */
#ifndef XFSCK_REPAIR_MEND_DIR_DATES_H
#define XFSCK_REPAIR_MEND_DIR_DATES_H

#include <stddef.h>

#include "units.h"

struct dir_name;
struct geometry;
struct mend;
struct mend_inode;

struct dir_dates {
	bool in_inode;	   /* the directory is in short form, ... */
	lsn_t inode;	   /* ... and this is the inode's date */
	bool index_broken; /* a part of the index can't be read */
	struct dir_date {
		uint64_t off; /* in the directory's space, in blocks */
		lsn_t date;   /* NULL_LSN: unknown; 0: its checksum is wrong, so anything sound counts as newer */
		bool leaf;    /* a leaf of the index, with the hashes from first to last; else a data block */
		uint32_t first_hash, last_hash;
	} * blocks; /* in the order of their offsets */
	size_t count, room;
	uint32_t *hashes; /* of all names that leaves have, ascending */
	size_t nhashes, hashes_room;
};

/* Collect the dates of a directory as it is on the disk. 0 or negative errno; free them in any case. */
int dir_dates_collect(struct mend *m, struct mend_inode *dir, struct dir_dates *ret_dates);
void dir_dates_free(struct dir_dates *dates);
/* The date of the block that this name was read from. NULL_LSN: unknown. */
lsn_t dir_dates_of_name(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name);
/* The date of the leaf that is written when a name with this hash is added or removed. NULL_LSN: unknown. */
lsn_t dir_dates_of_hash(const struct dir_dates *dates, uint32_t hash);

/* True if a leaf has a name with this hash. */
bool dir_dates_has_hash(const struct dir_dates *dates, uint32_t hash);
/*
 * True if the name was removed from the directory, but the block that has it was not written any more: it is older than
 * the leaf where the name's hash belongs, which has no such hash, and the whole index is sound.
 */
bool dir_dates_removed(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name);

/* The date of an inode's parent pointers: its own or its attribute leaf's, whichever is earlier; 0: unknown. */
lsn_t pptrs_date(struct mend *m, struct mend_inode *inode);
/*
 * Find out if a directory's block with `..` is newer than its parent pointer.  Each transaction that changes that block
 * also changes the inode, so the last write of the inode was lost then.  0 or negative errno.
 */
int dotdot_is_newer(struct mend *m, xino_t dir, bool *ret_newer);

#endif
