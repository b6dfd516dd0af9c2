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

/* Makes a cache.  Returns NULL if memory is out. */
struct block_cache *block_cache_new(struct device *device, uint32_t block_size, size_t limit);
void block_cache_free(struct block_cache *cache);

/* Read and write.  len: 64 KiB at most.  Return 0, or an error of device_read() or device_stage(). */
int block_cache_read(struct block_cache *cache, void *buf, uint64_t offset, uint32_t len);
int block_cache_write(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len);
/*
 * Adds blocks that were just read, as far as there is room.  offset: that of a whole block.  Blocks already in the
 * cache are unchanged.
 */
void block_cache_offer(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len);
bool block_cache_full(const struct block_cache *cache);
/* Stages all that has been written.  Returns 0 or a negative errno. */
int block_cache_flush(struct block_cache *cache);

#endif
