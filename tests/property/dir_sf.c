/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: directories within their inode (ondisk 06). */
#include "damage.h"
#include "disk/dir.h"
#include "disk/inode.h"
#include "table.h"
#include "walk.h"

static bool is_name_without_parents(const struct damage *d)
{
	return !d->image->parent && d->after != 0 && d->after != '/';
}

/* True if the entries still follow each other in a block, and leave room for the index (ondisk 06, Short form). */
static bool is_in_order(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);
	const uint8_t *bytes = (const uint8_t *)(inode + 1);
	const struct dir_sf_header_disk *header = (const struct dir_sf_header_disk *)bytes;
	size_t ino_size = header->i8count ? sizeof(be64_t) : sizeof(be32_t), at = sizeof(*header) + ino_size;
	uint64_t end = sizeof(struct dir_data_header_disk) + 2ul * DIR_ENTRY_MIN;

	for (unsigned i = 0; i < header->count; i++) {
		const struct dir_sf_entry_disk *entry = (const struct dir_sf_entry_disk *)(bytes + at);
		bool damaged = bytes + at == d->image->sound + d->structure_start;
		uint64_t offset = damaged ? d->after : be16_get(entry->offset);

		if (offset < end)
			return false;
		end = offset + dir_entry_size(entry->namelen);
		at += sizeof(*entry) + entry->namelen + FTYPE_SIZE + ino_size;
	}
	end += (header->count + 2ul) * sizeof(struct dir_leaf_entry_disk) + sizeof(struct dir_block_tail_disk);
	return end <= d->image->block_size;
}

static const struct excuse offset_excuse = { "any offset will do that leaves room for the entries around it",
					     is_in_order };
static const struct excuse name_excuse = { "without parent pointers only the entry knows the name; it has no hash",
					   is_name_without_parents };

static const struct field sf_header_fields[] = { FIELD(dir_sf_header_disk, count), FIELD(dir_sf_header_disk, i8count) };
static const struct field sf_entry_fields[] = { FIELD(dir_sf_entry_disk, namelen),
						FIELD(dir_sf_entry_disk, offset, .excuse = &offset_excuse) };
static const struct field sf_name_fields[] = ALONE("byte", 1, .excuse = &name_excuse);
static const struct field ino4_fields[] = ALONE("inumber", 4);
static const struct field ino8_fields[] = ALONE("inumber", 8);
static const struct field parent4_fields[] = ALONE("parent", 4);
static const struct field parent8_fields[] = ALONE("parent", 8);

const struct structure dir_sf_header_structure =
	STRUCTURE("dir shortform header", sf_header_fields, sizeof(struct dir_sf_header_disk));
const struct structure dir_sf_entry_structure =
	STRUCTURE("dir shortform entry", sf_entry_fields, sizeof(struct dir_sf_entry_disk));
const struct structure dir_sf_name_structure = STRUCTURE("dir shortform entry's name", sf_name_fields, 1);
const struct structure dir_sf_ino4_structure = STRUCTURE("dir shortform entry, 4 bytes", ino4_fields, 4);
const struct structure dir_sf_ino8_structure = STRUCTURE("dir shortform entry, 8 bytes", ino8_fields, 8);
const struct structure dir_sf_parent4_structure = STRUCTURE("dir shortform header, 4 bytes", parent4_fields, 4);
const struct structure dir_sf_parent8_structure = STRUCTURE("dir shortform header, 8 bytes", parent8_fields, 8);

void walk_dir_sf(struct catalog *catalog, size_t offset, size_t size)
{
	const uint8_t *inode = catalog_bytes(catalog);
	const struct dir_sf_header_disk *header = (const struct dir_sf_header_disk *)(inode + offset);
	const struct structure *ino = header->i8count ? &dir_sf_ino8_structure : &dir_sf_ino4_structure;
	size_t end = offset + size;

	catalog_add(catalog, KIND_DIR_SF, &dir_sf_header_structure, offset, 1);
	offset += sizeof(*header);
	catalog_add(catalog, KIND_DIR_SF, header->i8count ? &dir_sf_parent8_structure : &dir_sf_parent4_structure,
		    offset, 1);
	offset += ino->size;
	while (offset < end) {
		const struct dir_sf_entry_disk *entry = (const struct dir_sf_entry_disk *)(inode + offset);

		catalog_add(catalog, KIND_DIR_SF, &dir_sf_entry_structure, offset, 1);
		offset += sizeof(*entry);
		catalog_add(catalog, KIND_DIR_SF, &dir_sf_name_structure, offset, entry->namelen);
		offset += entry->namelen;
		catalog_add(catalog, KIND_DIR_SF, &dir_ftype_structure, offset, FTYPE_SIZE);
		offset += FTYPE_SIZE;
		catalog_add(catalog, KIND_DIR_SF, ino, offset, 1);
		offset += ino->size;
	}
}
