/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The used space of an attribute leaf (ondisk 07, "Leaf block"), in a map with a bit per word.  Compares it with the
 * header's fields: bytes used, lowest byte used, holes, and the largest free regions, into which the kernel puts new
 * names.
 */
#include "attr_leaf.h"

#define WORD ATTR_LEAF_NAME_ALIGN

void attr_space_init(struct attr_space *space, uint32_t block_size)
{
	space->names_bytes = 0;
	space->names_start = block_size;
	space->complete = true;
	memset(space->map, 0, block_size / WORD / 8);
}

/* The bits of map[i] for words first to end-1. */
static uint64_t map_mask(uint32_t i, uint32_t first, uint32_t end)
{
	uint64_t mask = UINT64_MAX;

	if (first > i * 64)
		mask &= UINT64_MAX << (first - i * 64);
	if (end < (i + 1) * 64)
		mask &= UINT64_MAX >> ((i + 1) * 64 - end);
	return mask;
}

bool attr_space_take(struct attr_space *space, uint32_t start, uint32_t len)
{
	uint32_t first = start / WORD, end = (start + len) / WORD;

	if (len == 0)
		return true;
	for (uint32_t i = first / 64; i * 64 < end; i++)
		if (space->map[i] & map_mask(i, first, end))
			return false;
	for (uint32_t i = first / 64; i * 64 < end; i++)
		space->map[i] |= map_mask(i, first, end);
	return true;
}

uint32_t attr_space_run(const struct attr_space *space, uint32_t start, uint32_t block_size)
{
	uint32_t word = start / WORD, end = block_size / WORD;

	while (word < end && !(space->map[word / 64] >> (word % 64) & 1))
		word++;
	return word > start / WORD ? (word - start / WORD) * WORD : 0;
}

/* Checks that free regions lie in the block, on word boundaries, and overlap neither names nor each other. */
static bool check_freemap(struct attr_space *space, const struct attr_leaf_block *b, uint32_t *ret_bytes)
{
	bool good = true;

	*ret_bytes = 0;
	for (uint32_t i = 0; i < ATTR_LEAF_FREEMAPS; i++) {
		const struct attr_leaf_freemap_disk *region = &b->fields->freemap[i];
		uint32_t base = be16_get(region->base), size = be16_get(region->size);

		*ret_bytes += size;
		if (base % WORD == 0 && size % WORD == 0 && base <= b->size && size <= b->size - base &&
		    (!space->complete || attr_space_take(space, base, size)))
			continue;
		good = problem_at(b->c, F_ATTR_LEAF_FREEMAP, (uint32_t)((const uint8_t *)region - b->bytes), i, base,
				  0);
	}
	return good;
}

/*
 * The end of the names, which is the end of the block.  For the largest block it does not fit into 16 bits, so kernels
 * before 4.1 left out the last word, which is then neither used nor listed as free.
 */
static uint32_t names_end(const struct attr_space *space, const struct attr_leaf_block *b)
{
	uint32_t last = b->size / WORD - 1;
	bool taken = space->map[last / 64] >> (last % 64) & 1;

	return b->size == ATTR_LEAF_MAX_SIZE && !taken ? b->size - WORD : b->size;
}

/* Checks a leaf without holes: names fill it from firstused to the end, and all free space is one region. */
static void check_compact(const struct attr_space *space, const struct attr_leaf_block *b, uint32_t firstused,
			  bool freemap_good, uint32_t listed)
{
	uint32_t end = names_end(space, b);
	uint32_t start = space->names_start < end ? space->names_start : end;
	uint32_t unused = start - attr_leaf_entry_offset(b, b->count);

	if (space->names_bytes != end - start)
		problem(b->c, F_ATTR_LEAF_HOLES, ATTR_LEAF_OFF(b, holes), 0, 1);
	else if (firstused != start)
		problem(b->c, F_ATTR_LEAF_FIRSTUSED, ATTR_LEAF_OFF(b, firstused), firstused, start);
	else if (freemap_good && listed != unused)
		problem(b->c, F_ATTR_LEAF_FREE, ATTR_LEAF_OFF(b, freemap), listed, unused);
}

static void check_pads(const struct attr_leaf_block *b)
{
	const struct attr_leaf_header_disk *v5 = (const void *)b->bytes;
	uint16_t pad = be16_get(v5->info.pad); /* V4 has it, too */
	uint8_t pad1 = b->fields->pad1;
	uint32_t pad2 = b->c->geo->crc ? be32_get(v5->pad2) : 0; /* V4 does not have it */

	if (pad != 0)
		problem(b->c, F_ATTR_LEAF_PAD, offsetof(struct attr_leaf_header_disk, info.pad), pad, 0);
	if (pad1 != 0)
		problem(b->c, F_ATTR_LEAF_PAD, ATTR_LEAF_OFF(b, pad1), pad1, 0);
	if (pad2 != 0)
		problem(b->c, F_ATTR_LEAF_PAD, offsetof(struct attr_leaf_header_disk, pad2), pad2, 0);
}

void attr_space_check(struct attr_space *space, const struct attr_leaf_block *b)
{
	const struct attr_leaf_fields_disk *fields = b->fields;
	uint32_t firstused = be16_get(fields->firstused);
	uint32_t usedbytes = be16_get(fields->usedbytes);
	uint32_t listed;
	bool freemap_good, firstused_good;

	/* the end of the largest block does not fit into 16 bits, and is stored as 0 */
	if (firstused == 0 && b->size == ATTR_LEAF_MAX_SIZE)
		firstused = ATTR_LEAF_MAX_SIZE;
	freemap_good = check_freemap(space, b, &listed);
	/* removals do not change firstused, so it may be lower than any name */
	firstused_good = firstused >= attr_leaf_entry_offset(b, b->count) && firstused <= space->names_start;
	if (!firstused_good)
		problem(b->c, F_ATTR_LEAF_FIRSTUSED, ATTR_LEAF_OFF(b, firstused), firstused, space->names_start);
	if (fields->holes > 1)
		problem(b->c, F_ATTR_LEAF_HOLES, ATTR_LEAF_OFF(b, holes), fields->holes, 1);
	if (space->complete &&
	    check_eq(b->c, F_ATTR_LEAF_USEDBYTES, ATTR_LEAF_OFF(b, usedbytes), usedbytes, space->names_bytes) &&
	    firstused_good && fields->holes == 0)
		check_compact(space, b, firstused, freemap_good, listed);
	check_pads(b);
}
