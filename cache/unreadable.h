/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unreadable ranges of a device. Thread-safe. */
#ifndef XFSCK_CACHE_UNREADABLE_H
#define XFSCK_CACHE_UNREADABLE_H

#include <stdbool.h>
#include <stdint.h>

struct unreadable;

struct unreadable *unreadable_create(void); /* NULL: out of memory */
void unreadable_destroy(struct unreadable *list);

/* Adds the bytes [start, end) of the device. */
void unreadable_add(struct unreadable *list, uint64_t start, uint64_t end);
/* Removes the bytes [start, end) after they were written, since a disk remaps bad sectors then. */
void unreadable_remove(struct unreadable *list, uint64_t start, uint64_t end);

/* Finds the first unreadable part of [start, end), and its length. False: there is none. */
bool unreadable_find(struct unreadable *list, uint64_t start, uint64_t end, uint64_t *ret_start, uint64_t *ret_len);

#endif
