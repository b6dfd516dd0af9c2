/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the blocks that mark a log clean (ondisk 11, "Unmount record", "Writing a clean log").  A replayed log is not
 * reformatted.  As in the kernel's recovery, the blocks after the head that writes may have reached before the crash
 * get the cycle of the lap before, so that the head is unambiguous; then, as at an unmount, an unmount record goes to
 * the head.
 */
#include "libxfs/crc.h"
#include "libxfs/log_write.h"

#define UNMOUNT_TID   0xb0c0d0d0u
#define UNMOUNT_MAGIC "\x6e\x55" /* in little-endian byte order */

/* The unit of the length of all records, in bytes. */
static uint32_t record_unit(const struct geometry *g)
{
	uint32_t unit = g->log_stripe_unit > LOG_BLOCK ? g->log_stripe_unit : LOG_BLOCK;

	return unit > g->log_sector_size ? unit : g->log_sector_size;
}

/* The size field of our records, on which their number of header blocks depends. */
static uint32_t buffer_bytes(const struct geometry *g)
{
	uint32_t unit = record_unit(g);

	return g->log_version == 1 || unit < LOG_HEADER_COVERS ? LOG_HEADER_COVERS : unit;
}

static uint32_t header_blocks(const struct geometry *g)
{
	return (buffer_bytes(g) + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS;
}

uint32_t log_record_blocks(const struct geometry *g)
{
	uint32_t unit = record_unit(g) / LOG_BLOCK;

	return (header_blocks(g) + 1 + unit - 1) / unit * unit;
}

static void put_header(const struct geometry *g, lsn_t lsn, lsn_t tail, struct log_header_disk *header)
{
	memset(header, 0, LOG_BLOCK);
	header->magic = be32_put(LOG_MAGIC);
	header->cycle = be32_put((uint32_t)(lsn.v >> 32));
	header->version = be32_put(g->log_version);
	header->lsn = be64_put(lsn.v);
	header->tail_lsn = be64_put(tail.v);
	header->prev_block = be32_put(LOG_NO_BLOCK);
	header->fmt = be32_put(LOG_FORMAT_LE);
	memcpy(header->fs_uuid, g->uuid, sizeof(header->fs_uuid));
}

/* The cycle of the block `distance` blocks after the LSN `from`: one higher beyond the end of the log. */
static uint32_t cycle_at(lsn_t from, uint32_t bbs, uint32_t distance)
{
	return (uint32_t)(from.v >> 32) + (distance >= bbs - (uint32_t)from.v);
}

static uint32_t block_at(lsn_t from, uint32_t bbs, uint32_t distance)
{
	return (uint32_t)(((uint64_t)(uint32_t)from.v + distance) % bbs);
}

/* Writes a whole unmount record, log_record_blocks() blocks. */
static void put_unmount(const struct geometry *g, lsn_t lsn, lsn_t tail, uint32_t bbs, uint8_t *blocks)
{
	uint32_t headers = header_blocks(g), count = log_record_blocks(g);
	struct log_header_disk *header = (struct log_header_disk *)blocks;
	struct log_op_disk *op = (struct log_op_disk *)(blocks + (size_t)headers * LOG_BLOCK);
	size_t crc_at = offsetof(struct log_header_disk, crc) + sizeof(header->crc);
	uint32_t payload = (count - headers) * LOG_BLOCK;
	uint32_t extended = (payload + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS, crc;

	memset(blocks, 0, (size_t)count * LOG_BLOCK);
	put_header(g, lsn, tail, header);
	header->len = be32_put(payload);
	header->num_logops = be32_put(1);
	header->size = be32_put(buffer_bytes(g));
	op->len = be32_put(8);
	op->clientid = LOG_CLIENT_LOG;
	op->flags = LOG_OP_UNMOUNT;
	memcpy(op + 1, UNMOUNT_MAGIC, 2);
	/* the first word of the payload is the tid, saved in the header; first words of further blocks are zero */
	header->cycle_data[0] = be32_put(UNMOUNT_TID);
	for (uint32_t i = 1; i < count; i++) {
		be32_t stamp = be32_put(cycle_at(lsn, bbs, i));

		memcpy(blocks + (size_t)i * LOG_BLOCK, &stamp, sizeof(stamp));
	}

	crc = crc_add(CRC_SEED, header, crc_at);
	crc = crc_add(crc, blocks + crc_at, sizeof(*header) - crc_at);
	for (uint32_t i = 1; i < headers && i < extended; i++)
		crc = crc_add(crc, blocks + (size_t)i * LOG_BLOCK, sizeof(struct log_ext_header_disk));
	crc = crc_add(crc, op, payload);
	header->crc = le32_put(~crc);
}

/* Makes a block an empty record header of this LSN; with cycle 0, a blank one, as if never written. */
static void put_empty(const struct geometry *g, lsn_t lsn, lsn_t tail, uint8_t block[LOG_BLOCK])
{
	memset(block, 0, LOG_BLOCK);
	if (lsn.v >> 32)
		put_header(g, lsn, tail, (struct log_header_disk *)block);
}

bool log_ending_plan(const struct geometry *g, uint32_t bbs, lsn_t head, lsn_t tail, struct log_ending *ret_ending)
{
	uint32_t head_cycle = (uint32_t)(head.v >> 32), tail_cycle = (uint32_t)(tail.v >> 32);
	uint32_t head_bb = (uint32_t)head.v, tail_bb = (uint32_t)tail.v;
	uint32_t in_flight = LOG_MAX_IN_FLIGHT * (g->log_version == 1 ? LOG_V1_RECORD : LOG_MAX_RECORD) / LOG_BLOCK;
	uint32_t record = log_record_blocks(g), room;

	if (head_cycle == 0 || head_bb >= bbs || tail_bb >= bbs)
		return false;
	if (head_cycle == tail_cycle && head_bb >= tail_bb)
		room = tail_bb + (bbs - head_bb);
	else if (head_cycle == tail_cycle + 1 && head_bb < tail_bb)
		room = tail_bb - head_bb;
	else
		return false;
	if (room < record)
		return false;
	*ret_ending = (struct log_ending){
		.head = head,
		.tail = tail,
		.bbs = bbs,
		.record = record,
		.clear_blocks = in_flight < room ? in_flight : room,
	};
	return true;
}

bool log_block_stale(const struct log_ending *ending, uint32_t distance, const uint8_t block[LOG_BLOCK])
{
	const struct log_header_disk *header = (const struct log_header_disk *)block;
	uint32_t first = be32_get(header->magic);
	uint32_t cycle = first == LOG_MAGIC ? be32_get(header->cycle) : first;

	return cycle != cycle_at(ending->head, ending->bbs, distance) - 1;
}

void log_clear_encode(const struct geometry *g, const struct log_ending *ending, uint32_t distance,
		      uint8_t block[LOG_BLOCK])
{
	uint64_t cycle = cycle_at(ending->head, ending->bbs, distance) - 1;
	lsn_t lsn = { cycle << 32 | block_at(ending->head, ending->bbs, distance) };

	put_empty(g, lsn, ending->tail, block);
}

void log_unmount_encode(const struct geometry *g, const struct log_ending *ending, uint8_t *blocks)
{
	/* tail and head are the same: nothing before the record is needed */
	put_unmount(g, ending->head, ending->head, ending->bbs, blocks);
}

void log_format_record(const struct geometry *g, uint32_t bbs, uint32_t cycle, uint8_t *record)
{
	lsn_t lsn = { (uint64_t)cycle << 32 };

	put_unmount(g, lsn, lsn, bbs, record);
}

void log_format_block(const struct geometry *g, uint32_t cycle, uint32_t bb, uint8_t block[LOG_BLOCK])
{
	lsn_t lsn = { (uint64_t)(cycle - 1) << 32 | bb };

	put_empty(g, lsn, lsn, block);
}
