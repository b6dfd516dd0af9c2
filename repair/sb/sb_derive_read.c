/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what a superblock is derived from. */
#include <stdlib.h>
#include <string.h>

#include "sb_derive.h"

#include "disk/btree.h"
#include "libxfs/btree.h"

#define MAX_LEVELS 16 /* more than any btree has */
#define PIECE	   (1u << 20)

bool sb_derive_read(struct sb_derive *d, void *buf, uint64_t offset, uint32_t len)
{
	return device_read(d->device, buf, offset, len) == 0;
}

bool sb_derive_agi(struct sb_derive *d, uint64_t ag_start, uint32_t agno, struct agi_disk *ret)
{
	return sb_derive_read(d, ret, ag_start + 2 * (uint64_t)d->sector_size, sizeof(*ret)) &&
	       be32_get(ret->magicnum) == AGI_MAGIC && be32_get(ret->seqno) == agno;
}

const uint8_t *sb_derive_first_leaf(struct sb_derive *d, uint64_t ag_start, uint32_t root, uint32_t magic,
				    uint32_t key_bytes, uint32_t *ret_numrecs)
{
	uint32_t head = d->crc ? sizeof(struct btree_short_disk) : BTREE_SHORT_SIZE_V4;
	uint32_t pointers = head + (d->block_size - head) / (key_bytes + 4) * key_bytes;
	uint32_t agbno = root;

	for (unsigned i = 0; i < MAX_LEVELS; i++) {
		const struct btree_short_disk *block = (const struct btree_short_disk *)d->block;
		be32_t pointer;

		if (!sb_derive_read(d, d->block, ag_start + (uint64_t)agbno * d->block_size, d->block_size) ||
		    be32_get(block->magic) != magic || be16_get(block->numrecs) == 0)
			return NULL;
		if (be16_get(block->level) == 0) {
			*ret_numrecs = be16_get(block->numrecs);
			return d->block + head;
		}
		memcpy(&pointer, d->block + pointers, sizeof(pointer));
		agbno = be32_get(pointer);
	}
	return NULL;
}

void sb_derive_scan(struct sb_derive *d, uint64_t end, uint32_t step, sb_derive_visit *visit, void *ctx)
{
	uint8_t *piece = malloc(PIECE);
	bool go_on = true;

	for (uint64_t start = 0; piece && go_on && (start = device_next_data(d->device, start, PIECE)) < end;
	     start += PIECE) {
		const uint32_t len = end - start < PIECE ? (uint32_t)(end - start) & ~(SECTOR_SIZE - 1) : PIECE;

		if (!sb_derive_read(d, piece, start, len))
			continue;
		for (uint32_t at = 0; at + step <= len && go_on; at += step)
			go_on = visit(ctx, piece + at, len - at, start + at);
	}
	d->no_memory |= !piece;
	free(piece);
}
