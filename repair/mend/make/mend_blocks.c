/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds blocks for new btrees: those that are free now and were not part of the old btrees; only if these are too few,
 * blocks of the old ones.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend_plan.h"
#include "sets/sort.h"
#include "sets/ordered.h"

/* Returns the blocks of old btrees, by start, or only of inode btrees. *ret_count: their number; NULL: no memory. */
static struct extent *old_extents(const struct ag_contents *c, bool inode_trees, size_t *ret_count)
{
	struct extent *old = calloc(c->nold + 1, sizeof(*old));
	size_t n = 0;

	for (size_t i = 0; old && i < c->nold; i++)
		if (!inode_trees || c->old[i].owner == OWNER_INOBT)
			old[n++] = (struct extent){ (uint32_t)c->old[i].start, (uint32_t)c->old[i].len };
	if (old)
		ordered_sort(old, n, MEMBERS(MEMBER(old, start)));
	*ret_count = n;
	return old;
}

/* Sets *ret to the parts of `from` outside of `less`. Both are sorted; `less` may overlap. 0 or -ENOMEM. */
static int without(const struct extents *from, const struct extent *less, size_t nless, struct extents *ret)
{
	size_t next = 0;

	ret->count = 0;
	ret->v = calloc(from->count + nless + 1, sizeof(*ret->v));
	if (!ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < from->count; i++) {
		const uint32_t end = from->v[i].start + from->v[i].len;

		for (uint32_t at = from->v[i].start, stop; at < end; at = stop) {
			while (next < nless && less[next].start + less[next].len <= at)
				next++;
			stop = next < nless && less[next].start < end ? less[next].start : end;
			if (stop > at)
				ret->v[ret->count++] = (struct extent){ at, stop - at };
			else
				stop = less[next].start + less[next].len;
		}
	}
	return 0;
}

/*
 * Sets p->fresh: free blocks except those of old btrees, which are still needed if the repair is interrupted.  Sets
 * p->spare: blocks of old space btrees, which can be derived from everything else, unlike inode btrees.
 */
int mend_blocks_find(struct mend_plan *p)
{
	struct extents all = { calloc(p->records.nfree + 1, sizeof(*all.v)), p->records.nfree }, usable = { 0 };
	size_t nold, nkept;
	struct extent *old = old_extents(p->contents, false, &nold), *kept = old_extents(p->contents, true, &nkept);
	int ret = all.v && old && kept ? 0 : -ENOMEM;

	for (size_t i = 0; !ret && i < all.count; i++)
		all.v[i] = (struct extent){ p->records.free[i].start.v, p->records.free[i].len };
	ret = ret ? ret : without(&all, old, nold, &p->fresh);
	ret = ret ? ret : without(&all, kept, nkept, &usable);
	ret = ret ? ret : without(&usable, p->fresh.v, p->fresh.count, &p->spare);
	free(all.v);
	free(usable.v);
	free(old);
	free(kept);
	return ret;
}

/* ---- taking blocks ---- */

static int longest_first(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? 1 : -1;
	return number_order(x->start, y->start);
}

static void take_from(struct mend_plan *p, const struct extent *e, uint32_t need)
{
	for (uint32_t i = 0; i < e->len && p->nblocks < need; i++)
		p->blocks[p->nblocks++] = e->start + i;
}

int mend_blocks_choose(struct mend_plan *p, uint32_t need)
{
	const struct extent *whole = NULL;

	if (need > p->room) {
		uint64_t *more = reallocarray(p->blocks, need, sizeof(*more));

		if (!more)
			return -ENOMEM;
		p->blocks = more;
		p->room = need;
	}
	p->nblocks = 0;
	for (size_t i = 0; i < p->fresh.count; i++)
		if (p->fresh.v[i].len >= need && (!whole || p->fresh.v[i].start < whole->start))
			whole = &p->fresh.v[i];
	if (whole) {
		take_from(p, whole, need);
		return 0;
	}
	qsort(p->fresh.v, p->fresh.count, sizeof(*p->fresh.v), longest_first);
	for (size_t i = 0; i < p->fresh.count && p->nblocks < need; i++)
		take_from(p, &p->fresh.v[i], need);
	for (size_t i = 0; i < p->spare.count && p->nblocks < need; i++)
		take_from(p, &p->spare.v[i], need);
	sort_words(p->blocks, p->nblocks, 1);
	return 0;
}

size_t mend_blocks_free_left(struct mend_plan *p, struct alloc_record *ret_free)
{
	size_t count = 0;
	uint32_t next = 0;

	p->agf.freeblks = p->agf.longest = 0;
	for (size_t i = 0; i < p->records.nfree; i++) {
		uint32_t at = p->records.free[i].start.v, end = at + p->records.free[i].len;

		while (at < end) {
			uint32_t to = end;

			if (next < p->nblocks && p->blocks[next] < end)
				to = (uint32_t)p->blocks[next++];
			if (to > at) {
				if (ret_free)
					ret_free[count] = (struct alloc_record){ { at }, to - at };
				p->agf.freeblks += to - at;
				if (to - at > p->agf.longest)
					p->agf.longest = to - at;
				count++;
			}
			at = to < end ? to + 1 : end;
		}
	}
	return count;
}

uint32_t mend_blocks_runs(const struct mend_plan *p, uint32_t from, uint32_t to)
{
	uint32_t count = 0;

	for (uint32_t i = from; i < to; i++)
		count += i == from || p->blocks[i] != p->blocks[i - 1] + 1;
	return count;
}
