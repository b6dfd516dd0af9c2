/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One layer of the overlay: which sectors are staged in it, and their contents.  Offsets and lengths are bytes; those
 * of what is staged are multiples of SECTOR_SIZE.  Several threads may read at a time, but not while another changes
 * it.
 */
#ifndef XFSCK_CACHE_LAYER_H
#define XFSCK_CACHE_LAYER_H

#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct pages;

/*
 * A store of pages of 4 KiB: in memory up to a limit, beyond it in an unlinked temporary file.  Several threads may
 * read at a time, but not while another does anything else.
 */

#define STORE_PAGE_LOG 12
#define STORE_PAGE     (1u << STORE_PAGE_LOG)
#define NO_SLOT	       UINT32_MAX

struct pages *pages_create(size_t limit); /* NULL: out of memory */
void pages_destroy(struct pages *pages);

/* How many bytes of memory to use from now on; pages that are there stay where they are. */
void pages_limit(struct pages *pages, size_t limit);
/* Count memory, too, that the owner allocates to find its pages; and count it no more. */
void pages_charge(struct pages *pages, size_t bytes);
void pages_discharge(struct pages *pages, size_t bytes);

/* Get a page, whose contents are undefined. 0, -ENOMEM, or the negative errno of the temporary file. */
int pages_alloc(struct pages *pages, uint32_t *ret_slot);
void pages_free(struct pages *pages, uint32_t slot);

/* Write and read len bytes at byte `at` of a page; at + len <= STORE_PAGE. 0 or the negative errno of the file. */
int pages_write(struct pages *pages, uint32_t slot, uint32_t at, const void *bytes, size_t len);
int pages_read(const struct pages *pages, uint32_t slot, uint32_t at, void *bytes, size_t len);

#define PAGE_SECTORS (STORE_PAGE / SECTOR_SIZE)
#define GROUP_PAGES  16u
#define GROUP_LOG    (STORE_PAGE_LOG + 4)
#define GROUP_BYTES  (1u << GROUP_LOG)
_Static_assert(GROUP_BYTES == GROUP_PAGES * STORE_PAGE, "bytes of a group");

/* 64 KiB of the device, of which something is staged */
struct layer_group {
	uint64_t number;	     /* byte offset >> GROUP_LOG */
	uint32_t slots[GROUP_PAGES]; /* of its pages in the store; NO_SLOT: none */
	uint8_t staged[GROUP_PAGES]; /* a bit per sector of the page, the first is bit 0 */
};

struct layer {
	struct layer_group *groups; /* in the order in which they were first staged */
	uint32_t count;
	uint32_t capacity;
	uint32_t *table;     /* hash table by number: index in groups plus 1; 0: empty */
	uint32_t table_size; /* power of two, at least twice count; 0: no table yet */
	uint64_t sectors;    /* how many are staged */
};

/* Forget all that is staged.  A layer begins as { 0 }, which is empty. */
void layer_clear(struct layer *layer, struct pages *pages);

/* The group of that number; NULL: nothing is staged in it. Valid until something is staged. */
struct layer_group *layer_find(const struct layer *layer, uint64_t number);

/*
 * Make room for a range that will be staged by layer_put(). 0, -ENOMEM or the negative errno of the temporary file;
 * then nothing has been staged, and it can be tried again.
 */
int layer_reserve(struct layer *layer, struct pages *pages, uint64_t offset, uint64_t len);
/*
 * Stage a range for which room has been made.  0, or the negative errno of the temporary file, if that can't be
 * written; then the contents of the range are undefined.
 */
int layer_put(struct layer *layer, struct pages *pages, const uint8_t *bytes, uint64_t offset, uint64_t len);

/*
 * Copy what is staged in [offset, offset + len) into bytes, and leave the others as they are; offset is a multiple of
 * SECTOR_SIZE, len need not be. 0, or the negative errno of the temporary file.
 */
int layer_get(const struct layer *layer, const struct pages *pages, uint8_t *bytes, uint64_t offset, uint64_t len);

/* Which sectors of a page are staged, a bit each; page: byte offset >> STORE_PAGE_LOG. */
uint8_t layer_staged(const struct layer *layer, uint64_t page);

#endif
