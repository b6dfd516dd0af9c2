/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A layer of the overlay: its staged sectors and their contents. Offsets and lengths are bytes; staged ranges are
 * multiples of SECTOR_SIZE. Threads may read concurrently, but not while another one changes the layer.
 */
#ifndef XFSCK_CACHE_LAYER_H
#define XFSCK_CACHE_LAYER_H

#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct pages;

/*
 * A store of pages of 4 KiB: in memory up to a limit, beyond it in an unlinked temporary file. Threads may read
 * concurrently, but not during other calls.
 */

#define STORE_PAGE_LOG 12
#define STORE_PAGE     (1u << STORE_PAGE_LOG)
#define NO_SLOT	       UINT32_MAX

struct pages *pages_create(size_t limit); /* NULL: out of memory */
void pages_destroy(struct pages *pages);

/* Sets the limit in bytes of memory; existing pages stay where they are. */
void pages_limit(struct pages *pages, size_t limit);
/* Adds memory that the owner uses to find its pages to the total; subtracts it. */
void pages_charge(struct pages *pages, size_t bytes);
void pages_discharge(struct pages *pages, size_t bytes);

/* Allocates a page with undefined contents. 0, -ENOMEM, or the negative errno of the temporary file. */
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

/* 64 KiB of the device with staged sectors */
struct layer_group {
	uint64_t number;	     /* byte offset >> GROUP_LOG */
	uint32_t slots[GROUP_PAGES]; /* in the store; NO_SLOT: none */
	uint8_t staged[GROUP_PAGES]; /* a bit per sector, the first is bit 0 */
};

struct layer {
	struct layer_group *groups; /* in the order of first staging */
	uint32_t count;
	uint32_t capacity;
	uint32_t *table;     /* hash table by number: index in groups + 1; 0: empty */
	uint32_t table_size; /* power of two, at least twice count; 0: no table */
	uint64_t sectors;    /* number of staged sectors */
};

/* Drops all staged sectors. { 0 } is an empty layer. */
void layer_clear(struct layer *layer, struct pages *pages);

/* Returns the group with this number; NULL: nothing is staged in it. Valid until more is staged. */
struct layer_group *layer_find(const struct layer *layer, uint64_t number);

/*
 * Makes room for a range that layer_put() will stage. 0, -ENOMEM, or the negative errno of the temporary file. After an
 * error nothing is staged, and the call can be repeated.
 */
int layer_reserve(struct layer *layer, struct pages *pages, uint64_t offset, uint64_t len);
/*
 * Stages a range after layer_reserve(). 0, or the negative errno of writing the temporary file, after which the
 * contents of the range are undefined.
 */
int layer_put(struct layer *layer, struct pages *pages, const uint8_t *bytes, uint64_t offset, uint64_t len);

/*
 * Replaces staged sectors of [offset, offset + len) in bytes. offset is a multiple of SECTOR_SIZE, len need not be. 0,
 * or the negative errno of the temporary file.
 */
int layer_get(const struct layer *layer, const struct pages *pages, uint8_t *bytes, uint64_t offset, uint64_t len);

/* Returns the staged sectors of a page, a bit each; page: byte offset >> STORE_PAGE_LOG. */
uint8_t layer_staged(const struct layer *layer, uint64_t page);

#endif
