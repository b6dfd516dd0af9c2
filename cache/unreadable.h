/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranges of a device that could not be read.  Safe to use from many threads. */
#ifndef XFSCK_CACHE_UNREADABLE_H
#define XFSCK_CACHE_UNREADABLE_H

#include <stdbool.h>
#include <stdint.h>

struct unreadable;

struct unreadable *unreadable_create(void); /* NULL: out of memory */
void unreadable_destroy(struct unreadable *list);

/* Add the bytes [start, end) of the device. */
void unreadable_add(struct unreadable *list, uint64_t start, uint64_t end);
/* Remove the bytes [start, end), which have been written: a disk then has other sectors for them. */
void unreadable_remove(struct unreadable *list, uint64_t start, uint64_t end);

/* The first range, or part of one, in [start, end), and its length. False: there is none. */
bool unreadable_find(struct unreadable *list, uint64_t start, uint64_t end, uint64_t *ret_start, uint64_t *ret_len);

#endif
