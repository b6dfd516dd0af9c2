/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of inode numbers: asked for every name of a file system, so quick. */
#ifndef XFSCK_REPAIR_INO_SET_H
#define XFSCK_REPAIR_INO_SET_H

#include <stddef.h>

#include "hash.h"
#include "units.h"

/* Start with { 0 }.  Asking is for any thread while nobody adds. */
struct ino_set {
	uint64_t *slots; /* 0: empty, which is no inode's number */
	size_t count;
	unsigned log; /* of the number of slots */
	struct hash_key key;
};

void ino_set_free(struct ino_set *set);
bool ino_set_has(const struct ino_set *set, xino_t ino);
/* 1: added, 0: it was there, or -ENOMEM. ino is not 0. */
int ino_set_add(struct ino_set *set, xino_t ino);
/* For whom it is one whether it was there: 0 or -ENOMEM. */
int ino_set_put(struct ino_set *set, xino_t ino);
/* For qsort() and bsearch() of inode numbers. */
int ino_order(const void *a, const void *b);
/* All of them, ascending, to be freed by the caller; NULL: out of memory. */
xino_t *ino_set_sorted(const struct ino_set *set);

#endif
