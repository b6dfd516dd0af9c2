/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects facts about inodes, by a traversal of everything that refers to inodes: the inobt, directories with their
 * `..`, parent pointers and the rmapbts, including unreferenced rmapbt leaves (ondisk 12).
 */
#include "mend_facts.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/inobt.h"
#include "check/facts.h"
#include "mend/base/mend_lanes.h"
#include "repair.h"
#include "sets/sort.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

/* What has been recorded of an inode and need not be repeated; atomic. */
struct said {
	bool child;
	uint64_t gen; /* a generation, plus 1; 0: none */
};

struct fact_collector {
	const struct geometry *geo;
	const xino_t *inos;
	size_t ninos;
	struct mend_lanes lanes;
	struct said *said; /* per inode */
};

/* Returns the index of the first wanted inode number that is not below this one. */
static size_t first_from(const struct fact_collector *c, uint64_t ino)
{
	return ordered_from(c->inos, c->ninos, ELEMENT(c->inos), ino);
}

/* Returns the index of this inode number among the wanted ones; ninos: none. */
static size_t find_inode(const struct fact_collector *c, uint64_t ino)
{
	return ordered_find(c->inos, c->ninos, ELEMENT(c->inos), ino);
}

static bool wanted(const struct fact_collector *c, uint64_t ino)
{
	return find_inode(c, ino) < c->ninos;
}

static void add_fact(struct fact_collector *c, unsigned worker, const struct ino_fact *fact)
{
	mend_lanes_add(&c->lanes, worker, fact);
}

/*
 * Adds that an inode has a child, once per inode; and the generation in the child's parent pointer, unless it is the
 * one recorded first.  gen: NULL for `..`, which has none.
 */
static void add_child(struct fact_collector *c, unsigned worker, const struct ino_fact *child, const uint32_t *gen)
{
	struct said *said = &c->said[find_inode(c, child->ino.v)];
	uint64_t none = 0;

	if (!__atomic_exchange_n(&said->child, true, __ATOMIC_RELAXED))
		add_fact(c, worker, child);
	if (!gen)
		return;
	if (__atomic_compare_exchange_n(&said->gen, &none, *gen + 1ull, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
	    none != *gen + 1ull)
		add_fact(c, worker, &(struct ino_fact){ .ino = child->ino, .kind = FACT_GEN, .value = *gen });
}

static void chunk_found(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno,
			const struct inobt_record *record)
{
	struct fact_collector *c = ctx;
	const uint64_t exist = inobt_existing(record->holemask), start = ino_of(c->geo, agno, record->start).v;

	if (kind != BT_INO)
		return;
	for (size_t at = first_from(c, start); at < c->ninos && c->inos[at].v < start + INODES_PER_CHUNK; at++) {
		unsigned i = (unsigned)(c->inos[at].v - start);
		const struct ino_fact fact = { .ino = c->inos[at],
					       .kind = FACT_CHUNK,
					       .value = !(record->free >> i & 1) };

		if (exist >> i & 1)
			add_fact(c, worker, &fact);
	}
}

static void rmap_found(void *ctx, unsigned worker, group_t group, const struct rmap_record *record)
{
	struct fact_collector *c = ctx;
	struct ino_fact fact = { .ino = { record->owner },
				 .kind = FACT_RMAP,
				 .flags = record->flags,
				 .len = record->len,
				 .off = { record->offset } };

	if (!wanted(c, record->owner))
		return;
	if (group_is_rt(c->geo, group)) {
		fact.kind = FACT_RTRMAP;
		fact.value = rtbno_of(c->geo, group.v - c->geo->agcount, (gbno_t){ record->start.v }).v;
	} else {
		fact.value = fsbno_of(c->geo, (agno_t){ group.v }, record->start).v;
	}
	add_fact(c, worker, &fact);
}

static void entry_found(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct fact_collector *c = ctx;
	struct ino_fact fact = { .ino = entry->target, .ftype = entry->ftype, .metadata = entry->metadata };

	if (entry->dot || !wanted(c, entry->target.v))
		return;
	if (entry->directory.v == entry->target.v) /* `..` of the root */
		return;
	fact.value = entry->directory.v;
	fact.kind = entry->dotdot ? FACT_CHILD : FACT_ENTRY;
	if (entry->dotdot)
		add_child(c, worker, &fact, NULL);
	else
		add_fact(c, worker, &fact);
}

static void pptr_found(void *ctx, unsigned worker, const struct pptr_fact *pptr)
{
	struct fact_collector *c = ctx;
	const struct ino_fact child = {
		.ino = pptr->parent, .kind = FACT_CHILD, .metadata = pptr->metadata, .value = pptr->child.v
	};

	if (wanted(c, pptr->parent.v))
		add_child(c, worker, &child, &pptr->parent_gen);
}

static int by_ino(const void *a, const void *b)
{
	const struct ino_fact *x = a, *y = b;

	if (x->ino.v != y->ino.v)
		return x->ino.v < y->ino.v ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if ((x->flags & RMAP_ATTR) != (y->flags & RMAP_ATTR))
		return x->flags & RMAP_ATTR ? 1 : -1;
	if (x->off.v != y->off.v)
		return x->off.v < y->off.v ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static uint64_t ino_number(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct ino_fact *)record)->ino.v;
}

/* Returns the position of a fact in the order of by_ino(), among facts about the same inode. */
static uint64_t fork_number(const void *record, const void *ctx)
{
	const struct ino_fact *fact = record;

	(void)ctx;
	return ((uint64_t)fact->kind << 1 | !!(fact->flags & RMAP_ATTR)) << BMBT_OFF_BITS | fact->off.v;
}

/* Sorts in two steps, because most facts may be about a few inodes. */
static void sort_facts(struct ino_fact *facts, size_t count)
{
	static const struct number_order of_one = { sizeof(*facts), fork_number, NULL, by_ino, NULL };
	static const struct number_order order = { sizeof(*facts), ino_number, NULL, by_ino, &of_one };

	number_sort(facts, count, &order);
}

/* Returns what to traverse for facts of these kinds. The rtrmapbts lie in files, so they need the claims of inodes. */
static struct scope scope_for(const struct geometry *geo, unsigned kinds)
{
	return (struct scope){
		.claims = kinds & FACTS_RMAPS && has_rtgroups(geo),
		.trees = kinds & FACTS_RMAPS,
		.names = kinds & FACTS_NAMES,
		.pptrs = kinds & FACTS_NAMES && geo->parent,
		.shallow = !(kinds & FACTS_NAMES) && (!(kinds & FACTS_RMAPS) || !has_rtgroups(geo)),
	};
}

/* Collects facts. within: only what these inodes refer to; NULL: everything. */
static int collect_facts(struct mend *m, const xino_t *inos, size_t count, unsigned kinds, const struct ino_set *within,
			 struct mend_facts *ret)
{
	const struct repair *now = m->now;
	xino_t *these = within ? ino_set_sorted(within) : NULL;
	const struct scope scope = scope_for(&now->geo, kinds);
	const struct sink_ops ops = { .chunk = kinds & FACTS_CHUNKS ? chunk_found : NULL,
				      .rmap = kinds & FACTS_RMAPS ? rmap_found : NULL,
				      .entry = entry_found,
				      .pptr = pptr_found };
	struct fact_collector c = {
		.geo = &now->geo, .inos = inos, .ninos = count, .said = calloc(count + 1, sizeof(*c.said))
	};
	int error = mend_lanes_new(&c.lanes, now, sizeof(struct ino_fact));

	*ret = (struct mend_facts){ 0 };
	if (!c.said || (within && !these))
		error = -ENOMEM;
	if (!error)
		error = within ? facts_gather_near(now, &scope, these, ino_set_count(within), &ops, &c)
			       : facts_gather(now, &now->geo, &scope, &ops, &c);
	if (!error && count && !within && kinds & FACTS_RMAPS)
		error = mend_strays_tell(m, rmap_found, &c);
	if (!error)
		error = mend_lanes_join(&c.lanes, &ret->v, &ret->count);
	if (!error)
		sort_facts(ret->v, ret->count);
	mend_lanes_free(&c.lanes);
	free(c.said);
	free(these);
	return error;
}

int mend_facts_collect(struct mend *m, const xino_t *inos, size_t count, unsigned kinds, struct mend_facts *ret)
{
	*ret = (struct mend_facts){ 0 };
	if (!count) /* findings may be about blocks alone */
		return 0;
	return collect_facts(m, inos, count, kinds, NULL, ret);
}

void mend_facts_free(struct mend_facts *facts)
{
	free(facts->v);
	*facts = (struct mend_facts){ 0 };
}

/* ---- kept facts ---- */

struct mend_facts_kept {
	struct mend_facts facts;
	xino_t *inos;
	size_t count;
};

void mend_facts_forget(struct mend *m)
{
	if (!m->facts)
		return;
	mend_facts_free(&m->facts->facts);
	free(m->facts->inos);
	free(m->facts);
	m->facts = NULL;
}

int mend_facts_keep(struct mend *m, xino_t *inos, size_t count, struct mend_facts *facts)
{
	mend_facts_forget(m);
	m->facts = malloc(sizeof(*m->facts));
	if (!m->facts)
		return -ENOMEM;
	*m->facts = (struct mend_facts_kept){ *facts, inos, count };
	*facts = (struct mend_facts){ 0 };
	return 0;
}

static bool all_kept(const struct mend_facts_kept *kept, const xino_t *inos, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!kept || !kept->count || !bsearch(&inos[i], kept->inos, kept->count, sizeof(*inos), ino_order))
			return false;
	return true;
}

/* Adds the kept facts about these inodes. */
static int add_kept(const struct mend_facts *kept, const xino_t *inos, size_t count, struct mend_facts *facts)
{
	const struct fact_collector c = { .inos = inos, .ninos = count };
	struct ino_fact *v = reallocarray(facts->v, facts->count + kept->count + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	facts->v = v;
	for (size_t i = 0; i < kept->count; i++)
		if (wanted(&c, kept->v[i].ino.v))
			v[facts->count++] = kept->v[i];
	sort_facts(v, facts->count);
	return 0;
}

int mend_facts_collect_again(struct mend *m, const xino_t *inos, size_t count, struct mend_facts *ret)
{
	int error;

	if (!all_kept(m->facts, inos, count) || ino_set_count(&m->notes.map_mended) > facts_near_most(m->now))
		return mend_facts_collect(m, inos, count, FACTS_ALL, ret);
	error = collect_facts(m, inos, count, FACTS_NAMES, &m->notes.map_mended, ret);
	return error ? error : add_kept(&m->facts->facts, inos, count, ret);
}

int mend_facts_collect_from(struct mend *m, const xino_t *inos, size_t count, const struct ino_set *sources,
			    struct mend_facts *ret)
{
	struct mend_facts others = { 0 };
	int error;

	if (ino_set_count(sources) > facts_near_most(m->now))
		return mend_facts_collect(m, inos, count, FACTS_ALL, ret);
	error = collect_facts(m, inos, count, FACTS_NAMES, sources, ret);
	if (!error)
		error = mend_facts_collect(m, inos, count, FACTS_CHUNKS | FACTS_RMAPS, &others);
	if (!error)
		error = add_kept(&others, inos, count, ret);
	mend_facts_free(&others);
	return error;
}

static bool fact_below(const void *element, const void *key)
{
	const struct ino_fact *fact = element, *wanted = key;

	return fact->ino.v < wanted->ino.v || (fact->ino.v == wanted->ino.v && fact->kind < wanted->kind);
}

const struct ino_fact *mend_facts_of(const struct mend_facts *facts, xino_t ino, enum ino_fact_kind kind,
				     size_t *ret_count)
{
	const struct ino_fact wanted = { .ino = ino, .kind = kind }, next = { .ino = ino, .kind = kind + 1 };
	const size_t at = array_lower_bound(facts->v, facts->count, sizeof(wanted), &wanted, fact_below);

	*ret_count = array_lower_bound(facts->v + at, facts->count - at, sizeof(next), &next, fact_below);
	return facts->v + at;
}

bool mend_facts_reaches_next(const struct ino_fact *rmap, size_t count, size_t i)
{
	size_t next = i + 1;

	while (next < count && rmap[next].flags & RMAP_BMBT)
		next++;
	return next < count && !((rmap[next].flags ^ rmap[i].flags) & RMAP_ATTR) && rmap[next].off.v >= rmap[i].off.v &&
	       rmap[next].off.v - rmap[i].off.v < rmap[i].len;
}

enum ftype mend_facts_type(const struct mend_facts *facts, xino_t ino)
{
	size_t nentries, nchildren;
	const struct ino_fact *entries = mend_facts_of(facts, ino, FACT_ENTRY, &nentries);
	enum ftype ftype = FT_UNKNOWN;

	mend_facts_of(facts, ino, FACT_CHILD, &nchildren);
	if (nchildren)
		return FT_DIR;
	for (size_t i = 0; i < nentries; i++) {
		enum ftype says = entries[i].ftype;

		if (says == FT_UNKNOWN || says >= FT_WHITEOUT)
			continue;
		if (ftype != FT_UNKNOWN && ftype != says)
			return FT_UNKNOWN;
		ftype = says;
	}
	return ftype;
}

int mend_facts_inodes(const struct found *found, size_t count, xino_t **ret_inos, size_t *ret_count)
{
	xino_t *inos = calloc(count + 1, sizeof(*inos));
	size_t n = 0;

	if (!inos)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (found[i].place.ino.v != NULL_INO)
			inos[n++] = found[i].place.ino;
	*ret_inos = inos;
	*ret_count = ordered_unique(inos, n, MEMBERS(ELEMENT(inos)));
	return 0;
}
