/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole small log, from records to items: the target writes the headers, so that the input is the operations in
 * records with right stamps and checksums.
 */
#define _GNU_SOURCE 1

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../repair/log/log_transactions.h"
#include "disk/log.h"
#include "fuzz_log.h"

enum { BBS = 512, MAX_BLOCKS = 40 };

struct file {
	int fd;
	struct device *device;
};

static struct file open_file(void)
{
	const struct device_options options = { .engine = ENGINE_THREADS };
	struct file file = { .fd = memfd_create("log", 0) };
	char path[64], message[256];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file.fd);
	if (file.fd < 0 || ftruncate(file.fd, BBS * LOG_BLOCK) ||
	    device_open(path, &options, &file.device, message, sizeof(message)))
		abort();
	return file;
}

/* Writes a record with this payload at bb; returns its number of blocks. */
static uint32_t put_record(const struct fuzz *f, uint8_t *log, uint32_t bb, uint32_t prev, const uint8_t *payload,
			   uint32_t len, bool big_endian)
{
	struct log_header_disk *header = (struct log_header_disk *)(log + (size_t)bb * LOG_BLOCK);
	uint32_t blocks = (len + LOG_BLOCK - 1) / LOG_BLOCK;
	uint8_t *data = log + (size_t)(bb + 1) * LOG_BLOCK;

	*header = (struct log_header_disk){
		.magic = be32_put(LOG_MAGIC),
		.cycle = be32_put(1),
		.version = be32_put(2),
		.len = be32_put(blocks * LOG_BLOCK),
		.lsn = be64_put(1ull << 32 | bb),
		.tail_lsn = be64_put(1ull << 32),
		.prev_block = be32_put(prev),
		.num_logops = be32_put(payload[0] % 32),
		.fmt = be32_put(big_endian ? LOG_FORMAT_BE : LOG_FORMAT_LE),
		.size = be32_put(LOG_HEADER_COVERS),
	};
	memcpy(header->fs_uuid, f->geo.uuid, sizeof(header->fs_uuid));
	memcpy(data, payload + 1, len - 1);
	for (uint32_t i = 0; i < blocks; i++) {
		memcpy(&header->cycle_data[i], data + (size_t)i * LOG_BLOCK, sizeof(be32_t));
		memcpy(data + (size_t)i * LOG_BLOCK, &header->cycle, sizeof(be32_t));
	}
	header->crc = le32_put(~crc_add(crc_add(CRC_SEED, header, sizeof(*header)), data, blocks * LOG_BLOCK));
	return 1 + blocks;
}

static int look(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	fuzz_promise(transaction->lsn.v <= transaction->committed.record.v);
	fuzz_log_item(ctx, item);
	return 0;
}

static void walk(struct fuzz *f, const struct log_source *source)
{
	const size_t limits[] = { 1u << 20, 4096 };
	struct log_source reading = *source;
	struct log_state state;
	struct log_mark end;

	log_examine(&f->check, log_source_read, &reading, BBS, &state);
	for (unsigned k = 0; k < 2; k++) {
		const struct log_range range = {
			.log = source,
			.state = &state,
			.bbs = BBS,
			.until = { state.head, 0 },
			.walk = k ? LOG_WALK_RECOVERY : LOG_WALK_LOGGED,
			.limit = limits[k],
			.across = k,
		};
		int ret = log_transactions_each(&f->check, &range, look, &f->check, &end);

		fuzz_promise(ret == 0 || ret == -12); /* or the memory limit was exceeded */
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct file file;
	struct log_source source = { 0 };
	uint32_t bb = 0, prev = LOG_NO_BLOCK;
	struct fuzz f;
	uint8_t *log;

	if (!fuzz_start(&f, data, size))
		return 0;
	if (!file.device)
		file = open_file();
	f.limit = SIZE_MAX;
	f.geo.log_version = 2;
	log = calloc(BBS, LOG_BLOCK);
	if (!log)
		abort();
	for (size_t at = 0; at + 2 < f.size && bb + MAX_BLOCKS + 1 < BBS;) {
		uint32_t len = 1 + f.bytes[at] * 64u % (MAX_BLOCKS * LOG_BLOCK);

		at++;
		len = len < f.size - at ? len : (uint32_t)(f.size - at);
		bb += put_record(&f, log, bb, prev, f.bytes + at, len, f.variant & 1);
		prev = 0;
		at += len;
	}
	if (pwrite(file.fd, log, BBS * LOG_BLOCK, 0) != BBS * LOG_BLOCK)
		abort();
	source.device = file.device;
	walk(&f, &source);
	free(log);
	return 0;
}
