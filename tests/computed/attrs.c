/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "attrs.h"

#include <err.h>
#include <stdlib.h>

#include "disk/attr.h"
#include "disk/bmbt.h"
#include "libxfs/bmap_build.h"

void attrs_add(struct attrs *attrs, uint8_t flags, const uint8_t *name, uint8_t namelen, const uint8_t *value,
	       uint32_t valuelen)
{
	if (attrs->count == ATTRS_MAX)
		errx(2, "too many attributes");
	attrs->shifts[attrs->count] = SHIFT_NONE;
	attrs->items[attrs->count++] = (struct attr_item){ .flags = flags,
							   .namelen = namelen,
							   .name = name,
							   .value = value,
							   .valuelen = valuelen,
							   .hash = da_hashname(name, namelen, false) };
}

void attrs_add_parent(struct attrs *attrs, const uint8_t *name, uint8_t namelen, enum shift shift)
{
	attrs_add(attrs, ATTR_PARENT, name, namelen, NULL, sizeof(struct attr_parent_disk));
	attrs->shifts[attrs->count - 1] = shift;
}

void attrs_set_parent(struct attrs *attrs, uint32_t index, uint64_t ino, uint32_t gen)
{
	const struct attr_parent_disk parent = { be64_put(ino), be32_put(gen) };

	memcpy(attrs->values[index].bytes, &parent, sizeof(parent));
	attrs->items[index].value = attrs->values[index].bytes;
}

uint32_t attrs_fork_size(const struct attrs *attrs)
{
	if (!attrs->count)
		return 0;
	return attrs->leaf ? 2 * (uint32_t)sizeof(struct bmbt_rec_disk)
			   : (attr_build_sf_size(attrs->items, attrs->count) + 7) & ~7u;
}

uint32_t attrs_extents(const struct attrs *attrs, struct bmap_record *records)
{
	uint32_t count = 0;

	if (!attrs->leaf)
		return 0;
	records[count++] = (struct bmap_record){ { 0 }, { attrs->leaf_at }, 1, false };
	if (attrs->value_blocks)
		records[count++] = (struct bmap_record){ { 1 }, { attrs->value_at }, attrs->value_blocks, false };
	return count;
}

void attrs_put_fork(struct pattern *pattern, uint32_t block, size_t at, const struct attrs *attrs)
{
	uint8_t *fork = pattern->blocks[block].bytes + at;
	struct bmap_record records[2];
	const uint32_t extents = attrs_extents(attrs, records);

	for (uint32_t i = 0; i < extents; i++) {
		const struct bmbt_rec_disk packed = bmap_record_put(&records[i]);

		memcpy(fork + i * sizeof(packed), &packed, sizeof(packed));
		pattern_shift(pattern, block, at + i * sizeof(packed) + offsetof(struct bmbt_rec_disk, l1),
			      SHIFT_EXTENT);
	}
	if (extents)
		return;
	attr_build_sf(fork, attrs->items, attrs->count);
	at += sizeof(struct attr_sf_header_disk);
	for (uint32_t i = 0; i < attrs->count; i++) {
		const struct attr_item *item = &attrs->items[i];

		at += sizeof(struct attr_sf_entry_disk);
		pattern_shift(pattern, block, at, i == 0 && attrs->numbered ? SHIFT_NUMBER : SHIFT_NONE);
		at += item->namelen;
		pattern_shift(pattern, block, at, attrs->shifts[i]);
		at += item->valuelen;
	}
}

static struct da_expect place_of(const struct geometry *g, uint64_t owner, uint32_t block, uint32_t dablk)
{
	return (struct da_expect){
		{ owner }, { (uint64_t)block << (g->block_log - SECTOR_LOG) }, { dablk }, ATTR_FORK
	};
}

/* Records the places of parent inode numbers in a leaf. */
static void shift_parents(struct pattern *pattern, uint32_t block, const struct attrs *attrs)
{
	const uint8_t *bytes = pattern->blocks[block].bytes;
	const struct attr_leaf_entry_disk *entries = (const void *)(bytes + sizeof(struct attr_leaf_header_disk));

	for (uint32_t i = 0; i < attrs->count; i++) {
		const uint16_t at = be16_get(entries[i].nameidx);

		if (!(entries[i].flags & ATTR_PARENT))
			continue;
		for (uint32_t j = 0; j < attrs->count; j++) {
			if (attrs->items[j].flags == ATTR_PARENT && attrs->items[j].namelen == bytes[at + 2] &&
			    memcmp(attrs->items[j].name, bytes + at + 3, bytes[at + 2]) == 0)
				pattern_shift(pattern, block, at + 3u + bytes[at + 2], attrs->shifts[j]);
		}
		pattern->blocks[block].attr_leaf = true;
	}
}

void attrs_put_blocks(struct pattern *pattern, const struct attrs *attrs, uint64_t owner)
{
	const struct geometry *g = pattern->geo;
	struct attr_item items[ATTRS_MAX];
	struct da_expect place;

	if (!attrs->leaf)
		return;
	memcpy(items, attrs->items, sizeof(items));
	for (uint32_t i = 0; i < attrs->count; i++) {
		if (!attr_build_is_remote(g, &items[i]))
			continue;
		items[i].valueblk.v = 1;
		for (uint32_t j = 0; j < attrs->value_blocks; j++) {
			place = place_of(g, owner, attrs->value_at + j, 1 + j);
			attr_build_value(
				g, pattern_bytes(pattern, attrs->value_at + j, offsetof(struct attr_remote_disk, crc)),
				&place, &items[i], j * attr_remote_capacity(g));
			pattern_shift(pattern, attrs->value_at + j, offsetof(struct attr_remote_disk, owner),
				      SHIFT_INO);
			pattern_shift(pattern, attrs->value_at + j, offsetof(struct attr_remote_disk, blkno),
				      SHIFT_DADDR);
		}
	}
	qsort(items, attrs->count, sizeof(*items), attr_item_order);
	place = place_of(g, owner, attrs->leaf_at, 0);
	attr_build_leaf(g, pattern_bytes(pattern, attrs->leaf_at, offsetof(struct da_blkinfo_disk, crc)), &place, items,
			attrs->count, (struct da_siblings){ 0 });
	pattern_shift(pattern, attrs->leaf_at, offsetof(struct da_blkinfo_disk, blkno), SHIFT_DADDR);
	pattern_shift(pattern, attrs->leaf_at, offsetof(struct da_blkinfo_disk, owner), SHIFT_INO);
	shift_parents(pattern, attrs->leaf_at, attrs);
}

static int by_hash(const void *a, const void *b)
{
	const struct attr_leaf_entry_disk *x = a, *y = b;
	const uint32_t i = be32_get(x->hashval), j = be32_get(y->hashval);

	return (i > j) - (i < j);
}

void attrs_sort_leaf(const struct geometry *g, uint8_t *block)
{
	struct attr_leaf_entry_disk *entries = (void *)(block + sizeof(struct attr_leaf_header_disk));
	const uint32_t count = be16_get(((const struct attr_leaf_header_disk *)block)->f.count);

	(void)g;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *name = block + be16_get(entries[i].nameidx) + sizeof(struct attr_name_local_disk);
		const uint8_t namelen = name[-1];
		struct attr_parent_disk parent;

		if (!(entries[i].flags & ATTR_PARENT))
			continue;
		memcpy(&parent, name + namelen, sizeof(parent));
		entries[i].hashval = be32_put(da_hash_pptr(name, namelen, false, (xino_t){ be64_get(parent.ino) }));
	}
	qsort(entries, count, sizeof(*entries), by_hash);
}
