/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: directory blocks with names (ondisk 06). */
#include "damage.h"
#include "disk/dir.h"
#include "table.h"
#include "walk.h"

static const struct field data_header_fields[] = {
	FIELD(dir_data_header_disk, hdr.magic),
	FIELD(dir_data_header_disk, hdr.crc),
	FIELD(dir_data_header_disk, hdr.blkno),
	FIELD(dir_data_header_disk, hdr.lsn, .excuse = &lsn_excuse),
	ARRAY(dir_data_header_disk, hdr.uuid),
	FIELD(dir_data_header_disk, hdr.owner),
	FIELD(dir_data_header_disk, bestfree[0].offset),
	FIELD(dir_data_header_disk, bestfree[0].length),
	FIELD(dir_data_header_disk, bestfree[1].offset),
	FIELD(dir_data_header_disk, bestfree[1].length),
	FIELD(dir_data_header_disk, bestfree[2].offset),
	FIELD(dir_data_header_disk, bestfree[2].length),
	FIELD(dir_data_header_disk, pad, .excuse = &pad_excuse),
};
static const struct field entry_fields[] = { FIELD(dir_entry_disk, inumber), FIELD(dir_entry_disk, namelen) };
static const struct field ftype_fields[] = ALONE("ftype", 1);
static const struct field entry_name_fields[] = ALONE("byte", 1);
static const struct field entry_pad_fields[] = ALONE("padding", 1, .excuse = &pad_excuse);
static const struct field tag_fields[] = ALONE("tag", 2);
static const struct field free_region_fields[] = { FIELD(dir_unused_disk, freetag), FIELD(dir_unused_disk, length) };
static const struct field tail_fields[] = { FIELD(dir_block_tail_disk, count), FIELD(dir_block_tail_disk, stale) };

const struct structure dir_data_header_structure =
	STRUCTURE("dir data header", data_header_fields, sizeof(struct dir_data_header_disk));
const struct structure dir_entry_structure =
	STRUCTURE("dir entry", entry_fields, offsetof(struct dir_entry_disk, name));
const struct structure dir_ftype_structure = STRUCTURE("dir entry", ftype_fields, 1);
const struct structure dir_name_structure = STRUCTURE("dir entry's name", entry_name_fields, 1);
const struct structure dir_padding_structure = STRUCTURE("dir entry", entry_pad_fields, 1);
const struct structure dir_tag_structure = STRUCTURE("dir entry or free region", tag_fields, DIR_TAG_SIZE);
const struct structure dir_free_region_structure =
	STRUCTURE("dir free region", free_region_fields, sizeof(struct dir_unused_disk));
const struct structure dir_block_tail_structure =
	STRUCTURE("dir block tail", tail_fields, sizeof(struct dir_block_tail_disk));

size_t dir_entry_size(size_t namelen)
{
	size_t size = offsetof(struct dir_entry_disk, name) + namelen + FTYPE_SIZE + DIR_TAG_SIZE;

	return (size + DIR_ALIGN - 1) & ~(DIR_ALIGN - 1ul);
}

static size_t walk_entry(struct catalog *catalog, enum kind kind, size_t offset)
{
	const struct dir_entry_disk *entry = (const struct dir_entry_disk *)(catalog_bytes(catalog) + offset);
	size_t name = offset + offsetof(struct dir_entry_disk, name), ftype = name + entry->namelen;
	size_t end = offset + dir_entry_size(entry->namelen);
	size_t tag = end - DIR_TAG_SIZE;

	catalog_add(catalog, kind, &dir_entry_structure, offset, 1);
	catalog_add(catalog, kind, &dir_name_structure, name, entry->namelen);
	catalog_add(catalog, kind, &dir_ftype_structure, ftype, FTYPE_SIZE);
	catalog_add(catalog, kind, &dir_padding_structure, ftype + FTYPE_SIZE, tag - (ftype + FTYPE_SIZE));
	catalog_add(catalog, kind, &dir_tag_structure, tag, 1);
	return end;
}

/* Adds entries and free regions up to byte end; the contents of free regions are leftovers. */
static void walk_entries(struct catalog *catalog, enum kind kind, size_t end)
{
	const uint8_t *block = catalog_bytes(catalog);
	size_t offset = sizeof(struct dir_data_header_disk);

	catalog_add(catalog, kind, &dir_data_header_structure, 0, 1);
	while (offset < end) {
		const struct dir_unused_disk *region = (const struct dir_unused_disk *)(block + offset);

		if (be16_get(region->freetag) == DIR_FREETAG) {
			catalog_add(catalog, kind, &dir_free_region_structure, offset, 1);
			offset += be16_get(region->length);
			catalog_add(catalog, kind, &dir_tag_structure, offset - DIR_TAG_SIZE, 1);
		} else {
			offset = walk_entry(catalog, kind, offset);
		}
	}
}

void walk_dir_data(struct catalog *catalog, enum kind kind)
{
	walk_entries(catalog, kind, catalog->image->block_size);
	catalog_end_object(catalog, &unused_structure);
}

void walk_dir_block(struct catalog *catalog, enum kind kind)
{
	size_t tail = catalog->image->block_size - sizeof(struct dir_block_tail_disk);
	const struct dir_block_tail_disk *disk = (const struct dir_block_tail_disk *)(catalog_bytes(catalog) + tail);
	uint32_t count = be32_get(disk->count);
	size_t leaf = tail - count * sizeof(struct dir_leaf_entry_disk);

	walk_entries(catalog, kind, leaf);
	walk_leaf_entries(catalog, kind, leaf, count);
	catalog_add(catalog, kind, &dir_block_tail_structure, tail, 1);
	catalog_end_object(catalog, &unused_structure);
}
