/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the objects of an image without following any pointer: AG headers by their position, everything else by its own
 * fields: magic, checksum, uuid, and its own address or number.  Leftovers in free space look the same; the caller has
 * to detect them.
 */
#include <err.h>
#include <string.h>

#include "damage.h"
#include "disk/agf.h"
#include "disk/agfl.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/attr.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/log.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "disk/sb.h"
#include "disk/symlink.h"
#include "libxfs/crc.h"
#include "units.h"
#include "walk.h"

/* The fields that identify a kind of block: their offsets. */
struct block_type {
	enum kind kind;
	uint32_t magic;
	uint8_t magic_size;
	uint8_t magic_at;
	uint8_t crc_at;
	uint8_t blkno_at;
	uint8_t uuid_at;
	void (*walk)(struct catalog *catalog, enum kind kind);
};

#define BLOCK(kind, header, magic_value, walk)                                                                         \
	{                                                                                                              \
		KIND_##kind, (magic_value), sizeof(MEMBER(header, magic)), offsetof(struct header, magic),             \
			offsetof(struct header, crc), offsetof(struct header, blkno), offsetof(struct header, uuid),   \
			walk                                                                                           \
	}

static const struct block_type block_types[] = {
	BLOCK(BNOBT, btree_short_disk, BNOBT_MAGIC, walk_ag_btree),
	BLOCK(CNTBT, btree_short_disk, CNTBT_MAGIC, walk_ag_btree),
	BLOCK(INOBT, btree_short_disk, INOBT_MAGIC, walk_ag_btree),
	BLOCK(FINOBT, btree_short_disk, FINOBT_MAGIC, walk_ag_btree),
	BLOCK(RMAPBT, btree_short_disk, RMAPBT_MAGIC, walk_ag_btree),
	BLOCK(REFCOUNTBT, btree_short_disk, REFCOUNTBT_MAGIC, walk_ag_btree),
	BLOCK(BMBT, btree_long_disk, BMBT_MAGIC, walk_bmbt),
	BLOCK(DIR_BLOCK, dir_blkhdr_disk, DIR_MAGIC_BLOCK, walk_dir_block),
	BLOCK(DIR_DATA, dir_blkhdr_disk, DIR_MAGIC_DATA, walk_dir_data),
	BLOCK(DIR_LEAF1, da_blkinfo_disk, DA_MAGIC_DIR_LEAF1, walk_dir_leaf),
	BLOCK(DIR_LEAFN, da_blkinfo_disk, DA_MAGIC_DIR_LEAFN, walk_dir_leaf),
	BLOCK(DA_NODE, da_blkinfo_disk, DA_MAGIC_NODE, walk_da_node),
	BLOCK(DIR_FREE, dir_blkhdr_disk, DIR_MAGIC_FREE, walk_dir_free),
	BLOCK(ATTR_LEAF, da_blkinfo_disk, DA_MAGIC_ATTR_LEAF, walk_attr_leaf),
	BLOCK(ATTR_REMOTE, attr_remote_disk, DA_MAGIC_ATTR_VALUE, walk_attr_remote),
	BLOCK(SYMLINK, symlink_disk, SYMLINK_MAGIC, walk_symlink),
};

static bool right_crc(const uint8_t *bytes, const struct object *object)
{
	le32_t crc;

	memcpy(crc.b, bytes + object->crc, sizeof(crc.b));
	return le32_get(crc) == crc_block(bytes, object->length, object->crc);
}

static bool is_sound(const struct catalog *catalog, const struct object *object)
{
	const uint8_t *bytes = catalog->image->sound + object->start;

	return memcmp(bytes + object->uuid, catalog->image->uuid, sizeof(catalog->image->uuid)) == 0 &&
	       right_crc(bytes, object);
}

/* ---- by position ---- */

static void find_header(struct catalog *catalog, struct object object,
			void (*walk)(struct catalog *catalog, enum kind kind))
{
	if (!is_sound(catalog, &object))
		errx(1, "the %s at byte %llu is not sound", kind_name(object.kind), (unsigned long long)object.start);
	catalog_object(catalog, &object);
	walk(catalog, object.kind);
}

static void find_headers(struct catalog *catalog, uint32_t agno)
{
	const struct image *image = catalog->image;
	uint32_t sector = image->sector_size;
	uint64_t start = (uint64_t)agno * image->agblocks << image->block_log;

	find_header(catalog,
		    (struct object){ .start = start,
				     .length = sector,
				     .crc = offsetof(struct sb_disk, crc),
				     .uuid = offsetof(struct sb_disk, uuid),
				     .kind = agno == 0 ? KIND_SUPERBLOCK : KIND_SECONDARY },
		    walk_superblock);
	find_header(catalog,
		    (struct object){ .start = start + sector,
				     .length = sector,
				     .crc = offsetof(struct agf_disk, crc),
				     .uuid = offsetof(struct agf_disk, uuid),
				     .kind = KIND_AGF },
		    walk_agf);
	find_header(catalog,
		    (struct object){ .start = start + 2 * (uint64_t)sector,
				     .length = sector,
				     .crc = offsetof(struct agi_disk, crc),
				     .uuid = offsetof(struct agi_disk, uuid),
				     .kind = KIND_AGI },
		    walk_agi);
	find_header(catalog,
		    (struct object){ .start = start + 3 * (uint64_t)sector,
				     .length = sector,
				     .crc = offsetof(struct agfl_disk, crc),
				     .uuid = offsetof(struct agfl_disk, uuid),
				     .kind = KIND_AGFL },
		    walk_agfl);
}

/* ---- by their own fields ---- */

static bool find_block(struct catalog *catalog, uint64_t start)
{
	const uint8_t *bytes = catalog->image->sound + start;

	for (size_t i = 0; i < sizeof(block_types) / sizeof(block_types[0]); i++) {
		const struct block_type *type = &block_types[i];
		struct object object = { .start = start,
					 .length = catalog->image->block_size,
					 .crc = type->crc_at,
					 .uuid = type->uuid_at,
					 .kind = type->kind };

		if (number_get(bytes + type->magic_at, type->magic_size) == type->magic &&
		    number_get(bytes + type->blkno_at, sizeof(be64_t)) == start >> SECTOR_LOG &&
		    is_sound(catalog, &object)) {
			catalog_object(catalog, &object);
			type->walk(catalog, type->kind);
			return true;
		}
	}
	return false;
}

static enum kind kind_of_inode(const struct dinode_disk *inode)
{
	uint16_t mode = be16_get(inode->mode);

	switch (mode & MODE_TYPE) {
	case MODE_REG:
		return KIND_INODE_FILE;
	case MODE_DIR:
		return KIND_INODE_DIR;
	case MODE_SYMLINK:
		return KIND_INODE_SYMLINK;
	default:
		return mode == 0 ? KIND_INODE_FREE : KIND_INODE_SPECIAL;
	}
}

static void find_inodes(struct catalog *catalog, uint64_t start)
{
	const struct image *image = catalog->image;
	uint64_t block = start >> image->block_log;
	uint64_t fsbno = block / image->agblocks << image->agblock_log | block % image->agblocks;

	for (uint32_t slot = 0; slot < image->inodes_per_block; slot++, start += image->inode_size) {
		const struct dinode_disk *inode = (const struct dinode_disk *)(image->sound + start);
		struct object object = { .start = start,
					 .length = image->inode_size,
					 .crc = offsetof(struct dinode_disk, crc),
					 .uuid = offsetof(struct dinode_disk, uuid),
					 .kind = kind_of_inode(inode) };

		if (be16_get(inode->magic) != DINODE_MAGIC ||
		    be64_get(inode->ino) != (fsbno << image->inopb_log | slot) || !is_sound(catalog, &object))
			continue;
		catalog_object(catalog, &object);
		if (object.kind == KIND_INODE_FREE)
			walk_free_inode(catalog, object.kind);
		else
			walk_inode(catalog, object.kind);
	}
}

/* Finds the blocks in one range of data, from byte start on.  Returns where the next one may begin. */
static uint64_t find_in_data(struct catalog *catalog, const struct range *data, uint64_t start)
{
	const struct image *image = catalog->image;
	uint64_t block = image->block_size;

	if (start < data->start)
		start = data->start & ~(block - 1);
	for (; start < data->end && start + block <= image->size; start += block) {
		if (start >= image->log.start && start < image->log.end)
			continue;
		if (!find_block(catalog, start))
			find_inodes(catalog, start);
	}
	return start;
}

void find_objects(struct catalog *catalog)
{
	const struct image *image = catalog->image;
	uint64_t start = 0;

	for (uint32_t agno = 0; agno < image->agcount; agno++)
		find_headers(catalog, agno);
	for (size_t i = 0; i < image->ndata; i++)
		start = find_in_data(catalog, &image->data[i], start);
	catalog_object(catalog,
		       &(struct object){ .start = image->last_record.start,
					 .length = (uint32_t)(image->last_record.end - image->last_record.start),
					 .crc = offsetof(struct log_header_disk, crc),
					 .uuid = NO_UUID,
					 .kind = KIND_LOG });
	walk_log_record(catalog, KIND_LOG);
}
