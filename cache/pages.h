/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A store of pages of 4 KiB: in memory up to a limit, beyond it in an unlinked temporary file.  Several threads may
 * read at a time, but not while another does anything else.
 */
#ifndef XFSCK_CACHE_PAGES_H
#define XFSCK_CACHE_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define STORE_PAGE_LOG 12
#define STORE_PAGE     (1u << STORE_PAGE_LOG)
#define NO_SLOT	       UINT32_MAX

struct pages;

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

#endif
