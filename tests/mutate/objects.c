/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds objects in all blocks with data, in the sectors of AG headers, in the inode slots of blocks that begin with an
 * inode, and in the sectors of the log.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "../property/checksum.h"
#include "disk/agf.h"
#include "disk/agfl.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/attr.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/dir.h"
#include "disk/dquot.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/log.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "disk/rt.h"
#include "disk/sb.h"
#include "disk/symlink.h"
#include "libxfs/crc.h"
#include "objects.h"
#include "units.h"

#define SIZE(header, member) sizeof(((struct header *)0)->member)
#define V5_BLOCK(name, header, magic_value, dir_block)                                                                 \
	{                                                                                                              \
		(name), (magic_value), offsetof(struct header, magic), SIZE(header, magic),                            \
			offsetof(struct header, crc), offsetof(struct header, blkno), sizeof(struct header),           \
			(dir_block)                                                                                    \
	}
#define V4_BLOCK(name, magic_value, magic_at, magic_size, header, dir_block)                                           \
	{                                                                                                              \
		(name), (magic_value), (magic_at), (magic_size), NO_CRC, NO_SELF, (header), (dir_block)                \
	}

static const struct object_type block_types[] = {
	V5_BLOCK("bnobt", btree_short_disk, BNOBT_MAGIC, false),
	V5_BLOCK("cntbt", btree_short_disk, CNTBT_MAGIC, false),
	V5_BLOCK("inobt", btree_short_disk, INOBT_MAGIC, false),
	V5_BLOCK("finobt", btree_short_disk, FINOBT_MAGIC, false),
	V5_BLOCK("rmapbt", btree_short_disk, RMAPBT_MAGIC, false),
	V5_BLOCK("refcountbt", btree_short_disk, REFCOUNTBT_MAGIC, false),
	V5_BLOCK("bmbt", btree_long_disk, BMBT_MAGIC, false),
	V5_BLOCK("rtrmapbt", btree_long_disk, RTRMAPBT_MAGIC, false),
	V5_BLOCK("rtrefcountbt", btree_long_disk, RTREFCOUNTBT_MAGIC, false),
	V5_BLOCK("dir-block", dir_blkhdr_disk, DIR_MAGIC_BLOCK, true),
	V5_BLOCK("dir-data", dir_blkhdr_disk, DIR_MAGIC_DATA, true),
	V5_BLOCK("dir-free", dir_blkhdr_disk, DIR_MAGIC_FREE, true),
	V5_BLOCK("dir-leaf1", da_blkinfo_disk, DA_MAGIC_DIR_LEAF1, true),
	V5_BLOCK("dir-leafn", da_blkinfo_disk, DA_MAGIC_DIR_LEAFN, true),
	V5_BLOCK("da-node", da_blkinfo_disk, DA_MAGIC_NODE, true),
	V5_BLOCK("attr-leaf", da_blkinfo_disk, DA_MAGIC_ATTR_LEAF, false),
	V5_BLOCK("attr-remote", attr_remote_disk, DA_MAGIC_ATTR_VALUE, false),
	V5_BLOCK("symlink", symlink_disk, SYMLINK_MAGIC, false),
	V5_BLOCK("rtbitmap", rt_header_disk, RTBITMAP_MAGIC, false),
	V5_BLOCK("rtsummary", rt_header_disk, RTSUMMARY_MAGIC, false),
	V4_BLOCK("bnobt-v4", BNOBT_MAGIC_V4, 0, 4, BTREE_SHORT_SIZE_V4, false),
	V4_BLOCK("cntbt-v4", CNTBT_MAGIC_V4, 0, 4, BTREE_SHORT_SIZE_V4, false),
	V4_BLOCK("inobt-v4", INOBT_MAGIC_V4, 0, 4, BTREE_SHORT_SIZE_V4, false),
	V4_BLOCK("bmbt-v4", BMBT_MAGIC_V4, 0, 4, BTREE_LONG_SIZE_V4, false),
	V4_BLOCK("dir-block-v4", DIR_MAGIC_BLOCK_V4, 0, 4, DA_HEADER_SIZE_V4, true),
	V4_BLOCK("dir-data-v4", DIR_MAGIC_DATA_V4, 0, 4, DA_HEADER_SIZE_V4, true),
	V4_BLOCK("dir-free-v4", DIR_MAGIC_FREE_V4, 0, 4, DA_HEADER_SIZE_V4, true),
	V4_BLOCK("dir-leaf1-v4", DA_MAGIC_DIR_LEAF1_V4, 8, 2, DA_HEADER_SIZE_V4, true),
	V4_BLOCK("dir-leafn-v4", DA_MAGIC_DIR_LEAFN_V4, 8, 2, DA_HEADER_SIZE_V4, true),
	V4_BLOCK("da-node-v4", DA_MAGIC_NODE_V4, 8, 2, DA_HEADER_SIZE_V4, true),
	V4_BLOCK("attr-leaf-v4", DA_MAGIC_ATTR_LEAF_V4, 8, 2, ATTR_LEAF_HEADER_SIZE_V4, false),
};

static const struct object_type superblock_type = {
	"superblock", SB_MAGIC, 0, 4, offsetof(struct sb_disk, crc), NO_SELF, sizeof(struct sb_disk), false
};
static const struct object_type secondary_type = {
	"secondary", SB_MAGIC, 0, 4, offsetof(struct sb_disk, crc), NO_SELF, sizeof(struct sb_disk), false
};
static const struct object_type agf_type = {
	"agf", AGF_MAGIC, 0, 4, offsetof(struct agf_disk, crc), NO_SELF, sizeof(struct agf_disk), false
};
static const struct object_type agi_type = {
	"agi", AGI_MAGIC, 0, 4, offsetof(struct agi_disk, crc), NO_SELF, sizeof(struct agi_disk), false
};
static const struct object_type agfl_type = { "agfl",  AGFL_MAGIC, 0,	 4, offsetof(struct agfl_disk, crc),
					      NO_SELF, 64,	   false };
static const struct object_type inode_type = { "inode",
					       DINODE_MAGIC,
					       0,
					       2,
					       offsetof(struct dinode_disk, crc),
					       offsetof(struct dinode_disk, ino),
					       sizeof(struct dinode_disk),
					       false };
static const struct object_type free_inode_type = { "free-inode",
						    DINODE_MAGIC,
						    0,
						    2,
						    offsetof(struct dinode_disk, crc),
						    offsetof(struct dinode_disk, ino),
						    sizeof(struct dinode_disk),
						    false };
static const struct object_type dquot_type = {
	"dquot", DQUOT_MAGIC, 0, 2, offsetof(struct dquot_disk, crc), NO_SELF, sizeof(struct dquot_disk), false
};
static const struct object_type log_type = {
	"log", LOG_MAGIC, 0, 4, offsetof(struct log_header_disk, crc), NO_SELF, sizeof(struct log_header_disk), false
};

static void add(struct targets *targets, const struct object_type *type, uint64_t start, uint32_t length)
{
	if (!(targets->count & (targets->count - 1))) /* a power of two, or 0: the array is full */
		targets->all =
			reallocarray(targets->all, targets->count ? 2 * targets->count : 1, sizeof(*targets->all));
	if (!targets->all)
		err(1, "targets");
	targets->all[targets->count++] = (struct target){ type, start, length };
}

static void add_headers(const struct image *image, struct targets *targets)
{
	const struct object_type *types[] = { &secondary_type, &agf_type, &agi_type, &agfl_type };
	uint32_t sector = image->sector_size;

	for (uint32_t agno = 0; agno < image->agcount; agno++) {
		uint64_t start = (uint64_t)agno * image->agblocks << image->block_log;

		for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
			add(targets, agno + i == 0 ? &superblock_type : types[i], start + i * sector, sector);
	}
}

static bool has_magic(const uint8_t *bytes, const struct object_type *type)
{
	return number_get(bytes + type->magic_at, type->magic_size) == type->magic;
}

/*
 * The length of a block: da nodes of attributes have one block, those of large directories more; the checksum shows
 * which.
 */
static uint32_t length_of(const struct image *image, const struct object_type *type, uint64_t start)
{
	const uint8_t *bytes = image->sound + start;
	le32_t crc;

	if (!type->dir_block || start + image->dir_block_size > image->size)
		return image->block_size;
	if (type->crc_at == NO_CRC)
		return image->dir_block_size;
	memcpy(&crc, bytes + type->crc_at, sizeof(crc));
	return le32_get(crc) == crc_block(bytes, image->block_size, type->crc_at) ? image->block_size
										  : image->dir_block_size;
}

static void add_inodes(const struct image *image, struct targets *targets, uint64_t start)
{
	for (uint32_t slot = 0; slot < image->inodes_per_block; slot++, start += image->inode_size) {
		const struct dinode_disk *inode = (const struct dinode_disk *)(image->sound + start);

		if (be16_get(inode->magic) == DINODE_MAGIC)
			add(targets, be16_get(inode->mode) ? &inode_type : &free_inode_type, start, image->inode_size);
	}
}

/* Adds the records of a quota file, each of which has its own checksum. */
static void add_dquots(const struct image *image, struct targets *targets, uint64_t start)
{
	uint32_t size = dquot_type.header;

	for (uint64_t at = start; at + size <= start + image->block_size; at += size)
		if (has_magic(image->sound + at, &dquot_type))
			add(targets, &dquot_type, at, size);
}

static void add_block(const struct image *image, struct targets *targets, uint64_t start)
{
	const uint8_t *bytes = image->sound + start;

	if (be16_get(((const struct dinode_disk *)bytes)->magic) == DINODE_MAGIC) {
		add_inodes(image, targets, start);
		return;
	}
	if (has_magic(bytes, &dquot_type)) {
		add_dquots(image, targets, start);
		return;
	}
	for (size_t i = 0; i < sizeof(block_types) / sizeof(block_types[0]); i++) {
		const struct object_type *type = &block_types[i];

		if (has_magic(bytes, type)) {
			add(targets, type, start, length_of(image, type, start));
			return;
		}
	}
}

static void add_log_record(const struct image *image, struct targets *targets, uint64_t start)
{
	const struct log_header_disk *header = (const struct log_header_disk *)(image->sound + start);
	uint64_t length = LOG_BLOCK + (uint64_t)be32_get(header->len);

	/* the kernel writes thousands of empty ones ahead of the head */
	if (length == LOG_BLOCK)
		return;
	if (be32_get(header->magic) == LOG_MAGIC && length <= LOG_MAX_RECORD && start + length <= image->log.end)
		add(targets, &log_type, start, (uint32_t)length);
}

static int by_type(const void *left, const void *right)
{
	const struct target *a = left, *b = right;
	int order = strcmp(a->type->name, b->type->name);

	if (order)
		return order;
	return a->start < b->start ? -1 : a->start > b->start;
}

static void sort(struct targets *targets)
{
	qsort(targets->all, targets->count, sizeof(*targets->all), by_type);
	targets->first = calloc(targets->count + 1, sizeof(*targets->first));
	if (!targets->first)
		err(1, "targets");
	for (size_t i = 0; i < targets->count; i++)
		if (i == 0 || targets->all[i].type != targets->all[i - 1].type)
			targets->first[targets->types++] = i;
	targets->first[targets->types] = targets->count;
}

void targets_find(const struct image *image, struct targets *ret_targets)
{
	uint64_t block = image->block_size, next = 0;

	*ret_targets = (struct targets){ 0 };
	add_headers(image, ret_targets);
	for (size_t i = 0; i < image->ndata; i++) {
		uint64_t start = image->data[i].start & ~(block - 1);

		for (start = start < next ? next : start; start < image->data[i].end; start = next) {
			next = start + block;
			if (next > image->size)
				break;
			if (start < image->log.start || start >= image->log.end) {
				add_block(image, ret_targets, start);
				continue;
			}
			for (uint64_t sector = start; sector < next; sector += LOG_BLOCK)
				add_log_record(image, ret_targets, sector);
		}
	}
	sort(ret_targets);
}

void targets_free(struct targets *targets)
{
	free(targets->all);
	free(targets->first);
}

bool targets_keep(struct targets *targets, const char *type)
{
	for (size_t i = 0; i < targets->types; i++) {
		size_t first = targets->first[i], count = targets->first[i + 1] - first;

		if (strcmp(targets->all[first].type->name, type) != 0)
			continue;
		memmove(targets->all, targets->all + first, count * sizeof(*targets->all));
		targets->first[0] = 0;
		targets->first[1] = targets->count = count;
		targets->types = 1;
		return true;
	}
	return false;
}

bool target_is_log_record(const struct target *target)
{
	return target->type == &log_type;
}

bool target_is_superblock(const struct target *target)
{
	return target->type == &superblock_type || target->type == &secondary_type;
}

uint64_t target_fsbno(const struct image *image, const struct target *target)
{
	uint64_t block = target->start >> image->block_log;

	return block / image->agblocks << image->agblock_log | block % image->agblocks;
}

uint64_t target_ino(const struct image *image, const struct target *target)
{
	uint64_t slot = (target->start & (image->block_size - 1)) / image->inode_size;

	return target_fsbno(image, target) << image->inopb_log | slot;
}

void target_fix_self(const struct image *image, const struct target *target)
{
	uint64_t self = target->start >> SECTOR_LOG;

	if (target->type == &inode_type || target->type == &free_inode_type)
		self = target_ino(image, target);
	if (target->type->self_at != NO_SELF && image->version == 5)
		number_put(image->bytes + target->start + target->type->self_at, sizeof(be64_t), self);
}

void target_fix_checksum(const struct image *image, const struct target *target)
{
	const struct object object = { .start = target->start,
				       .length = target->length,
				       .crc = target->type->crc_at,
				       .kind = target->type == &log_type ? KIND_LOG : KIND_NR };

	if (target->type->crc_at != NO_CRC && (image->version == 5 || target->type == &log_type))
		checksum_fix(image, &object);
}
