/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A write-back cache over the replayed layer, for blocks that are read and changed many times before they are staged.
 * It is for one thread.  Buffers of any length are kept block by block, so two of them may overlap.  Offsets and
 * lengths are bytes, of any alignment.
 */
#ifndef XFSCK_REPAIR_BLOCK_CACHE_H
#define XFSCK_REPAIR_BLOCK_CACHE_H

#include "cache.h"

struct block_cache;

/* NULL: out of memory. */
struct block_cache *block_cache_new(struct device *device, uint32_t block_size, size_t limit);
void block_cache_free(struct block_cache *cache);

/* len: 64 KiB at most. 0, -EIO, -ENODATA or -ENOMEM as from device_read(), or an error of device_stage(). */
int block_cache_read(struct block_cache *cache, void *buf, uint64_t offset, uint32_t len);
int block_cache_write(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len);
/*
 * Put blocks that were just read into the cache, as far as there is room.  offset is that of a whole block.  Blocks
 * that are there already stay as they are.
 */
void block_cache_offer(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len);
bool block_cache_full(const struct block_cache *cache);
/* Stage all that has been written. 0 or negative errno. */
int block_cache_flush(struct block_cache *cache);

#endif
