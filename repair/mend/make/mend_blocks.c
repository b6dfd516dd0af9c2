/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks for new trees: those that are free now and were not in use by the old trees; blocks of these only if there are
 * too few others.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend_plan.h"
#include "sets/sort.h"
#include "sets/ordered.h"

/* Blocks of old trees, by start. */
static struct extent *old_extents(const struct ag_contents *c)
{
	struct extent *old = calloc(c->nold + 1, sizeof(*old));

	for (size_t i = 0; old && i < c->nold; i++)
		old[i] = (struct extent){ (uint32_t)c->old[i].start, (uint32_t)c->old[i].len };
	if (old)
		ordered_sort(old, c->nold, MEMBERS(MEMBER(old, start)));
	return old;
}

/*
 * Set p->fresh: what will be free, without the blocks of old trees, which are still in use if the repair is
 * interrupted. 0 or -ENOMEM.
 */
static int find_fresh(struct mend_plan *p)
{
	const struct ag_contents *c = p->contents;
	struct extent *old = old_extents(c);
	size_t next = 0;

	p->fresh.v = calloc(p->records.nfree + c->nold + 1, sizeof(*p->fresh.v));
	if (!old || !p->fresh.v) {
		free(old);
		return -ENOMEM;
	}
	for (size_t i = 0; i < p->records.nfree; i++) {
		uint32_t at = p->records.free[i].start.v, end = at + p->records.free[i].len;

		for (; next < c->nold && old[next].start < end; next++) {
			if (old[next].start > at)
				p->fresh.v[p->fresh.count++] = (struct extent){ at, old[next].start - at };
			if (old[next].start + old[next].len > at)
				at = old[next].start + old[next].len;
		}
		if (at < end)
			p->fresh.v[p->fresh.count++] = (struct extent){ at, end - at };
	}
	free(old);
	return 0;
}

static bool free_up_to(const void *element, const void *key)
{
	const struct alloc_record *r = element;
	const uint64_t *block = key;

	return (uint64_t)r->start.v + r->len <= *block;
}

static bool will_be_free(const struct mend_plan *p, uint64_t block)
{
	const struct alloc_record *free = p->records.free;
	size_t at = array_lower_bound(free, p->records.nfree, sizeof(*free), &block, free_up_to);

	return at < p->records.nfree && free[at].start.v <= block;
}

/* Set p->spare: blocks of old space trees, which can be derived again from all the rest; inode trees can't. */
static int find_spare(struct mend_plan *p)
{
	const struct ag_contents *c = p->contents;
	size_t n = 0;

	p->spare.v = calloc(c->nold + 1, sizeof(*p->spare.v));
	if (!p->spare.v)
		return -ENOMEM;
	for (size_t i = 0; i < c->nold; i++)
		if (c->old[i].owner != OWNER_INOBT && c->old[i].len == 1 && will_be_free(p, c->old[i].start))
			p->spare.v[n++] = (struct extent){ (uint32_t)c->old[i].start, 1 };
	p->spare.count = ordered_unique(p->spare.v, n, MEMBERS(MEMBER(p->spare.v, start)));
	return 0;
}

int mend_blocks_find(struct mend_plan *p)
{
	int ret = find_fresh(p);

	return ret ? ret : find_spare(p);
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
