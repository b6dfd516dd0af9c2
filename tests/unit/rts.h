/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of realtime blocks: two geometries, and a block that is built word by word (ondisk 09).  The older form
 * has 40000 extents of 2 blocks; the newer one has groups of 16384 extents, and the last group has 1000.
 */
#ifndef XFSCK_TESTS_RTS_H
#define XFSCK_TESTS_RTS_H

#include "reported.h"
#include "libxfs/crc.h"
#include "libxfs/rt.h"

#define OWNER	 655489u
#define DADDR	 540800u
#define HEADER	 48u
#define MAX_SEEN 64u

struct rts {
	struct geometry geo;
	struct rt_expect expect;
	uint8_t block[4096];
	struct reported reported;
	unsigned count; /* runs, or counters, that were visited */
	uint64_t seen[MAX_SEEN][3];
};

static inline void store(uint8_t *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * (size - 1 - i));
}

static inline struct geometry rts_geometry(bool groups)
{
	struct geometry g = {
		.block_size = 4096,
		.block_log = 12,
		.dblocks = 81920,
		.agblocks = 20480,
		.agcount = 4,
		.agblock_log = 15,
		.version = 5,
		.crc = true,
		.metadir = groups,
		.rextsize = groups ? 1 : 2,
		.rextents = groups ? 2 * 16384 + 1000 : 40000,
		.rblocks = groups ? 2 * 16384 + 1000 : 80000,
		.rgcount = groups ? 3 : 1,
		.rgblocks = groups ? 16384 : 80000,
		.rgblklog = groups ? 14 : 63,
		.rbmblocks = groups ? 1 : 2,
		.rsumlevels = groups ? 15 : 16,
		.rsumblocks = 1,
		.head_lsn = { 0x500000100 },
	};

	memset(g.uuid, 0x11, sizeof(g.uuid));
	memset(g.meta_uuid, 0xa5, sizeof(g.meta_uuid));
	memcpy(g.label, "twelve bytes", 13);
	return g;
}

/* An empty block; magic is that of the newer form. */
static inline struct rts rts_new(bool groups, uint32_t magic)
{
	struct rts r = { .geo = rts_geometry(groups), .expect = { { OWNER }, { DADDR }, 0, 0 } };

	if (!groups)
		return r;
	store(r.block, magic, 4);
	store(r.block + 8, OWNER, 8);
	store(r.block + 16, DADDR, 8);
	store(r.block + 24, 0x500000001, 8);
	memset(r.block + 32, 0xa5, 16);
	return r;
}

static inline void put_word(struct rts *r, uint32_t index, uint32_t word)
{
	uint8_t *at = r->block + (r->geo.metadir ? HEADER : 0) + index * 4;

	if (r->geo.metadir)
		store(at, word, 4);
	else
		memcpy(at, &word, 4);
}

static inline void put_crc(struct rts *r)
{
	le32_t crc = le32_put(crc_block(r->block, sizeof(r->block), 4));

	if (r->geo.metadir)
		memcpy(r->block + 4, &crc, sizeof(crc));
}

/* Remembers a run or counter that was visited, for assert_seen(). */
static inline void remember(struct rts *r, uint64_t a, uint64_t b, uint64_t c)
{
	if (r->count < MAX_SEEN) {
		r->seen[r->count][0] = a;
		r->seen[r->count][1] = b;
		r->seen[r->count][2] = c;
	}
	r->count++;
}

static inline void assert_seen(const struct rts *r, unsigned i, uint64_t a, uint64_t b, uint64_t c)
{
	assert_true(i < r->count);
	assert_int_equal(r->seen[i][0], a);
	assert_int_equal(r->seen[i][1], b);
	assert_int_equal(r->seen[i][2], c);
}

/* Breaks the fields of the header one by one: each is reported, and only a wrong magic ends the decoding. */
static inline void assert_header_checked(struct rts sound, bool (*decode)(struct rts *), uint32_t magic)
{
	const struct {
		uint32_t offset;
		unsigned size;
		uint64_t value;
		enum finding finding;
		uint64_t want;
		bool decoded;
	} fields[] = {
		{ 0, 4, 7, F_BLOCK_MAGIC, magic, false },
		{ 8, 8, 7, F_BLOCK_OWNER, OWNER, true },
		{ 16, 8, 7, F_BLOCK_BLKNO, DADDR, true },
		{ 24, 8, 0x500000101, F_BLOCK_LSN, 0x500000100, true },
	};

	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct rts r = sound;

		store(r.block + fields[i].offset, fields[i].value, fields[i].size);
		put_crc(&r);
		assert_int_equal(decode(&r), fields[i].decoded);
		assert_reported_once(&r.reported, fields[i].finding, fields[i].value, fields[i].want);
		assert_int_equal(r.reported.problems[0].offset, fields[i].offset);
		assert_int_equal(r.count > 0, fields[i].decoded);
	}
}

#endif
