/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bitmap of free realtime extents (ondisk 09, Bitmap): runs of set bits,
 * as far as they lie in one block.  The space accounts compare the bitmap with
 * what files use.
 */
#include "rt_block.h"

struct scan {
	void (*free)(void *ctx, uint64_t start, uint32_t len);
	void *ctx;
	uint64_t first; /* extent of the first bit */
	uint32_t start; /* of the run at hand */
	bool in_run;
};

static void run_ends(struct scan *scan, uint32_t at)
{
	scan->free(scan->ctx, scan->first + scan->start, at - scan->start);
	scan->in_run = false;
}

/* Scan a word in which runs begin or end; base: the number of its first bit. */
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

/* How many bits of the block stand for extents, that is, don't lie behind the end of the group. */
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
