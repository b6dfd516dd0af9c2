/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by attributes in inodes and in leaves. */
#ifndef PROPERTY_ATTR_H
#define PROPERTY_ATTR_H

#include "damage.h"

/* Flags of an entry. */
#define ATTR_LOCAL	0x01u
#define ATTR_ROOT	0x02u
#define ATTR_SECURE	0x04u
#define ATTR_PARENT	0x08u
#define ATTR_NAMESPACES (ATTR_ROOT | ATTR_SECURE) /* of users' attributes */

extern const struct excuse attr_namespace_excuse; /* for these bits in the flags of an entry */

/* Adds a name with this structure, and the value after it. */
void walk_attr_name(struct catalog *catalog, enum kind kind, const struct structure *name_structure, uint8_t flags,
		    size_t name, size_t namelen, size_t valuelen);

#endif
