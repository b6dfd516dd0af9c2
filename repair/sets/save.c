/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes numbers to a file, and reads them back; at the end are its length and its checksum (CRC32c), big-endian. */
#include "save.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "be.h"
#include "libxfs/crc.h"
#include "packed.h"
#include "whole.h"

/* The end of a file. */
struct save_end_disk {
	be64_t bytes; /* of everything before this struct */
	be32_t crc;   /* of everything before this struct, as from crc_add(), inverted */
	be32_t reserved;
};

_Static_assert(sizeof(struct save_end_disk) == 16, "without holes");

/* ---- writing ---- */

void save_begin(struct saver *s, int fd)
{
	s->fd = fd;
	s->error = 0;
	s->crc = CRC_SEED;
	s->bytes = s->used = 0;
}

static void flush(struct saver *s)
{
	if (!s->error && s->used)
		s->error = whole_write(s->fd, s->bytes, s->buffer, s->used);
	s->crc = crc_add(s->crc, s->buffer, s->used);
	s->bytes += s->used;
	s->used = 0;
}

void save_bytes(struct saver *s, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	while (len) {
		const size_t room = sizeof(s->buffer) - s->used, n = len < room ? len : room;

		memcpy(s->buffer + s->used, from, n);
		s->used += n;
		from += n;
		len -= n;
		if (s->used == sizeof(s->buffer))
			flush(s);
	}
}

void save_number(struct saver *s, uint64_t number)
{
	uint8_t bytes[PACKED_MOST];
	const uint8_t *end = packed_put(bytes, number);

	save_bytes(s, bytes, (size_t)(end - bytes));
}

void save_near(struct saver *s, uint64_t number, uint64_t other)
{
	save_number(s, packed_fold(number - other));
}

void save_word(struct saver *s, uint64_t word)
{
	const be64_t disk = be64_put(word);

	save_bytes(s, &disk, sizeof(disk));
}

void save_text(struct saver *s, const char *text)
{
	const size_t len = strlen(text);

	save_number(s, len);
	save_bytes(s, text, len);
}

int save_end(struct saver *s)
{
	struct save_end_disk end = { 0 };

	flush(s);
	end.bytes = be64_put(s->bytes);
	end.crc = be32_put(~s->crc);
	if (!s->error)
		s->error = whole_write(s->fd, s->bytes, &end, sizeof(end));
	return s->error;
}

/* ---- reading ---- */

void load_failed(struct loader *l, int error)
{
	if (!l->error)
		l->error = error;
}

bool load_refuse(struct loader *l)
{
	load_failed(l, -EBADMSG);
	return false;
}

/* Fills the buffer with the next bytes of the file.  False: end of file or error. */
static bool fill(struct loader *l)
{
	const uint64_t at = l->at + l->have, left = l->end - at;
	int ret;

	l->at = at;
	l->next = 0;
	l->have = left < sizeof(l->buffer) ? (size_t)left : sizeof(l->buffer);
	ret = l->have ? whole_read(l->fd, l->at, l->buffer, l->have, -EBADMSG) : 0;
	if (ret) {
		load_failed(l, ret);
		l->have = 0;
	}
	return l->have;
}

static void go_to_begin(struct loader *l)
{
	l->at = 0;
	l->next = l->have = 0;
}

int load_begin(struct loader *l, int fd)
{
	struct save_end_disk end;
	uint32_t crc = CRC_SEED;
	struct stat st;
	int ret;

	l->fd = fd;
	l->error = 0;
	go_to_begin(l);
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size < sizeof(end))
		return -EBADMSG;
	l->end = (uint64_t)st.st_size - sizeof(end);
	ret = whole_read(fd, l->end, &end, sizeof(end), -EBADMSG);
	if (ret)
		return ret;
	if (be64_get(end.bytes) != l->end || be32_get(end.reserved))
		return -EBADMSG;
	while (fill(l))
		crc = crc_add(crc, l->buffer, l->have);
	if (!l->error && be32_get(end.crc) != ~crc)
		load_refuse(l);
	go_to_begin(l);
	return l->error;
}

void load_bytes(struct loader *l, void *bytes, size_t len)
{
	uint8_t *to = bytes;

	memset(bytes, 0, len);
	while (len && load_good(l)) {
		const size_t have = l->have - l->next, n = len < have ? len : have;

		if (!have) {
			if (!fill(l))
				load_refuse(l);
			continue;
		}
		memcpy(to, l->buffer + l->next, n);
		l->next += n;
		to += n;
		len -= n;
	}
	if (!load_good(l))
		memset(bytes, 0, (size_t)(to - (uint8_t *)bytes));
}

uint64_t load_number(struct loader *l)
{
	uint64_t number = 0;
	uint8_t byte = 0x80;

	for (unsigned shift = 0; byte & 0x80 && load_good(l); shift += 7) {
		load_bytes(l, &byte, 1);
		if (shift > 63 || (shift == 63 && byte > 1))
			load_refuse(l);
		else
			number |= (uint64_t)(byte & 0x7f) << shift;
	}
	return load_good(l) ? number : 0;
}

uint64_t load_near(struct loader *l, uint64_t other)
{
	const uint64_t folded = load_number(l);

	return load_good(l) ? other + packed_unfold(folded) : 0;
}

uint64_t load_word(struct loader *l)
{
	be64_t disk;

	load_bytes(l, &disk, sizeof(disk));
	return be64_get(disk);
}

void load_text(struct loader *l, char *text, size_t size)
{
	const size_t len = (size_t)load_at_most(l, size - 1);

	load_bytes(l, text, len);
	text[len] = '\0';
	for (char *at = text; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
}

uint64_t load_at_most(struct loader *l, uint64_t most)
{
	const uint64_t number = load_number(l);

	if (number <= most)
		return number;
	load_refuse(l);
	return 0;
}

bool load_bool(struct loader *l)
{
	return load_at_most(l, 1);
}

size_t load_count(struct loader *l)
{
	const uint64_t count = load_number(l);

	if (count <= l->end - l->at - l->next)
		return (size_t)count;
	load_refuse(l);
	return 0;
}

int load_end(struct loader *l)
{
	if (load_good(l) && l->at + l->next != l->end)
		load_refuse(l);
	return l->error;
}
