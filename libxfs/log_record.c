/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes a record of the log (ondisk 11, "Log record"): its header, the cycles of its blocks, its checksum.  Of its
 * contents, it only checks whether it is an unmount record.
 */
#include <errno.h>

#include "libxfs/crc.h"
#include "log_record.h"

#define HEADER_OFF(field) ((uint32_t)offsetof(struct log_header_disk, field))
/* bytes of the header under the checksum: kernels for i386 have a shorter struct */
#define HEADER_SIZE	 sizeof(struct log_header_disk)
#define HEADER_SIZE_I386 HEADER_OFF(pad)

struct log_reader log_reader_of(log_read *read, void *ctx, uint64_t bbs)
{
	return (struct log_reader){
		.read = read,
		.ctx = ctx,
		.bbs = bbs <= UINT32_MAX / LOG_BLOCK ? (uint32_t)bbs : 0,
		.unreadable = LOG_NO_BLOCK,
		.missing = LOG_NO_BLOCK,
	};
}

/*
 * Reads blocks into log->bytes.  False: at least one is unreadable.  Once the end of the device is known, blocks after
 * it are not read again.
 */
static bool read_blocks(struct log_reader *log, uint32_t first, uint32_t count)
{
	bool there = first < log->missing && count <= log->missing - first;
	int error = there ? log->read(log->ctx, log->bytes, first, count) : -ENODATA;

	if (error == -ENODATA && there && count == 1)
		log->missing = first;
	log->first = first;
	log->count = error ? 0 : count;
	return !error;
}

const uint8_t *log_block(struct log_reader *log, uint32_t bb)
{
	uint32_t first = bb - bb % LOG_CHUNK_BLOCKS;
	uint32_t count = log->bbs - first < LOG_CHUNK_BLOCKS ? log->bbs - first : LOG_CHUNK_BLOCKS;

	/* if the chunk is unreadable, this block alone may still be readable */
	if (bb - log->first >= log->count && !read_blocks(log, first, count) && !read_blocks(log, bb, 1)) {
		if (log->unreadable == LOG_NO_BLOCK)
			log->unreadable = bb;
		return NULL;
	}
	return log->bytes + (size_t)(bb - log->first) * LOG_BLOCK;
}

static uint32_t first_word(const uint8_t *block)
{
	be32_t word;

	memcpy(&word, block, sizeof(word));
	return be32_get(word);
}

bool log_is_header(const uint8_t *block)
{
	return first_word(block) == LOG_MAGIC;
}

uint32_t log_cycle(const uint8_t *block)
{
	const struct log_header_disk *disk = (const struct log_header_disk *)block;

	return log_is_header(block) ? be32_get(disk->cycle) : first_word(block);
}

/*
 * True if the record has one of the uuids of the file system.  If the user has changed the uuid, metadata keeps the old
 * one, and a log may have either, depending on when it was written.
 */
static bool right_uuid(const struct geometry *g, const struct log_header_disk *disk)
{
	return memcmp(disk->fs_uuid, g->uuid, sizeof(g->uuid)) == 0 ||
	       memcmp(disk->fs_uuid, g->meta_uuid, sizeof(g->meta_uuid)) == 0;
}

bool log_lost_magic(const struct geometry *g, const uint8_t *block, lsn_t lsn)
{
	const struct log_header_disk *disk = (const struct log_header_disk *)block;

	return !log_is_header(block) && be64_get(disk->lsn) == lsn.v && right_uuid(g, disk);
}

/* Reports the field at `offset` of the header of the record at bb. */
static bool header_problem(const struct check *c, enum finding finding, uint32_t bb, uint32_t offset, uint64_t got,
			   uint64_t want)
{
	return problem_at(c, finding, bb * LOG_BLOCK + offset, bb, got, want);
}

/*
 * The version of the record.  xfs_admin -j converts a log of version 1 to version 2, but keeps its last record; neither
 * has checksums.
 */
static uint32_t version_of(const struct geometry *g, const struct log_header_disk *disk)
{
	return !g->crc && be32_get(disk->version) == 1 ? 1 : g->log_version;
}

/* Size of the kernel's log buffer from which the record was written, which is also the longest possible record. */
static uint32_t buffer_size(const struct geometry *g, const struct log_header_disk *disk)
{
	return version_of(g, disk) == 1 ? LOG_V1_RECORD : be32_get(disk->size);
}

/* Size of the payload in bytes. */
static uint32_t payload_size(const struct log_header_disk *disk)
{
	uint32_t len = be32_get(disk->len);

	if (len == LOG_OLD_MKFS_LEN && be32_get(disk->num_logops) == 1 && be32_get(disk->prev_block) == LOG_NO_BLOCK)
		return LOG_BLOCK;
	return len;
}

/* True if IRIX wrote the record: it uses version 1 only and leaves uuid and format empty. */
static bool from_irix(const struct geometry *g, const struct log_header_disk *disk)
{
	static const uint8_t none[sizeof(disk->fs_uuid)];

	return g->log_version == 1 && be32_get(disk->fmt) == 0 && memcmp(disk->fs_uuid, none, sizeof(none)) == 0;
}

/* Checks the sizes, from which the end of the record follows. */
static bool check_extent(const struct check *c, const struct log_reader *log, const struct log_header_disk *disk,
			 uint32_t bb)
{
	uint32_t len = payload_size(disk), size = buffer_size(c->geo, disk);
	/* an old mkfs wrote records that are larger than their size field; they have just one operation */
	uint32_t max = be32_get(disk->num_logops) == 1 ? LOG_MAX_RECORD : size;

	if (size == 0 || size % LOG_BLOCK != 0 || size > LOG_MAX_RECORD)
		return header_problem(c, F_LOG_RECORD_SIZE, bb, HEADER_OFF(size), size, LOG_MAX_RECORD);
	if (len == 0 || len % LOG_BLOCK != 0 || len > max)
		return header_problem(c, F_LOG_RECORD_LEN, bb, HEADER_OFF(len), len, max);
	if (LOG_MAX_RECORD / LOG_HEADER_COVERS + len / LOG_BLOCK > log->bbs)
		return header_problem(c, F_LOG_RECORD_LEN, bb, HEADER_OFF(len), len, log->bbs);
	return true;
}

/* True if the tail lies before the record, by at most one lap. */
static bool tail_possible(const struct log_reader *log, const struct log_record *record)
{
	uint32_t cycle = (uint32_t)(record->tail.v >> 32), bb = (uint32_t)record->tail.v;

	if (cycle == 0 || bb >= log->bbs)
		return false;
	return cycle == record->cycle ? bb <= record->bb : cycle == record->cycle - 1 && bb >= record->bb;
}

/* Like log_record_decode(), for a given header. */
static bool decode_header(const struct check *c, const struct log_reader *log, const struct log_header_disk *disk,
			  uint32_t bb, struct log_record *ret_record)
{
	const struct geometry *g = c->geo;
	struct log_record record = { .bb = bb };
	uint32_t size, fmt;
	uint64_t lsn;

	record.cycle = be32_get(disk->cycle);
	record.tail.v = be64_get(disk->tail_lsn);
	record.tail_possible = tail_possible(log, &record);
	lsn = (uint64_t)record.cycle << 32 | bb;
	fmt = be32_get(disk->fmt);
	if (be32_get(disk->version) != version_of(g, disk))
		header_problem(c, F_LOG_RECORD_VERSION, bb, HEADER_OFF(version), be32_get(disk->version),
			       g->log_version);
	if (be64_get(disk->lsn) != lsn)
		header_problem(c, F_LOG_RECORD_LSN, bb, HEADER_OFF(lsn), be64_get(disk->lsn), lsn);
	else if (!record.tail_possible)
		header_problem(c, F_LOG_RECORD_TAIL, bb, HEADER_OFF(tail_lsn), record.tail.v, lsn);
	if (fmt != LOG_FORMAT_LE && fmt != LOG_FORMAT_BE && !from_irix(g, disk))
		header_problem(c, F_LOG_RECORD_FORMAT, bb, HEADER_OFF(fmt), fmt, LOG_FORMAT_LE);
	record.foreign = !right_uuid(g, disk) && !from_irix(g, disk);
	if (record.foreign)
		header_problem(c, F_LOG_RECORD_UUID, bb, HEADER_OFF(fs_uuid), 0, 0);
	if (!check_extent(c, log, disk, bb))
		return false;

	size = buffer_size(g, disk);
	record.header_blocks = (size + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS;
	record.blocks = record.header_blocks + payload_size(disk) / LOG_BLOCK;
	record.ops = be32_get(disk->num_logops);
	record.stored_crc = le32_get(disk->crc);
	/*
	 * mkfs and repair tools, whose record has no predecessor, store no checksum, nor did kernels before version 5
	 */
	record.has_crc = record.stored_crc != 0 || (g->crc && be32_get(disk->prev_block) != LOG_NO_BLOCK);
	*ret_record = record;
	return true;
}

bool log_record_decode(const struct check *c, struct log_reader *log, uint32_t bb, struct log_record *ret_record)
{
	const uint8_t *block = log_block(log, bb);

	return block && log_is_header(block) &&
	       decode_header(c, log, (const struct log_header_disk *)block, bb, ret_record);
}

static uint32_t add_header(uint32_t crc, const uint8_t *block, size_t header_size)
{
	static const le32_t zero;
	size_t behind = HEADER_OFF(crc) + sizeof(zero);

	crc = crc_add(crc, block, HEADER_OFF(crc));
	crc = crc_add(crc, &zero, sizeof(zero));
	return crc_add(crc, block + behind, header_size - behind);
}

/* Number of bytes of block i of the record under its checksum. */
static uint32_t covered_bytes(const struct log_record *record, uint32_t i, size_t header_size)
{
	uint32_t payload = (record->blocks - record->header_blocks) * LOG_BLOCK;
	/* header blocks that the payload needs; any others are not under the checksum */
	uint32_t extended = (payload + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS;

	if (i == 0)
		return (uint32_t)header_size;
	if (i >= record->header_blocks)
		return LOG_BLOCK;
	return i < extended ? (uint32_t)sizeof(struct log_ext_header_disk) : 0;
}

/* Block of the log of block i of the record, which may wrap around. */
static uint32_t place_of(const struct log_reader *log, const struct log_record *record, uint32_t i)
{
	return i >= log->bbs - record->bb ? i - (log->bbs - record->bb) : record->bb + i;
}

/* Adds block i of the record to the checksum. */
static uint32_t add_block(uint32_t crc, const struct log_record *record, uint32_t i, const uint8_t *block,
			  size_t header_size)
{
	return i == 0 ? add_header(crc, block, header_size)
		      : crc_add(crc, block, covered_bytes(record, i, header_size));
}

/*
 * Computes the checksum over header, extended headers and payload as stored.  payload: receives a copy of that; NULL:
 * none is wanted.  False: block *ret_bad is unreadable or does not belong to this record.
 */
static bool compute_crc(struct log_reader *log, const struct log_record *record, size_t header_size, uint8_t *payload,
			uint32_t *ret_crc, uint32_t *ret_bad)
{
	uint32_t crc = CRC_SEED;

	for (uint32_t i = 0; i < record->blocks; i++) {
		uint32_t bb = place_of(log, record, i);
		bool wrapped = bb < record->bb;
		const uint8_t *block = log_block(log, bb);

		if (!block || log_cycle(block) != record->cycle + wrapped || log_is_header(block) != (i == 0)) {
			*ret_bad = bb;
			return false;
		}
		crc = add_block(crc, record, i, block, header_size);
		if (payload && i >= record->header_blocks)
			memcpy(payload + (size_t)(i - record->header_blocks) * LOG_BLOCK, block, LOG_BLOCK);
	}
	*ret_crc = ~crc;
	return true;
}

bool log_record_read(const struct check *c, struct log_reader *log, const struct log_record *record, uint8_t *payload)
{
	uint32_t crc, crc_i386, bad;

	if (!compute_crc(log, record, HEADER_SIZE, payload, &crc, &bad)) {
		const uint8_t *block = log_block(log, bad);

		return block && problem_at(c, F_LOG_CYCLE, bad * LOG_BLOCK, bad, log_cycle(block),
					   record->cycle + (bad < record->bb));
	}
	if (record->stored_crc == crc || !record->has_crc)
		return true;
	if (compute_crc(log, record, HEADER_SIZE_I386, NULL, &crc_i386, &bad) && record->stored_crc == crc_i386)
		return true;
	return header_problem(c, F_LOG_RECORD_CRC, record->bb, HEADER_OFF(crc), record->stored_crc, crc);
}

bool log_record_verify(const struct check *c, struct log_reader *log, const struct log_record *record)
{
	return log_record_read(c, log, record, NULL);
}

bool log_record_find_bit(struct log_reader *log, const struct log_record *record, struct log_bit *ret_bit)
{
	uint32_t crc = CRC_SEED;
	size_t len = 0, at;

	for (uint32_t i = 0; i < record->blocks; i++) {
		const uint8_t *block = log_block(log, place_of(log, record, i));

		if (!block)
			return false;
		crc = add_block(crc, record, i, block, HEADER_SIZE);
		len += covered_bytes(record, i, HEADER_SIZE);
	}
	if (!record->has_crc ||
	    !crc_find_change(record->stored_crc ^ ~crc, len, HEADER_OFF(crc), &at, &ret_bit->mask) ||
	    __builtin_popcount(ret_bit->mask) != 1)
		return false;
	ret_bit->record = record->bb;
	for (uint32_t i = 0; i < record->blocks; i++) {
		const uint32_t covered = covered_bytes(record, i, HEADER_SIZE);

		if (at < covered) {
			ret_bit->bb = place_of(log, record, i);
			ret_bit->offset = (uint32_t)at;
			return true;
		}
		at -= covered;
	}
	return false;
}

void log_record_restore(const struct check *c, struct log_reader *log, struct log_record *record)
{
	const struct check silent = check_silent(c->geo);
	struct log_header_disk header;
	const uint8_t *block;
	struct log_bit bit;

	if (log_record_verify(&silent, log, record) || !log_record_find_bit(log, record, &bit) || bit.bb != record->bb)
		return;
	block = log_block(log, record->bb);
	if (!block)
		return;
	memcpy(&header, block, sizeof(header));
	((uint8_t *)&header)[bit.offset] ^= bit.mask;
	decode_header(&silent, log, &header, record->bb, record);
}

bool log_record_unmounts(const struct check *c, struct log_reader *log, const struct log_record *record)
{
	const uint8_t *block = log_block(log, (record->bb + record->header_blocks) % log->bbs);
	const struct log_op_disk *op = (const struct log_op_disk *)block;

	if (!block || op->clientid != LOG_CLIENT_LOG || !(op->flags & LOG_OP_UNMOUNT))
		return false;
	if (record->ops != 1)
		header_problem(c, F_LOG_RECORD_OPS, record->bb, HEADER_OFF(num_logops), record->ops, 1);
	return true;
}
