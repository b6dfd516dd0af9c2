/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dquots BLOCKSIZE UUID TYPE [ID BLOCKS INODES]...: writes the contents of a quota file to standard output, as the
 * kernel does (ondisk 10): all blocks up to that of the greatest id, each full of records.  UUID is that of the
 * metadata, or "v4" for records without checksums; TYPE is 1 for users, 2 for projects, 4 for groups.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/dquot.h"
#include "libxfs/crc.h"

static unsigned long number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 0);

	if (end == text || *end)
		errx(2, "\"%s\" is no number", text);
	return value;
}

/* Parses a UUID of 36 characters, as for mkfs.xfs. */
static void parse_uuid(const char *text, uint8_t uuid[16])
{
	for (unsigned i = 0; i < 16; i++) {
		char digits[3] = { 0 }, *end;

		if (*text == '-')
			text++;
		memcpy(digits, text, strnlen(text, 2));
		uuid[i] = (uint8_t)strtoul(digits, &end, 16);
		if (end != digits + 2)
			errx(2, "no UUID");
		text += 2;
	}
}

static struct dquot_disk record_of(unsigned long id, const char *uuid, unsigned long type, int argc, char **argv)
{
	struct dquot_disk record = { .magic = be16_put(DQUOT_MAGIC),
				     .version = DQUOT_VERSION,
				     .type = (uint8_t)type,
				     .id = be32_put((uint32_t)id) };

	for (int i = 0; i + 2 < argc; i += 3) {
		if (number(argv[i]) != id)
			continue;
		record.bcount = be64_put(number(argv[i + 1]));
		record.icount = be64_put(number(argv[i + 2]));
	}
	if (strcmp(uuid, "v4") != 0) {
		parse_uuid(uuid, record.uuid);
		record.crc = le32_put(crc_block(&record, sizeof(record), offsetof(struct dquot_disk, crc)));
	}
	return record;
}

int main(int argc, char **argv)
{
	unsigned long size, per_block, last = 0;

	if (argc < 4 || (argc - 4) % 3)
		errx(2, "usage: dquots BLOCKSIZE UUID TYPE [ID BLOCKS INODES]...");
	size = number(argv[1]);
	per_block = size / sizeof(struct dquot_disk);
	if (per_block == 0 || size > 65536)
		errx(2, "no such block size");
	for (int i = 4; i < argc; i += 3)
		last = number(argv[i]) > last ? number(argv[i]) : last;
	for (unsigned long block = 0; block <= last / per_block; block++) {
		static uint8_t bytes[65536];

		memset(bytes, 0, size);
		for (unsigned long i = 0; i < per_block; i++) {
			struct dquot_disk record =
				record_of(block * per_block + i, argv[2], number(argv[3]), argc - 4, argv + 4);

			memcpy(bytes + i * sizeof(record), &record, sizeof(record));
		}
		if (fwrite(bytes, size, 1, stdout) != 1)
			err(1, "standard output");
	}
	return fflush(stdout) ? 1 : 0;
}
