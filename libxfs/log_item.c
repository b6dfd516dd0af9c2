/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the headers of transactions and items in the log (ondisk 11, "Operations in the payload", "Items"), and the
 * small items: inode creation, quota records, quotaoff.
 */
#include "disk/dquot.h"
#include "log_item.h"

bool log_transaction_header(const uint8_t *bytes, uint32_t len, bool big_endian, uint32_t *ret_count)
{
	if (len != LOG_TRANSACTION_BYTES || log_get32(bytes, big_endian) != LOG_TRANSACTION_MAGIC)
		return false;
	*ret_count = log_get32(bytes + 12, big_endian);
	return true;
}

static bool known(uint16_t type)
{
	return (type >= LI_EFI && type <= LI_IUNLINK) || (type >= LI_INODE && type <= LI_CUD_RT);
}

enum icreate_field { ICREATE_AG = 4, ICREATE_AGBNO = 8, ICREATE_COUNT = 12, ICREATE_ISIZE = 16, ICREATE_LENGTH = 20 };

/* Sets what a buffer, an inode or an icreate is about; fields as in log_buf.c, log_inode.c and log_icreate_decode(). */
static void head_of(const uint8_t *bytes, uint64_t len, bool big_endian, struct log_item_head *head)
{
	switch (head->type) {
	case LI_BUF:
		head->buf_flags = log_get16(bytes + 4, big_endian);
		head->len = log_get16(bytes + 6, big_endian);
		head->at = log_get64(bytes + 8, big_endian);
		break;
	case LI_INODE:
		head->at = log_get64(bytes + (len == LOG_INODE_BYTES_32 ? 12 : 16), big_endian);
		break;
	case LI_ICREATE:
		head->at = log_get64(bytes + ICREATE_AG, true);
		head->len = log_get32(bytes + ICREATE_COUNT, true);
		break;
	default:
		break;
	}
}

void log_item_head(const uint8_t bytes[LOG_ITEM_HEAD_BYTES], uint64_t len, bool big_endian,
		   struct log_item_head *ret_head)
{
	uint16_t type = log_get16(bytes, big_endian);

	*ret_head = (struct log_item_head){
		.type = type,
		.nregions = log_get16(bytes + 2, big_endian),
		.known = known(type),
	};
	head_of(bytes, len, big_endian, ret_head);
}

bool log_item_shape(const struct check *c, const struct log_item *item, uint32_t nregions, uint32_t len)
{
	if (item->nregions != nregions)
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, nregions);
	if (item->regions[0].len != len)
		return problem_at(c, F_LOG_ITEM_LEN, 0, 0, item->regions[0].len, len);
	return true;
}

/* Fields of ICREATE are big-endian, unlike those of all other items. */
bool log_icreate_decode(const struct check *c, const struct log_item *item, struct log_icreate *ret_icreate)
{
	const struct geometry *g = c->geo;
	struct log_icreate icreate;
	const uint8_t *bytes;
	uint64_t inodes;
	uint32_t isize;

	if (!log_item_shape(c, item, 1, 28))
		return false;
	bytes = item->regions[0].bytes;
	icreate.agno.v = log_get32(bytes + ICREATE_AG, true);
	icreate.agbno.v = log_get32(bytes + ICREATE_AGBNO, true);
	icreate.count = log_get32(bytes + ICREATE_COUNT, true);
	isize = log_get32(bytes + ICREATE_ISIZE, true);
	icreate.blocks = log_get32(bytes + ICREATE_LENGTH, true);
	icreate.gen = log_get32(bytes + 24, true);
	if (isize != g->inode_size)
		return problem_at(c, F_LOG_ICREATE_ISIZE, ICREATE_ISIZE, 0, isize, g->inode_size);
	/* a whole chunk or, with sparse chunks, one allocation unit */
	if (icreate.blocks != g->chunk_blocks && (!g->sparse_align || icreate.blocks != g->sparse_align))
		return problem_at(c, F_LOG_ICREATE_LENGTH, ICREATE_LENGTH, 0, icreate.blocks, g->chunk_blocks);
	inodes = (uint64_t)icreate.blocks * g->inodes_per_block;
	if (icreate.count != inodes)
		return problem_at(c, F_LOG_ICREATE_COUNT, ICREATE_COUNT, 0, icreate.count, inodes);
	if (!log_extent_possible(g, icreate.agno.v, icreate.agbno.v, icreate.blocks))
		return problem_at(c, F_LOG_ICREATE_PLACE, ICREATE_AG, 0, icreate.agbno.v, icreate.agno.v);
	*ret_icreate = icreate;
	return true;
}

enum dquot_field { DQUOT_ID = 4, DQUOT_BLKNO = 8, DQUOT_LEN = 16, DQUOT_OFFSET = 20, DQUOT_LOGGED = 104 };

bool log_dquot_decode(const struct check *c, const struct log_item *item, struct log_dquot *ret_dquot)
{
	const uint32_t size = sizeof(struct dquot_disk);
	const bool be = item->big_endian;
	const struct dquot_disk *disk;
	struct log_dquot dquot;
	const uint8_t *bytes;
	uint32_t blocks;

	if (!log_item_shape(c, item, 2, 24))
		return false;
	if (item->regions[1].len < DQUOT_LOGGED)
		return problem_at(c, F_LOG_ITEM_LEN, 0, 1, item->regions[1].len, DQUOT_LOGGED);
	bytes = item->regions[0].bytes;
	dquot.id = log_get32(bytes + DQUOT_ID, be);
	dquot.daddr.v = log_get64(bytes + DQUOT_BLKNO, be);
	blocks = log_get32(bytes + DQUOT_LEN, be);
	dquot.len = c->geo->block_size >> SECTOR_LOG;
	dquot.offset = log_get32(bytes + DQUOT_OFFSET, be);
	dquot.dquot = item->regions[1].bytes;
	disk = (const struct dquot_disk *)dquot.dquot;
	/* the buffer of a quota file is one block, and the item gives its length in blocks */
	if (blocks != 1 || !log_sectors_possible(dquot.daddr, dquot.len))
		return problem_at(c, F_LOG_ITEM_SECTORS, DQUOT_BLKNO, 0, dquot.daddr.v, blocks);
	/* a block holds as many records as fit, in the order of their ids */
	if (dquot.offset != dquot.id % (c->geo->block_size / size) * size)
		return problem_at(c, F_LOG_DQUOT_OFFSET, DQUOT_OFFSET, 0, dquot.offset, dquot.id);
	if (be16_get(disk->magic) != DQUOT_MAGIC)
		return problem_at(c, F_LOG_DQUOT_MAGIC, offsetof(struct dquot_disk, magic), 1, be16_get(disk->magic),
				  DQUOT_MAGIC);
	if (be32_get(disk->id) != dquot.id)
		return problem_at(c, F_LOG_DQUOT_ID, offsetof(struct dquot_disk, id), 1, be32_get(disk->id), dquot.id);
	*ret_dquot = dquot;
	return true;
}

bool log_quotaoff_decode(const struct check *c, const struct log_item *item, uint32_t *ret_types)
{
	static const struct {
		uint32_t flag, type;
	} types[] = { { 0x01, LOG_BUF_UDQUOT }, { 0x08, LOG_BUF_PDQUOT }, { 0x40, LOG_BUF_GDQUOT } };
	uint32_t flags, off = 0;

	if (!log_item_shape(c, item, 1, 20))
		return false;
	flags = log_get32(item->regions[0].bytes + 4, item->big_endian);
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (flags & types[i].flag)
			off |= types[i].type;
	*ret_types = off;
	return true;
}
