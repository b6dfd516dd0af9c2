/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a superblock is derived from, as it is read. */
#include <string.h>

#include "sb_derive.h"

#include "disk/btree.h"

#define MAX_LEVELS 16 /* more than any btree has */

bool sb_derive_read(struct sb_derive *d, void *buf, uint64_t offset, uint32_t len)
{
	return device_read(d->device, buf, offset, len) == 0;
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
