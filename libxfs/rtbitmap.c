/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes blocks of the realtime bitmap (ondisk 09, Bitmap): runs of set bits, within one block; and of its summary
 * (ondisk 09, Summary): the number of runs of free extents that begin in each bitmap block, by the logarithm of their
 * length.  The callers compare both with each other, and with the blocks in use.
 */
#include "libxfs/rt.h"
#include "libxfs/v5.h"

/* Word i < rt_block_words().  Without a header, words are in the byte order of the machine that wrote them: ours. */
static inline uint32_t rt_block_word(const uint8_t *words, uint32_t i, bool header)
{
	uint32_t native;
	be32_t big;

	if (header) {
		memcpy(&big, words + (size_t)i * sizeof(big), sizeof(big));
		return be32_get(big);
	}
	memcpy(&native, words + (size_t)i * sizeof(native), sizeof(native));
	return native;
}

/* The largest number of runs of at least 2^level extents that can begin in one block of the bitmap. */
static uint32_t max_runs(const struct geometry *g, uint32_t level)
{
	uint64_t extents = rt_block_extents(g);

	return (uint32_t)((extents + (1ull << level)) / ((1ull << level) + 1)) + 1;
}

/*
 * Checks the header.  False: the magic number is wrong, or the block was written for another place and another owner.
 * Without realtime groups there is no header: true.
 */
static bool rt_block_check(const struct check *c, const uint8_t *block, uint32_t magic, const struct rt_expect *expect)
{
	static const struct v5_header header = V5_HEADER(rt_header_disk, );
	const struct rt_header_disk *disk = (const struct rt_header_disk *)block;

	if (!rt_header_size(c->geo))
		return true;
	return check_eq(c, F_BLOCK_MAGIC, offsetof(struct rt_header_disk, magic), be32_get(disk->magic), magic) &&
	       v5_check_header(c, block, c->geo->block_size, &header, expect->daddr, expect->owner.v);
}

bool rtsummary_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		      void (*counter)(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count), void *ctx)
{
	const struct geometry *g = c->geo;
	const uint8_t *words = (const uint8_t *)block + rt_header_size(g);
	bool header = rt_header_size(g);
	uint32_t count = rt_block_words(g);
	uint64_t index = expect->block * count;

	if (!rt_block_check(c, block, RTSUMMARY_MAGIC, expect))
		return false;
	for (uint32_t i = 0; i < count; i++, index++) {
		uint32_t runs = rt_block_word(words, i, header);
		uint64_t level;

		if (!runs)
			continue;
		level = index / g->rbmblocks;
		if (level >= g->rsumlevels)
			problem_at(c, F_RTSUMMARY_BEYOND, rt_header_size(g) + i * 4, NO_INDEX, runs, 0);
		else if (runs > max_runs(g, (uint32_t)level))
			problem_at(c, F_RTSUMMARY_COUNTER, rt_header_size(g) + i * 4, NO_INDEX, runs,
				   max_runs(g, (uint32_t)level));
		else
			counter(ctx, (uint32_t)level, (uint32_t)(index % g->rbmblocks), runs);
	}
	return true;
}

/* The state of a search for runs of set bits. */

struct scan {
	void (*free)(void *ctx, uint64_t start, uint32_t len);
	void *ctx;
	uint64_t first; /* extent of the first bit */
	uint32_t start; /* of the current run */
	bool in_run;
};

static void run_ends(struct scan *scan, uint32_t at)
{
	scan->free(scan->ctx, scan->first + scan->start, at - scan->start);
	scan->in_run = false;
}

/* Handles a word in which runs begin or end; base: the number of its first bit. */
static void scan_word(struct scan *scan, uint32_t word, uint32_t base)
{
	uint32_t bit = 0, ahead;

	while ((ahead = (scan->in_run ? ~word : word) >> bit)) {
		bit += (uint32_t)__builtin_ctz(ahead);
		if (scan->in_run) {
			run_ends(scan, base + bit);
		} else {
			scan->start = base + bit;
			scan->in_run = true;
		}
	}
}

/* Number of bits of the block for extents of the group, without those beyond its end. */
static uint32_t used_bits(const struct geometry *g, const struct rt_expect *expect, uint64_t first)
{
	uint64_t extents = group_length(g, group_of_rg(g, expect->rgno)) / g->rextsize;
	uint32_t all = rt_block_extents(g);

	if (first >= extents)
		return 0;
	return extents - first < all ? (uint32_t)(extents - first) : all;
}

bool rtbitmap_decode(const struct check *c, const void *block, const struct rt_expect *expect,
		     void (*free)(void *ctx, uint64_t start, uint32_t len), void *ctx)
{
	const uint8_t *words = (const uint8_t *)block + rt_header_size(c->geo);
	bool header = rt_header_size(c->geo);
	struct scan scan = { .free = free, .ctx = ctx, .first = expect->block * rt_block_extents(c->geo) };
	uint32_t bits = used_bits(c->geo, expect, scan.first);
	uint32_t count = rt_block_words(c->geo);

	if (!rt_block_check(c, block, RTBITMAP_MAGIC, expect))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t word = rt_block_word(words, i, header), base = i * RT_WORD_BITS;
		uint32_t used = base >= bits ? 0 : bits - base >= RT_WORD_BITS ? UINT32_MAX : (1u << (bits - base)) - 1;

		if (word & ~used)
			problem_at(c, F_RTBITMAP_BEYOND, rt_header_size(c->geo) + i * 4, NO_INDEX, word, word & used);
		word &= used;
		if (word != (scan.in_run ? UINT32_MAX : 0))
			scan_word(&scan, word, base);
	}
	if (scan.in_run)
		run_ends(&scan, count * RT_WORD_BITS);
	return true;
}
