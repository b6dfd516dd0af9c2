/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the rmap account of a group, block by block (ondisk 12, S8, S9, S11): claims of owners against records of
 * the rmapbt.  As in the ledger, it does not matter how an extent is divided into records: all records of one owner
 * with the same offset minus block lie on one line.  A interval of a line that one side covers more often than the
 * other is a difference.  Claims with an equal record, which most have, are left out first.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "evidence.h"
#include "locate.h"
#include "repair.h"
#include "sets/sort.h"

/* The start or end of a record on its line. */
struct end {
	uint64_t owner;
	uint64_t line; /* offset minus block; 0 for owners without offsets */
	uint64_t at;   /* block */
	int8_t times;  /* 1 at the start of a claim or the end of an rmapbt record, else -1 */
	uint8_t flags;
	uint8_t object; /* of claims */
};

/* True if records of this owner have offsets, which increase with blocks. */
static bool has_offset(uint64_t owner, uint8_t flags)
{
	return owner < OWNER_COW && !(flags & RMAP_BMBT);
}

static int end_order(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	if (x->flags != y->flags)
		return x->flags < y->flags ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static uint64_t number_of_end(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct end *)record)->owner;
}

static bool same_line(const struct end *a, const struct end *b)
{
	return a->owner == b->owner && a->flags == b->flags && a->line == b->line;
}

/* The ends of records that only one side has. */
struct ends {
	struct end *v;
	size_t count, room;
};

static int add_ends(struct ends *ends, const struct use *u, int8_t times)
{
	struct end e = { .owner = u->owner,
			 .line = has_offset(u->owner, u->flags) ? u->offset - u->start : 0,
			 .at = u->start,
			 .times = times,
			 .flags = u->flags,
			 .object = u->object };

	for (unsigned i = 0; i < 2; i++) {
		if (array_add(ends->v, ends->room, ends->count, e))
			return -ENOMEM;
		e.at += u->len;
		e.times = (int8_t)-times;
	}
	return 0;
}

static int add_all(struct ends *ends, const struct use *uses, size_t count, int8_t times)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = add_ends(ends, &uses[i], times);
	return ret;
}

/* Adds the ends of records that only one side has.  Returns 0 or -ENOMEM. */
static int add_unequal(struct ends *ends, const struct use *claims, size_t nclaims, const struct use *rmaps,
		       size_t nrmaps)
{
	size_t i = 0, j = 0;
	int ret = 0;

	while ((i < nclaims || j < nrmaps) && !ret) {
		int order = i == nclaims ? 1 : j == nrmaps ? -1 : evidence_order_in_group(&claims[i], &rmaps[j]);

		if (order < 0)
			ret = add_ends(ends, &claims[i], 1);
		else if (order > 0)
			ret = add_ends(ends, &rmaps[j], -1);
		i += order <= 0;
		j += order >= 0;
	}
	return ret;
}

/* A interval of a line, from a block to the next end. */
struct interval {
	uint64_t from;
	int64_t times;	/* claims minus rmapbt records that cover it */
	uint8_t object; /* of the claim that it begins in */
};

static void say_interval(struct locate *l, group_t group, const struct end *e, const struct interval *p)
{
	uint64_t from = p->from, to = e->at;

	if (p->times > 0) {
		const struct use claim = { .start = from,
					   .owner = e->owner,
					   .offset = e->line + from,
					   .flags = e->flags,
					   .object = p->object };

		locate_at_claim(l, group, from, &claim);
		locate_say_unless(l, locate_start_unknown(l, group, BT_RMAP, from), ACCOUNT_RMAP, F_RMAP_LACKS,
				  NO_INDEX, to - from, 0);
	} else {
		locate_at_block(l, OBJ_AG, group, from);
		locate_say_unless(l, locate_owner_unknown(l, group, from, e->owner), ACCOUNT_RMAP, F_RMAP_STRAY,
				  NO_INDEX, to - from, e->owner);
	}
}

/* Adds up all ends at the block of ends[*i]; sets *i to the last of them. */
static void pass_block(const struct end *ends, size_t count, size_t *i, struct interval *now)
{
	const struct end *first = &ends[*i];

	for (;; ++*i) {
		now->times += ends[*i].times;
		if (ends[*i].times > 0 && ends[*i].object)
			now->object = ends[*i].object;
		if (*i + 1 == count || !same_line(first, &ends[*i + 1]) || ends[*i + 1].at != first->at)
			return;
	}
}

static void compare_lines(struct locate *l, group_t group, const struct end *ends, size_t count)
{
	struct interval now = { 0 }, last = { 0 }; /* last: the start of the current difference */

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !same_line(&ends[i - 1], &ends[i]))
			now = last = (struct interval){ 0 };
		pass_block(ends, count, &i, &now);
		if ((last.times > 0) == (now.times > 0) && (last.times < 0) == (now.times < 0))
			continue;
		if (last.times)
			say_interval(l, group, &ends[i], &last);
		now.from = ends[i].at;
		last = now;
	}
}

/* True if no record of the rmapbt is known. */
static bool rmapbt_lost(const struct locate *l, group_t group)
{
	const uint64_t end = group_length(&l->rc->geo, group);
	uint64_t from, to;

	return locate_part_unknown(l, group, BT_RMAP, 0, end, &from, &to) && from == 0 && to == end;
}

int locate_rmap(struct locate *l, group_t group)
{
	size_t nclaims, nrmaps, nunclaims, nunmaps;
	const struct use *claims = locate_uses(l, group, USE_CLAIM, &nclaims);
	const struct use *rmaps = locate_uses(l, group, USE_RMAP, &nrmaps);
	const struct use *unclaims = locate_uses(l, group, USE_UNCLAIM, &nunclaims);
	const struct use *unmaps = locate_uses(l, group, USE_UNMAP, &nunmaps);
	const struct number_order by_line = { sizeof(struct end), number_of_end, NULL, end_order, NULL };
	struct ends ends = { 0 };
	int ret;

	if (!l->rc->geo.rmapbt)
		return 0;
	if (!nrmaps && nclaims && rmapbt_lost(l, group)) { /* already reported: there is nothing to compare with */
		locate_explained(l, ACCOUNT_RMAP, nclaims);
		return 0;
	}
	ret = add_unequal(&ends, claims, nclaims, rmaps, nrmaps);
	if (!ret)
		ret = add_all(&ends, unclaims, nunclaims, -1);
	if (!ret)
		ret = add_all(&ends, unmaps, nunmaps, 1);
	if (!ret && ends.count) {
		number_sort(ends.v, ends.count, &by_line);
		compare_lines(l, group, ends.v, ends.count);
	}
	free(ends.v);
	return ret;
}
