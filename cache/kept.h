/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was read and will be wanted again; asking and offering are in include/cache.h.  Safe to use from many threads.
 */
#ifndef XFSCK_CACHE_KEPT_H
#define XFSCK_CACHE_KEPT_H

#include "cache.h"

struct kept;

struct kept *kept_create(void); /* keeps nothing yet. NULL: out of memory */
void kept_destroy(struct kept *kept);

/* What is kept of a range is not so any more. */
void kept_forget(struct kept *kept, uint64_t offset, uint64_t len);
/* The same of everything. */
void kept_forget_all(struct kept *kept);

#endif
