/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of attributes that lie in blocks of their own (ondisk 07, "Remote values").  In version 5 such a block says
 * which part of a value it holds, so an entry that is wrong about the place or length of its value can be corrected.
 */
#include "mend_attr_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/attr.h"
#include "libxfs/crc.h"
#include "mend/collect/mend_inode.h"
#include "mend_attr_blocks.h"

/* Which bytes of a value a block should hold, and where. */
struct part {
	xino_t owner;
	xdaddr_t daddr;
	uint32_t offset, bytes;
};

/* Whether a block of a file can have this address. */
static bool is_place(const struct geometry *geo, xdaddr_t daddr)
{
	uint64_t bytes = daddr.v << SECTOR_LOG, block = bytes >> geo->block_log;

	if (daddr.v > UINT64_MAX >> SECTOR_LOG || bytes % geo->block_size || block / geo->agblocks >= geo->agcount)
		return false;
	return agbno_valid(geo, (agno_t){ (uint32_t)(block / geo->agblocks) },
			   (agbno_t){ (uint32_t)(block % geo->agblocks) });
}

/*
 * Whether a block is the value's, although something in it may be wrong.  If its checksum is right, the header is as it
 * was written, so that it must have this owner and address; but if nothing else is wrong, an address that no block can
 * have is not held against it.  If the checksum is wrong, one field of the header may be, too.  strictly: a block with
 * a right checksum must also hold the bytes of the value that the entry makes it.
 */
static bool is_part(const struct geometry *geo, const uint8_t *block, const struct part *part, bool strictly)
{
	const struct attr_remote_disk *hdr = (const void *)block;
	bool magic = be32_get(hdr->magic) == DA_MAGIC_ATTR_VALUE;
	unsigned misplaced = (be64_get(hdr->owner) != part->owner.v) + (be64_get(hdr->blkno) != part->daddr.v);
	unsigned value = (be32_get(hdr->offset) != part->offset) + (be32_get(hdr->bytes) != part->bytes);
	unsigned other = !magic + value + (memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) != 0);

	if (crc_is_right(block, geo->block_size, offsetof(struct attr_remote_disk, crc)))
		return magic && !(strictly && value) &&
		       (misplaced == 0 || (misplaced + other == 1 && be64_get(hdr->owner) == part->owner.v &&
					   !is_place(geo, (xdaddr_t){ be64_get(hdr->blkno) })));
	return misplaced + other <= 1;
}

/* Read a value from blocks that no value has taken. strictly: see is_part(). */
static bool read_value(struct attr_values *v, const struct attr_entry *e, bool strictly)
{
	const struct geometry *geo = v->blocks->geo;
	uint32_t capacity = attr_remote_capacity(geo), header = geo->block_size - capacity, done = 0;
	uint8_t *block = v->blocks->block;

	for (uint64_t dablk = e->valueblk.v; done < e->valuelen; dablk++) {
		struct part part = { v->blocks->inode->ino, { 0 }, done, e->valuelen - done };
		uint64_t number;

		if (part.bytes > capacity)
			part.bytes = capacity;
		if (!attr_blocks_find(v->blocks, dablk, &number, &part.daddr) || v->taken[number] ||
		    !attr_blocks_read(v->blocks, number, block) || (geo->crc && !is_part(geo, block, &part, strictly)))
			return false;
		memcpy(v->bytes + done, block + header, part.bytes);
		done += part.bytes;
	}
	return true;
}

/* Mark the blocks of a value as taken. */
static void take_value(struct attr_values *v, const struct attr_entry *e)
{
	uint32_t capacity = attr_remote_capacity(v->blocks->geo), count = (e->valuelen + capacity - 1) / capacity;
	uint64_t number;
	xdaddr_t daddr;

	for (uint32_t i = 0; i < count; i++)
		if (attr_blocks_find(v->blocks, (uint64_t)e->valueblk.v + i, &number, &daddr))
			v->taken[number] = 1;
}

bool attr_value_read(struct attr_values *v, const struct attr_entry *e)
{
	bool found = read_value(v, e, true);

	if (found)
		take_value(v, e);
	return found;
}

/* Read a block; whether it is a sound part of a value that no entry has taken. *ret_mapped: there is such a block. */
static bool read_part(struct attr_values *v, uint64_t dablk, bool *ret_mapped, struct attr_remote *ret_part)
{
	unsigned problems = 0;
	uint64_t number;
	const struct check check = check_counting(v->blocks->geo, &problems);
	struct da_expect expect = { v->blocks->inode->ino, { 0 }, { (uint32_t)dablk }, ATTR_FORK };

	*ret_mapped = dablk <= UINT32_MAX && attr_blocks_find(v->blocks, dablk, &number, &expect.daddr);
	return *ret_mapped && attr_blocks_read(v->blocks, number, v->blocks->block) &&
	       attr_remote_decode(&check, v->blocks->block, &expect, ret_part) && !problems && !v->taken[number];
}

/* How long the value is that begins at this file block, by its blocks. 0: none begins there, or its end is unknown. */
static uint32_t length_at(struct attr_values *v, uint64_t dablk)
{
	uint32_t capacity = attr_remote_capacity(v->blocks->geo), done = 0;
	struct attr_remote part;
	bool mapped;

	for (; read_part(v, dablk, &mapped, &part) && part.offset == done; dablk++) {
		done += part.bytes;
		if (part.bytes < capacity) {
			dablk++;
			break;
		}
	}
	/* the next block must not continue the value; behind a full last block there must be another value, or none */
	if (read_part(v, dablk, &mapped, &part))
		return part.offset == 0 ? done : 0;
	return !mapped || done % capacity ? done : 0;
}

/*
 * Correct an entry's length by the blocks of its value: if these have more than the entry says, and not only zeroes; or
 * less, and the rest can't be found.  Returns whether it was corrected.
 */
static bool correct_length(struct attr_values *v, struct attr_entry *e)
{
	struct attr_entry longer = *e;
	uint32_t len = length_at(v, e->valueblk.v), zeros = e->valuelen;

	if (len == 0 || len == e->valuelen || (len < e->valuelen && read_value(v, e, false)))
		return false;
	longer.valuelen = len;
	if (!read_value(v, &longer, true))
		return false;
	while (zeros < len && v->bytes[zeros] == 0)
		zeros++;
	if (len > e->valuelen && zeros == len)
		return false;
	*e = longer;
	return true;
}

/* Correct the place of an entry's value, if just one value of its length was not taken. Returns whether it was. */
static bool correct_place(struct attr_values *v, struct attr_entry *e)
{
	const struct mend_fork *fork = &v->blocks->inode->fork[ATTR_FORK];
	struct attr_entry other = *e;
	unsigned times = 0;

	for (size_t i = 0; i < fork->count; i++) {
		for (uint64_t k = 0; k < fork->extents[i].len; k++) {
			uint64_t dablk = fork->extents[i].off.v + k;

			if (length_at(v, dablk) != e->valuelen)
				continue;
			other.valueblk.v = (uint32_t)dablk;
			times++;
		}
	}
	if (times != 1 || !read_value(v, &other, true))
		return false;
	*e = other;
	return true;
}

bool attr_value_search(struct attr_values *v, struct attr_entry *e)
{
	bool helped = v->blocks->geo->crc && (correct_length(v, e) || correct_place(v, e));

	if (!helped && !read_value(v, e, false))
		return false;
	take_value(v, e);
	return true;
}

int attr_values_init(struct attr_values *v, struct attr_blocks *blocks)
{
	*v = (struct attr_values){ .blocks = blocks };
	v->bytes = malloc(ATTR_MAX_VALUE);
	v->taken = calloc(blocks->count + 1, 1);
	return v->bytes && v->taken ? 0 : -ENOMEM;
}

void attr_values_free(struct attr_values *v)
{
	free(v->bytes);
	free(v->taken);
}
