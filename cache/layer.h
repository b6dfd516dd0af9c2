/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One layer of the overlay: which sectors are staged in it, and what is in them.  Offsets and lengths are bytes;
 * those of what is staged are multiples of SECTOR_SIZE.  Not safe for many threads by itself; asking is, while
 * nobody changes anything.
 */
#ifndef XFSCK_CACHE_LAYER_H
#define XFSCK_CACHE_LAYER_H

#include "pages.h"
#include "units.h"

#define PAGE_SECTORS (STORE_PAGE / SECTOR_SIZE)
#define GROUP_PAGES  16u
#define GROUP_LOG    (STORE_PAGE_LOG + 4)
#define GROUP_BYTES  (1u << GROUP_LOG)
_Static_assert(GROUP_BYTES == GROUP_PAGES * STORE_PAGE, "bytes of a group");

/* 64 KiB of the device of which something is staged */
struct layer_group {
	uint64_t number;	     /* byte offset >> GROUP_LOG */
	uint32_t slots[GROUP_PAGES]; /* in the store, NO_SLOT: none */
	uint8_t staged[GROUP_PAGES]; /* a bit per sector of the page, the first is bit 0 */
};

struct layer {
	struct layer_group *groups; /* in the order in which they were first staged */
	uint32_t count;
	uint32_t capacity;
	uint32_t *table;     /* by number: index into groups + 1, 0: empty */
	uint32_t table_size; /* power of two, at least twice count; 0: no table yet */
	uint64_t sectors;    /* staged */
};

/* { 0 } is an empty layer. */
void layer_clear(struct layer *layer, struct pages *pages);

/* The group of that number, NULL: nothing is staged in it. Good until something is staged. */
struct layer_group *layer_find(const struct layer *layer, uint64_t number);

/*
 * Room for what layer_put() is to stage; nothing is staged yet. 0, -ENOMEM or the negative errno of the temporary
 * file; then it can be tried again.
 */
int layer_reserve(struct layer *layer, struct pages *pages, uint64_t offset, uint64_t len);
/* Stage. Fails only if the temporary file can't be written; what is in the range is not known then. */
int layer_put(struct layer *layer, struct pages *pages, const uint8_t *bytes, uint64_t offset, uint64_t len);

/* Put what is staged in [offset, offset + len) into bytes; offset is on a sector, len need not be. 0 or as layer_put().
 */
int layer_get(const struct layer *layer, const struct pages *pages, uint8_t *bytes, uint64_t offset, uint64_t len);

/* The sectors staged in a page, as layer_group's; page: byte offset >> STORE_PAGE_LOG. */
uint8_t layer_staged(const struct layer *layer, uint64_t page);

#endif
