/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inode numbers in their order. */
#include "ino_set.h"

int ino_order(const void *a, const void *b)
{
	const xino_t *x = a, *y = b;

	return (x->v > y->v) - (x->v < y->v);
}

xino_t *ino_set_sorted(const struct ino_set *set)
{
	return (xino_t *)number_set_sorted(&set->numbers); /* a unit is nothing but its number */
}
