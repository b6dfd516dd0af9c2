/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the parts of a directory were written last, by their LSNs: a block whose last write was lost is sound, and older
 * than what was written with it (ondisk 00, section 6).  Version 5 only.
 */
#ifndef XFSCK_REPAIR_MEND_DIR_DATES_H
#define XFSCK_REPAIR_MEND_DIR_DATES_H

#include "mend_dir.h"

struct dir_dates {
	bool in_inode;	   /* all of it lies there ... */
	lsn_t inode;	   /* ... and has its date */
	bool index_broken; /* a part of the index can't be read */
	struct dir_date {
		uint64_t off; /* in the directory's space, in blocks */
		lsn_t date;   /* NULL_LSN: nobody knows; 0: the block is not as it was written, all that is is newer */
		bool leaf;    /* of the index, with these hashes; else a data block */
		uint32_t first_hash, last_hash;
	} * blocks; /* in the order of their offsets */
	size_t count, room;
};

/* Of a directory as it is on the disk. 0 or negative errno. Free it, anyway. */
int dir_dates_collect(struct mend *m, struct mend_inode *dir, struct dir_dates *ret_dates);
void dir_dates_free(struct dir_dates *dates);
/* NULL_LSN: nobody knows. Of the place that this name was read from. */
lsn_t dir_dates_of_name(const struct geometry *geo, const struct dir_dates *dates, const struct dir_name *name);
/* The same of where a name with this hash would be found: whoever adds or removes one writes there. */
lsn_t dir_dates_of_hash(const struct dir_dates *dates, uint32_t hash);

#endif
