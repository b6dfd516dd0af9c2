/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores the payload of a log record, in which the cycle has replaced the first word of every block, and decodes the
 * operations in it (ondisk 11, "Log record", "Operations in the payload").  log_record.c has checked cycles and
 * checksum; transactions and items are assembled elsewhere.
 */
#include "disk/log_item.h"
#include "log_record.h"

/* The word of a payload block that its cycle replaced, as saved in the header. */
static const uint8_t *saved_word(const uint8_t *header, uint32_t index, bool extended)
{
	size_t cycles = extended ? offsetof(struct log_ext_header_disk, cycle_data)
				 : offsetof(struct log_header_disk, cycle_data);

	return header + cycles + index * sizeof(be32_t);
}

/* Restores the first words of the payload blocks that header block `header` covers.  False: it is unreadable. */
static bool restore(struct log_reader *log, const struct log_record *record, uint32_t header, uint8_t *payload)
{
	uint32_t first = header * LOG_CYCLES_PER_BLOCK, blocks = record->blocks - record->header_blocks;
	const uint8_t *block = log_block(log, (record->bb + header) % log->bbs);

	if (!block)
		return false;
	for (uint32_t i = first; i < blocks && i < first + LOG_CYCLES_PER_BLOCK; i++)
		memcpy(payload + (size_t)i * LOG_BLOCK, saved_word(block, i - first, header > 0), sizeof(be32_t));
	return true;
}

/* Restores the payload of an intact record, as log_record_read() has read it. */
static bool restore_payload(struct log_reader *log, const struct log_record *record, uint8_t *payload)
{
	/* a record of version 1 has one header block, which covers all its payload */
	for (uint32_t header = 0; header < record->header_blocks; header++)
		if (!restore(log, record, header, payload))
			return false;
	return true;
}

/* Reads a part of the restored payload. */
static bool read_bytes(struct log_reader *log, const struct log_record *record, uint32_t at, uint8_t *buf, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		const uint32_t index = (at + i) / LOG_BLOCK, within = (at + i) % LOG_BLOCK;
		const bool saved = within < sizeof(be32_t);
		const uint32_t header = index / LOG_CYCLES_PER_BLOCK;
		const uint8_t *block = log_block(
			log, (uint32_t)((record->bb + (uint64_t)(saved ? header : record->header_blocks + index)) %
					log->bbs));

		if (!block)
			return false;
		buf[i] = saved ? saved_word(block, index % LOG_CYCLES_PER_BLOCK, header > 0)[within] : block[within];
	}
	return true;
}

bool log_record_commits(struct log_reader *log, const struct log_record *record)
{
	const uint32_t len = (record->blocks - record->header_blocks) * LOG_BLOCK;
	struct log_op_disk op;

	for (uint32_t i = 0, at = 0; i < record->ops && at <= len && len - at >= sizeof(op); i++) {
		if (!read_bytes(log, record, at, (uint8_t *)&op, sizeof(op)))
			return false;
		if (op.flags & LOG_OP_COMMIT)
			return true;
		if (be32_get(op.len) > len - at - sizeof(op))
			return false;
		at += (uint32_t)sizeof(op) + be32_get(op.len);
	}
	return false;
}

bool log_payload_read(const struct check *c, log_read *read, void *ctx, uint64_t bbs, uint32_t bb, uint8_t *buf,
		      struct log_payload *ret_payload)
{
	struct log_reader log = log_reader_of(read, ctx, bbs);
	const struct log_header_disk *disk;
	struct log_record record;
	uint32_t fmt;

	if (!log_record_decode(c, &log, bb, &record) || !log_record_read(c, &log, &record, buf) ||
	    !restore_payload(&log, &record, buf))
		return false;
	disk = (const struct log_header_disk *)log_block(&log, bb);
	if (!disk)
		return false;
	fmt = be32_get(disk->fmt);
	*ret_payload = (struct log_payload){
		.lsn = { (uint64_t)record.cycle << 32 | bb },
		.blocks = record.blocks,
		.data_bb = (bb + record.header_blocks) % log.bbs,
		.len = (record.blocks - record.header_blocks) * LOG_BLOCK,
		.ops = record.ops,
		/* IRIX, which leaves the format field empty, ran on big-endian machines */
		.big_endian = fmt != LOG_FORMAT_LE,
		.bytes = buf,
	};
	return true;
}

bool log_op_next(const struct check *c, const struct log_payload *payload, struct log_op_position *position,
		 struct log_op *ret_op)
{
	const struct log_op_disk *disk = (const struct log_op_disk *)(payload->bytes + position->offset);
	uint32_t left = payload->len - position->offset, at = position->offset;
	struct log_op op;

	if (position->index == payload->ops)
		return false;
	if (left < sizeof(*disk)) {
		position->bad = true;
		return problem_at(c, F_LOG_OP_COUNT, at, position->index, payload->ops, position->index);
	}
	op.tid = be32_get(disk->tid);
	op.len = be32_get(disk->len);
	op.flags = disk->flags;
	op.log_itself = disk->clientid == LOG_CLIENT_LOG;
	op.offset = at + (uint32_t)sizeof(*disk);
	left -= (uint32_t)sizeof(*disk);
	position->bad = true;
	if (disk->clientid != LOG_CLIENT_TRANSACTION && !op.log_itself)
		return problem_at(c, F_LOG_OP_CLIENT, at + (uint32_t)offsetof(struct log_op_disk, clientid),
				  position->index, disk->clientid, LOG_CLIENT_TRANSACTION);
	if (op.len > left)
		return problem_at(c, F_LOG_OP_LEN, at + (uint32_t)offsetof(struct log_op_disk, len), position->index,
				  op.len, left);
	position->bad = false;
	position->index++;
	position->offset = op.offset + op.len;
	*ret_op = op;
	return true;
}
