/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was read and will be wanted again; asking and offering are in include/cache.h.  Safe to use from many threads.
 */
#ifndef XFSCK_CACHE_KEPT_H
#define XFSCK_CACHE_KEPT_H

#include "cache.h"

struct kept;

struct kept *kept_create(void); /* keeps nothing yet. NULL: out of memory */
void kept_destroy(struct kept *kept);

/* As device_keep(), device_kept() and device_offer(), of whatever kind it is that is kept. */
void kept_limit(struct kept *kept, size_t limit);
bool kept_take(struct kept *kept, void *buf, uint64_t offset, size_t len);
void kept_put(struct kept *kept, const void *bytes, uint64_t offset, size_t len, bool cheap);

/* What is kept of a range is not so any more. */
void kept_forget(struct kept *kept, uint64_t offset, uint64_t len);
/* These whole sectors are so now; what was kept of their pages still is, unless it is lent. */
void kept_replace(struct kept *kept, const void *bytes, uint64_t offset, size_t len);
/* Nothing is as it was kept. */
void kept_forget_all(struct kept *kept);

#endif
