/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the entries of shortform, block and data directories have in common. */
#ifndef XFSCK_DIR_ENTRY_H
#define XFSCK_DIR_ENTRY_H

#include "libxfs/da.h"
#include "disk/dir.h"

/* Bytes of an entry in a data block: inode number, name, file type, tag, rounded up. */
static inline uint32_t dir_entry_size(const struct geometry *g, uint32_t namelen)
{
	uint32_t size = (uint32_t)sizeof(struct dir_entry_disk) + namelen + g->ftype + DIR_TAG_SIZE;

	return (size + DIR_ALIGN - 1) & ~(DIR_ALIGN - 1);
}

/*
 * Check what an entry says: its name by itself, target and type as far as the geometry knows.  offset and
 * index are those to report.  True if the entry may be visited: the target is valid and there is a name.
 */
bool dir_entry_check(const struct check *c, const struct dir_entry *entry, uint32_t offset, uint32_t index);
/* Visit an entry that failed dir_entry_check() as ENTRY_INVALID, if it has a name that may have led to an inode. */
void dir_entry_invalid(struct dir_entry *entry, dir_visit_entry *visit, void *ctx);

/* Whether the name is `.` for an entry of kind ENTRY_DOT, or `..` for one of ENTRY_DOTDOT. */
bool dir_entry_is_dots(const struct dir_entry *entry);

#endif
