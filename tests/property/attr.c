/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: attributes (ondisk 07); their da nodes are with the directories'. */
#include "damage.h"
#include "disk/attr.h"
#include "table.h"
#include "walk.h"

#define FLAG_LOCAL	0x01u
#define FLAG_ROOT	0x02u
#define FLAG_SECURE	0x04u
#define FLAG_PARENT	0x08u
#define FLAG_INCOMPLETE 0x80u
#define NAMESPACES	(FLAG_ROOT | FLAG_SECURE)

/* No two of ROOT, SECURE and PARENT go together. */
static bool is_namespace(const struct damage *d)
{
	return !(d->before & FLAG_PARENT) && (d->after & NAMESPACES) != NAMESPACES;
}

static bool is_not_nul(const struct damage *d)
{
	return d->after != 0;
}

static bool has_holes(const struct damage *d)
{
	const struct attr_leaf_header_disk *leaf = sound_object(d);

	return leaf->holes;
}

/* With holes, any free space may be listed, and without, only an empty slot may have any base. */
static bool is_loose_slot(const struct damage *d)
{
	size_t slot = d->field->offset & ~(sizeof(struct attr_leaf_freemap_disk) - 1);
	const uint8_t *leaf = sound_object(d);
	const struct attr_leaf_freemap_disk *region = (const struct attr_leaf_freemap_disk *)(leaf + slot);

	return has_holes(d) || be16_get(region->size) == 0;
}

static bool is_boolean(const struct damage *d)
{
	return d->after <= 1;
}

static bool is_zero(const struct damage *d)
{
	return d->after == 0;
}

/* Neither length goes beyond the padding of the name, and the value has no structure. */
static bool has_same_size(const struct damage *d)
{
	const struct attr_leaf_header_disk *leaf = sound_object(d);
	const struct attr_leaf_entry_disk *entries = (const struct attr_leaf_entry_disk *)(leaf + 1);
	const struct attr_name_local_disk *name = (const void *)(d->image->sound + d->structure_start);
	uint64_t fixed = sizeof(*name) + name->namelen + ATTR_LEAF_NAME_ALIGN - 1;

	for (unsigned i = 0; i < be16_get(leaf->count); i++)
		if (be16_get(entries[i].nameidx) == d->structure_start - d->object->start &&
		    (entries[i].flags & FLAG_PARENT))
			return false;
	return (fixed + d->before) / ATTR_LEAF_NAME_ALIGN == (fixed + d->after) / ATTR_LEAF_NAME_ALIGN;
}

static const struct excuse slot_excuse = { "with holes, any free space may be in the map; empty slots point anywhere",
					   is_loose_slot };
static const struct excuse region_excuse = { "with holes, the free map may lack free space", has_holes };
static const struct excuse holes_excuse = { "the mark may be there without need", is_boolean };
static const struct excuse firstused_excuse = { "with holes, names may begin behind it", has_holes };
static const struct excuse valuelen_excuse = { "lengths with which the name takes the same space", has_same_size };
static const struct excuse old_lsn_excuse = { "old kernels wrote 0", is_zero };
static const struct excuse namespace_excuse = { "the namespace is part of the name, and not of its hash",
						is_namespace };
static const struct excuse name_excuse = { "only the entry knows the name; it has no hash in the inode", is_not_nul };
static const struct excuse value_excuse = { "values are what users say, and have no checksum of their own", NULL };

/* A value, which for parent pointers and ACLs has a structure. */
static const struct field value_fields[] = ALONE("byte", 1, .excuse = &value_excuse);
static const struct field parent_fields[] = { FIELD(attr_parent_disk, ino), FIELD(attr_parent_disk, gen) };
static const struct field hashed_name_fields[] = ALONE("byte", 1);

const struct structure attr_value_structure = STRUCTURE("attr value", value_fields, 1);
const struct structure attr_parent_structure =
	STRUCTURE("parent pointer's value", parent_fields, sizeof(struct attr_parent_disk));
const struct structure attr_hashed_name_structure =
	STRUCTURE("attr name with a hash, or parent pointer's", hashed_name_fields, 1);

static void walk_value(struct catalog *catalog, enum kind kind, bool parent, size_t offset, size_t size)
{
	if (parent)
		catalog_add(catalog, kind, &attr_parent_structure, offset, 1);
	else
		catalog_add(catalog, kind, &attr_value_structure, offset, size);
}

/* ---- shortform ---- */

static const struct field sf_header_fields[] = {
	FIELD(attr_sf_header_disk, totsize),
	FIELD(attr_sf_header_disk, count),
	FIELD(attr_sf_header_disk, pad),
};
static const struct field sf_entry_fields[] = {
	FIELD(attr_sf_entry_disk, namelen),
	FIELD(attr_sf_entry_disk, valuelen),
	BITS(attr_sf_entry_disk, flags, "flags: namespace", NAMESPACES, .excuse = &namespace_excuse),
	BITS(attr_sf_entry_disk, flags, "flags: others", 0xff & ~NAMESPACES),
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
		bool parent = entry->flags & FLAG_PARENT;

		catalog_add(catalog, KIND_ATTR_SF, &attr_sf_entry_structure, offset, 1);
		offset += sizeof(*entry);
		catalog_add(catalog, KIND_ATTR_SF, parent ? &attr_hashed_name_structure : &attr_sf_name_structure,
			    offset, entry->namelen);
		offset += entry->namelen;
		walk_value(catalog, KIND_ATTR_SF, parent, offset, entry->valuelen);
		offset += entry->valuelen;
	}
}

/* ---- leaves ---- */

static const struct field leaf_fields[] = {
	FIELD(attr_leaf_header_disk, info.forw),
	FIELD(attr_leaf_header_disk, info.back),
	FIELD(attr_leaf_header_disk, info.magic),
	FIELD(attr_leaf_header_disk, info.pad),
	FIELD(attr_leaf_header_disk, info.crc),
	FIELD(attr_leaf_header_disk, info.blkno),
	FIELD(attr_leaf_header_disk, info.lsn, .excuse = &lsn_excuse),
	ARRAY(attr_leaf_header_disk, info.uuid),
	FIELD(attr_leaf_header_disk, info.owner),
	FIELD(attr_leaf_header_disk, count),
	FIELD(attr_leaf_header_disk, usedbytes),
	FIELD(attr_leaf_header_disk, firstused, .excuse = &firstused_excuse),
	FIELD(attr_leaf_header_disk, holes, .excuse = &holes_excuse),
	FIELD(attr_leaf_header_disk, pad1),
	FIELD(attr_leaf_header_disk, freemap[0].base, .excuse = &slot_excuse),
	FIELD(attr_leaf_header_disk, freemap[0].size, .excuse = &region_excuse),
	FIELD(attr_leaf_header_disk, freemap[1].base, .excuse = &slot_excuse),
	FIELD(attr_leaf_header_disk, freemap[1].size, .excuse = &region_excuse),
	FIELD(attr_leaf_header_disk, freemap[2].base, .excuse = &slot_excuse),
	FIELD(attr_leaf_header_disk, freemap[2].size, .excuse = &region_excuse),
	FIELD(attr_leaf_header_disk, pad2),
};
static const struct field entry_fields[] = {
	FIELD(attr_leaf_entry_disk, hashval),
	FIELD(attr_leaf_entry_disk, nameidx),
	BITS(attr_leaf_entry_disk, flags, "flags: namespace", NAMESPACES, .excuse = &namespace_excuse),
	BITS(attr_leaf_entry_disk, flags, "flags: others", 0xff & ~NAMESPACES),
	FIELD(attr_leaf_entry_disk, pad),
};
static const struct field local_fields[] = {
	FIELD(attr_name_local_disk, valuelen, .excuse = &valuelen_excuse),
	FIELD(attr_name_local_disk, namelen),
};
static const struct field remote_name_fields[] = {
	FIELD(attr_name_remote_disk, valueblk),
	FIELD(attr_name_remote_disk, valuelen),
	FIELD(attr_name_remote_disk, namelen),
};

const struct structure attr_leaf_header_structure =
	STRUCTURE("attr leaf header", leaf_fields, sizeof(struct attr_leaf_header_disk));
const struct structure attr_leaf_entry_structure =
	STRUCTURE("attr leaf entry", entry_fields, sizeof(struct attr_leaf_entry_disk));
const struct structure attr_leaf_local_structure =
	STRUCTURE("attr leaf name", local_fields, sizeof(struct attr_name_local_disk));
const struct structure attr_leaf_remote_structure =
	STRUCTURE("attr leaf name with a remote value", remote_name_fields, sizeof(struct attr_name_remote_disk));

static void walk_name(struct catalog *catalog, enum kind kind, const struct attr_leaf_entry_disk *entry)
{
	const uint8_t *block = catalog_bytes(catalog);
	size_t offset = be16_get(entry->nameidx);

	if (entry->flags & FLAG_LOCAL) {
		const struct attr_name_local_disk *name = (const struct attr_name_local_disk *)(block + offset);

		catalog_add(catalog, kind, &attr_leaf_local_structure, offset, 1);
		catalog_add(catalog, kind, &attr_hashed_name_structure, offset + sizeof(*name), name->namelen);
		walk_value(catalog, kind, entry->flags & FLAG_PARENT, offset + sizeof(*name) + name->namelen,
			   be16_get(name->valuelen));
	} else {
		const struct attr_name_remote_disk *name = (const struct attr_name_remote_disk *)(block + offset);

		catalog_add(catalog, kind, &attr_leaf_remote_structure, offset, 1);
		catalog_add(catalog, kind, &attr_hashed_name_structure, offset + sizeof(*name), name->namelen);
	}
}

void walk_attr_leaf(struct catalog *catalog, enum kind kind)
{
	const struct attr_leaf_header_disk *header = (const struct attr_leaf_header_disk *)catalog_bytes(catalog);
	const struct attr_leaf_entry_disk *entries = (const struct attr_leaf_entry_disk *)(header + 1);
	uint16_t count = be16_get(header->count);

	catalog_add(catalog, kind, &attr_leaf_header_structure, 0, 1);
	catalog_add(catalog, kind, &attr_leaf_entry_structure, sizeof(*header), count);
	for (uint16_t i = 0; i < count; i++)
		walk_name(catalog, kind, &entries[i]);
	catalog_end_object(catalog, &unused_structure);
}

/* ---- value blocks ---- */

static const struct field remote_fields[] = {
	FIELD(attr_remote_disk, magic), FIELD(attr_remote_disk, offset),
	FIELD(attr_remote_disk, bytes), FIELD(attr_remote_disk, crc),
	ARRAY(attr_remote_disk, uuid),	FIELD(attr_remote_disk, owner),
	FIELD(attr_remote_disk, blkno), FIELD(attr_remote_disk, lsn, .excuse = &old_lsn_excuse),
};
const struct structure attr_remote_header_structure =
	STRUCTURE("attr value header", remote_fields, sizeof(struct attr_remote_disk));

void walk_attr_remote(struct catalog *catalog, enum kind kind)
{
	const struct attr_remote_disk *header = (const struct attr_remote_disk *)catalog_bytes(catalog);

	catalog_add(catalog, kind, &attr_remote_header_structure, 0, 1);
	catalog_add(catalog, kind, &attr_value_structure, sizeof(*header), be32_get(header->bytes));
	catalog_end_object(catalog, &unused_structure);
}
