/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table of blocks in one arena.  When the arena is full, all changes are staged and the whole cache is emptied;
 * blocks that are needed again are read through the overlay.
 */
#include "block_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sets/hash.h"
#include "units.h"

#define MAX_READ (64u << 10)

struct block {
	uint64_t number;
	uint32_t dirty_start, dirty_end; /* bytes [start, end) include all changes; both 0: none */
};

struct block_cache {
	struct device *device;
	uint32_t block_size;
	uint32_t room, count;
	unsigned slots_log;
	uint32_t *slots; /* index of a block plus 1; 0: empty */
	struct hash_key key;
	struct block *blocks;
	uint8_t *arena;
	uint8_t *missed; /* buffer for reading blocks that are not in the cache */
};

struct block_cache *block_cache_new(struct device *device, uint32_t block_size, size_t limit)
{
	struct block_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	cache->device = device;
	cache->block_size = block_size;
	/* at least the blocks that one call can touch */
	cache->room = (uint32_t)(limit / block_size) + MAX_READ / block_size + 2;
	for (cache->slots_log = 1; (1u << cache->slots_log) < 2 * cache->room; cache->slots_log++)
		;
	cache->slots = calloc((size_t)1 << cache->slots_log, sizeof(*cache->slots));
	cache->blocks = calloc(cache->room, sizeof(*cache->blocks));
	cache->arena = malloc((size_t)cache->room * block_size);
	cache->missed = malloc(2 * (size_t)MAX_READ + 2 * (size_t)block_size);
	if (!cache->slots || !cache->blocks || !cache->arena || !cache->missed || hash_key_random(&cache->key)) {
		block_cache_free(cache);
		return NULL;
	}
	return cache;
}

void block_cache_free(struct block_cache *cache)
{
	if (!cache)
		return;
	free(cache->slots);
	free(cache->blocks);
	free(cache->arena);
	free(cache->missed);
	free(cache);
}

/* Returns the slot of a block, or the empty one for it. */
static uint32_t *slot_of_block(const struct block_cache *cache, uint64_t number)
{
	size_t mask = ((size_t)1 << cache->slots_log) - 1;
	size_t i = (size_t)hash2(&cache->key, number, 0) & mask;

	while (cache->slots[i] && cache->blocks[cache->slots[i] - 1].number != number)
		i = (i + 1) & mask;
	return &cache->slots[i];
}

static uint8_t *bytes_of(const struct block_cache *cache, uint32_t index)
{
	return cache->arena + (size_t)index * cache->block_size;
}

int block_cache_flush(struct block_cache *cache)
{
	for (uint32_t i = 0; i < cache->count; i++) {
		struct block *block = &cache->blocks[i];
		int ret;

		if (!block->dirty_end)
			continue;
		ret = device_stage(cache->device, LAYER_REPLAY, bytes_of(cache, i) + block->dirty_start,
				   block->number * cache->block_size + block->dirty_start,
				   block->dirty_end - block->dirty_start);
		if (ret)
			return ret;
		block->dirty_start = block->dirty_end = 0;
	}
	return 0;
}

static int make_room(struct block_cache *cache, uint32_t blocks)
{
	int ret;

	if (cache->count + blocks <= cache->room)
		return 0;
	ret = block_cache_flush(cache);
	if (ret)
		return ret;
	memset(cache->slots, 0, sizeof(*cache->slots) << cache->slots_log);
	cache->count = 0;
	return 0;
}

/* Returns the first block of [first, last] that is not in the cache; last + 1: all are. */
static uint64_t first_missing(const struct block_cache *cache, uint64_t first, uint64_t last)
{
	while (first <= last && *slot_of_block(cache, first))
		first++;
	return first;
}

bool block_cache_full(const struct block_cache *cache)
{
	return cache->count == cache->room;
}

/* Adds a block that is not in the cache, which must have room; bytes beyond len are zero. */
static void insert(struct block_cache *cache, uint64_t number, const uint8_t *bytes, uint64_t len)
{
	cache->blocks[cache->count] = (struct block){ .number = number };
	memset(bytes_of(cache, cache->count), 0, cache->block_size);
	memcpy(bytes_of(cache, cache->count), bytes, len < cache->block_size ? len : cache->block_size);
	*slot_of_block(cache, number) = ++cache->count;
}

void block_cache_offer(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len)
{
	const uint8_t *bytes = buf;

	for (uint32_t at = 0; at + cache->block_size <= len && !block_cache_full(cache); at += cache->block_size)
		if (!*slot_of_block(cache, (offset + at) / cache->block_size))
			insert(cache, (offset + at) / cache->block_size, bytes + at, cache->block_size);
}

/* Reads the blocks [first, last] that are not in the cache.  Returns 0 or a negative errno. */
static int bring(struct block_cache *cache, uint64_t first, uint64_t last)
{
	uint64_t missing = first_missing(cache, first, last), start, bytes;
	int ret;

	if (missing > last)
		return 0;
	ret = make_room(cache, (uint32_t)(last - first + 1));
	if (ret)
		return ret;
	missing = first_missing(cache, first, last); /* again, since make_room() may have emptied the cache */
	start = missing * cache->block_size;
	bytes = (last + 1) * cache->block_size - start;
	/* a device need not end with a whole block */
	if (start < device_bytes(cache->device) && bytes > device_bytes(cache->device) - start)
		bytes = device_bytes(cache->device) - start;
	ret = device_read(cache->device, cache->missed, start, bytes);
	if (ret)
		return ret;
	for (uint64_t number = missing; number <= last; number++) {
		uint64_t at = number * cache->block_size - start;

		if (!*slot_of_block(cache, number))
			insert(cache, number, cache->missed + at, at < bytes ? bytes - at : 0);
	}
	return 0;
}

/* Notes changed bytes, rounded to whole sectors for staging. */
static void mark_dirty(struct block *block, uint32_t start, uint32_t end)
{
	start &= ~(SECTOR_SIZE - 1);
	end = (end + SECTOR_SIZE - 1) & ~(SECTOR_SIZE - 1);
	if (!block->dirty_end || start < block->dirty_start)
		block->dirty_start = start;
	if (end > block->dirty_end)
		block->dirty_end = end;
}

/* Copies between buf and the cache; one of in and out is NULL. */
static int transfer(struct block_cache *cache, uint8_t *out, const uint8_t *in, uint64_t offset, uint32_t len)
{
	uint64_t device_end = device_bytes(cache->device);
	int ret;

	if (!len || len > MAX_READ)
		return -EINVAL;
	if (offset > device_end || len > device_end - offset)
		return -ENODATA;
	ret = bring(cache, offset / cache->block_size, (offset + len - 1) / cache->block_size);
	for (uint32_t done = 0; done < len && !ret;) {
		uint64_t number = (offset + done) / cache->block_size;
		uint32_t at = (uint32_t)((offset + done) % cache->block_size);
		uint32_t n = cache->block_size - at < len - done ? cache->block_size - at : len - done;
		uint32_t index = *slot_of_block(cache, number) - 1;

		if (out) {
			memcpy(out + done, bytes_of(cache, index) + at, n);
		} else if (in) {
			memcpy(bytes_of(cache, index) + at, in + done, n);
			mark_dirty(&cache->blocks[index], at, at + n);
		}
		done += n;
	}
	return ret;
}

int block_cache_read(struct block_cache *cache, void *buf, uint64_t offset, uint32_t len)
{
	return transfer(cache, buf, NULL, offset, len);
}

int block_cache_write(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len)
{
	return transfer(cache, NULL, buf, offset, len);
}
