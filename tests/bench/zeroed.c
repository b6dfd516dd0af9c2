/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zeroed IMAGE PERCENT: overwrites so many percent of the blocks of an image with zeroes, chosen evenly and always the
 * same ones, of those that hold anything else.  Where the data of files are zeroes, these are blocks of metadata.
 * Spares the log and the first block.  Prints how many there were.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../number.h"
#include "be.h"
#include "disk/sb.h"

#define BLOCK_MAX 65536

struct image {
	int fd;
	uint64_t block_size;
	uint64_t log_start, log_end; /* blocks from the beginning of the image */
};

static void open_image(struct image *image, const char *path)
{
	struct sb_disk sb;
	uint64_t start;

	image->fd = open(path, O_RDWR | O_CLOEXEC);
	if (image->fd < 0)
		err(2, "%s", path);
	if (pread(image->fd, &sb, sizeof(sb), 0) != (ssize_t)sizeof(sb))
		err(2, "%s: superblock", path);
	start = be64_get(sb.logstart);
	image->block_size = be32_get(sb.blocksize);
	if (!image->block_size || image->block_size > BLOCK_MAX)
		errx(2, "%s: its blocks have %llu bytes", path, (unsigned long long)image->block_size);
	image->log_start =
		(start >> sb.agblklog) * be32_get(sb.agblocks) + (start & ((UINT64_C(1) << sb.agblklog) - 1));
	image->log_end = image->log_start + be32_get(sb.logblocks);
}

static bool holds_anything(const struct image *image, uint64_t block)
{
	static uint8_t bytes[BLOCK_MAX];

	if (block >= image->log_start && block < image->log_end)
		return false;
	if (pread(image->fd, bytes, image->block_size, (off_t)(block * image->block_size)) < 0)
		err(1, "read of block %llu", (unsigned long long)block);
	return bytes[0] || memcmp(bytes, bytes + 1, image->block_size - 1) != 0;
}

static void zero(const struct image *image, uint64_t block)
{
	static const uint8_t zeroes[BLOCK_MAX];

	if (pwrite(image->fd, zeroes, image->block_size, (off_t)(block * image->block_size)) !=
	    (ssize_t)image->block_size)
		err(1, "write of block %llu", (unsigned long long)block);
}

int main(int argc, char **argv)
{
	struct image image;
	uint64_t state = 1, zeroed = 0;
	double share;
	off_t at = 0;

	if (argc != 3)
		errx(2, "usage: zeroed IMAGE PERCENT");
	open_image(&image, argv[1]);
	share = strtod(argv[2], NULL) / 100;
	while ((at = lseek(image.fd, at, SEEK_DATA)) >= 0) {
		uint64_t block = (uint64_t)at / image.block_size;

		if (block > 0 && holds_anything(&image, block) && (double)number_random(&state) / 0x1p64 < share) {
			zero(&image, block);
			zeroed++;
		}
		at = (off_t)((block + 1) * image.block_size);
	}
	printf("%llu\n", (unsigned long long)zeroed);
	return 0;
}
