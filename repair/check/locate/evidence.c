/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects evidence.  Each worker appends to its own arrays; names are kept in pages, so that pointers to them stay
 * valid.  Closing makes one sorted array of each kind of record.
 */
#include "evidence.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "large.h"

#define NAME_PAGE 65536u

struct array {
	uint8_t *v;
	size_t count, room;
};

struct page {
	struct page *next;
	size_t used;
	uint8_t bytes[NAME_PAGE];
};

static const size_t record_sizes[REC_NR] = {
	[REC_USE] = sizeof(struct use),
	[REC_CHUNK] = sizeof(struct chunk_fact),
	[REC_UNLINKED] = sizeof(struct unlinked_fact),
	[REC_INODE] = sizeof(struct inode_fact),
	[REC_LINK] = sizeof(struct link_fact),
};

_Static_assert(sizeof(struct use) / 2 * 3 <= FACT_BYTES && sizeof(struct link_fact) / 2 * 3 <= FACT_BYTES &&
		       sizeof(struct inode_fact) / 2 * 3 <= INODE_FACT_BYTES,
	       "the ledger weighs what a record takes, and what half of it does");

struct lane {
	struct array arrays[REC_NR];
	struct page *names;
};

/* blocks of a group; to == 0: none */
struct window {
	uint64_t from, to;
	enum btree_kind free_tree;
};

struct pass {
	uint32_t pass, passes; /* passes == 0: none */
};

struct evidence {
	const struct geometry *geo;
	struct hash_key key;
	struct window *windows; /* one per group */
	struct pass passes[LEDGER_BUCKETS];
	const struct doubts *doubts; /* NULL: all */
	uint64_t longest;	     /* group, in blocks */
	unsigned use_kinds;	     /* a bit per enum use_kind to collect */
	unsigned nlanes;
	struct lane *lanes;
	uint8_t *merged[REC_NR];
	size_t limit;
	/* atomic */
	size_t used;
	bool full;
};

struct evidence *evidence_new(const struct geometry *geo, unsigned workers, const struct hash_key *key, size_t limit)
{
	struct evidence *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->geo = geo;
	e->key = *key;
	e->limit = limit;
	e->use_kinds = UINT_MAX;
	for (uint32_t g = 0; g < group_count(geo); g++)
		if (group_length(geo, (group_t){ g }) > e->longest)
			e->longest = group_length(geo, (group_t){ g });
	e->nlanes = workers;
	e->windows = calloc(group_count(geo) + 1, sizeof(*e->windows));
	e->lanes = calloc(workers, sizeof(*e->lanes));
	if (!e->windows || !e->lanes) {
		evidence_free(e);
		return NULL;
	}
	return e;
}

static void lane_free(struct lane *lane)
{
	for (unsigned i = 0; i < REC_NR; i++)
		free(lane->arrays[i].v);
	while (lane->names) {
		struct page *next = lane->names->next;

		free(lane->names);
		lane->names = next;
	}
}

void evidence_free(struct evidence *e)
{
	if (!e)
		return;
	for (unsigned i = 0; e->lanes && i < e->nlanes; i++)
		lane_free(&e->lanes[i]);
	for (unsigned i = 0; i < REC_NR; i++)
		free(e->merged[i]);
	free(e->lanes);
	free(e->windows);
	free(e);
}

void evidence_want_blocks(struct evidence *e, group_t group, uint64_t from, uint64_t to)
{
	e->windows[group.v].from = from;
	e->windows[group.v].to = to;
}

void evidence_free_tree(struct evidence *e, group_t group, enum btree_kind kind)
{
	e->windows[group.v].free_tree = kind;
}

void evidence_want_inodes(struct evidence *e, unsigned bucket, uint32_t pass, uint32_t passes)
{
	e->passes[bucket] = (struct pass){ pass, passes };
}

void evidence_only_doubts(struct evidence *e, const struct doubts *doubts)
{
	e->doubts = doubts;
}

void evidence_only_uses(struct evidence *e, unsigned kinds)
{
	e->use_kinds = kinds;
}

bool evidence_full(const struct evidence *e)
{
	return __atomic_load_n(&e->full, __ATOMIC_RELAXED);
}

/* Counts bytes that will be used.  False: the limit is reached, and the evidence is full. */
static bool take_memory(struct evidence *e, size_t bytes)
{
	if (__atomic_add_fetch(&e->used, bytes, __ATOMIC_RELAXED) <= e->limit)
		return true;
	__atomic_store_n(&e->full, true, __ATOMIC_RELAXED);
	return false;
}

#define STEP 512u /* records whose memory is counted at a time */

/* Grows an array.  False: out of memory. */
static bool grow(struct array *a, size_t size)
{
	if (array_grow(&a->v, &a->room, a->count, size))
		return false;
	large_memory(a->v, a->room * size);
	return true;
}

/* Returns room for one more record, not initialized; NULL: full. */
static void *append(struct evidence *e, unsigned worker, enum evidence_kind kind)
{
	struct array *a = &e->lanes[worker].arrays[kind];
	size_t size = record_sizes[kind];

	/* half as much again for merging and sorting; the unused rest of an array uses no memory */
	if (a->count % STEP == 0 && (evidence_full(e) || !take_memory(e, STEP * size / 2 * 3)))
		return NULL;
	if (a->count == a->room && !grow(a, size)) {
		__atomic_store_n(&e->full, true, __ATOMIC_RELAXED);
		return NULL;
	}
	return a->v + size * a->count++;
}

static const uint8_t *keep_name(struct evidence *e, unsigned worker, const uint8_t *name, uint8_t len)
{
	struct page *page = e->lanes[worker].names;
	uint8_t *kept;

	if (!page || NAME_PAGE - page->used < len) {
		page = !evidence_full(e) && take_memory(e, sizeof(*page)) ? malloc(sizeof(*page)) : NULL;
		if (!page) {
			__atomic_store_n(&e->full, true, __ATOMIC_RELAXED);
			return NULL;
		}
		page->next = e->lanes[worker].names;
		page->used = 0;
		e->lanes[worker].names = page;
	}
	kept = memcpy(page->bytes + page->used, name, len);
	page->used += len;
	return kept;
}

/* ---- selection ---- */

static bool block_wanted(const struct evidence *e, group_t group, uint64_t block)
{
	return block >= e->windows[group.v].from && block < e->windows[group.v].to;
}

/* True if the inode is in a wanted pass over a bucket. */
static bool part_wanted(const struct evidence *e, xino_t ino)
{
	const struct pass *p = &e->passes[ledger_bucket(ino)];

	return p->passes && ino.v / 64 / LEDGER_BUCKETS % p->passes == p->pass;
}

static bool inode_wanted(const struct evidence *e, xino_t ino)
{
	return part_wanted(e, ino) && (!e->doubts || doubts_has(e->doubts, ino));
}

/* ---- the sink ---- */

static void add_use(struct evidence *e, unsigned worker, const struct use *use)
{
	struct use *new = e->use_kinds >> use->kind & 1 ? append(e, worker, REC_USE) : NULL;

	if (new)
		*new = *use;
}

/* Adds the wanted part of a range. */
static void add_range(struct evidence *e, unsigned worker, struct use use)
{
	const struct window *w = &e->windows[use.group];
	uint64_t end = use.start + use.len;
	uint64_t from = use.start > w->from ? use.start : w->from, to = end < w->to ? end : w->to;

	if (from >= to)
		return;
	if (use.owner < OWNER_COW && !(use.flags & RMAP_BMBT))
		use.offset += from - use.start;
	use.start = from;
	use.len = to - from;
	add_use(e, worker, &use);
}

static void add_use_of(struct evidence *e, unsigned worker, const struct claim *c, enum use_kind kind)
{
	add_range(e, worker,
		  (struct use){ .start = c->at.start.v,
				.len = c->at.len,
				.owner = c->owner,
				.offset = c->offset,
				.group = c->at.group.v,
				.kind = kind,
				.flags = c->flags,
				.object = c->object });
}

static void add_claim(void *ctx, unsigned worker, const struct claim *c)
{
	add_use_of(ctx, worker, c, USE_CLAIM);
}

/* Adds nothing: the claim itself shows that its owner may not share. */
static void add_alone(void *ctx, unsigned worker, const struct blocks *b)
{
	(void)ctx, (void)worker, (void)b;
}

static void add_unclaim(void *ctx, unsigned worker, const struct claim *c)
{
	add_use_of(ctx, worker, c, USE_UNCLAIM);
}

static void add_free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *b)
{
	struct use use = { .start = b->start.v, .len = b->len, .group = b->group.v, .kind = USE_FREE };
	struct evidence *e = ctx;

	if (kind == e->windows[b->group.v].free_tree)
		add_range(e, worker, use);
	if (group_is_rt(e->geo, b->group) || !block_wanted(e, b->group, b->start.v))
		return;
	use.kind = kind == BT_BNO ? USE_BNO : USE_CNT;
	add_use(e, worker, &use);
}

static void add_freed(void *ctx, unsigned worker, const struct blocks *b)
{
	add_range(ctx, worker,
		  (struct use){ .start = b->start.v, .len = b->len, .group = b->group.v, .kind = USE_FREE });
}

static struct claim claim_of(group_t group, const struct rmap_record *r)
{
	return (struct claim){ { group, { r->start.v }, r->len }, r->owner, r->offset, r->flags, 0 };
}

static void add_rmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	const struct claim claim = claim_of(group, r);

	add_use_of(ctx, worker, &claim, USE_RMAP);
}

static void add_unmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	const struct claim claim = claim_of(group, r);

	add_use_of(ctx, worker, &claim, USE_UNMAP);
}

static void add_recount(void *ctx, unsigned worker, const struct blocks *b, int change)
{
	add_range(ctx, worker,
		  (struct use){ .start = b->start.v,
				.len = b->len,
				.group = b->group.v,
				.refcount = (uint32_t)(1 + change),
				.kind = USE_SHARED });
}

static void add_refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *r)
{
	struct use use = { .start = r->start.v, .len = r->len, .group = group.v };

	use.kind = r->cow ? USE_CLAIM : USE_SHARED;
	if (r->cow)
		use.owner = OWNER_COW;
	else
		use.refcount = r->refcount;
	use.object = OBJ_REFCBT;
	add_range(ctx, worker, use);
}

static void add_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *r)
{
	struct evidence *e = ctx;
	xino_t first = ino_of(e->geo, agno, r->start);
	xino_t last = { first.v + 63 };
	struct chunk_fact *new;

	/* both btrees if the blocks are wanted; the inobt also if the inodes are, to know which are in use */
	if (!block_wanted(e, group_of_ag(agno), agbno_of_agino(e->geo, r->start).v) &&
	    !(kind == BT_INO && (part_wanted(e, first) || part_wanted(e, last))))
		return;
	new = append(e, worker, REC_CHUNK);
	if (new)
		*new = (struct chunk_fact){ agno, kind, *r };
}

static void add_unlinked_fact(struct evidence *e, unsigned worker, agno_t agno, agino_t agino, bool pointer)
{
	struct unlinked_fact *new;

	if (!block_wanted(e, group_of_ag(agno), agbno_of_agino(e->geo, agino).v))
		return;
	new = append(e, worker, REC_UNLINKED);
	if (new)
		*new = (struct unlinked_fact){ agno, agino, pointer };
}

static void add_unlinked(void *ctx, unsigned worker, agno_t agno, agino_t agino)
{
	add_unlinked_fact(ctx, worker, agno, agino, true);
}

static void add_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct evidence *e = ctx;
	struct inode_fact *new;

	if (inode->nlink == 0)
		add_unlinked_fact(e, worker, agno_of_ino(e->geo, inode->ino), agino_of_ino(e->geo, inode->ino), false);
	if (!inode_wanted(e, inode->ino))
		return;
	new = append(e, worker, REC_INODE);
	if (new)
		*new = (struct inode_fact){ inode->ino, inode->nlink, inode->ftype, inode->metadata };
}

static void add_link(struct evidence *e, unsigned worker, const struct link_fact *link)
{
	struct link_fact *new = inode_wanted(e, link->key) ? append(e, worker, REC_LINK) : NULL;

	if (!new)
		return;
	*new = *link;
	if (link->namelen)
		new->name = keep_name(e, worker, link->name, link->namelen);
	if (!new->name)
		new->namelen = 0;
}

static void add_entry_fact(void *ctx, unsigned worker, const struct entry_fact *f)
{
	struct link_fact link = {
		.key = f->target,
		.directory = f->directory,
		.name_hash = f->name_hash,
		.name = f->name,
		.namelen = f->namelen,
		.directory_gen = f->directory_gen,
		.kind = f->dot	    ? LINK_DOT
			: f->dotdot ? LINK_DOTDOT
				    : LINK_ENTRY,
		.ftype = f->ftype,
		.metadata = f->metadata,
	};

	add_link(ctx, worker, &link);
	if (!f->dotdot)
		return;
	link.key = f->directory; /* `..` is also a fact about its own directory */
	link.directory = f->target;
	link.kind = LINK_PARENT;
	add_link(ctx, worker, &link);
}

static void add_pptr(void *ctx, unsigned worker, const struct pptr_fact *f)
{
	const struct link_fact link = { .key = f->child,
					.directory = f->parent,
					.name_hash = f->name_hash,
					.name = f->name,
					.namelen = f->namelen,
					.directory_gen = f->parent_gen,
					.kind = LINK_PPTR };

	add_link(ctx, worker, &link);
}

static void add_rooted(void *ctx, unsigned worker, xino_t ino, bool metadata)
{
	const struct link_fact link = { .key = ino, .kind = LINK_ROOTED, .ftype = FT_REG, .metadata = metadata };

	add_link(ctx, worker, &link);
}

static const struct sink_ops evidence_ops = {
	.claim = add_claim,
	.alone = add_alone,
	.free_extent = add_free_extent,
	.rmap = add_rmap,
	.refcount = add_refcount,
	.chunk = add_chunk,
	.inode = add_inode,
	.entry = add_entry_fact,
	.pptr = add_pptr,
	.unlinked = add_unlinked,
	.rooted = add_rooted,
	.unclaim = add_unclaim,
	.unmap = add_unmap,
	.freed = add_freed,
	.recount = add_recount,
};

struct sink evidence_sink(struct evidence *e)
{
	return (struct sink){ &evidence_ops, e, &e->key };
}

/* ---- the sorted arrays ---- */

static int merge(struct evidence *e, enum evidence_kind kind, void *ret_array, size_t *ret_count)
{
	struct spread_input *inputs = calloc(e->nlanes, sizeof(*inputs));
	const struct number_order order = evidence_order(kind, &e->longest);

	if (!inputs)
		return -ENOMEM;
	for (unsigned i = 0; i < e->nlanes; i++) {
		struct array *a = &e->lanes[i].arrays[kind];

		inputs[i] = (struct spread_input){ a->v, a->count };
		*a = (struct array){ 0 };
	}
	e->merged[kind] = spread_sort(inputs, e->nlanes, &order, ret_count);
	free(inputs);
	*(void **)ret_array = e->merged[kind];
	return e->merged[kind] ? 0 : -ENOMEM;
}

int evidence_close(struct evidence *e, struct evidence_records *ret)
{
	if (merge(e, REC_USE, &ret->uses, &ret->nuses) || merge(e, REC_CHUNK, &ret->chunks, &ret->nchunks) ||
	    merge(e, REC_UNLINKED, &ret->unlinked, &ret->nunlinked) ||
	    merge(e, REC_INODE, &ret->inodes, &ret->ninodes) || merge(e, REC_LINK, &ret->links, &ret->nlinks))
		return -ENOMEM;
	return 0;
}
