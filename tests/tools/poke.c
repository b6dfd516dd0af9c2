/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * poke IMAGE OFFSET BYTES VALUE [START LENGTH CRC]: changes the big-endian number of BYTES bytes at byte OFFSET of an
 * image to VALUE, or by it if it is written as +N, -N or ^N (exclusive or).  With the other three arguments, corrects
 * the checksum of the block of LENGTH bytes at START, at byte CRC of the block.  Prints the old value.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../number.h"
#include "be.h"
#include "libxfs/crc.h"

#define BLOCK_MAX 65536

static void read_at(int fd, void *buf, size_t len, uint64_t offset)
{
	if (pread(fd, buf, len, (off_t)offset) != (ssize_t)len)
		err(1, "read of %zu bytes at %llu", len, (unsigned long long)offset);
}

static void write_at(int fd, const void *buf, size_t len, uint64_t offset)
{
	if (pwrite(fd, buf, len, (off_t)offset) != (ssize_t)len)
		err(1, "write of %zu bytes at %llu", len, (unsigned long long)offset);
}

static void change(int fd, uint64_t offset, size_t bytes, const char *text)
{
	uint8_t raw[8] = { 0 };
	be64_t be;
	uint64_t old, new;

	read_at(fd, raw + sizeof(raw) - bytes, bytes, offset);
	memcpy(be.b, raw, sizeof(raw));
	old = be64_get(be);
	switch (text[0]) {
	case '+':
		new = old + number(text + 1);
		break;
	case '-':
		new = old - number(text + 1);
		break;
	case '^':
		new = old ^ number(text + 1);
		break;
	default:
		new = number(text);
		break;
	}
	be = be64_put(new);
	write_at(fd, be.b + sizeof(raw) - bytes, bytes, offset);
	printf("%llu\n", (unsigned long long)old);
}

static void mend_crc(int fd, uint64_t start, size_t len, size_t crc)
{
	static uint8_t block[BLOCK_MAX];
	le32_t sum;

	if (len > BLOCK_MAX || len < 4 || crc > len - 4)
		errx(2, "no such block");
	read_at(fd, block, len, start);
	sum = le32_put(crc_block(block, len, crc));
	write_at(fd, sum.b, sizeof(sum.b), start + crc);
}

int main(int argc, char **argv)
{
	uint64_t bytes;
	int fd;

	if (argc != 5 && argc != 8)
		errx(2, "usage: poke IMAGE OFFSET BYTES VALUE [START LENGTH CRC]");
	fd = open(argv[1], O_RDWR);
	if (fd < 0)
		err(1, "%s", argv[1]);
	bytes = number(argv[3]);
	if (bytes < 1 || bytes > 8)
		errx(2, "a number has 1 to 8 bytes");
	change(fd, number(argv[2]), bytes, argv[4]);
	if (argc == 8)
		mend_crc(fd, number(argv[5]), number(argv[6]), number(argv[7]));
	if (close(fd) < 0)
		err(1, "%s", argv[1]);
	return 0;
}
