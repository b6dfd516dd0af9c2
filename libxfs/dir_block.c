/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes block-format directories (ondisk 06): one block with entries as in a data block, then leaf entries in front
 * of a tail with their number.  Checks both parts, that each leaf entry points to an entry, and that no name occurs
 * twice.  The caller compares hashes and number of the leaf entries with those of the entries.
 */
#include "da_header.h"
#include "dir_data.h"

struct tail {
	uint32_t offset;
	uint32_t count;
	uint32_t stale;
};

/* The offset of the leaf entries if there are count of them. */
static uint32_t leaf_offset(const struct tail *tail, uint32_t count)
{
	return tail->offset - count * (uint32_t)sizeof(struct dir_leaf_entry_disk);
}

static uint32_t count_stale(const uint8_t *block, const struct tail *tail, uint32_t count)
{
	const struct dir_leaf_entry_disk *entries = (const void *)(block + leaf_offset(tail, count));
	uint32_t stale = 0;

	for (uint32_t i = 0; i < count; i++)
		stale += be32_get(entries[i].address) == 0;
	return stale;
}

/*
 * Determines the number of leaf entries.  The tail has it, and the entries of the first part end right before the leaf
 * entries.  If these two disagree, the end of the entries is right if it gives as many stale leaf entries as the tail
 * says, and as many live ones as there are entries.  Else the entries are damaged, and the tail is right if its number
 * is valid.
 */
static uint32_t find_count(const struct check *c, const uint8_t *block, const struct tail *tail)
{
	uint32_t max = (tail->offset - da_header_size(c->geo)) / (uint32_t)sizeof(struct dir_leaf_entry_disk);
	uint32_t end, count, stale, entries;

	if (tail->count <= max && dir_data_ends_at(c->geo, block, leaf_offset(tail, tail->count)))
		return tail->count;

	end = dir_data_follow(c->geo, block, da_header_size(c->geo), tail->offset, &entries);
	count = (tail->offset - end) / (uint32_t)sizeof(struct dir_leaf_entry_disk);
	stale = count_stale(block, tail, count);
	if ((stale == tail->stale && count - stale == entries) || tail->count > max) {
		problem(c, F_DIR_BLOCK_COUNT, tail->offset, tail->count, count);
		return count;
	}
	return tail->count;
}

static bool points_to_entry(const struct dir_data_area *area, uint32_t address)
{
	return address != 0 && address < area->end / DIR_ALIGN && dir_starts_test(area->starts, address * DIR_ALIGN);
}

/*
 * True if the entries at two addresses have the same name.  In a damaged block they may not be entries, so lengths are
 * checked too.
 */
static bool same_name(const struct geometry *g, const struct dir_data_area *area, uint32_t a, uint32_t b)
{
	uint32_t x = a * DIR_ALIGN, y = b * DIR_ALIGN;
	const struct dir_entry_disk *first = (const void *)(area->block + x);
	const struct dir_entry_disk *second = (const void *)(area->block + y);
	uint32_t size = dir_entry_size(g, first->namelen);

	return first->namelen == second->namelen && size <= area->end - x && size <= area->end - y &&
	       da_names_equal(first->name, second->name, first->namelen, g->ascii_ci);
}

/* Checks the targets of the live leaf entries, and the names of those with equal hashes. */
static void check_targets(const struct check *c, const struct dir_data_area *area, const struct dir_leaf_array *leaf)
{
	uint32_t run = 0; /* first of the leaf entries with this hash */

	for (uint32_t i = 0; i < leaf->count; i++) {
		uint32_t address = be32_get(leaf->entries[i].address);
		uint32_t offset = leaf->offset + i * (uint32_t)sizeof(*leaf->entries);

		if (be32_get(leaf->entries[i].hashval) != be32_get(leaf->entries[run].hashval))
			run = i;
		if (!points_to_entry(area, address)) {
			/* stale leaf entries are fine, invalid addresses have been reported */
			if (address != 0 && dir_leaf_address_possible(c->geo, address))
				problem_at(c, F_DIR_LEAF_ADDRESS,
					   offset + offsetof(struct dir_leaf_entry_disk, address), i, address, 0);
			continue;
		}
		for (uint32_t j = run; j < i; j++) {
			uint32_t other = be32_get(leaf->entries[j].address);

			if (!points_to_entry(area, other) || other == address ||
			    !same_name(c->geo, area, address, other))
				continue;
			/* once for each name, even if it occurs more than twice */
			problem_at(c, F_DIR_ENTRY_DUPLICATE, address * DIR_ALIGN, i, (uint64_t)address * DIR_ALIGN,
				   (uint64_t)other * DIR_ALIGN);
			break;
		}
	}
}

static struct tail find_tail(const struct geometry *g, const void *block)
{
	const uint32_t offset = g->dir_block_size - (uint32_t)sizeof(struct dir_block_tail_disk);
	const struct dir_block_tail_disk *disk = (const void *)((const uint8_t *)block + offset);

	return (struct tail){ offset, be32_get(disk->count), be32_get(disk->stale) };
}

uint32_t dir_block_entries_end(const struct check *c, const void *block)
{
	const struct tail tail = find_tail(c->geo, block);

	return leaf_offset(&tail, find_count(c, block, &tail));
}

bool dir_block_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		      dir_visit_leaf *visit_leaf, void *ctx, struct dir_data *ret_data)
{
	struct dir_starts starts = { 0 };
	struct dir_data_area area = { .block = block, .expect = expect, .starts = &starts };
	struct dir_leaf_array leaf = { 0 };
	struct tail tail;

	if (!dir_header_check(c, block, expect, DA_DIR_BLOCK))
		return false;
	tail = find_tail(c->geo, block);
	leaf.count = find_count(c, block, &tail);
	leaf.offset = leaf_offset(&tail, leaf.count);
	leaf.entries = (const void *)((const uint8_t *)block + leaf.offset);
	leaf.stale = tail.stale;
	leaf.stale_offset = tail.offset + offsetof(struct dir_block_tail_disk, stale);

	area.end = leaf.offset;
	dir_data_walk(c, &area, visit, ctx, ret_data);
	dir_leaf_walk(c, &leaf, visit_leaf, ctx);
	check_targets(c, &area, &leaf);
	return true;
}
