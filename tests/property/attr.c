/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: attributes in inodes, and names and values in any place (ondisk 07). */
#include <string.h>

#include "attr.h"
#include "damage.h"
#include "disk/attr.h"
#include "table.h"
#include "walk.h"

/* ---- names and values ---- */

/* At most one of ROOT, SECURE and PARENT may be set. */
static bool is_namespace(const struct damage *d)
{
	return !(d->before & ATTR_PARENT) && (d->after & ATTR_NAMESPACES) != ATTR_NAMESPACES;
}

const struct excuse attr_namespace_excuse = { "the namespace is part of the name, and not of its hash", is_namespace };
static const struct excuse value_excuse = { "values are what users say, and have no checksum of their own", NULL };
static const struct excuse acl_excuse = { "permissions are what users say", NULL };

static const struct field value_fields[] = ALONE("byte", 1, .excuse = &value_excuse);
static const struct field parent_fields[] = { FIELD(attr_parent_disk, ino), FIELD(attr_parent_disk, gen) };
static const struct field acl_fields[] = { FIELD(attr_acl_disk, count) };
static const struct field acl_entry_fields[] = {
	FIELD(attr_acl_entry_disk, tag, .excuse = &acl_excuse),
	FIELD(attr_acl_entry_disk, id, .excuse = &acl_excuse),
	FIELD(attr_acl_entry_disk, perm, .excuse = &acl_excuse),
	FIELD(attr_acl_entry_disk, pad, .excuse = &pad_excuse),
};
static const struct field hashed_name_fields[] = ALONE("byte", 1);

const struct structure attr_value_structure = STRUCTURE("attr value", value_fields, 1);
const struct structure attr_parent_structure =
	STRUCTURE("parent pointer's value", parent_fields, sizeof(struct attr_parent_disk));
const struct structure attr_acl_structure = STRUCTURE("ACL", acl_fields, sizeof(struct attr_acl_disk));
const struct structure attr_acl_entry_structure =
	STRUCTURE("ACL entry", acl_entry_fields, sizeof(struct attr_acl_entry_disk));
const struct structure attr_hashed_name_structure =
	STRUCTURE("attr name with a hash, or parent pointer's", hashed_name_fields, 1);

static bool is_acl(uint8_t flags, const uint8_t *name, size_t namelen)
{
	static const char *const names[] = { "SGI_ACL_FILE", "SGI_ACL_DEFAULT" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((flags & ATTR_ROOT) && namelen == strlen(names[i]) && memcmp(name, names[i], namelen) == 0)
			return true;
	return false;
}

void walk_attr_name(struct catalog *catalog, enum kind kind, const struct structure *name_structure, uint8_t flags,
		    size_t name, size_t namelen, size_t valuelen)
{
	size_t value = name + namelen;

	catalog_add(catalog, kind, name_structure, name, namelen);
	if (flags & ATTR_PARENT) {
		catalog_add(catalog, kind, &attr_parent_structure, value, 1);
	} else if (is_acl(flags, catalog_bytes(catalog) + name, namelen)) {
		size_t header = sizeof(struct attr_acl_disk);

		catalog_add(catalog, kind, &attr_acl_structure, value, 1);
		catalog_add(catalog, kind, &attr_acl_entry_structure, value + header,
			    (valuelen - header) / sizeof(struct attr_acl_entry_disk));
	} else {
		catalog_add(catalog, kind, &attr_value_structure, value, valuelen);
	}
}

/* ---- shortform ---- */

static const struct excuse name_excuse = { "only the entry knows the name; it has no hash in the inode",
					   damage_leaves_nonzero };

static const struct field sf_header_fields[] = {
	FIELD(attr_sf_header_disk, totsize),
	FIELD(attr_sf_header_disk, count),
	FIELD(attr_sf_header_disk, pad, .excuse = &pad_excuse),
};
static const struct field sf_entry_fields[] = {
	FIELD(attr_sf_entry_disk, namelen),
	FIELD(attr_sf_entry_disk, valuelen),
	BITS(attr_sf_entry_disk, flags, "flags: namespace", ATTR_NAMESPACES, .excuse = &attr_namespace_excuse),
	BITS(attr_sf_entry_disk, flags, "flags: others", 0xff & ~ATTR_NAMESPACES),
};
static const struct field sf_name_fields[] = ALONE("byte", 1, .excuse = &name_excuse);

const struct structure attr_sf_header_structure =
	STRUCTURE("attr shortform header", sf_header_fields, sizeof(struct attr_sf_header_disk));
const struct structure attr_sf_entry_structure =
	STRUCTURE("attr shortform entry", sf_entry_fields, sizeof(struct attr_sf_entry_disk));
const struct structure attr_sf_name_structure = STRUCTURE("attr shortform entry's name", sf_name_fields, 1);

void walk_attr_sf(struct catalog *catalog, size_t offset, size_t size)
{
	const uint8_t *inode = catalog_bytes(catalog);
	const struct attr_sf_header_disk *header = (const struct attr_sf_header_disk *)(inode + offset);
	size_t end = offset + size;

	catalog_add(catalog, KIND_ATTR_SF, &attr_sf_header_structure, offset, 1);
	offset += sizeof(*header);
	for (unsigned i = 0; i < header->count && offset < end; i++) {
		const struct attr_sf_entry_disk *entry = (const struct attr_sf_entry_disk *)(inode + offset);
		bool parent = entry->flags & ATTR_PARENT;

		catalog_add(catalog, KIND_ATTR_SF, &attr_sf_entry_structure, offset, 1);
		offset += sizeof(*entry);
		walk_attr_name(catalog, KIND_ATTR_SF, parent ? &attr_hashed_name_structure : &attr_sf_name_structure,
			       entry->flags, offset, entry->namelen, entry->valuelen);
		offset += entry->namelen + entry->valuelen;
	}
}
