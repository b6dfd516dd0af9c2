/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A store of pages of 4 KiB: in memory up to a limit, beyond it in an unlinked temporary file.  Not safe for
 * many threads by itself; reading is, while nobody does anything else.
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

/* Bytes of memory to be used from now on; what is there already stays where it is. */
void pages_limit(struct pages *pages, size_t limit);
/* Memory that the owner needs to find its pages again counts too. */
void pages_charge(struct pages *pages, size_t bytes);
void pages_discharge(struct pages *pages, size_t bytes);

/* Room for a page, whose contents are not defined. 0, -ENOMEM, or the negative errno of the temporary file. */
int pages_alloc(struct pages *pages, uint32_t *ret_slot);
void pages_free(struct pages *pages, uint32_t slot);

/* at + len <= STORE_PAGE. 0 or the negative errno of the temporary file. */
int pages_write(struct pages *pages, uint32_t slot, uint32_t at, const void *bytes, size_t len);
int pages_read(const struct pages *pages, uint32_t slot, uint32_t at, void *bytes, size_t len);

#endif
