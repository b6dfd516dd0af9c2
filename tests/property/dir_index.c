/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: the hash index of a directory, and da nodes, which attributes have as well (ondisk 06). */
#include "damage.h"
#include "disk/dir.h"
#include "table.h"
#include "walk.h"

static const struct excuse stale_hash_excuse = { "stale entries keep their hash, which only has to be in order", NULL };

static const struct field leaf_entry_fields[] = {
	FIELD(dir_leaf_entry_disk, hashval),
	FIELD(dir_leaf_entry_disk, address),
};
static const struct field stale_entry_fields[] = {
	FIELD(dir_leaf_entry_disk, hashval, .excuse = &stale_hash_excuse),
	FIELD(dir_leaf_entry_disk, address),
};

#define BLKINFO_FIELDS(type)                                                                                           \
	FIELD(type, info.forw), FIELD(type, info.back), FIELD(type, info.magic),                                       \
		FIELD(type, info.pad, .excuse = &pad_excuse), FIELD(type, info.crc), FIELD(type, info.blkno),          \
		FIELD(type, info.lsn, .excuse = &lsn_excuse), ARRAY(type, info.uuid), FIELD(type, info.owner)

static const struct field leaf_fields[] = {
	BLKINFO_FIELDS(dir_leaf_header_disk),
	FIELD(dir_leaf_header_disk, n.count),
	FIELD(dir_leaf_header_disk, n.stale),
	FIELD(dir_leaf_header_disk, pad, .excuse = &pad_excuse),
};
static const struct field node_fields[] = {
	BLKINFO_FIELDS(da_node_header_disk),
	FIELD(da_node_header_disk, n.count),
	FIELD(da_node_header_disk, n.level),
	FIELD(da_node_header_disk, pad, .excuse = &pad_excuse),
};
static const struct field node_entry_fields[] = {
	FIELD(da_node_entry_disk, hashval),
	FIELD(da_node_entry_disk, before),
};
static const struct field best_fields[] = ALONE("best", 2);
static const struct field bestcount_fields[] = ALONE("bestcount", 4);
static const struct field free_fields[] = {
	FIELD(dir_free_header_disk, hdr.magic),	    FIELD(dir_free_header_disk, hdr.crc),
	FIELD(dir_free_header_disk, hdr.blkno),	    FIELD(dir_free_header_disk, hdr.lsn, .excuse = &lsn_excuse),
	ARRAY(dir_free_header_disk, hdr.uuid),	    FIELD(dir_free_header_disk, hdr.owner),
	FIELD(dir_free_header_disk, range.firstdb), FIELD(dir_free_header_disk, range.nvalid),
	FIELD(dir_free_header_disk, range.nused),   FIELD(dir_free_header_disk, pad, .excuse = &pad_excuse),
};

const struct structure dir_leaf_entry_structure =
	STRUCTURE("dir leaf entry", leaf_entry_fields, sizeof(struct dir_leaf_entry_disk));
const struct structure dir_stale_entry_structure =
	STRUCTURE("stale dir leaf entry", stale_entry_fields, sizeof(struct dir_leaf_entry_disk));
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

void walk_leaf_entries(struct catalog *catalog, enum kind kind, size_t offset, size_t count)
{
	const uint8_t *block = catalog_bytes(catalog);

	for (; count > 0; count--, offset += sizeof(struct dir_leaf_entry_disk)) {
		const struct dir_leaf_entry_disk *entry = (const struct dir_leaf_entry_disk *)(block + offset);
		bool stale = be32_get(entry->address) == 0;

		catalog_add(catalog, kind, stale ? &dir_stale_entry_structure : &dir_leaf_entry_structure, offset, 1);
	}
}

void walk_dir_leaf(struct catalog *catalog, enum kind kind)
{
	const uint8_t *block = catalog_bytes(catalog);
	const struct dir_leaf_header_disk *header = (const struct dir_leaf_header_disk *)block;
	size_t tail = catalog->image->block_size - sizeof(be32_t);

	catalog_add(catalog, kind, &dir_leaf_header_structure, 0, 1);
	walk_leaf_entries(catalog, kind, sizeof(*header), be16_get(header->n.count));
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
	catalog_add(catalog, kind, &da_node_entry_structure, sizeof(*header), be16_get(header->n.count));
	catalog_end_object(catalog, &unused_structure);
}

void walk_dir_free(struct catalog *catalog, enum kind kind)
{
	const struct dir_free_header_disk *header = (const struct dir_free_header_disk *)catalog_bytes(catalog);

	catalog_add(catalog, kind, &dir_free_header_structure, 0, 1);
	catalog_add(catalog, kind, &dir_best_structure, sizeof(*header), be32_get(header->range.nvalid));
	catalog_end_object(catalog, &unused_structure);
}
