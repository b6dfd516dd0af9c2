/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache of what was read and will be needed again; the functions for a device are in include/cache.h.  Safe to use
 * from many threads.
 */
#ifndef XFSCK_CACHE_KEPT_H
#define XFSCK_CACHE_KEPT_H

#include "cache.h"

struct kept;

struct kept *kept_create(void); /* keeps nothing yet. NULL: out of memory */
void kept_destroy(struct kept *kept);

/* As device_keep(), device_kept() and device_offer(), for any of a device's caches. */
void kept_limit(struct kept *kept, size_t limit);
bool kept_take(struct kept *kept, void *buf, uint64_t offset, size_t len);
void kept_put(struct kept *kept, const void *bytes, uint64_t offset, size_t len, bool cheap);

/* Drop what is kept of a range, which has changed. */
void kept_forget(struct kept *kept, uint64_t offset, uint64_t len);
/* Whole sectors have changed to these bytes: update those whose pages are kept, or drop them if they may be lent out.
 */
void kept_replace(struct kept *kept, const void *bytes, uint64_t offset, size_t len);
/* Drop everything, since it may have changed. */
void kept_forget_all(struct kept *kept);

#endif
