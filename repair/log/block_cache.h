/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of a device that are read and changed again and again before they are staged: a write-back cache over the
 * replayed layer, for one thread.  Buffers of any length lie in it block by block, so that it does not matter
 * whether two of them overlap.  Offsets and lengths are bytes, of any
 * alignment.
 */
#ifndef XFSCK_REPAIR_BLOCK_CACHE_H
#define XFSCK_REPAIR_BLOCK_CACHE_H

#include "cache.h"

struct block_cache;

/* NULL: out of memory. */
struct block_cache *block_cache_new(struct device *device, uint32_t block_size, size_t limit);
void block_cache_free(struct block_cache *cache);

/* len: 64 KiB at most. 0, or -EIO, -ENODATA, -ENOMEM as of device_read(), or what staging can come to. */
int block_cache_read(struct block_cache *cache, void *buf, uint64_t offset, uint32_t len);
int block_cache_write(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len);
/* Take blocks as they were read, from a whole one on, as far as there is room; those that it has already stay. */
void block_cache_offer(struct block_cache *cache, const void *buf, uint64_t offset, uint32_t len);
bool block_cache_full(const struct block_cache *cache);
/* Stage all that has been written. 0 or negative errno. */
int block_cache_flush(struct block_cache *cache);

#endif
