/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that are causes become entries first. Then each consequence goes below the one entry that may cause it,
 * found by its inode or AG, or into an entry for those with several possible causes.
 */
#include "entries.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"

/* An entry with a key for its object. */
struct about {
	uint64_t key;
	size_t entry;
};

struct abouts {
	struct about *all;
	size_t count, room;
};

struct work {
	struct entries *e;
	struct abouts objects;	      /* entries by inode or block */
	struct abouts space, inodes;  /* entries that hide owners of blocks, or inodes in use, by AG */
	size_t names, anything, maps; /* the entry that hides them, NO_ENTRY, or OF_SEVERAL */
	/* the last entry of each kind that is a cause, or NO_ENTRY ... */
	size_t latest[FINDING_NR];
	size_t several[FINDING_NR];	/* ... the entry of those with several possible causes ... */
	size_t unexplained[FINDING_NR]; /* ... and of those without a known cause */
};

static int abouts_add(struct abouts *a, uint64_t key, size_t entry)
{
	return array_add(a->all, a->room, a->count, (struct about){ key, entry });
}

static int about_order(const void *a, const void *b)
{
	const struct about *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->entry > y->entry) - (x->entry < y->entry);
}

static void abouts_sort(struct abouts *a)
{
	if (a->count)
		qsort(a->all, a->count, sizeof(*a->all), about_order);
}

static bool is_below(const void *about, const void *key)
{
	return ((const struct about *)about)->key < *(const uint64_t *)key;
}

/* Returns the first entry with this key; NO_ENTRY: none; OF_SEVERAL: `only` is set, and there are several. */
static size_t abouts_find(const struct abouts *a, uint64_t key, bool only)
{
	const size_t low = array_lower_bound(a->all, a->count, sizeof(*a->all), &key, is_below);

	if (low == a->count || a->all[low].key != key)
		return NO_ENTRY;
	for (size_t i = low + 1; only && i < a->count && a->all[i].key == key; i++)
		if (a->all[i].entry != a->all[low].entry)
			return OF_SEVERAL;
	return a->all[low].entry;
}

/* ---- entries ---- */

static size_t entry_new(struct entries *e, size_t finding, size_t parent)
{
	const struct found *found = e->found[finding];

	const struct entry entry = { .finding = found->problem.finding,
				     .first = finding,
				     .last = finding,
				     .count = 1,
				     .times = found->times,
				     .ino = found->place.ino,
				     .parent = parent,
				     .child = NO_ENTRY,
				     .sibling = NO_ENTRY };

	return array_add(e->all, e->room, e->count, entry) ? NO_ENTRY : e->count - 1;
}

static void entry_add(struct entries *e, struct entry *entry, size_t finding)
{
	const struct found *found = e->found[finding];

	e->next[entry->last] = finding;
	entry->last = finding;
	entry->count++;
	entry->times += found->times;
	if (entry->ino.v != found->place.ino.v)
		entry->ino.v = NULL_INO;
}

static bool is_near(const struct place *a, const struct place *b)
{
	if (a->agno.v != b->agno.v || a->rgno != b->rgno)
		return false;
	if (a->agbno.v != NULL_AGBNO && b->agbno.v >= a->agbno.v && b->agbno.v - a->agbno.v <= ENTRY_NEAR)
		return true;
	if (a->object != b->object)
		return false;
	if (a->ino.v == NULL_INO || b->ino.v == NULL_INO)
		return a->ino.v == b->ino.v && a->agbno.v == b->agbno.v;
	return b->ino.v >= a->ino.v && b->ino.v - a->ino.v <= ENTRY_NEAR;
}

#define BLOCK_KEY (UINT64_C(1) << 63)

/* Returns a key for the object of a place: the inode, or the block or header of an AG. */
static uint64_t object_key(const struct place *p)
{
	if (p->ino.v != NULL_INO && p->object != OBJ_CLUSTER)
		return p->ino.v & ~BLOCK_KEY;
	return BLOCK_KEY | (uint64_t)p->agno.v << 32 | (p->agbno.v != NULL_AGBNO ? p->agbno.v : UINT32_MAX - p->object);
}

static void explain(size_t *what, size_t entry)
{
	if (*what == NO_ENTRY)
		*what = entry;
	else if (*what != entry)
		*what = OF_SEVERAL;
}

/* Records what an entry may cause. */
static int note_hidden(struct work *w, const struct found *found, size_t entry)
{
	const enum hides hides = finding_hides(found);
	int ret = 0;

	if (hides & HIDES_NAMES)
		explain(&w->names, entry);
	if (hides)
		explain(&w->anything, entry);
	if (hides & HIDES_SPACE && found->place.ino.v != NULL_INO)
		explain(&w->maps, entry);
	if (hides & HIDES_SPACE)
		ret = abouts_add(&w->space, found->place.agno.v, entry);
	if (!ret && hides & HIDES_INODES)
		ret = abouts_add(&w->inodes, found->place.agno.v, entry);
	return ret;
}

/* Adds a cause to the previous entry of its kind if it is near, else makes a new entry. */
static int add_cause(struct work *w, size_t finding)
{
	struct entries *e = w->e;
	const struct found *found = e->found[finding];
	size_t *latest = &w->latest[found->problem.finding];
	int ret;

	if (*latest != NO_ENTRY && is_near(&e->found[e->all[*latest].last]->place, &found->place))
		entry_add(e, &e->all[*latest], finding);
	else
		*latest = entry_new(e, finding, NO_ENTRY);
	if (*latest == NO_ENTRY)
		return -ENOMEM;
	ret = abouts_add(&w->objects, object_key(&found->place), *latest);
	return ret ? ret : note_hidden(w, found, *latest);
}

static void put_below(struct entries *e, size_t child, size_t parent)
{
	size_t *link = &e->all[parent].child;

	while (*link != NO_ENTRY)
		link = &e->all[*link].sibling;
	*link = child;
	e->all[child].parent = parent;
}

/* Puts entries about one object below the first entry about it. */
static void join_causes(struct work *w)
{
	struct entries *e = w->e;

	for (size_t i = 0; i < e->count; i++) {
		const struct place *place = &e->found[e->all[i].first]->place;
		const bool one = e->all[i].count == 1 || e->all[i].ino.v != NULL_INO;
		size_t first = one ? abouts_find(&w->objects, object_key(place), false) : NO_ENTRY;

		if (first != NO_ENTRY && first < i && e->all[first].parent == NO_ENTRY)
			put_below(e, i, first);
	}
}

/* ---- causes ---- */

static size_t root_of(const struct entries *e, size_t entry)
{
	return entry < e->count && e->all[entry].parent != NO_ENTRY ? e->all[entry].parent : entry;
}

static size_t by_inode(const struct work *w, uint64_t ino)
{
	return ino & BLOCK_KEY ? NO_ENTRY : root_of(w->e, abouts_find(&w->objects, ino, false));
}

static size_t by_group(const struct work *w, const struct abouts *of, const struct found *found)
{
	const size_t entry = root_of(w->e, abouts_find(of, found->place.agno.v, true));

	return entry != NO_ENTRY ? entry : root_of(w->e, w->maps);
}

static size_t explained_by(const struct work *w, const struct found *found)
{
	size_t entry = by_inode(w, found->place.ino.v);

	if (entry != NO_ENTRY)
		return entry;
	switch (finding_follows(found->problem.finding)) {
	case FOLLOWS_GOT:
		entry = by_inode(w, found->problem.got);
		break;
	case FOLLOWS_WANT:
		entry = by_inode(w, found->problem.want);
		break;
	case FOLLOWS_SPACE:
		return by_group(w, &w->space, found);
	case FOLLOWS_INODES:
		return by_group(w, &w->inodes, found);
	case FOLLOWS_ANY:
		return root_of(w->e, w->anything);
	case FOLLOWS_NAMES:
		break;
	default:
		return NO_ENTRY;
	}
	return entry != NO_ENTRY ? entry : root_of(w->e, w->names);
}

/* Returns the child of this kind below an entry; NO_ENTRY: none. */
static size_t child_of_kind(const struct entries *e, size_t parent, enum finding finding)
{
	size_t child = e->all[parent].child;

	while (child != NO_ENTRY && e->all[child].finding != finding)
		child = e->all[child].sibling;
	return child;
}

static int add_effect(struct work *w, size_t finding)
{
	struct entries *e = w->e;
	const enum finding kind = e->found[finding]->problem.finding;
	const size_t parent = explained_by(w, e->found[finding]);
	size_t *slot = parent == NO_ENTRY ? &w->unexplained[kind] : &w->several[kind], entry;

	entry = parent < e->count ? child_of_kind(e, parent, kind) : *slot;
	if (entry != NO_ENTRY) {
		entry_add(e, &e->all[entry], finding);
		return 0;
	}
	entry = entry_new(e, finding, parent);
	if (entry == NO_ENTRY)
		return -ENOMEM;
	if (parent < e->count)
		put_below(e, entry, parent);
	else
		*slot = entry;
	return 0;
}

/* ---- order ---- */

/* Orders entries without parent before those with several causes; then heavier ones first; then by place. */
static int weight_order(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	if (x->parent != y->parent)
		return x->parent == NO_ENTRY ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x > y) - (x < y);
}

static int put_in_order(struct entries *e)
{
	e->order = calloc(e->count + 1, sizeof(*e->order));
	if (!e->order)
		return -ENOMEM;
	for (size_t i = 0; i < e->count; i++)
		e->all[i].weight = e->all[i].times;
	for (size_t i = 0; i < e->count; i++) {
		if (e->all[i].parent < e->count)
			e->all[e->all[i].parent].weight += e->all[i].times;
		else
			e->order[e->nroots++] = &e->all[i];
	}
	qsort(e->order, e->nroots, sizeof(*e->order), weight_order);
	while (e->nroots && e->order[e->nroots - 1]->parent == OF_SEVERAL) {
		e->nroots--;
		e->nseveral++;
	}
	return 0;
}

/* True if a finding repeats the one before it from the other owner's side. */
static bool is_mirrored(const struct found *one, const struct found *other)
{
	return one->problem.finding == F_SPACE_CLAIMED_TWICE && other->problem.finding == F_SPACE_CLAIMED_TWICE &&
	       one->place.agno.v == other->place.agno.v && one->place.agbno.v == other->place.agbno.v &&
	       one->place.ino.v == other->problem.want && other->place.ino.v == one->problem.want;
}

static int make(struct work *w)
{
	struct entries *e = w->e;
	int ret = 0;

	for (unsigned i = 0; i < FINDING_NR; i++)
		w->latest[i] = w->several[i] = w->unexplained[i] = NO_ENTRY;
	w->names = w->anything = w->maps = NO_ENTRY;
	for (size_t i = 0; i < e->nfound && !ret; i++)
		if (!finding_is_effect(e->found[i]->problem.finding))
			ret = add_cause(w, i);
	abouts_sort(&w->objects);
	abouts_sort(&w->space);
	abouts_sort(&w->inodes);
	if (!ret)
		join_causes(w);
	for (size_t i = 0; i < e->nfound && !ret; i++)
		if (finding_is_effect(e->found[i]->problem.finding) &&
		    !(i && is_mirrored(e->found[i - 1], e->found[i])))
			ret = add_effect(w, i);
	return ret ? ret : put_in_order(e);
}

void entries_make(struct entries *e, const struct found **found, size_t count)
{
	struct work *w = calloc(1, sizeof(*w));
	int ret = -ENOMEM;

	*e = (struct entries){ .found = found, .nfound = count, .next = calloc(count + 1, sizeof(*e->next)) };
	if (w && e->next) {
		w->e = e;
		ret = make(w);
		free(w->objects.all);
		free(w->space.all);
		free(w->inodes.all);
	}
	free(w);
	if (ret) {
		entries_free(e);
		*e = (struct entries){ .found = found, .nfound = count };
	}
}

void entries_free(struct entries *e)
{
	free(e->next);
	free(e->all);
	free(e->order);
	*e = (struct entries){ 0 };
}
