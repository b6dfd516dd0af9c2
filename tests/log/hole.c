/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hole IMAGE: lists the records that wait for replay, each with its block of the log and its length in blocks.
 * hole IMAGE BLOCK COUNT zero|stale|noise: makes a hole of that many blocks: zeroes, blocks of an earlier lap, or
 * random bytes.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

static void list(const struct log_image *log)
{
	const struct records records = log_image_records(log);

	for (size_t i = 0; i < records.count; i++) {
		const struct record *record = &records.list[i];

		printf("%u %u\n", record->bb, record->header_blocks + record->len / LOG_BLOCK);
		free(record->payload);
	}
	free(records.list);
}

static void make_hole(const struct log_image *log, unsigned long block, const char *of)
{
	uint8_t *bytes = log->bytes + block % log->bbs * LOG_BLOCK;
	const struct log_header_disk *header = (const struct log_header_disk *)bytes;
	const be32_t magic = header->magic;
	be32_t cycle;

	memcpy(&cycle, be32_get(magic) == LOG_MAGIC ? bytes + sizeof(magic) : bytes, sizeof(cycle));
	cycle = be32_put(be32_get(cycle) - 1);
	memset(bytes, 0, LOG_BLOCK);
	if (strcmp(of, "stale") == 0)
		memcpy(bytes, &cycle, sizeof(cycle));
	for (size_t i = 0; i < LOG_BLOCK && strcmp(of, "noise") == 0; i++)
		bytes[i] = (uint8_t)random();
}

int main(int argc, char **argv)
{
	struct log_image log;
	unsigned long block, count;

	if (argc != 2 && argc != 5)
		errx(2, "usage: hole IMAGE [BLOCK COUNT zero|stale|noise]");
	log_image_open(&log, argv[1]);
	if (argc == 2) {
		list(&log);
		return 0;
	}
	block = strtoul(argv[2], NULL, 10);
	count = strtoul(argv[3], NULL, 10);
	if (count > log.bbs)
		errx(1, "the log has %u blocks", log.bbs);
	for (unsigned long i = 0; i < count; i++)
		make_hole(&log, block + i, argv[4]);
	log_image_close(&log);
	return 0;
}
