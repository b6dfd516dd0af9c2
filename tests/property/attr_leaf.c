/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: attribute leaves (ondisk 07); da nodes are in dir_index.c. */
#include "attr.h"
#include "damage.h"
#include "disk/attr.h"
#include "table.h"
#include "walk.h"

static bool has_holes(const struct damage *d)
{
	const struct attr_leaf_header_disk *leaf = sound_object(d);

	return leaf->f.holes;
}

/* With holes, any free space may be listed; without, only an empty slot may have any base. */
static bool is_loose_slot(const struct damage *d)
{
	size_t slot = d->field->offset & ~(sizeof(struct attr_leaf_freemap_disk) - 1);
	const uint8_t *leaf = sound_object(d);
	const struct attr_leaf_freemap_disk *region = (const struct attr_leaf_freemap_disk *)(leaf + slot);

	return has_holes(d) || be16_get(region->size) == 0;
}

/* True if neither length exceeds the padding of the name, and the value has no structure. */
static bool has_same_size(const struct damage *d)
{
	const struct attr_leaf_header_disk *leaf = sound_object(d);
	const struct attr_leaf_entry_disk *entries = (const struct attr_leaf_entry_disk *)(leaf + 1);
	const struct attr_name_local_disk *name = (const void *)(d->image->sound + d->structure_start);
	uint64_t fixed = sizeof(*name) + name->namelen + ATTR_LEAF_NAME_ALIGN - 1;

	for (unsigned i = 0; i < be16_get(leaf->f.count); i++)
		if (be16_get(entries[i].nameidx) == d->structure_start - d->object->start &&
		    (entries[i].flags & ATTR_PARENT))
			return false;
	return (fixed + d->before) / ATTR_LEAF_NAME_ALIGN == (fixed + d->after) / ATTR_LEAF_NAME_ALIGN;
}

static const struct excuse slot_excuse = { "with holes, any free space may be in the map; empty slots point anywhere",
					   is_loose_slot };
static const struct excuse region_excuse = { "with holes, the free map may lack free space", has_holes };
static const struct excuse holes_excuse = { "the mark may be there without need", damage_leaves_boolean };
static const struct excuse firstused_excuse = { "with holes, names may begin behind it", has_holes };
static const struct excuse valuelen_excuse = { "lengths with which the name takes the same space", has_same_size };

static const struct field leaf_fields[] = {
	FIELD(attr_leaf_header_disk, info.forw),
	FIELD(attr_leaf_header_disk, info.back),
	FIELD(attr_leaf_header_disk, info.magic),
	FIELD(attr_leaf_header_disk, info.pad, .excuse = &pad_excuse),
	FIELD(attr_leaf_header_disk, info.crc),
	FIELD(attr_leaf_header_disk, info.blkno),
	FIELD(attr_leaf_header_disk, info.lsn, .excuse = &lsn_excuse),
	ARRAY(attr_leaf_header_disk, info.uuid),
	FIELD(attr_leaf_header_disk, info.owner),
	FIELD(attr_leaf_header_disk, f.count),
	FIELD(attr_leaf_header_disk, f.usedbytes),
	FIELD(attr_leaf_header_disk, f.firstused, .excuse = &firstused_excuse),
	FIELD(attr_leaf_header_disk, f.holes, .excuse = &holes_excuse),
	FIELD(attr_leaf_header_disk, f.pad1),
	FIELD(attr_leaf_header_disk, f.freemap[0].base, .excuse = &slot_excuse),
	FIELD(attr_leaf_header_disk, f.freemap[0].size, .excuse = &region_excuse),
	FIELD(attr_leaf_header_disk, f.freemap[1].base, .excuse = &slot_excuse),
	FIELD(attr_leaf_header_disk, f.freemap[1].size, .excuse = &region_excuse),
	FIELD(attr_leaf_header_disk, f.freemap[2].base, .excuse = &slot_excuse),
	FIELD(attr_leaf_header_disk, f.freemap[2].size, .excuse = &region_excuse),
	FIELD(attr_leaf_header_disk, pad2),
};
static const struct field entry_fields[] = {
	FIELD(attr_leaf_entry_disk, hashval),
	FIELD(attr_leaf_entry_disk, nameidx),
	BITS(attr_leaf_entry_disk, flags, "flags: namespace", ATTR_NAMESPACES, .excuse = &attr_namespace_excuse),
	BITS(attr_leaf_entry_disk, flags, "flags: others", 0xff & ~ATTR_NAMESPACES),
	FIELD(attr_leaf_entry_disk, pad, .excuse = &pad_excuse),
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

	if (entry->flags & ATTR_LOCAL) {
		const struct attr_name_local_disk *name = (const struct attr_name_local_disk *)(block + offset);

		catalog_add(catalog, kind, &attr_leaf_local_structure, offset, 1);
		walk_attr_name(catalog, kind, &attr_hashed_name_structure, entry->flags, offset + sizeof(*name),
			       name->namelen, be16_get(name->valuelen));
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
	uint16_t count = be16_get(header->f.count);

	catalog_add(catalog, kind, &attr_leaf_header_structure, 0, 1);
	catalog_add(catalog, kind, &attr_leaf_entry_structure, sizeof(*header), count);
	for (uint16_t i = 0; i < count; i++)
		walk_name(catalog, kind, &entries[i]);
	catalog_end_object(catalog, &unused_structure);
}
