/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that are causes become entries first. Then each consequence goes below the one entry that may cause it,
 * found by its inode or AG, or into an entry for those with several possible causes. Consequences come by rank: records
 * before counts of records. One without a known cause may be the cause of later ranks: a wrong `..` makes two link
 * counts wrong.
 */
#include "entries.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "finding_text.h"
#include "report.h"
#include "sets/ordered.h"

/* An entry with a key for its object. */
struct about {
	uint64_t key;
	size_t entry;
};

struct abouts {
	struct about *all;
	size_t count, room;
};

/* Entries by what may follow from them. */
struct reasons {
	struct abouts objects;	     /* entries by inode, block or btree */
	struct abouts space, inodes; /* entries that hide owners of blocks, or inodes in use, by AG or realtime group */
	size_t names, anything;	     /* the entry that may change links, or sums; NO_ENTRY, or OF_SEVERAL */
};

struct work {
	struct entries *e;
	struct reasons damage; /* causes */
	struct reasons alone;  /* consequences without a known cause, of earlier ranks */
	size_t maps;	       /* the entry that hides extent maps; NO_ENTRY, or OF_SEVERAL */
	/* the last entry of each kind that is a cause, or NO_ENTRY ... */
	size_t latest[FINDING_NR];
	size_t several[FINDING_NR];	/* ... the entry of those with several possible causes ... */
	size_t unexplained[FINDING_NR]; /* ... and of those without a known cause */
};

static int abouts_add(struct abouts *a, uint64_t key, size_t entry)
{
	return array_add(a->all, a->room, a->count, (struct about){ key, entry });
}

static void abouts_sort(struct abouts *a)
{
	ordered_sort(a->all, a->count, MEMBERS(MEMBER(a->all, key), MEMBER(a->all, entry)));
}

static void reasons_sort(struct reasons *r)
{
	abouts_sort(&r->objects);
	abouts_sort(&r->space);
	abouts_sort(&r->inodes);
}

static void reasons_free(struct reasons *r)
{
	free(r->objects.all);
	free(r->space.all);
	free(r->inodes.all);
}

/* Returns the first entry with this key; NO_ENTRY: none; OF_SEVERAL: `only` is set, and there are several. */
static size_t abouts_find(const struct abouts *a, uint64_t key, bool only)
{
	const size_t low = ordered_find(a->all, a->count, MEMBER(a->all, key), key);

	if (low == a->count)
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

/* Returns a key for the object of a place: the inode, or the btree, block or header of an AG. */
static uint64_t object_key(const struct place *p)
{
	if (p->ino.v != NULL_INO && p->object != OBJ_CLUSTER)
		return p->ino.v & ~BLOCK_KEY;
	if (p->agbno.v == NULL_AGBNO || object_is_ag_btree(p->object))
		return BLOCK_KEY | (uint64_t)p->agno.v << 32 | (UINT32_MAX - p->object);
	return BLOCK_KEY | (uint64_t)p->agno.v << 32 | p->agbno.v;
}

/* Returns a key for the AG or realtime group of a place. */
static uint64_t group_key(const struct place *p)
{
	return p->agno.v != NO_AGNO ? p->agno.v : BLOCK_KEY | p->rgno;
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

	if (finding_explains_object(found->problem.finding))
		ret = abouts_add(&w->damage.objects, object_key(&found->place), entry);
	if (hides & HIDES_NAMES)
		explain(&w->damage.names, entry);
	else if (finding_contradicts_names(found))
		explain(&w->alone.names, entry);
	if (hides)
		explain(&w->damage.anything, entry);
	if (hides & HIDES_SPACE && found->place.ino.v != NULL_INO)
		explain(&w->maps, entry);
	if (!ret && hides & (HIDES_SPACE | HIDES_RT))
		ret = abouts_add(&w->damage.space, group_key(&found->place), entry);
	if (!ret && hides & HIDES_INODES)
		ret = abouts_add(&w->damage.inodes, group_key(&found->place), entry);
	return ret;
}

/* Adds a cause to the previous entry of its kind if it is near, else makes a new entry. */
static int add_cause(struct work *w, size_t finding)
{
	struct entries *e = w->e;
	const struct found *found = e->found[finding];
	size_t *latest = &w->latest[found->problem.finding];

	if (*latest != NO_ENTRY && is_near(&e->found[e->all[*latest].last]->place, &found->place))
		entry_add(e, &e->all[*latest], finding);
	else
		*latest = entry_new(e, finding, NO_ENTRY);
	if (*latest == NO_ENTRY)
		return -ENOMEM;
	return note_hidden(w, found, *latest);
}

static void put_below(struct entries *e, size_t child, size_t parent)
{
	size_t *link = &e->all[parent].child;

	while (*link != NO_ENTRY)
		link = &e->all[*link].sibling;
	*link = child;
	e->all[child].parent = parent;
}

/* Puts entries about one object, from this one on, below the first entry about it. */
static void join_same(struct work *w, const struct reasons *r, size_t from)
{
	struct entries *e = w->e;

	for (size_t i = from; i < e->count; i++) {
		const struct place *place = &e->found[e->all[i].first]->place;
		const bool one = e->all[i].count == 1 || e->all[i].ino.v != NULL_INO;
		size_t first = NO_ENTRY;

		if (one && e->all[i].parent == NO_ENTRY)
			first = abouts_find(&r->objects, object_key(place), false);
		if (first < i && e->all[first].parent == NO_ENTRY)
			put_below(e, i, first);
	}
}

/* ---- causes ---- */

static size_t root_of(const struct entries *e, size_t entry)
{
	return entry < e->count && e->all[entry].parent != NO_ENTRY ? e->all[entry].parent : entry;
}

static size_t by_inode(const struct work *w, const struct reasons *r, uint64_t ino)
{
	const size_t entry = ino & BLOCK_KEY ? NO_ENTRY : abouts_find(&r->objects, ino, false);

	return root_of(w->e, entry != NO_ENTRY ? entry : r->names);
}

static size_t by_group(const struct work *w, const struct abouts *of, const struct found *found)
{
	const size_t entry = abouts_find(of, group_key(&found->place), true);

	return root_of(w->e, entry != NO_ENTRY ? entry : w->maps);
}

/* Returns the entry among these reasons that may explain a finding; NO_ENTRY, or OF_SEVERAL. */
static size_t explained_by(const struct work *w, const struct reasons *r, const struct found *found)
{
	const size_t entry = root_of(w->e, abouts_find(&r->objects, object_key(&found->place), false));

	if (entry != NO_ENTRY)
		return entry;
	switch (finding_follows(found->problem.finding)) {
	case FOLLOWS_GOT:
		return by_inode(w, r, found->problem.got);
	case FOLLOWS_WANT:
		return by_inode(w, r, found->problem.want);
	case FOLLOWS_NAMES:
		return root_of(w->e, r->names);
	case FOLLOWS_SPACE:
		return by_group(w, &r->space, found);
	case FOLLOWS_INODES:
		return by_group(w, &r->inodes, found);
	case FOLLOWS_ANY:
		return root_of(w->e, r->anything);
	default:
		return NO_ENTRY;
	}
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
	size_t parent = explained_by(w, &w->damage, e->found[finding]), *slot, entry;

	if (parent == NO_ENTRY)
		parent = explained_by(w, &w->alone, e->found[finding]);
	slot = parent == NO_ENTRY ? &w->unexplained[kind] : &w->several[kind];
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

/* True if a finding repeats the one before it from the other owner's side. */
static bool is_mirrored(const struct found *one, const struct found *other)
{
	return one->problem.finding == F_SPACE_CLAIMED_TWICE && other->problem.finding == F_SPACE_CLAIMED_TWICE &&
	       one->place.agno.v == other->place.agno.v && one->place.agbno.v == other->place.agbno.v &&
	       one->place.ino.v == other->problem.want && other->place.ino.v == one->problem.want;
}

#define RANKS 6u

/* Returns the rank of a consequence: records first, then what depends on them, copies, and sums. */
static unsigned rank_of(enum finding finding)
{
	const enum follows follows = finding_follows(finding);

	switch (finding_class(finding)) {
	case CLASS_SUMMARY:
		return follows == FOLLOWS_ANY ? 5 : 4;
	case CLASS_SECONDARY:
		return follows == FOLLOWS_INODE ? 1 : 3;
	default:
		return follows == FOLLOWS_NAMES ? 2 : follows <= FOLLOWS_WANT;
	}
}

/* Notes a finding without a known cause as a reason for others about the same object, inodes or AG. */
static int note_alone(struct work *w, const struct found *found, size_t entry)
{
	const enum follows follows = finding_follows(found->problem.finding);
	const uint64_t keys[] = { object_key(&found->place), finding_text_got_inode(&found->problem).v,
				  finding_text_want_inode(&found->problem).v };
	int ret = 0;

	for (unsigned i = 0; i < 3 && !ret; i++)
		if (keys[i] != NULL_INO)
			ret = abouts_add(&w->alone.objects, keys[i], entry);
	if (!ret && follows == FOLLOWS_SPACE)
		ret = abouts_add(&w->alone.space, group_key(&found->place), entry);
	if (!ret && follows == FOLLOWS_INODES)
		ret = abouts_add(&w->alone.inodes, group_key(&found->place), entry);
	if (follows >= FOLLOWS_SPACE || follows == FOLLOWS_INODE)
		explain(&w->alone.anything, entry);
	if (finding_contradicts_names(found))
		explain(&w->alone.names, entry);
	return ret;
}

/* Makes entries of the findings of a rank, and notes those without a known cause. */
static int add_rank(struct work *w, unsigned rank)
{
	struct entries *e = w->e;
	const size_t from = e->count;
	int ret = 0;

	for (size_t i = 0; i < e->nfound && !ret; i++)
		if (finding_is_effect(e->found[i]->problem.finding) && rank_of(e->found[i]->problem.finding) == rank &&
		    !(i && is_mirrored(e->found[i - 1], e->found[i])))
			ret = add_effect(w, i);
	for (size_t i = from; i < e->count && !ret; i++) {
		size_t finding = e->all[i].first;

		for (size_t k = 0; e->all[i].parent == NO_ENTRY && k < e->all[i].count && !ret; k++) {
			ret = note_alone(w, e->found[finding], i);
			finding = e->next[finding];
		}
	}
	reasons_sort(&w->alone);
	if (!ret)
		join_same(w, &w->alone, from);
	return ret;
}

/* ---- order ---- */

/* 0: damage, 1: a wrong sum, which follows from what is counted, 2: harmless, 3: no damage */
static unsigned lightness(const struct entry *entry)
{
	switch (finding_severity(entry->finding)) {
	case SEV_NOTE:
		return 3;
	case SEV_PREEN:
		return 2;
	default:
		return finding_is_effect(entry->finding) && finding_class(entry->finding) == CLASS_SUMMARY;
	}
}

/* Orders entries without parent before those with several causes; then damage, heavier ones first; then by place. */
static int weight_order(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	if (x->parent != y->parent)
		return x->parent == NO_ENTRY ? -1 : 1;
	if (lightness(x) != lightness(y))
		return lightness(x) < lightness(y) ? -1 : 1;
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

static int make(struct work *w)
{
	struct entries *e = w->e;
	int ret = 0;

	for (unsigned i = 0; i < FINDING_NR; i++)
		w->latest[i] = w->several[i] = w->unexplained[i] = NO_ENTRY;
	w->maps = NO_ENTRY;
	w->damage.names = w->alone.names = NO_ENTRY;
	w->damage.anything = w->alone.anything = NO_ENTRY;
	for (size_t i = 0; i < e->nfound && !ret; i++)
		if (!finding_is_effect(e->found[i]->problem.finding))
			ret = add_cause(w, i);
	reasons_sort(&w->damage);
	if (!ret)
		join_same(w, &w->damage, 0);
	for (unsigned rank = 0; rank < RANKS && !ret; rank++)
		ret = add_rank(w, rank);
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
		reasons_free(&w->damage);
		reasons_free(&w->alone);
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
