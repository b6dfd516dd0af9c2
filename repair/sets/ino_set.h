/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of inode numbers, and their order. */
#ifndef XFSCK_REPAIR_INO_SET_H
#define XFSCK_REPAIR_INO_SET_H

#include "number_set.h"
#include "units.h"

NUMBER_SET(ino_set, xino_t)

/* For qsort() and bsearch() of inode numbers. */
int ino_order(const void *a, const void *b);
/* All of them in ascending order, which the caller frees; NULL: out of memory. */
xino_t *ino_set_sorted(const struct ino_set *set);

#endif
