/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts unreadable ranges by inode and offset. */
#include "bad_ranges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "sets/spill.h"

struct bad_ranges {
	struct spill *spill;
	int fd;
	struct spill_record next;
	bool ahead;
};

/* A range in the list. */
struct noted {
	uint64_t ino, offset, len;
};

static void put(struct bad_ranges *bad, const struct noted *n)
{
	spill_add(bad->spill, 0,
		  &(struct spill_record){
			  .key = n->ino, .sub = n->offset, .len = sizeof(n->len), .bytes = (const uint8_t *)&n->len });
}

struct bad_ranges *bad_ranges_new(size_t memory)
{
	struct bad_ranges *bad = calloc(1, sizeof(*bad));

	if (bad)
		bad->spill = spill_new(1, memory);
	if (!bad || !bad->spill) {
		free(bad);
		return NULL;
	}
	bad->fd = -1;
	return bad;
}

static void close_list(struct bad_ranges *bad)
{
	if (bad->fd >= 0)
		close(bad->fd);
	bad->fd = -1;
}

void bad_ranges_free(struct bad_ranges *bad)
{
	if (!bad)
		return;
	close_list(bad);
	spill_free(bad->spill);
	free(bad);
}

void bad_ranges_list(struct bad_ranges *bad, int fd)
{
	struct noted n;

	bad->fd = fd;
	while (read(fd, &n, sizeof(n)) == sizeof(n))
		put(bad, &n);
}

void bad_ranges_add(struct bad_ranges *bad, xino_t ino, uint64_t offset, uint64_t len)
{
	put(bad, &(struct noted){ ino.v, offset, len });
}

static int note(struct bad_ranges *bad, const struct noted *n)
{
	put(bad, n);
	if (bad->fd >= 0 && write(bad->fd, n, sizeof(*n)) != sizeof(*n))
		return errno ? -errno : -EIO;
	return 0;
}

int bad_ranges_note(struct bad_ranges *bad, const struct device *device, uint64_t address, uint64_t len, xino_t ino,
		    uint64_t offset)
{
	uint64_t from = address, bad_at, bad_len;
	int ret = 0;

	while (!ret && from < address + len &&
	       device_unreadable(device, from, address + len - from, &bad_at, &bad_len)) {
		ret = note(bad, &(struct noted){ ino.v, offset + (bad_at - address), bad_len });
		from = bad_at + bad_len;
	}
	return ret;
}

static int read_ahead(struct bad_ranges *bad)
{
	const int ret = spill_next(bad->spill, &bad->next);

	bad->ahead = ret > 0;
	return ret < 0 ? ret : 0;
}

int bad_ranges_settle(struct bad_ranges *bad)
{
	const int ret = spill_settle(bad->spill);

	close_list(bad); /* FUSE gives an open file another name when it is removed, and its folder stays */
	return ret ? ret : read_ahead(bad);
}

static uint64_t len_of(const struct spill_record *r)
{
	uint64_t len;

	memcpy(&len, r->bytes, sizeof(len));
	return len < UINT64_MAX - r->sub ? len : UINT64_MAX - r->sub;
}

int bad_ranges_next(struct bad_ranges *bad, xino_t ino, struct bad_range *ret_range)
{
	uint64_t end;
	int ret = 0;

	while (!ret && bad->ahead && bad->next.key < ino.v)
		ret = read_ahead(bad);
	if (ret || !bad->ahead || bad->next.key != ino.v)
		return ret;
	*ret_range = (struct bad_range){ bad->next.sub, len_of(&bad->next) };
	end = ret_range->offset + ret_range->len;
	for (ret = read_ahead(bad); !ret && bad->ahead && bad->next.key == ino.v && bad->next.sub <= end;
	     ret = read_ahead(bad))
		if (bad->next.sub + len_of(&bad->next) > end)
			end = bad->next.sub + len_of(&bad->next);
	ret_range->len = end - ret_range->offset;
	return ret ? ret : 1;
}
