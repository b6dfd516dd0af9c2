/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves the parked items of a sweep: blocks of AG btrees, with their expectations, and runs of inodes.  Each AG has a
 * list of both, with a number before each item for its kind.
 */
#include "sets/save.h"
#include "walk.h"
#include "walk_save.h"

enum {
	WANTED_END,
	WANTED_BTREE,
	WANTED_CHUNK,
};

enum {
	EXPECT_ROOT = 1,
	EXPECT_UNSURE = 2,
	EXPECT_KEYS_OK = 4,
	EXPECT_LOW = 8,
	EXPECT_BOUND = 16,
	EXPECT_HIGH = 32,
	EXPECT_ALL = 63,
};

void walk_key_save(const struct btkey *key, struct saver *s)
{
	for (unsigned i = 0; i < 3; i++)
		save_number(s, key->k[i]);
}

struct btkey walk_key_load(struct loader *l)
{
	struct btkey key;

	for (unsigned i = 0; i < 3; i++)
		key.k[i] = load_number(l);
	return key;
}

static void save_expect(const struct btree_expect *e, struct saver *s)
{
	save_number(s, WANTED_BTREE);
	save_number(s, e->kind);
	save_number(s, e->agbno.v);
	save_number(s, e->level);
	save_number(s, (e->root ? EXPECT_ROOT : 0) | (e->unsure ? EXPECT_UNSURE : 0) |
			       (e->keys_ok ? EXPECT_KEYS_OK : 0) | (e->has_low ? EXPECT_LOW : 0) |
			       (e->has_bound ? EXPECT_BOUND : 0) | (e->has_high ? EXPECT_HIGH : 0));
	if (e->has_low)
		walk_key_save(&e->low, s);
	if (e->has_bound)
		walk_key_save(&e->bound, s);
	if (e->has_high)
		walk_key_save(&e->high, s);
}

static void load_expect(struct walker *w, agno_t agno, struct loader *l)
{
	const struct geometry *geo = w->t->geo;
	struct btree_expect e = { .agno = agno, .owner = agno.v };
	unsigned flags;

	e.kind = (enum btree_kind)load_at_most(l, BT_AG_NR - 1);
	e.agbno.v = (uint32_t)load_at_most(l, ag_length(geo, agno) - 1);
	e.level = (uint8_t)load_at_most(l, UINT8_MAX);
	flags = (unsigned)load_at_most(l, EXPECT_ALL);
	e.root = flags & EXPECT_ROOT;
	e.unsure = flags & EXPECT_UNSURE;
	e.keys_ok = flags & EXPECT_KEYS_OK;
	e.has_low = flags & EXPECT_LOW;
	e.has_bound = flags & EXPECT_BOUND;
	e.has_high = flags & EXPECT_HIGH;
	if (e.has_low)
		e.low = walk_key_load(l);
	if (e.has_bound)
		e.bound = walk_key_load(l);
	if (e.has_high)
		e.high = walk_key_load(l);
	if (e.kind == BT_REFC || !walk_tree_exists(geo, e.kind))
		load_refuse(l);
	if (load_good(l))
		walk_btree_wanted(w, &e);
}

void traverse_wanted_save(struct traverse *t, struct saver *s)
{
	for (uint32_t i = 0; i < t->geo->agcount; i++) {
		const struct ag_state *ag = &t->ags[i];
		struct sweep_item *item;

		while ((item = sweep_take_parked(t->sweep, i))) {
			const struct want *want = caa_container_of(item, const struct want, item);

			if (want->kind == WANT_CHUNK) {
				save_number(s, WANTED_CHUNK);
				walk_chunk_save(t->walkers[0], want, s);
			} else {
				save_expect(&((const struct btree_want *)want)->expect, s);
			}
			sweep_post(t->sweep, 0, i, item);
		}
		/* last, so that they are delayed again */
		for (size_t n = ag->later_next; n < ag->nlater; n++)
			save_expect(&ag->later[n]->expect, s);
		save_number(s, WANTED_END);
	}
}

void traverse_wanted_load(struct traverse *t, struct loader *l)
{
	uint64_t what;

	for (uint32_t i = 0; i < t->geo->agcount && load_good(l); i++) {
		while ((what = load_at_most(l, WANTED_CHUNK)) != WANTED_END) {
			if (what == WANTED_CHUNK)
				walk_chunk_load(t->walkers[0], (agno_t){ i }, l);
			else
				load_expect(t->walkers[0], (agno_t){ i }, l);
		}
	}
}
