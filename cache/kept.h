/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cache for blocks that will be read again; include/cache.h has the functions for devices. Thread-safe. */
#ifndef XFSCK_CACHE_KEPT_H
#define XFSCK_CACHE_KEPT_H

#include "cache.h"

struct kept;

struct kept *kept_create(void); /* off at first. NULL: out of memory */
void kept_destroy(struct kept *kept);

/* Like device_keep(), device_kept() and device_offer(), for any cache of a device. */
void kept_limit(struct kept *kept, size_t limit);
bool kept_take(struct kept *kept, void *buf, uint64_t offset, size_t len);
void kept_put(struct kept *kept, const void *bytes, uint64_t offset, size_t len, bool cheap);

/* Drops a range that has changed. */
void kept_forget(struct kept *kept, uint64_t offset, uint64_t len);
/* Replaces cached sectors of a range that has changed to these bytes, or drops them if they may be lent. */
void kept_replace(struct kept *kept, const void *bytes, uint64_t offset, size_t len);
/* Drops everything, since it may have changed. */
void kept_forget_all(struct kept *kept);

#endif
