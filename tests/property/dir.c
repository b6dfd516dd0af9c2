/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: directories, and da nodes, which attributes have as well (ondisk 06). */
#include "damage.h"
#include "disk/dir.h"
#include "table.h"
#include "walk.h"

#define FTYPE_SIZE 1 /* version 5 has it everywhere */

/* ---- shortform ---- */

static bool is_name_without_parents(const struct damage *d)
{
	return !d->image->parent && d->after != 0 && d->after != '/';
}

static const struct excuse name_excuse = { "without parent pointers only the entry knows the name; it has no hash",
					   is_name_without_parents };

static const struct field sf_header_fields[] = { FIELD(dir_sf_header_disk, count), FIELD(dir_sf_header_disk, i8count) };
static const struct field sf_entry_fields[] = { FIELD(dir_sf_entry_disk, namelen), FIELD(dir_sf_entry_disk, offset) };
static const struct field sf_name_fields[] = ALONE("byte", 1, .excuse = &name_excuse);
static const struct field ftype_fields[] = ALONE("ftype", 1);
static const struct field ino4_fields[] = ALONE("inumber", 4);
static const struct field ino8_fields[] = ALONE("inumber", 8);
static const struct field parent4_fields[] = ALONE("parent", 4);
static const struct field parent8_fields[] = ALONE("parent", 8);

const struct structure dir_sf_header_structure =
	STRUCTURE("dir shortform header", sf_header_fields, sizeof(struct dir_sf_header_disk));
const struct structure dir_sf_entry_structure =
	STRUCTURE("dir shortform entry", sf_entry_fields, sizeof(struct dir_sf_entry_disk));
const struct structure dir_sf_name_structure = STRUCTURE("dir shortform entry's name", sf_name_fields, 1);
const struct structure dir_ftype_structure = STRUCTURE("dir entry", ftype_fields, 1);
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

/* ---- data blocks, and block format ---- */

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
static const struct field entry_name_fields[] = ALONE("byte", 1);
static const struct field entry_pad_fields[] = ALONE("padding", 1, .excuse = &pad_excuse);
static const struct field tag_fields[] = ALONE("tag", 2);
static const struct field free_region_fields[] = { FIELD(dir_unused_disk, freetag), FIELD(dir_unused_disk, length) };

const struct structure dir_data_header_structure =
	STRUCTURE("dir data header", data_header_fields, sizeof(struct dir_data_header_disk));
const struct structure dir_entry_structure =
	STRUCTURE("dir entry", entry_fields, offsetof(struct dir_entry_disk, name));
const struct structure dir_name_structure = STRUCTURE("dir entry's name", entry_name_fields, 1);
const struct structure dir_padding_structure = STRUCTURE("dir entry", entry_pad_fields, 1);
const struct structure dir_tag_structure = STRUCTURE("dir entry or free region", tag_fields, DIR_TAG_SIZE);
const struct structure dir_free_region_structure =
	STRUCTURE("dir free region", free_region_fields, sizeof(struct dir_unused_disk));

static size_t walk_entry(struct catalog *catalog, enum kind kind, size_t offset)
{
	const struct dir_entry_disk *entry = (const struct dir_entry_disk *)(catalog_bytes(catalog) + offset);
	size_t name = offset + offsetof(struct dir_entry_disk, name), ftype = name + entry->namelen;
	size_t end = offset + ((ftype + FTYPE_SIZE + DIR_TAG_SIZE - offset + DIR_ALIGN - 1) & ~(DIR_ALIGN - 1ul));
	size_t tag = end - DIR_TAG_SIZE;

	catalog_add(catalog, kind, &dir_entry_structure, offset, 1);
	catalog_add(catalog, kind, &dir_name_structure, name, entry->namelen);
	catalog_add(catalog, kind, &dir_ftype_structure, ftype, FTYPE_SIZE);
	catalog_add(catalog, kind, &dir_padding_structure, ftype + FTYPE_SIZE, tag - (ftype + FTYPE_SIZE));
	catalog_add(catalog, kind, &dir_tag_structure, tag, 1);
	return end;
}

/* Entries and free regions up to byte end; what is inside of free regions is left over. */
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

/* ---- the index: leaf entries, leaves, nodes, free index ---- */

static const struct excuse stale_hash_excuse = { "stale entries keep their hash, which only has to be in order", NULL };

static const struct field leaf_entry_fields[] = {
	FIELD(dir_leaf_entry_disk, hashval),
	FIELD(dir_leaf_entry_disk, address),
};
static const struct field stale_entry_fields[] = {
	FIELD(dir_leaf_entry_disk, hashval, .excuse = &stale_hash_excuse),
	FIELD(dir_leaf_entry_disk, address),
};
static const struct field tail_fields[] = { FIELD(dir_block_tail_disk, count), FIELD(dir_block_tail_disk, stale) };

#define BLKINFO_FIELDS(type)                                                                                           \
	FIELD(type, info.forw), FIELD(type, info.back), FIELD(type, info.magic),                                       \
		FIELD(type, info.pad, .excuse = &pad_excuse), FIELD(type, info.crc), FIELD(type, info.blkno),          \
		FIELD(type, info.lsn, .excuse = &lsn_excuse), ARRAY(type, info.uuid), FIELD(type, info.owner)

static const struct field leaf_fields[] = {
	BLKINFO_FIELDS(dir_leaf_header_disk),
	FIELD(dir_leaf_header_disk, count),
	FIELD(dir_leaf_header_disk, stale),
	FIELD(dir_leaf_header_disk, pad, .excuse = &pad_excuse),
};
static const struct field node_fields[] = {
	BLKINFO_FIELDS(da_node_header_disk),
	FIELD(da_node_header_disk, count),
	FIELD(da_node_header_disk, level),
	FIELD(da_node_header_disk, pad, .excuse = &pad_excuse),
};
static const struct field node_entry_fields[] = {
	FIELD(da_node_entry_disk, hashval),
	FIELD(da_node_entry_disk, before),
};
static const struct field best_fields[] = ALONE("best", 2);
static const struct field bestcount_fields[] = ALONE("bestcount", 4);
static const struct field free_fields[] = {
	FIELD(dir_free_header_disk, hdr.magic), FIELD(dir_free_header_disk, hdr.crc),
	FIELD(dir_free_header_disk, hdr.blkno), FIELD(dir_free_header_disk, hdr.lsn, .excuse = &lsn_excuse),
	ARRAY(dir_free_header_disk, hdr.uuid),	FIELD(dir_free_header_disk, hdr.owner),
	FIELD(dir_free_header_disk, firstdb),	FIELD(dir_free_header_disk, nvalid),
	FIELD(dir_free_header_disk, nused),	FIELD(dir_free_header_disk, pad, .excuse = &pad_excuse),
};

const struct structure dir_leaf_entry_structure =
	STRUCTURE("dir leaf entry", leaf_entry_fields, sizeof(struct dir_leaf_entry_disk));
const struct structure dir_stale_entry_structure =
	STRUCTURE("stale dir leaf entry", stale_entry_fields, sizeof(struct dir_leaf_entry_disk));
const struct structure dir_block_tail_structure =
	STRUCTURE("dir block tail", tail_fields, sizeof(struct dir_block_tail_disk));
const struct structure dir_leaf_header_structure =
	STRUCTURE("dir leaf header", leaf_fields, sizeof(struct dir_leaf_header_disk));
const struct structure da_node_header_structure =
	STRUCTURE("da node header", node_fields, sizeof(struct da_node_header_disk));
const struct structure da_node_entry_structure =
	STRUCTURE("da node entry", node_entry_fields, sizeof(struct da_node_entry_disk));
const struct structure dir_best_structure = STRUCTURE("dir free index", best_fields, sizeof(be16_t));
const struct structure dir_leaf1_tail_structure = STRUCTURE("dir leaf1 tail", bestcount_fields, sizeof(be32_t));
const struct structure dir_free_header_structure =
	STRUCTURE("dir free index header", free_fields, sizeof(struct dir_free_header_disk));

static void walk_leaf_entries(struct catalog *catalog, enum kind kind, size_t offset, size_t count)
{
	const uint8_t *block = catalog_bytes(catalog);

	for (; count > 0; count--, offset += sizeof(struct dir_leaf_entry_disk)) {
		const struct dir_leaf_entry_disk *entry = (const struct dir_leaf_entry_disk *)(block + offset);
		bool stale = be32_get(entry->address) == 0;

		catalog_add(catalog, kind, stale ? &dir_stale_entry_structure : &dir_leaf_entry_structure, offset, 1);
	}
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

void walk_dir_leaf(struct catalog *catalog, enum kind kind)
{
	const uint8_t *block = catalog_bytes(catalog);
	const struct dir_leaf_header_disk *header = (const struct dir_leaf_header_disk *)block;
	size_t tail = catalog->image->block_size - sizeof(be32_t);

	catalog_add(catalog, kind, &dir_leaf_header_structure, 0, 1);
	walk_leaf_entries(catalog, kind, sizeof(*header), be16_get(header->count));
	if (kind == KIND_DIR_LEAF1) {
		size_t bests = number_get(block + tail, sizeof(be32_t));

		catalog_add(catalog, kind, &dir_leaf1_tail_structure, tail, 1);
		catalog_add(catalog, kind, &dir_best_structure, tail - bests * sizeof(be16_t), bests);
	}
	catalog_end_object(catalog, &unused_structure);
}

void walk_da_node(struct catalog *catalog, enum kind kind)
{
	const struct da_node_header_disk *header = (const struct da_node_header_disk *)catalog_bytes(catalog);

	catalog_add(catalog, kind, &da_node_header_structure, 0, 1);
	catalog_add(catalog, kind, &da_node_entry_structure, sizeof(*header), be16_get(header->count));
	catalog_end_object(catalog, &unused_structure);
}

void walk_dir_free(struct catalog *catalog, enum kind kind)
{
	const struct dir_free_header_disk *header = (const struct dir_free_header_disk *)catalog_bytes(catalog);

	catalog_add(catalog, kind, &dir_free_header_structure, 0, 1);
	catalog_add(catalog, kind, &dir_best_structure, sizeof(*header), be32_get(header->nvalid));
	catalog_end_object(catalog, &unused_structure);
}
