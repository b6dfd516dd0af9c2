/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the records of a log in memory. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disk/sb.h"
#include "libxfs/crc.h"
#include "libxfs/log.h"
#include "records.h"

static uint8_t *block_at(const struct log_image *log, uint32_t bb)
{
	return log->bytes + (size_t)(bb % log->bbs) * LOG_BLOCK;
}

static void read_at(int fd, void *buf, size_t len, off_t offset)
{
	if (pread(fd, buf, len, offset) != (ssize_t)len)
		err(1, "read of %zu bytes at %lld", len, (long long)offset);
}

/* Opens the log of an image in a file of its own, IMAGE.log. */
static int open_log_of(const char *path)
{
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s.log", path);
	fd = open(name, O_RDWR);
	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

void log_image_open(struct log_image *log, const char *path)
{
	struct sb_disk sb;
	uint64_t logstart, agno, agbno;
	uint32_t block_size;

	log->fd = open(path, O_RDWR);
	if (log->fd < 0)
		err(1, "%s", path);
	read_at(log->fd, &sb, sizeof(sb), 0);
	logstart = be64_get(sb.logstart);
	block_size = be32_get(sb.blocksize);
	if (be32_get(sb.magicnum) != SB_MAGIC)
		errx(1, "%s: no XFS", path);
	if (logstart == 0) {
		close(log->fd);
		log->fd = open_log_of(path);
	}
	agno = logstart >> sb.agblklog;
	agbno = logstart & ((1ull << sb.agblklog) - 1);
	log->start = (off_t)((agno * be32_get(sb.agblocks) + agbno) * block_size);
	log->bbs = be32_get(sb.logblocks) * (block_size / LOG_BLOCK);
	memcpy(log->uuid, sb.uuid, sizeof(log->uuid));
	log->crc = (be16_get(sb.versionnum) & SB_VERSION_NUMBER) == SB_VERSION_5;
	log->bytes = malloc((size_t)log->bbs * LOG_BLOCK);
	if (!log->bytes)
		err(1, "memory");
	read_at(log->fd, log->bytes, (size_t)log->bbs * LOG_BLOCK, log->start);
}

static int read_log(void *ctx, void *buf, uint64_t bb, uint32_t count)
{
	const struct log_image *log = ctx;

	memcpy(buf, block_at(log, (uint32_t)bb), (size_t)count * LOG_BLOCK);
	return 0;
}

/* The place of the saved first word of a payload block. */
static be32_t *saved_word(const struct log_image *log, struct record *record, uint32_t block)
{
	struct log_ext_header_disk *extended;

	if (block < LOG_CYCLES_PER_BLOCK)
		return &record->header.cycle_data[block];
	extended = (struct log_ext_header_disk *)block_at(log, record->bb + block / LOG_CYCLES_PER_BLOCK);
	return &extended->cycle_data[block % LOG_CYCLES_PER_BLOCK];
}

static struct record record_at(const struct log_image *log, uint32_t bb)
{
	struct record record = { .bb = bb };
	uint32_t size;

	memcpy(&record.header, block_at(log, bb), sizeof(record.header));
	if (be32_get(record.header.magic) != LOG_MAGIC)
		errx(1, "no record at block %u of the log", bb);
	size = be32_get(record.header.version) == 1 ? LOG_V1_RECORD : be32_get(record.header.size);
	record.header_blocks = (size + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS;
	record.len = be32_get(record.header.len);
	record.payload = malloc(record.len);
	if (!record.payload)
		err(1, "memory");
	for (uint32_t i = 0; i < record.len / LOG_BLOCK; i++) {
		uint8_t *to = record.payload + (size_t)i * LOG_BLOCK;

		memcpy(to, block_at(log, bb + record.header_blocks + i), LOG_BLOCK);
		memcpy(to, saved_word(log, &record, i), sizeof(be32_t));
	}
	return record;
}

struct records log_image_records(const struct log_image *log)
{
	struct geometry geo = { .crc = log->crc };
	const struct check check = check_silent(&geo);
	struct records records = { 0 };
	struct log_state state;

	geo.log_version = (uint8_t)be32_get(((struct log_header_disk *)block_at(log, 0))->version);
	memcpy(geo.uuid, log->uuid, sizeof(geo.uuid));
	log_examine(&check, read_log, (void *)log, log->bbs, &state);
	if (state.condition != LOG_DIRTY)
		errx(1, "nothing waits in the log");
	records.list = calloc(state.records, sizeof(*records.list));
	if (!records.list)
		err(1, "memory");
	for (uint32_t bb = (uint32_t)state.tail.v; bb != (uint32_t)state.head.v;) {
		struct record *record = &records.list[records.count++];

		if (records.count > state.records)
			errx(1, "more records than there are");
		*record = record_at(log, bb);
		bb = (bb + record->header_blocks + record->len / LOG_BLOCK) % log->bbs;
	}
	return records;
}

/* The checksum as stored: over header, extended headers that the payload needs, payload. */
static le32_t checksum(const struct log_image *log, const struct record *record)
{
	uint32_t in_use = (record->len + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS;
	uint32_t crc = crc_add(CRC_SEED, &record->header, sizeof(record->header));

	for (uint32_t i = 1; i < record->header_blocks && i < in_use; i++)
		crc = crc_add(crc, block_at(log, record->bb + i), sizeof(struct log_ext_header_disk));
	for (uint32_t i = 0; i < record->len / LOG_BLOCK; i++)
		crc = crc_add(crc, block_at(log, record->bb + record->header_blocks + i), LOG_BLOCK);
	return le32_put(~crc);
}

void log_image_put(struct log_image *log, const struct record *from)
{
	struct record record = *from;
	uint32_t cycle = be32_get(record.header.cycle);

	for (uint32_t i = 0; i < record.len / LOG_BLOCK; i++) {
		uint32_t bb = record.bb + record.header_blocks + i;
		const be32_t stamp = be32_put(cycle + (bb >= log->bbs));

		memcpy(saved_word(log, &record, i), record.payload + (size_t)i * LOG_BLOCK, sizeof(be32_t));
		memcpy(block_at(log, bb), record.payload + (size_t)i * LOG_BLOCK, LOG_BLOCK);
		memcpy(block_at(log, bb), &stamp, sizeof(stamp));
	}
	if (le32_get(record.header.crc) != 0) {
		record.header.crc = le32_put(0);
		record.header.crc = checksum(log, &record);
	}
	memcpy(block_at(log, record.bb), &record.header, sizeof(record.header));
}

void log_image_close(struct log_image *log)
{
	size_t len = (size_t)log->bbs * LOG_BLOCK;

	if (pwrite(log->fd, log->bytes, len, log->start) != (ssize_t)len || close(log->fd) < 0)
		err(1, "writing the log");
	free(log->bytes);
}
