/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rmap account of a group, block by block (ondisk 12, S8, S9, S11): what
 * owners claim against what the rmapbt says.  As in the ledger, records of
 * one owner that lie on one line, offset and block in step, are the same
 * however they are cut; so both sides are laid onto their lines, and what
 * covers a piece of a line more often than the other side is the difference.
 */
#include <errno.h>
#include <stdlib.h>

#include "locate.h"

/* One end of a record on its line. */
struct end {
	uint64_t owner;
	uint64_t line; /* offset minus block, where they move together */
	uint64_t at;   /* block */
	int8_t times;  /* claims count up, rmap records down */
	uint8_t flags;
	uint8_t object; /* of claims */
};

static bool moves(uint64_t owner, uint8_t flags)
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

static bool same_line(const struct end *a, const struct end *b)
{
	return a->owner == b->owner && a->flags == b->flags && a->line == b->line;
}

static size_t add_ends(struct end *ends, size_t n, const struct use *uses, size_t count, int8_t times)
{
	for (size_t i = 0; i < count; i++) {
		const struct use *u = &uses[i];
		struct end e = { u->owner, moves(u->owner, u->flags) ? u->offset - u->start : 0,
				 u->start, times,
				 u->flags, u->object };

		ends[n++] = e;
		e.at += u->len;
		e.times = (int8_t)-times;
		ends[n++] = e;
	}
	return n;
}

/* What [from, e->at) of a line is. */
struct piece {
	uint64_t from;
	int64_t times;
	uint8_t object; /* of the claim that it begins in */
};

static void say_piece(struct locate *l, group_t group, const struct end *e, const struct piece *p)
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

/* All ends at the block of ends[*i], of which it leaves the last. */
static void pass_block(const struct end *ends, size_t count, size_t *i, struct piece *now)
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
	struct piece now = { 0 }, last = { 0 }; /* last: from where the difference at hand begins */

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !same_line(&ends[i - 1], &ends[i]))
			now = last = (struct piece){ 0 };
		pass_block(ends, count, &i, &now);
		if ((last.times > 0) == (now.times > 0) && (last.times < 0) == (now.times < 0))
			continue;
		if (last.times)
			say_piece(l, group, &ends[i], &last);
		now.from = ends[i].at;
		last = now;
	}
}

int locate_rmap(struct locate *l, group_t group)
{
	static const struct {
		enum use_kind kind;
		int8_t times;
	} sides[] = { { USE_CLAIM, 1 }, { USE_UNCLAIM, -1 }, { USE_RMAP, -1 }, { USE_UNMAP, 1 } };
	const struct use *uses[4];
	size_t counts[4], total = 0, n = 0;
	struct end *ends;

	if (!l->rc->geo.rmapbt)
		return 0;
	for (unsigned i = 0; i < 4; i++) {
		uses[i] = locate_uses(l, group, sides[i].kind, &counts[i]);
		total += counts[i];
	}
	ends = calloc(2 * total + 1, sizeof(*ends));
	if (!ends)
		return -ENOMEM;
	for (unsigned i = 0; i < 4; i++)
		n = add_ends(ends, n, uses[i], counts[i], sides[i].times);
	qsort(ends, n, sizeof(*ends), end_order);
	compare_lines(l, group, ends, n);
	free(ends);
	return 0;
}
