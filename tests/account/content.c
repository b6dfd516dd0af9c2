/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares files that may have holes of terabytes: reads only ranges where at least one of them has data. */
#define _GNU_SOURCE
#include "content.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"

enum { CHUNK = 1 << 16, PIECE = 512 };

static void add(struct ranges *ranges, uint64_t from, uint64_t to)
{
	struct range *last = ranges->count ? &ranges->all[ranges->count - 1] : NULL;

	if (last && last->to == from) {
		last->to = to;
		return;
	}
	if (array_add(ranges->all, ranges->room, ranges->count, (struct range){ from, to }))
		err(2, "%zu ranges", ranges->count);
}

/* The next data of a file, and the end of the run of data or hole at this offset; INT64_MAX: none. */
static off_t next(int fd, off_t at, int whence)
{
	const off_t found = fd < 0 ? -1 : lseek(fd, at, whence);

	return found < 0 ? INT64_MAX : found;
}

static off_t end_of_run(int fd, off_t at)
{
	const off_t data = next(fd, at, SEEK_DATA);

	return data > at ? data : next(fd, at, SEEK_HOLE);
}

static ssize_t read_piece(int fd, char *bytes, off_t at, size_t len)
{
	memset(bytes, 0, len);
	return fd < 0 ? 0 : pread(fd, bytes, len, at);
}

/* Adds the differences between two offsets, which are at most a chunk apart. */
static void compare_chunk(struct ranges *ranges, int a, int b, off_t at, off_t end, bool holes)
{
	static char x[CHUNK], y[CHUNK];
	const size_t len = (size_t)(end - at);
	const bool unreadable = read_piece(a, x, at, len) < 0 || read_piece(b, y, at, len) < 0;
	const bool gone = holes && next(a, at, SEEK_DATA) == at && next(b, at, SEEK_DATA) > at;

	for (size_t i = 0; i < len; i += PIECE) {
		const size_t piece = len - i < PIECE ? len - i : PIECE;

		if (unreadable || gone || memcmp(x + i, y + i, piece) != 0)
			add(ranges, (uint64_t)at + i, (uint64_t)at + i + piece);
	}
}

static off_t smaller(off_t a, off_t b)
{
	return a < b ? a : b;
}

struct ranges content_differences(int a, int b, bool holes)
{
	struct ranges ranges = { 0 };
	off_t at = 0, end;

	while ((at = smaller(next(a, at, SEEK_DATA), next(b, at, SEEK_DATA))) < INT64_MAX) {
		end = smaller(at + CHUNK, smaller(end_of_run(a, at), end_of_run(b, at)));
		compare_chunk(&ranges, a, b, at, end, holes);
		at = end;
	}
	return ranges;
}

bool ranges_touch(const struct ranges *ranges, const struct range *range)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->all[i].from < range->to && ranges->all[i].to > range->from)
			return true;
	return false;
}
