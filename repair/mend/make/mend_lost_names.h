/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of destroyed inodes that only unowned blocks still have: entries of directories whose inodes are destroyed,
 * too, and parent pointers in attribute leaves.  They can't be restored, but are reported as lost: possibly, if the
 * block may have been free before the damage.
 */
#ifndef XFSCK_REPAIR_MEND_LOST_NAMES_H
#define XFSCK_REPAIR_MEND_LOST_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

struct dir_names;
struct geometry;
struct mend;
struct pptr_name;

/* Returns the geometry by which inode numbers were valid before the repair, which may have shrunk the file system. */
const struct geometry *lost_names_geometry(const struct mend *m);
/* True if nothing is in the place of an inode, nor was before the repair, or it was freed as nothing named it. */
bool lost_names_place_is_empty(struct mend *m, xino_t ino);

/*
 * Reports the entries, in an unowned block of this directory at daddr, whose inodes are destroyed.  certain: the block
 * was in use.  0 or -ENOMEM.
 */
int lost_names_of_dir(struct mend *m, xino_t dir, xdaddr_t daddr, const struct dir_names *names, bool certain);

/* Parent pointers of destroyed inodes. Start with { .m = }. */
struct lost_parents {
	struct mend *m;
	struct pptr_name *names;
	size_t count, room;
	int error;
};

/* Collects those of an unowned block at daddr, if it is an intact attribute leaf of a destroyed inode. 0 or -ENOMEM. */
int lost_parents_collect(struct lost_parents *parents, xdaddr_t daddr, const uint8_t *block);
/*
 * Reports the names that were collected, except those that the directory had not when it was damaged, and forgets them.
 * 0 or negative errno.
 */
int lost_parents_report(struct lost_parents *parents, bool certain);
void lost_parents_free(struct lost_parents *parents);

#endif
