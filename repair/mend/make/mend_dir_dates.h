/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The LSNs of the parts of a directory.  A block whose last write was lost is intact, but older than the blocks that
 * were written with it (ondisk 00, section 6).  Version 5 only.
 */
#ifndef XFSCK_REPAIR_MEND_DIR_DATES_H
#define XFSCK_REPAIR_MEND_DIR_DATES_H

#include <stddef.h>

#include "units.h"

struct dir_name;
struct dir_names;
struct found;
struct geometry;
struct mend;
struct mend_inode;

struct dir_dates {
	bool in_inode;	   /* the directory is in short form */
	lsn_t inode;	   /* and this is the inode's LSN */
	bool index_broken; /* part of the index is unreadable */
	struct dir_date {
		uint64_t off; /* file block */
		lsn_t date;   /* NULL_LSN: unknown; 0: its checksum is wrong, so anything intact counts as newer */
		bool leaf;    /* a leaf of the index, with hashes from first to last; else a data block */
		uint32_t first_hash, last_hash;
	} * blocks; /* in file order */
	size_t count, room;
	uint32_t *hashes; /* of all names in leaves, ascending */
	size_t nhashes, hashes_room;
};

/* Collects the LSNs of a directory as it is on disk. 0 or negative errno; free them in any case. */
int dir_dates_collect(struct mend *m, struct mend_inode *dir, struct dir_dates *ret_dates);
void dir_dates_free(struct dir_dates *dates);
/* Returns the LSN of the block that this entry was read from; NULL_LSN: unknown. */
lsn_t dir_dates_of_name(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name);
/* Likewise for the entry of a finding, which has its name, and its inode number as `got`; 0: unknown, or no entry. */
lsn_t dir_dates_of_found(const struct geometry *geo, const struct dir_dates *dates, struct dir_names *names,
			 const struct found *found);
/* Returns the LSN of the leaf that is written when an entry with this hash is added or removed; NULL_LSN: unknown. */
lsn_t dir_dates_of_hash(const struct dir_dates *dates, uint32_t hash);

/* True if a leaf has an entry with this hash. */
bool dir_dates_has_hash(const struct dir_dates *dates, uint32_t hash);
/*
 * True if the entry was removed, but the write of its block was lost: the block is older than the leaf for the entry's
 * hash, that leaf has no such hash, and the whole index is intact.
 */
bool dir_dates_removed(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name);

/* Returns the LSN of an inode's parent pointers: the earlier one of its own and its attribute leaf's; 0: unknown. */
lsn_t pptrs_date(struct mend *m, struct mend_inode *inode);
/*
 * Gets the LSNs of what a directory says about its parent: of its parent pointers, as pptrs_date(), and of the block
 * with `..`, 0: unknown.  Every transaction that changes one of them changes the inode, too: the older one's last write
 * was lost.  0 or negative errno.
 */
int dir_parent_dates(struct mend *m, xino_t dir, lsn_t *ret_pptr, lsn_t *ret_dotdot);

#endif
