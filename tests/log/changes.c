/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds buffer items for blocks, inode items for inodes, and dquot items for quota records, as a little-endian 64-bit
 * kernel logs them (ondisk 11, "Items").
 */
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/bmbt.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "disk/dquot.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/log_item.h"
#include "disk/sb.h"
#include "libxfs/crc.h"

#define SECTOR		512
#define AGFL_SECTOR	3
#define DQUOT_LOGGED	104 /* bytes: without checksum, LSN and UUID */
#define ROOT_HEADER	24  /* of a root in memory; with checksums 72 */
#define ROOT_HEADER_CRC 72

/* In the kernel's memory layout (64 bits, little-endian). */
struct buf_item {
	uint16_t type, size, flags, len;
	int64_t blkno;
	uint32_t map_size;
	uint32_t map[];
} __attribute__((packed));
struct inode_item {
	uint16_t type, size;
	uint32_t fields;
	uint16_t asize, dsize;
	uint32_t pad;
	uint64_t ino;
	uint32_t rdev, rest[3];
	int64_t blkno;
	int32_t len, boffset;
};
struct dquot_item {
	uint16_t type, size;
	uint32_t id;
	int64_t blkno;
	int32_t len; /* blocks */
	uint32_t boffset;
};

/* A block of a volume, in both states. */
struct change {
	const struct volume *v;
	struct item_list *list;
	uint64_t offset; /* bytes */
	uint32_t len;
	const uint8_t *before;
	uint8_t *after;
};

static struct log_item_data *new_item(struct item_list *list)
{
	if (list->count == list->room) {
		list->room = 2 * list->room + 64;
		list->items = realloc(list->items, list->room * sizeof(*list->items));
		if (!list->items)
			err(1, "memory");
	}
	list->items[list->count] = (struct log_item_data){ 0 };
	return &list->items[list->count++];
}

/* Returns the bytes of a new region of an item: a copy of `bytes`, or zeroes. */
static void *new_region(struct log_item_data *item, const void *bytes, uint32_t len)
{
	uint8_t *region = calloc(1, (len + 3) / 4 * 4);

	if (!region)
		err(1, "memory");
	if (bytes)
		memcpy(region, bytes, len);
	item->region[item->regions].bytes = region;
	item->region[item->regions].len = (len + 3) / 4 * 4;
	item->regions++;
	return region;
}

static uint16_t magic16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t magic32(const uint8_t *at)
{
	return (uint32_t)magic16(at) << 16 | magic16(at + 2);
}

static enum log_buf_type type_of(const struct change *c)
{
	static const struct {
		uint32_t magic;
		enum log_buf_type type;
	} types[] = {
		{ SB_MAGIC, LB_SUPERBLOCK },
		{ AGF_MAGIC, LB_AGF },
		{ AGI_MAGIC, LB_AGI },
		{ BNOBT_MAGIC_V4, LB_BTREE },
		{ CNTBT_MAGIC_V4, LB_BTREE },
		{ INOBT_MAGIC_V4, LB_BTREE },
		{ BNOBT_MAGIC, LB_BTREE },
		{ CNTBT_MAGIC, LB_BTREE },
		{ INOBT_MAGIC, LB_BTREE },
		{ FINOBT_MAGIC, LB_BTREE },
		{ BMBT_MAGIC, LB_BTREE },
		{ BMBT_MAGIC_V4, LB_BTREE },
		{ DIR_MAGIC_BLOCK, LB_DIR_BLOCK },
		{ DIR_MAGIC_DATA, LB_DIR_DATA },
		{ DIR_MAGIC_FREE, LB_DIR_FREE },
		{ DIR_MAGIC_BLOCK_V4, LB_DIR_BLOCK },
		{ DIR_MAGIC_DATA_V4, LB_DIR_DATA },
		{ DIR_MAGIC_FREE_V4, LB_DIR_FREE },
	};

	if (c->len == c->v->sector_size &&
	    c->offset / c->len % ((uint64_t)c->v->agblocks * c->v->block_size / c->len) == AGFL_SECTOR)
		return LB_AGFL;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (types[i].magic == magic32(c->after))
			return types[i].type;
	}
	switch (magic16(c->after + 8)) {
	case DA_MAGIC_NODE:
	case DA_MAGIC_NODE_V4:
		return LB_DA_NODE;
	case DA_MAGIC_DIR_LEAF1:
	case DA_MAGIC_DIR_LEAF1_V4:
		return LB_DIR_LEAF1;
	case DA_MAGIC_DIR_LEAFN:
	case DA_MAGIC_DIR_LEAFN_V4:
		return LB_DIR_LEAFN;
	default:
		return LB_UNKNOWN;
	}
}

/* Adds the chunks of 128 bytes that differ, one region per run; all of them if there are too many runs. */
static void add_buffer(const struct change *c, uint16_t flags)
{
	const uint32_t chunks = c->len / LOG_BUF_CHUNK, words = (chunks + 31) / 32;
	const uint32_t max =
		sizeof(((struct log_item_data *)0)->region) / sizeof(((struct log_item_data *)0)->region[0]);
	struct log_item_data *item = new_item(c->list);
	struct buf_item *buf = new_region(item, NULL, (uint32_t)sizeof(*buf) + 4 * words);
	uint32_t runs = 0;
	bool all, differs = false;

	for (uint32_t i = 0; i < chunks; i++) {
		bool was = differs;

		differs = memcmp(c->before + i * LOG_BUF_CHUNK, c->after + i * LOG_BUF_CHUNK, LOG_BUF_CHUNK) != 0;
		runs += differs && !was;
	}
	all = runs >= max;
	for (uint32_t i = 0, first = 0; i <= chunks; i++) {
		differs = i < chunks && (all || memcmp(c->before + i * LOG_BUF_CHUNK, c->after + i * LOG_BUF_CHUNK,
						       LOG_BUF_CHUNK) != 0);
		if (differs) {
			buf->map[i / 32] |= 1u << i % 32;
		} else {
			if (i > first)
				new_region(item, c->after + first * LOG_BUF_CHUNK, (i - first) * LOG_BUF_CHUNK);
			first = i + 1;
		}
	}
	buf->type = LI_BUF;
	buf->size = item->regions;
	buf->flags = flags;
	buf->len = (uint16_t)(c->len / SECTOR);
	buf->blkno = (int64_t)(c->offset / SECTOR);
	buf->map_size = words;
}

/* ---- inodes ---- */

static uint32_t core_size(const struct volume *v)
{
	return v->crc ? sizeof(struct dinode_disk) : DINODE_SIZE_V4;
}

static uint32_t data_fork_size(const struct volume *v, const struct dinode_disk *inode)
{
	return inode->forkoff ? inode->forkoff * 8u : v->inode_size - core_size(v);
}

/* Adds the root of an extent map in its in-memory form: a block's header, keys, pointers, without spare room. */
static void add_root(struct log_item_data *item, const struct volume *v, const uint8_t *fork, uint32_t fork_size)
{
	uint32_t header = v->crc ? ROOT_HEADER_CRC : ROOT_HEADER, count = magic16(fork + 2);
	uint32_t room = (fork_size - (uint32_t)sizeof(struct bmdr_disk)) / 16;
	uint8_t *root;

	if (count > room)
		errx(1, "a root of %u records", count);
	root = new_region(item, NULL, header + count * 16);
	memset(root + 8, 0xff, 16); /* siblings: none */
	memcpy(root, v->crc ? "BMA3" : "BMAP", 4);
	memcpy(root + 4, fork, 4);
	memcpy(root + header, fork + 4, (size_t)count * 8);
	memcpy(root + header + count * 8, fork + 4 + (size_t)room * 8, (size_t)count * 8);
}

/* Clears the parts of a fork that are not logged, which replay leaves as zeroes. */
static void clear_unused(uint8_t *fork, uint32_t fork_size, uint8_t format, uint64_t used)
{
	uint32_t room = (fork_size - (uint32_t)sizeof(struct bmdr_disk)) / 16, keys = 4 + magic16(fork + 2) * 8u;

	if (format == DINODE_FMT_BTREE) {
		memset(fork + keys, 0, 4 + room * 8 - keys);
		used = keys + room * 8;
	}
	memset(fork + used, 0, fork_size - used);
}

/* Adds the region of a fork, if it has contents; returns its bit, one of those for local data, extents and a root. */
static uint32_t add_fork(struct log_item_data *item, const struct volume *v, uint8_t format, uint8_t *fork,
			 uint32_t fork_size, uint64_t local, uint64_t extents, const uint32_t bits[3])
{
	uint64_t len = format == DINODE_FMT_LOCAL ? local : extents * 16;

	if (format == DINODE_FMT_BTREE) {
		add_root(item, v, fork, fork_size);
		clear_unused(fork, fork_size, format, 0);
		return bits[2];
	}
	if ((format != DINODE_FMT_LOCAL && format != DINODE_FMT_EXTENTS) || len > fork_size)
		return 0;
	clear_unused(fork, fork_size, format, len);
	if (len == 0)
		return 0;
	new_region(item, fork, (uint32_t)len);
	return format == DINODE_FMT_LOCAL ? bits[0] : bits[1];
}

/* Adds the core in little-endian byte order. */
static void add_core(struct log_item_data *item, const struct volume *v, const struct dinode_disk *inode)
{
	/* in versions 1 and 2 it ends before the pointer of unlinked inodes */
	uint32_t len = v->crc ? sizeof(*inode) : (uint32_t)offsetof(struct dinode_disk, next_unlinked);
	uint8_t *core = new_region(item, inode, len);

	item_swap_inode(core, len, v->crc && be64_get(inode->flags2) & DIFLAG2_BIGTIME);
}

static uint64_t ino_at(const struct volume *v, uint64_t offset)
{
	uint64_t ag_size = (uint64_t)v->agblocks * v->block_size;

	return (offset / ag_size << (v->agblock_log + v->inopb_log)) | offset % ag_size / v->inode_size;
}

static void add_inode(const struct change *c, uint32_t at)
{
	static const uint32_t data_bits[3] = { LOG_INODE_DDATA, LOG_INODE_DEXT, LOG_INODE_DBROOT };
	static const uint32_t attr_bits[3] = { LOG_INODE_ADATA, LOG_INODE_AEXT, LOG_INODE_ABROOT };
	const struct dinode_disk *inode = (const struct dinode_disk *)(c->after + at);
	uint8_t *fork = c->after + at + core_size(c->v);
	struct log_item_data *item = new_item(c->list);
	struct inode_item *head = new_region(item, NULL, sizeof(*head));
	uint32_t size = data_fork_size(c->v, inode);
	bool large = c->v->crc && be64_get(inode->flags2) & DIFLAG2_NREXT64;

	*head = (struct inode_item){ .type = LI_INODE,
				     .fields = LOG_INODE_CORE,
				     .ino = ino_at(c->v, c->offset + at),
				     .blkno = (int64_t)(c->offset / SECTOR),
				     .len = (int32_t)(c->len / SECTOR),
				     .boffset = (int32_t)at };
	add_core(item, c->v, inode);
	if (be16_get(inode->mode) != 0) {
		if (inode->format == DINODE_FMT_DEV) {
			head->fields |= LOG_INODE_DEV;
			head->rdev = magic32(fork);
			clear_unused(fork, size, inode->format, 4);
		}
		head->fields |=
			add_fork(item, c->v, inode->format, fork, size, be64_get(inode->size),
				 large ? be64_get(inode->large_nextents) : be32_get(inode->nextents), data_bits);
		if (item->regions == 3)
			head->dsize = (uint16_t)item->region[2].len;
		if (inode->forkoff) {
			uint16_t regions = item->regions;

			head->fields |=
				add_fork(item, c->v, inode->aformat, fork + size,
					 c->v->inode_size - core_size(c->v) - size, magic16(fork + size),
					 large ? be32_get(inode->nextents) : be16_get(inode->anextents), attr_bits);
			if (item->regions > regions)
				head->asize = (uint16_t)item->region[regions].len;
		}
	}
	head->size = item->regions;
	if (c->v->crc) {
		le32_t crc = le32_put(crc_block(inode, c->v->inode_size, offsetof(struct dinode_disk, crc)));

		memcpy(c->after + at + offsetof(struct dinode_disk, crc), &crc, sizeof(crc));
	}
}

/* Builds a newly allocated, free inode. */
static void fresh_inode(const struct volume *v, uint64_t offset, const struct dinode_disk *like, uint8_t *to)
{
	struct dinode_disk inode = { .magic = be16_put(DINODE_MAGIC), .version = like->version };

	inode.gen = like->gen;
	inode.next_unlinked = be32_put(UINT32_MAX);
	memset(to, 0, v->inode_size);
	if (v->crc) {
		inode.ino = be64_put(ino_at(v, offset));
		memcpy(inode.uuid, v->uuid, sizeof(inode.uuid));
	}
	memcpy(to, &inode, core_size(v));
	if (v->crc) {
		inode.crc = le32_put(crc_block(to, v->inode_size, offsetof(struct dinode_disk, crc)));
		memcpy(to, &inode, core_size(v));
	}
}

/* Adds changes of a cluster; creates the inodes first if there were none. */
static void add_inodes(const struct change *c)
{
	uint8_t *fresh = NULL;
	struct change from = *c;

	if (magic16(c->before) != DINODE_MAGIC) {
		struct change made = *c;

		fresh = malloc(c->len);
		if (!fresh)
			err(1, "memory");
		for (uint32_t at = 0; at < c->len; at += c->v->inode_size)
			fresh_inode(c->v, c->offset + at, (const struct dinode_disk *)(c->after + at), fresh + at);
		made.after = fresh;
		add_buffer(&made, LB_DINODE << LOG_BUF_TYPE_SHIFT);
		from.before = fresh;
	}
	for (uint32_t at = 0; at < c->len; at += c->v->inode_size) {
		if (memcmp(from.before + at, c->after + at, c->v->inode_size) != 0)
			add_inode(&from, at);
	}
	free(fresh);
}

/* ---- quotas ---- */

static void add_dquots(const struct change *c)
{
	for (uint32_t at = 0; at + sizeof(struct dquot_disk) <= c->len; at += sizeof(struct dquot_disk)) {
		const struct dquot_disk *dquot = (const struct dquot_disk *)(c->after + at);
		struct log_item_data *item;
		struct dquot_item *head;

		if (memcmp(c->before + at, dquot, sizeof(*dquot)) == 0)
			continue;
		item = new_item(c->list);
		head = new_region(item, NULL, sizeof(*head));
		*head = (struct dquot_item){ .type = LI_DQUOT,
					     .size = 2,
					     .id = be32_get(dquot->id),
					     .blkno = (int64_t)(c->offset / SECTOR),
					     .len = 1,
					     .boffset = at };
		new_region(item, dquot, DQUOT_LOGGED);
	}
}

static uint16_t dquot_flags(const uint8_t *after)
{
	switch (((const struct dquot_disk *)after)->type & DQUOT_TYPE_ANY) {
	case DQUOT_TYPE_USER:
		return LOG_BUF_UDQUOT | LB_UDQUOT << LOG_BUF_TYPE_SHIFT;
	case DQUOT_TYPE_PROJECT:
		return LOG_BUF_PDQUOT | LB_PDQUOT << LOG_BUF_TYPE_SHIFT;
	default:
		return LOG_BUF_GDQUOT | LB_GDQUOT << LOG_BUF_TYPE_SHIFT;
	}
}

void changes_add(struct item_list *list, const struct volume *v, uint64_t offset, uint32_t len, const uint8_t *before,
		 uint8_t *after)
{
	const struct change c = { v, list, offset, len, before, after };

	if (magic16(after) == DINODE_MAGIC && len == v->block_size)
		add_inodes(&c);
	else if (magic16(after) != DQUOT_MAGIC)
		add_buffer(&c, (uint16_t)(type_of(&c) << LOG_BUF_TYPE_SHIFT));
	else if (magic16(before) != DQUOT_MAGIC)
		add_buffer(&c, dquot_flags(after));
	else
		add_dquots(&c);
}
