/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of inode numbers, which is fast since it is asked for every name of a file system. */
#ifndef XFSCK_REPAIR_INO_SET_H
#define XFSCK_REPAIR_INO_SET_H

#include <stddef.h>

#include "hash.h"
#include "units.h"

/* Start with { 0 }.  Any thread may ask while none adds. */
struct ino_set {
	uint64_t *slots; /* inode numbers; 0: empty */
	size_t count;
	unsigned log; /* there are 1 << log slots */
	struct hash_key key;
};

void ino_set_free(struct ino_set *set);
bool ino_set_has(const struct ino_set *set, xino_t ino);
/* Add a number other than 0. 1: added, 0: it was there before, or -ENOMEM. */
int ino_set_add(struct ino_set *set, xino_t ino);
/* The same for callers that don't care whether it was there before: 0 or -ENOMEM. */
int ino_set_put(struct ino_set *set, xino_t ino);
/* For qsort() and bsearch() of inode numbers. */
int ino_order(const void *a, const void *b);
/* All numbers in ascending order, which the caller frees; NULL: out of memory. */
xino_t *ino_set_sorted(const struct ino_set *set);

#endif
