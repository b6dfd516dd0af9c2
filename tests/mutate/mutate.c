/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses types of objects first, so that the one superblock is hit as often as thousands of inodes.  Writes numbers
 * that break arithmetic, and numbers of this file system: its sizes and the addresses of other objects.  Most objects
 * get a right checksum, or the code behind that check would not be reached.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../number.h"
#include "mutate.h"

static uint64_t next(struct mutation *m)
{
	return number_random(&m->state);
}

static uint64_t below(struct mutation *m, uint64_t n)
{
	return next(m) % n;
}

static void tell(struct mutation *m, const struct target *target, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(struct mutation *m, const struct target *target, const char *format, ...)
{
	size_t len = strlen(m->story);
	char what[128];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(m->story + len, sizeof(m->story) - len, "# %s at %llu: %s\n", target->type->name,
		 (unsigned long long)target->start, what);
}

/* ---- object and place ---- */

static const struct target *any_of_type(struct mutation *m, size_t type)
{
	const size_t *first = &m->targets->first[type];

	return &m->targets->all[first[0] + below(m, first[1] - first[0])];
}

static const struct target *any(struct mutation *m)
{
	return any_of_type(m, below(m, m->targets->types));
}

static const struct target *another_like(struct mutation *m, const struct target *target)
{
	for (size_t type = 0; type < m->targets->types; type++)
		if (m->targets->all[m->targets->first[type]].type == target->type)
			return any_of_type(m, type);
	return target;
}

static uint8_t *bytes_of(const struct mutation *m, const struct target *target)
{
	return m->image->bytes + target->start;
}

static void touch(struct mutation *m, const struct target *target)
{
	if (m->ntouched < TOUCHED_MAX)
		m->touched[m->ntouched++] = target;
}

/* A place in the object for size bytes: in the header, right after it, near the end, or anywhere. */
static uint32_t position(struct mutation *m, const struct target *target, unsigned size)
{
	uint32_t header = target->type->header < target->length ? target->type->header : target->length;
	uint32_t start = 0, len = target->length;
	uint32_t at;

	switch (below(m, 8)) {
	case 0:
	case 1:
	case 2:
		len = header;
		break;
	case 3:
	case 4:
		start = header < len ? header : 0;
		len = len - start < 96 ? len - start : 96;
		break;
	case 5:
		start = len > 64 ? len - 64 : 0;
		len -= start;
		break;
	default:
		break;
	}
	at = start + (uint32_t)below(m, len);
	if (below(m, 4))
		at &= ~(size - 1);
	return at + size <= target->length ? at : target->length - size;
}

/* ---- numbers ---- */

static uint64_t boundary(struct mutation *m)
{
	static const uint64_t values[] = {
		0,
		1,
		2,
		3,
		7,
		15,
		16,
		63,
		64,
		127,
		128,
		255,
		256,
		511,
		512,
		4095,
		4096,
		32767,
		32768,
		65535,
		65536,
		1ull << 17,
		1ull << 21,
		1ull << 28,
		1ull << 30,
		INT32_MAX,
		1ull << 31,
		UINT32_MAX,
		1ull << 32,
		1ull << 35,
		1ull << 36,
		1ull << 40,
		1ull << 43,
		1ull << 47,
		1ull << 48,
		1ull << 52,
		1ull << 54,
		1ull << 55,
		1ull << 62,
		INT64_MAX,
		1ull << 63,
		UINT64_MAX,
		UINT64_MAX - 1,
	};

	return values[below(m, sizeof(values) / sizeof(values[0]))] + below(m, 3) - 1;
}

static uint64_t of_the_geometry(struct mutation *m)
{
	const struct image *i = m->image;
	const uint64_t values[] = { i->agblocks,    i->agcount,	      i->block_size,	       i->inode_size,
				    i->sector_size, i->rootino,	      i->size >> i->block_log, 1ull << i->agblock_log,
				    i->size >> 9,   i->dir_block_size };

	return values[below(m, sizeof(values) / sizeof(values[0]))] + below(m, 3) - 1;
}

static uint64_t address_of(struct mutation *m, const struct target *target)
{
	uint64_t fsbno = target_fsbno(m->image, target);
	uint64_t in_ag = (1ull << m->image->agblock_log) - 1;

	switch (below(m, 5)) {
	case 0:
		return fsbno;
	case 1:
		return target_ino(m->image, target);
	case 2:
		return target_ino(m->image, target) & (in_ag << m->image->inopb_log | (m->image->inodes_per_block - 1));
	case 3:
		return target->start >> 9;
	default:
		return fsbno & in_ag;
	}
}

static uint64_t new_value(struct mutation *m, const struct target *target, uint64_t old, unsigned size)
{
	const uint8_t *bytes = bytes_of(m, target);

	switch (below(m, 12)) {
	case 0:
	case 1:
	case 2:
		return boundary(m);
	case 3:
		return of_the_geometry(m);
	case 4:
		return address_of(m, target);
	case 5:
		return address_of(m, another_like(m, target));
	case 6:
		return address_of(m, any(m));
	case 7:
		return old + 1;
	case 8:
		return old - 1;
	case 9:
		return below(m, 2) ? old << 1 : old >> 1;
	case 10:
		return number_get(bytes + position(m, target, size), size);
	default:
		return next(m);
	}
}

/* Records of the log and the operations in them (ondisk 11). */
enum { RECORD_LEN = 12, RECORD_OPS = 40, RECORD_SIZE = 320, OP_LEN = 4, OP_FLAGS = 9, OP_BYTES = 12, ITEM_BYTES = 16 };

/* ---- mutations ---- */

static void set_number(struct mutation *m, const struct target *target)
{
	unsigned size = 1u << below(m, 4);
	uint32_t at = position(m, target, size);
	uint8_t *bytes = bytes_of(m, target) + at;
	uint64_t old = number_get(bytes, size), new = new_value(m, target, old, size);

	number_put(bytes, size, new);
	tell(m, target, "%u bytes at %u: %#llx made %#llx", size, at, (unsigned long long)old,
	     (unsigned long long)number_get(bytes, size));
}

static void flip_bits(struct mutation *m, const struct target *target)
{
	unsigned count = 1 + (unsigned)below(m, 4);

	for (unsigned i = 0; i < count; i++) {
		uint32_t at = position(m, target, 1);
		uint8_t bit = (uint8_t)(1u << below(m, 8));

		bytes_of(m, target)[at] ^= bit;
		tell(m, target, "bit %#x at %u flipped", bit, at);
	}
}

/* Copies a record, or a part of one, to another place. */
static void copy_within(struct mutation *m, const struct target *target)
{
	uint32_t len = 4u << below(m, 6);
	uint32_t from, to;

	if (len > target->length)
		len = target->length;
	from = position(m, target, 4);
	to = position(m, target, 4);
	if (from + len > target->length)
		from = target->length - len;
	if (to + len > target->length)
		to = target->length - len;
	memmove(bytes_of(m, target) + to, bytes_of(m, target) + from, len);
	tell(m, target, "%u bytes from %u copied to %u", len, from, to);
}

/* Repeats a record to the end: the same child a thousand times. */
static void repeat(struct mutation *m, const struct target *target)
{
	static const uint32_t steps[] = { 1, 2, 4, 8, 12, 16, 20, 24, 40 };
	uint32_t step = steps[below(m, sizeof(steps) / sizeof(steps[0]))];
	uint32_t from = position(m, target, 4);
	uint32_t count = 1 + (uint32_t)below(m, below(m, 2) ? 16 : target->length);
	uint8_t *bytes = bytes_of(m, target);
	uint32_t to = from;

	for (; count > 0 && to + 2 * step <= target->length; count--, to += step)
		memcpy(bytes + to + step, bytes + to, step);
	tell(m, target, "%u bytes at %u repeated up to %u", step, from, to);
}

static void fill(struct mutation *m, const struct target *target)
{
	uint32_t from = position(m, target, 4);
	uint32_t len = 1 + (uint32_t)below(m, target->length - from);
	uint8_t byte = below(m, 2) ? 0 : below(m, 2) ? 0xff : (uint8_t)next(m);

	memset(bytes_of(m, target) + from, byte, len);
	tell(m, target, "%u bytes at %u made %#x", len, from, byte);
}

/* Copies a part of another object of its type, or all of it. */
static void copy_from(struct mutation *m, const struct target *target)
{
	const struct target *other = another_like(m, target);
	uint32_t shorter = target->length < other->length ? target->length : other->length;
	uint32_t from = below(m, 3) ? position(m, target, 4) : 0;
	uint32_t len;

	if (from >= shorter)
		from = 0;
	touch(m, other); /* reading holes through a mapping fills them */
	len = from ? 1 + (uint32_t)below(m, shorter - from) : shorter;
	memmove(bytes_of(m, target) + from, bytes_of(m, other) + from, len);
	if (below(m, 2))
		target_fix_self(m->image, target);
	tell(m, target, "%u bytes at %u from the one at %llu", len, from, (unsigned long long)other->start);
}

static void swap(struct mutation *m, const struct target *target)
{
	const struct target *other = below(m, 2) ? another_like(m, target) : any(m);
	uint32_t len = target->length < other->length ? target->length : other->length;
	bool fix = below(m, 2);

	for (uint32_t i = 0; i < len; i++) {
		uint8_t byte = bytes_of(m, target)[i];

		bytes_of(m, target)[i] = bytes_of(m, other)[i];
		bytes_of(m, other)[i] = byte;
	}
	if (fix) {
		target_fix_self(m->image, target);
		target_fix_self(m->image, other);
	}
	touch(m, other);
	tell(m, target, "exchanged with %s at %llu", other->type->name, (unsigned long long)other->start);
}

/* Moves the object's address in its header by less than a few blocks; or changes a small number there by one. */
static void nudge(struct mutation *m, const struct target *target)
{
	const bool self = target->type->self_at != NO_SELF && below(m, 2);
	const unsigned size = self ? sizeof(uint64_t) : 1u << below(m, 3);
	const uint32_t header = target->type->header < target->length ? target->type->header : target->length;
	const uint32_t at = self ? target->type->self_at : (uint32_t)below(m, header / size) * size;
	const uint64_t by = self ? 1 + below(m, 4 * m->image->block_size >> 9) : 1;
	uint8_t *bytes = bytes_of(m, target) + at;
	const uint64_t old = number_get(bytes, size);

	number_put(bytes, size, below(m, 2) ? old + by : old - by);
	tell(m, target, "%u bytes at %u: %#llx made %#llx", size, at, (unsigned long long)old,
	     (unsigned long long)number_get(bytes, size));
}

/* Shortens the device. */
static void cut(struct mutation *m, const struct target *target)
{
	m->cut = below(m, 2) ? target->start + below(m, target->length) : below(m, m->image->size);
	tell(m, target, "the device ends at %llu", (unsigned long long)m->cut);
}

static const struct {
	void (*apply)(struct mutation *m, const struct target *target);
	unsigned weight;
} kinds[] = { { set_number, 40 }, { nudge, 10 }, { flip_bits, 14 }, { copy_within, 10 },
	      { repeat, 8 },	  { fill, 6 },	 { copy_from, 7 },  { swap, 5 } };

/* The start of a random operation of the record, after intact ones. */
static uint32_t operation(struct mutation *m, const struct target *target)
{
	const uint8_t *bytes = bytes_of(m, target);
	uint64_t headers = (number_get(bytes + RECORD_SIZE, 4) + 32767) / 32768;
	uint32_t at = (uint32_t)(headers && headers <= 8 ? headers : 1) * 512;
	uint64_t skip = below(m, 1 + number_get(bytes + RECORD_OPS, 4) % 4096);

	for (; skip > 0 && at + OP_BYTES <= target->length; skip--) {
		uint64_t len = number_get(bytes + at + OP_LEN, 4);

		if (len > target->length - at - OP_BYTES)
			break;
		at += OP_BYTES + (uint32_t)len;
	}
	return at + OP_BYTES + ITEM_BYTES <= target->length ? at : target->length - OP_BYTES - ITEM_BYTES;
}

/*
 * Damages an operation, the first words of an item in it, the length of the record, or the stamp of one of its blocks.
 */
static void damage_record(struct mutation *m, const struct target *target)
{
	enum { WHOLE_RECORD = 3 };
	static const struct {
		uint8_t offset, size;
	} fields[] = { { OP_LEN, 4 },	    { OP_FLAGS, 1 },	 { 0, 4 },
		       { OP_BYTES, 2 },	    { OP_BYTES + 2, 2 }, { OP_BYTES + 4, 2 },
		       { OP_BYTES + 4, 4 }, { OP_BYTES + 8, 8 } };
	size_t choice = below(m, sizeof(fields) / sizeof(fields[0]) + WHOLE_RECORD);
	uint8_t *bytes = bytes_of(m, target);
	uint32_t at, size = 4;
	uint64_t old, new;

	switch (choice) {
	case 0:
		at = RECORD_LEN;
		new = number_get(bytes + at, 4) / 1024 * 512;
		break;
	case 1:
		at = (uint32_t)below(m, target->length / 512) * 512 + (below(m, 2) ? 0 : 4);
		new = number_get(bytes + at, 4) + below(m, 3) - 1;
		break;
	case 2:
		at = RECORD_OPS;
		new = new_value(m, target, number_get(bytes + at, 4), 4);
		break;
	default:
		at = operation(m, target) + fields[choice - WHOLE_RECORD].offset;
		size = fields[choice - WHOLE_RECORD].size;
		new = new_value(m, target, number_get(bytes + at, size), size);
		if (below(m, 2)) /* items are in the byte order of the machine */
			new = __builtin_bswap64(new) >> (64 - 8 * size);
		break;
	}
	old = number_get(bytes + at, size);
	number_put(bytes + at, size, new);
	tell(m, target, "of the record, %u bytes at %u: %#llx made %#llx", size, at, (unsigned long long)old,
	     (unsigned long long)new);
}

static void mutate_one(struct mutation *m)
{
	const struct target *target = any(m);
	uint64_t n = below(m, 100);
	size_t kind = 0;

	while (n >= kinds[kind].weight)
		n -= kinds[kind++].weight;
	touch(m, target);
	if (target_is_log_record(target) && target->length >= 1024 && below(m, 2))
		damage_record(m, target);
	else
		kinds[kind].apply(m, target);
}

/* Destroys all superblocks, or so many of them that their contents are hard to reconstruct. */
static void lose_superblocks(struct mutation *m)
{
	for (size_t i = 0; i < m->targets->count && m->ntouched < TOUCHED_MAX; i++) {
		const struct target *target = &m->targets->all[i];

		if (!target_is_superblock(target) || !below(m, 4))
			continue;
		touch(m, target);
		if (below(m, 4))
			memset(bytes_of(m, target), 0, target->length);
		else
			set_number(m, target);
		tell(m, target, "lost");
	}
}

void mutate(struct mutation *m, uint64_t seed, struct image *image, const struct targets *targets)
{
	unsigned count;

	*m = (struct mutation){ .seed = seed, .state = seed, .image = image, .targets = targets, .cut = image->size };
	count = 1 + (unsigned)below(m, MUTATIONS_MAX);
	for (unsigned i = 0; i < count; i++)
		mutate_one(m);
	if (below(m, 30) == 0)
		lose_superblocks(m);
	for (unsigned i = 0; i < m->ntouched; i++)
		if (below(m, 16))
			target_fix_checksum(image, m->touched[i]);
	if (below(m, 50) == 0)
		cut(m, any(m));
	if (m->cut < image->size && ftruncate(image->fd, (off_t)m->cut) < 0)
		err(1, "copy of %s", image->path);
}

void mutate_undo(struct mutation *m)
{
	if (m->cut < m->image->size) {
		if (ftruncate(m->image->fd, (off_t)m->image->size) < 0)
			err(1, "copy of %s", m->image->path);
		image_restore(m->image, m->cut, m->image->size - m->cut);
	}
	for (unsigned i = 0; i < m->ntouched; i++)
		image_restore(m->image, m->touched[i]->start, m->touched[i]->length);
}
