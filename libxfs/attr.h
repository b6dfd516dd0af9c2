/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the decoders of attributes in the inode and in leaves share. */
#ifndef XFSCK_ATTR_H
#define XFSCK_ATTR_H

#include "libxfs/da.h"

#define ATTR_NAMESPACES (ATTR_ROOT | ATTR_SECURE | ATTR_PARENT)

/*
 * Judge an attribute of the inode `owner` by its flags, of which only those in `allowed` can be set where it is
 * stored, its name and its value.  Given: flags, remote, name, namelen, valuelen, and value if it is local.
 * offset and index say where the entry is, for reports.  True if it is sound: then parent and
 * parent_gen of a parent pointer are set.
 */
bool attr_check(const struct check *c, xino_t owner, uint8_t allowed, uint32_t offset, uint32_t index,
		struct attr_entry *entry);

/* True if both are the same attribute (ondisk 07, "Identity"), so that one inode can't have them both. */
bool attr_same(const struct attr_entry *a, const struct attr_entry *b);

#endif
