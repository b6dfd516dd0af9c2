/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the decoders of attributes in inodes and in leaves. */
#ifndef XFSCK_ATTR_H
#define XFSCK_ATTR_H

#include "libxfs/da.h"

#define ATTR_NAMESPACES (ATTR_ROOT | ATTR_SECURE | ATTR_PARENT)

/*
 * Checks flags, name and value of an attribute of the inode `owner`; `allowed`: flags that are valid in this kind of
 * storage.  The caller has set flags, remote, name, namelen, valuelen, and a local value.  offset and index are the
 * place of the entry, for reports.  True if it is sound: then parent and parent_gen of a parent pointer are set.
 */
bool attr_check(const struct check *c, xino_t owner, uint8_t allowed, uint32_t offset, uint32_t index,
		struct attr_entry *entry);

/* True if both have the same identity (ondisk 07, "Identity"), so that an inode can have only one of them. */
bool attr_same(const struct attr_entry *a, const struct attr_entry *b);

#endif
