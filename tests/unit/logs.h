/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of the log: a small log in memory, records that are written into it byte by byte as ondisk 11 says, and
 * a read function that can fail.
 */
#ifndef XFSCK_TESTS_LOGS_H
#define XFSCK_TESTS_LOGS_H

#include <errno.h>
#include <stdlib.h>

#include "bytes.h"
#include "reported.h"
#include "libxfs/crc.h"
#include "libxfs/log.h"

enum {
	MAGIC = 0,
	CYCLE = 4,
	VERSION = 8,
	LEN = 12,
	LSN = 16,
	TAIL_LSN = 24,
	H_CRC = 32,
	PREV_BLOCK = 36,
	NUM_LOGOPS = 40,
	FMT = 300,
	FS_UUID = 304,
	H_SIZE = 320,
	HEADER_BYTES = 328,
	EXT_HEADER_BYTES = 260,
};

#define BBS  12000u /* blocks of 512 bytes in the log */
#define NONE UINT32_MAX

struct fixture {
	struct geometry geo;
	uint8_t bytes[BBS][512];
	uint32_t bbs;
	/* where the next record goes */
	uint32_t at, cycle;
	uint32_t last; /* the block of the last record's header */
	uint64_t tail; /* the LSN that records name as the tail */
	uint32_t bad;  /* a block that can't be read */
	uint32_t ends; /* the device ends before this block of the log; 0: it has the whole log */
	unsigned reads;
	struct reported reported;
	struct log_state state;
};

struct spec {
	uint32_t blocks; /* of payload */
	uint32_t size;	 /* of the writer's buffer, 0: 32768 */
	bool unmount;
	bool mkfs;	  /* as mkfs writes it: without a checksum, and naming no record before it */
	bool i386;	  /* as i386 writes it: the checksum covers a header of 324 bytes */
	bool uncommitted; /* no transaction is committed in it */
};

static inline uint64_t lsn(uint32_t cycle, uint32_t bb)
{
	return (uint64_t)cycle << 32 | bb;
}

static inline uint8_t *block_at(struct fixture *f, uint32_t bb)
{
	return f->bytes[bb % f->bbs];
}

/* Stores the checksum of a record whose blocks all have their cycle stamps. */
static inline void put_crc(struct fixture *f, uint32_t bb, const struct spec *spec)
{
	uint32_t headers = (spec->size + 32767) / 32768, in_use = (spec->blocks * 512 + 32767) / 32768;
	size_t len = spec->i386 ? HEADER_BYTES - 4 : HEADER_BYTES;
	uint8_t *covered = malloc(HEADER_BYTES + 8 * EXT_HEADER_BYTES + (size_t)spec->blocks * 512);
	le32_t crc;

	assert_non_null(covered);
	memcpy(covered, block_at(f, bb), len);
	for (uint32_t i = 1; i < headers && i < in_use; i++, len += EXT_HEADER_BYTES)
		memcpy(covered + len, block_at(f, bb + i), EXT_HEADER_BYTES);
	for (uint32_t i = 0; i < spec->blocks; i++, len += 512)
		memcpy(covered + len, block_at(f, bb + headers + i), 512);
	crc = le32_put(crc_block(covered, len, H_CRC));
	memcpy(block_at(f, bb) + H_CRC, &crc, 4);
	free(covered);
}

/* Writes a record at f->at, and moves f->at to its end.  Returns the block of its header. */
static inline uint32_t put_record(struct fixture *f, struct spec spec)
{
	uint32_t bb = f->at, headers, end;
	uint8_t *header = block_at(f, bb), *op;

	spec.size = spec.size ? spec.size : 32768;
	headers = (spec.size + 32767) / 32768;
	memset(header, 0, 512);
	for (uint32_t i = 1; i < headers + spec.blocks; i++) {
		memset(block_at(f, bb + i), i < headers ? 0 : (int)(0x40 + i % 64), 512);
		put32(block_at(f, bb + i), f->cycle + (bb + i >= f->bbs));
	}
	put32(header + MAGIC, 0xfeedbabe);
	put32(header + CYCLE, f->cycle);
	put32(header + VERSION, f->geo.log_version);
	put32(header + LEN, spec.blocks * 512);
	put64(header + LSN, lsn(f->cycle, bb));
	put64(header + TAIL_LSN, spec.mkfs && f->cycle == 1 ? lsn(1, bb) : f->tail);
	put32(header + PREV_BLOCK, spec.mkfs ? NONE : f->last);
	put32(header + NUM_LOGOPS, spec.unmount ? 1 : 5);
	put32(header + FMT, 1);
	memcpy(header + FS_UUID, f->geo.uuid, 16);
	put32(header + H_SIZE, spec.size);
	op = block_at(f, bb + headers);
	op[8] = spec.unmount ? 0xaa : 0x69;
	op[9] = spec.unmount ? 0x20 : spec.uncommitted ? 0x01 : 0x02;
	if (!spec.mkfs)
		put_crc(f, bb, &spec);
	f->last = bb;
	end = bb + headers + spec.blocks;
	f->cycle += end >= f->bbs;
	f->at = end % f->bbs;
	return bb;
}

static inline uint32_t put_small(struct fixture *f)
{
	return put_record(f, (struct spec){ .blocks = 1 });
}

static inline uint32_t put_unmount(struct fixture *f)
{
	return put_record(f, (struct spec){ .blocks = 1, .unmount = true });
}

/* Fills so many blocks with records of up to 64 blocks. */
static inline void put_blocks(struct fixture *f, uint32_t blocks)
{
	uint32_t done = 0;

	for (; done + 64 < blocks; done += 64)
		put_record(f, (struct spec){ .blocks = 63 });
	if (blocks > done)
		put_record(f, (struct spec){ .blocks = blocks - done - 1 });
}

/* Writes an empty record of an earlier cycle, as the kernel puts them ahead of the head. */
static inline void put_stale(struct fixture *f, uint32_t bb, uint32_t cycle)
{
	uint8_t *header = block_at(f, bb);

	memset(header, 0, 512);
	put32(header + MAGIC, 0xfeedbabe);
	put32(header + CYCLE, cycle);
	put32(header + VERSION, 2);
	put64(header + LSN, lsn(cycle, bb));
	put64(header + TAIL_LSN, f->tail);
	put32(header + FMT, 1);
	memcpy(header + FS_UUID, f->geo.uuid, 16);
}

static inline int read_fixture(void *ctx, void *buf, uint64_t bb, uint32_t count)
{
	struct fixture *f = ctx;

	assert_true(count > 0 && bb < f->bbs && count <= f->bbs - bb);
	f->reads++;
	if (f->bad >= bb && f->bad - bb < count)
		return -EIO;
	if (f->ends && bb + count > f->ends)
		return -ENODATA;
	memcpy(buf, f->bytes[bb], (size_t)count * 512);
	return 0;
}

static inline void examine(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };

	memset(&f->reported, 0, sizeof(f->reported));
	f->reads = 0;
	log_examine(&c, read_fixture, f, f->bbs, &f->state);
}

static inline void assert_state(struct fixture *f, enum log_condition condition, uint64_t head, uint64_t tail)
{
	examine(f);
	assert_int_equal(f->state.condition, condition);
	assert_true(f->state.head.v == head);
	assert_true(f->state.tail.v == tail);
}

static inline void assert_sound(struct fixture *f, enum log_condition condition, uint64_t head, uint64_t tail)
{
	assert_state(f, condition, head, tail);
	assert_int_equal(f->reported.count, 0);
}

/* Makes a new log as mkfs leaves it: one record, and blank blocks after it. */
static int new_log(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	f->geo.crc = true;
	f->geo.log_version = 2;
	memset(f->geo.uuid, 0x11, 16);
	memset(f->geo.meta_uuid, 0x22, 16);
	f->bbs = BBS;
	f->cycle = 1;
	f->bad = NONE;
	put_record(f, (struct spec){ .blocks = 1, .unmount = true, .mkfs = true });
	f->tail = lsn(1, 2);
	*state = f;
	return 0;
}

static int drop_log(void **state)
{
	free(*state);
	return 0;
}

#define log_test(name) cmocka_unit_test_setup_teardown(name, new_log, drop_log)

#endif
