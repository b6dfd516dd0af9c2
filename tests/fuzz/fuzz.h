/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the fuzz targets.  Each feeds one decoder of libxfs with bytes from libFuzzer, and reads every byte that
 * the decoder returns.  Reads outside of the object, undefined behaviour and broken promises end the run; whether
 * damage is reported does not matter.
 *
 * An input begins with three bytes: the file system (low 4 bits) and whether the checksum is corrected (bit 7); the
 * target's own byte; the number of the other bytes at the object's start, in units of 64.  The remaining ones are at
 * its end, with zeros between them.
 */
#ifndef XFSCK_TESTS_FUZZ_H
#define XFSCK_TESTS_FUZZ_H

#include <stdlib.h>

#include "check.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"

#define FUZZ_OWNER 0x1083u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
	struct geometry geo;
	struct check check;
	uint8_t variant; /* the target's own byte */
	bool right_crc;
	size_t head; /* bytes at the object's start */
	const uint8_t *bytes;
	size_t size;
	size_t limit; /* size of the object: offsets of problems are below it */
};

/* Ends the run if a decoder breaks a promise. */
#define fuzz_promise(condition) ((condition) ? (void)0 : abort())

static inline void fuzz_touch(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint8_t sum = 0;

	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + p[i]);
	__asm__ volatile("" : : "r"(sum)); /* keeps the compiler from removing the loop */
}

static inline void fuzz_report(void *ctx, const struct problem *problem)
{
	const struct fuzz *f = ctx;

	fuzz_promise(problem->finding < FINDING_NR);
	fuzz_promise(problem->offset < f->limit);
}

/* The differences between file systems. */
struct fuzz_variant {
	uint8_t version, block_log, dirblk_log, inode_log;
	bool old; /* without the later features of its version */
	bool ftype, ascii_ci;
};

#define FUZZ_VARIANTS 16

static inline const struct fuzz_variant *fuzz_variant(unsigned number)
{
	static const struct fuzz_variant variants[FUZZ_VARIANTS] = {
		{ 5, 12, 0, 9, false, true, false },  { 5, 10, 0, 9, false, true, false },
		{ 5, 12, 4, 9, false, true, false },  { 5, 16, 0, 9, false, true, false },
		{ 5, 12, 2, 11, false, true, false }, { 5, 12, 0, 9, true, true, false },
		{ 5, 12, 0, 9, false, true, true },   { 5, 10, 6, 9, true, true, true },
		{ 4, 12, 0, 8, false, true, false },  { 4, 12, 0, 8, true, false, false },
		{ 4, 9, 3, 8, false, false, false },  { 4, 10, 0, 9, true, false, true },
		{ 4, 12, 4, 11, false, true, false }, { 4, 16, 0, 8, true, false, false },
		{ 5, 10, 2, 9, false, true, false },  { 5, 11, 0, 10, false, true, false },
	};

	return &variants[number % FUZZ_VARIANTS];
}

static inline void fuzz_features(struct geometry *g, const struct fuzz_variant *v)
{
	bool all = v->version == 5 && !v->old;

	g->version = v->version;
	g->crc = v->version == 5;
	g->ftype = v->ftype;
	g->ascii_ci = v->ascii_ci;
	g->finobt = g->inobtcnt = g->rmapbt = g->reflink = all;
	g->sparse = g->bigtime = g->nrext64 = all;
	g->exchange = g->parent = g->metadir = all;
	g->lazysbcount = g->projid32 = g->unwritten = g->crc || !v->old;
	g->quota = v->old;
}

/* Adds a realtime section: 3 groups, or one of that size. */
static inline void fuzz_realtime(struct geometry *g)
{
	const uint64_t all = 2 * 16384 + 1000;
	uint32_t words = (g->block_size - (g->metadir ? 48 : 0)) / 4;

	g->rextsize = g->metadir ? 4 : 8;
	g->rblocks = all / g->rextsize * g->rextsize;
	g->rextents = g->rblocks / g->rextsize;
	g->rgcount = g->metadir ? 3 : 1;
	g->rgblocks = g->metadir ? 16384 : g->rblocks;
	g->rgblklog = g->metadir ? 14 : 63;
	g->rbmblocks = (uint32_t)(g->rgblocks / g->rextsize / (words * 32) + 1);
	g->rsumlevels = 13;
	g->rsumblocks = (g->rsumlevels * g->rbmblocks - 1) / words + 1;
}

static inline struct geometry fuzz_geometry(unsigned number)
{
	const struct fuzz_variant *v = fuzz_variant(number);
	uint8_t block_log = v->block_log, inode_log = v->inode_log;
	struct geometry g = {
		.block_size = 1u << block_log,
		.sector_size = 512,
		.inode_size = 1u << inode_log,
		.dir_block_size = 1u << (block_log + v->dirblk_log),
		.inodes_per_block = 1u << (block_log - inode_log),
		.block_log = block_log,
		.inode_log = inode_log,
		.inopb_log = (uint8_t)(block_log - inode_log),
		.agblock_log = 16,
		.dirblk_log = v->dirblk_log,
		.imax_pct = 25,
		.dblocks = 3 * 50000 + 777,
		.agblocks = 50000,
		.agcount = 4,
		.first_data_agbno = (3 * 512 >> block_log) + 1,
		.cluster_blocks = 1,
		.cluster_align = 1,
		.rootino = { 128 },
		.logblocks = 2000,
		.log_sector_size = 512,
		.log_version = 2,
		.head_lsn = { 0x300000000 },
	};

	fuzz_features(&g, v);
	g.chunk_blocks = 64 > g.inodes_per_block ? 64 / g.inodes_per_block : 1;
	g.sparse_align = g.sparse ? g.chunk_blocks : 0;
	memset(g.uuid, 0xa5, sizeof(g.uuid));
	memset(g.meta_uuid, 0xa5, sizeof(g.meta_uuid));
	fuzz_realtime(&g);
	btree_limits(&g);
	return g;
}

/* Starts a run.  False: the input is too short. */
static inline bool fuzz_start(struct fuzz *f, const uint8_t *data, size_t size)
{
	if (size < 3)
		return false;
	*f = (struct fuzz){
		.geo = fuzz_geometry(data[0] & 0xf),
		.check = { &f->geo, fuzz_report, f },
		.variant = data[1],
		.right_crc = data[0] & 0x80,
		.head = (size_t)data[2] * 64,
		.bytes = data + 3,
		.size = size - 3,
	};
	return true;
}

/* Returns an object of exactly len bytes, which the caller frees; problems must lie in it. */
static inline uint8_t *fuzz_object(struct fuzz *f, size_t len)
{
	size_t size = f->size < len ? f->size : len;
	size_t head = f->head < size ? f->head : size;
	uint8_t *object = calloc(1, len ? len : 1);

	if (!object)
		abort();
	if (head > 0)
		memcpy(object, f->bytes, head);
	if (size > head)
		memcpy(object + len - (size - head), f->bytes + head, size - head);
	f->limit = len;
	return object;
}

/* Like fuzz_object(), with a checksum. */
static inline uint8_t *fuzz_block(struct fuzz *f, size_t len, size_t crc_offset)
{
	uint8_t *block = fuzz_object(f, len);
	le32_t crc = le32_put(crc_block(block, len, crc_offset));

	if (f->right_crc && f->geo.crc)
		memcpy(block + crc_offset, &crc, sizeof(crc));
	return block;
}

#endif
