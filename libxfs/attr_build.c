/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds attribute forks (ondisk 07) that the decoders of attributes accept.  Leaves are compact: names lie side by
 * side at the end, and all free space is one region.
 */
#include "libxfs/attr_build.h"

#include "da_header.h"
#include "disk/attr.h"
#include "libxfs/crc.h"

int attr_item_order(const void *a, const void *b)
{
	const struct attr_item *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* ---- shortform ---- */

uint32_t attr_build_sf_size(const struct attr_item *items, size_t count)
{
	size_t size = sizeof(struct attr_sf_header_disk);

	for (size_t i = 0; i < count && i <= UINT8_MAX; i++) {
		if (items[i].valuelen > UINT8_MAX)
			return 0;
		size += sizeof(struct attr_sf_entry_disk) + items[i].namelen + items[i].valuelen;
	}
	return count > UINT8_MAX || size > UINT16_MAX ? 0 : (uint32_t)size;
}

void attr_build_sf(uint8_t *fork, const struct attr_item *items, size_t count)
{
	const struct attr_sf_header_disk header = {
		.totsize = be16_put((uint16_t)attr_build_sf_size(items, count)),
		.count = (uint8_t)count,
	};
	uint8_t *at = fork + sizeof(header);

	memcpy(fork, &header, sizeof(header));
	for (size_t i = 0; i < count; i++) {
		const struct attr_sf_entry_disk entry = { items[i].namelen, (uint8_t)items[i].valuelen,
							  items[i].flags };

		memcpy(at, &entry, sizeof(entry));
		at += sizeof(entry);
		memcpy(at, items[i].name, items[i].namelen);
		at += items[i].namelen;
		if (items[i].valuelen)
			memcpy(at, items[i].value, items[i].valuelen);
		at += items[i].valuelen;
	}
}

/* ---- leaves ---- */

static uint32_t header_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct attr_leaf_header_disk) : ATTR_LEAF_HEADER_SIZE_V4;
}

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + ATTR_LEAF_NAME_ALIGN - 1) & ~(ATTR_LEAF_NAME_ALIGN - 1);
}

static uint32_t local_size(const struct attr_item *item)
{
	return round_up((uint32_t)sizeof(struct attr_name_local_disk) + item->namelen + item->valuelen);
}

bool attr_build_is_remote(const struct geometry *g, const struct attr_item *item)
{
	/*
	 * values are remote from three quarters of a block on; long ones are tested first, since the sum might overflow
	 */
	return item->valuelen >= g->block_size || local_size(item) >= g->block_size / 2 + g->block_size / 4;
}

uint32_t attr_build_value_blocks(const struct geometry *g, const struct attr_item *item)
{
	uint32_t capacity = attr_remote_capacity(g);

	return (item->valuelen + capacity - 1) / capacity;
}

/* Size of a name in a leaf in bytes, including a local value. */
static uint32_t name_size(const struct geometry *g, const struct attr_item *item)
{
	return attr_build_is_remote(g, item) ? round_up(ATTR_NAME_REMOTE_FIXED + item->namelen) : local_size(item);
}

size_t attr_build_leaf_fit(const struct geometry *g, const struct attr_item *items, size_t count)
{
	uint32_t left = g->block_size - header_size(g);
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t need = (uint32_t)sizeof(struct attr_leaf_entry_disk) + name_size(g, &items[i]);

		if (need > left)
			break;
		left -= need;
	}
	return i;
}

static void put_name(uint8_t *at, const struct attr_item *item, bool remote)
{
	if (remote) {
		const struct attr_name_remote_disk name = { be32_put(item->valueblk.v), be32_put(item->valuelen),
							    item->namelen };

		memcpy(at, &name, sizeof(name));
		memcpy(at + sizeof(name), item->name, item->namelen);
	} else {
		const struct attr_name_local_disk name = { be16_put((uint16_t)item->valuelen), item->namelen };

		memcpy(at, &name, sizeof(name));
		memcpy(at + sizeof(name), item->name, item->namelen);
		if (item->valuelen)
			memcpy(at + sizeof(name) + item->namelen, item->value, item->valuelen);
	}
}

void attr_build_leaf(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct attr_item *items, size_t count, struct da_siblings siblings)
{
	struct attr_leaf_fields_disk *fields = (void *)(block + da_blkinfo_size(g));
	struct attr_leaf_entry_disk *entries = (void *)(block + header_size(g));
	uint32_t end = header_size(g) + (uint32_t)(count * sizeof(*entries)), start = g->block_size;

	da_put_header(g, block, place, DA_ATTR_LEAF, siblings);
	for (size_t i = 0; i < count; i++) {
		bool remote = attr_build_is_remote(g, &items[i]);

		start -= name_size(g, &items[i]);
		entries[i] = (struct attr_leaf_entry_disk){
			.hashval = be32_put(items[i].hash),
			.nameidx = be16_put((uint16_t)start),
			.flags = (uint8_t)(items[i].flags | (remote ? 0 : ATTR_LOCAL)),
		};
		put_name(block + start, &items[i], remote);
	}
	fields->count = be16_put((uint16_t)count);
	fields->usedbytes = be16_put((uint16_t)(g->block_size - start));
	fields->firstused = be16_put((uint16_t)start);
	fields->freemap[0] =
		(struct attr_leaf_freemap_disk){ be16_put((uint16_t)end), be16_put((uint16_t)(start - end)) };
	da_seal(g, block, ATTR_FORK);
}

/* ---- values ---- */

void attr_build_value(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		      const struct attr_item *item, uint32_t offset)
{
	struct attr_remote_disk *header = (void *)block;
	uint32_t capacity = attr_remote_capacity(g);
	uint32_t bytes = item->valuelen - offset < capacity ? item->valuelen - offset : capacity;

	memset(block, 0, g->block_size);
	memcpy(block + (g->block_size - capacity), item->value + offset, bytes);
	if (!g->crc)
		return;
	header->magic = be32_put(DA_MAGIC_ATTR_VALUE);
	header->offset = be32_put(offset);
	header->bytes = be32_put(bytes);
	memcpy(header->uuid, g->meta_uuid, sizeof(header->uuid));
	header->owner = be64_put(place->owner.v);
	header->blkno = be64_put(place->daddr.v);
	header->lsn = be64_put(NULL_LSN);
	crc_store(block, g->block_size, offsetof(struct attr_remote_disk, crc));
}
