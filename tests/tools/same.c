/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * same FILE FILE: like cmp(1), for two images with holes, which it does not read: comparing zeroes took half the time
 * of the tests.  Exits with 0 if the files are equal, with 1 and a message if they differ, with 2 if one is unreadable.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

struct file {
	const char *path;
	int fd;
	off_t size;
	char bytes[CHUNK];
};

static void give_up(const struct file *f)
{
	fprintf(stderr, "same: %s: %s\n", f->path, strerror(errno));
	exit(2);
}

static void open_file(struct file *f, const char *path)
{
	struct stat st;

	f->path = path;
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st))
		give_up(f);
	f->size = st.st_size;
}

/* The next data at or after an offset; the size of the file if there is none. */
static off_t next_data(const struct file *f, off_t from)
{
	const off_t at = lseek(f->fd, from, SEEK_DATA);

	if (at < 0 && errno != ENXIO)
		give_up(f);
	return at < 0 ? f->size : at;
}

static void read_chunk(struct file *f, off_t from, size_t len)
{
	for (size_t have = 0; have < len;) {
		const ssize_t got = pread(f->fd, f->bytes + have, len - have, from + (off_t)have);

		if (got == 0)
			errno = ENODATA; /* it has become shorter */
		if (got <= 0)
			give_up(f);
		have += (size_t)got;
	}
}

/* Prints the first difference in the chunks that were read from an offset. */
static int say_difference(const struct file *one, const struct file *other, off_t at)
{
	for (const char *a = one->bytes, *b = other->bytes; *a == *b; a++, b++)
		at++;
	printf("%s %s differ: byte %lld\n", one->path, other->path, (long long)at + 1);
	return 1;
}

/* Compares both up to an offset.  Returns 1 if they differ. */
static int compare(struct file *one, struct file *other, off_t end)
{
	for (off_t at = 0; at < end; at += CHUNK) {
		const off_t in_one = next_data(one, at), in_other = next_data(other, at);
		size_t len;

		at = in_one < in_other ? in_one : in_other;
		if (at >= end)
			break;
		len = end - at < CHUNK ? (size_t)(end - at) : CHUNK;
		read_chunk(one, at, len);
		read_chunk(other, at, len);
		if (memcmp(one->bytes, other->bytes, len) != 0)
			return say_difference(one, other, at);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct file one, other;

	if (argc != 3) {
		fprintf(stderr, "usage: same FILE FILE\n");
		return 2;
	}
	open_file(&one, argv[1]);
	open_file(&other, argv[2]);
	if (compare(&one, &other, one.size < other.size ? one.size : other.size))
		return 1;
	if (one.size != other.size) {
		printf("%s has %lld bytes, %s %lld\n", one.path, (long long)one.size, other.path,
		       (long long)other.size);
		return 1;
	}
	return 0;
}
