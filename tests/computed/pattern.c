/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pattern.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "attrs.h"
#include "be.h"
#include "disk/inode.h"
#include "libxfs/crc.h"

bool pattern_create(const struct geometry *geo, uint32_t length, struct pattern *ret_pattern)
{
	*ret_pattern = (struct pattern){ geo, length, calloc(length, sizeof(struct pattern_block)) };
	return ret_pattern->blocks;
}

void pattern_destroy(struct pattern *pattern)
{
	for (uint32_t i = 0; pattern->blocks && i < pattern->length; i++) {
		free(pattern->blocks[i].bytes);
		free(pattern->blocks[i].patches);
	}
	free(pattern->blocks);
	pattern->blocks = NULL;
}

uint8_t *pattern_bytes(struct pattern *pattern, uint32_t block, size_t crc)
{
	struct pattern_block *b = &pattern->blocks[block];

	if (!b->bytes)
		b->bytes = calloc(1, pattern->geo->block_size);
	if (!b->bytes)
		err(2, "a pattern");
	b->crc = (uint16_t)crc;
	return b->bytes;
}

void pattern_shift(struct pattern *pattern, uint32_t block, size_t at, enum shift shift)
{
	struct pattern_block *b = &pattern->blocks[block];

	if (shift == SHIFT_NONE)
		return;
	if (!(b->count & (b->count - 1))) /* a power of two, or 0: double the room */
		b->patches = realloc(b->patches, (b->count ? 2 * b->count : 1) * sizeof(*b->patches));
	if (!b->patches)
		err(2, "a pattern");
	b->patches[b->count++] = (struct patch){ (uint16_t)at, (uint8_t)shift };
}

static void add_wide(uint8_t *at, uint64_t add)
{
	be64_t number;

	memcpy(&number, at, sizeof(number));
	number = be64_put(be64_get(number) + add);
	memcpy(at, &number, sizeof(number));
}

static void add_narrow(uint8_t *at, uint64_t add)
{
	be32_t number;

	memcpy(&number, at, sizeof(number));
	number = be32_put(be32_get(number) + (uint32_t)add);
	memcpy(at, &number, sizeof(number));
}

static void put_digits(uint8_t *at, uint32_t number)
{
	for (int i = 7; i >= 0; i--, number >>= 4)
		at[i] = (uint8_t) "0123456789abcdef"[number & 15];
}

void pattern_copy(const struct pattern *pattern, const struct pattern_place *place, uint32_t block, uint8_t *bytes)
{
	const struct pattern_block *b = &pattern->blocks[block];
	const struct geometry *g = pattern->geo;
	const fsbno_t fsb = fsbno_of(g, place->agno, place->agbno);
	const uint64_t add[] = {
		[SHIFT_INO] = fsb.v << g->inopb_log,
		[SHIFT_AG_INO] = ino_of(g, place->agno, (agino_t){ 0 }).v,
		[SHIFT_FSB] = fsb.v,
		[SHIFT_EXTENT] = fsb.v << 21,
		[SHIFT_DADDR] = daddr_of(g, place->agno, place->agbno).v,
		[SHIFT_INO_32] = fsb.v << g->inopb_log,
		[SHIFT_AG_INO_32] = ino_of(g, place->agno, (agino_t){ 0 }).v,
	};

	memcpy(bytes, b->bytes, g->block_size);
	for (const struct patch *p = b->patches; p < b->patches + b->count; p++) {
		if (p->shift < SHIFT_WIDE)
			add_wide(bytes + p->at, add[p->shift]);
		else if (p->shift < SHIFT_NUMBER)
			add_narrow(bytes + p->at, add[p->shift]);
		else
			put_digits(bytes + p->at, place->number);
	}
	if (b->attr_leaf)
		attrs_sort_leaf(g, bytes);
}

void pattern_seal(const struct pattern *pattern, uint32_t block, uint8_t *bytes)
{
	const struct geometry *g = pattern->geo;
	const struct pattern_block *b = &pattern->blocks[block];

	if (b->crc != CRC_OF_INODES) {
		crc_store(bytes, g->block_size, b->crc);
		return;
	}
	for (uint32_t i = 0; i < g->inodes_per_block; i++)
		crc_store(bytes + i * g->inode_size, g->inode_size, offsetof(struct dinode_disk, crc));
}
