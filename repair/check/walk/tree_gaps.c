/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts and joins gaps.  The walk of a tree with a loop finds the same gap many times, so joining saves much memory. */
#include "tree_gaps.h"

#include <stdlib.h>

static int tree_order(const void *a, const void *b)
{
	const struct tree_gap *x = a, *y = b;

	if (x->group.v != y->group.v)
		return x->group.v < y->group.v ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return btkey_cmp(&x->from, &y->from);
}

size_t tree_gaps_join(struct tree_gap *gaps, size_t count)
{
	size_t kept = 0;

	if (!count)
		return 0;
	qsort(gaps, count, sizeof(*gaps), tree_order);
	for (size_t i = 0; i < count; i++) {
		struct tree_gap *last = kept ? &gaps[kept - 1] : NULL;

		if (!last || last->group.v != gaps[i].group.v || last->kind != gaps[i].kind ||
		    btkey_cmp(&last->to, &gaps[i].from) < 0) {
			gaps[kept++] = gaps[i];
			continue;
		}
		last->claims |= gaps[i].claims;
		if (btkey_cmp(&last->to, &gaps[i].to) < 0)
			last->to = gaps[i].to;
	}
	return kept;
}
