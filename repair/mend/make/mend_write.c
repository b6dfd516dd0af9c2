/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an AG's new btrees, free list and headers, the headers last.  The blocks of each btree ascend: leaves from the
 * left, then the level above, with the root at the end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mend_plan.h"
#include "sets/sort.h"
#include "sets/ordered.h"

/* The sources of records for the new btrees. */
struct sources {
	struct alloc_record *by_start, *by_size;
	const struct use *claims; /* rmapbt records are made from these, */
	size_t next_claim, nclaims;
	struct rmap_record *own; /* and these, by start: blocks of the new btrees and the free list */
	size_t next_own, nown;
	const struct refcount_record *refcounts;
	const struct inobt_record *chunks;
	size_t next_chunk; /* to examine for the finobt */
};

static void bno_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->alloc = ((const struct sources *)ctx)->by_start[index];
}

static void cnt_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->alloc = ((const struct sources *)ctx)->by_size[index];
}

/* Returns the first record by start of `claims` and `own`, whose starts all differ. */
static void rmap_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	struct sources *s = ctx;

	(void)index;
	if (s->next_own < s->nown &&
	    (s->next_claim == s->nclaims || s->own[s->next_own].start.v < s->claims[s->next_claim].start))
		ret_record->rmap = s->own[s->next_own++];
	else
		ret_record->rmap = ag_rmap_of(&s->claims[s->next_claim++]);
}

static void refcount_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->refcount = ((const struct sources *)ctx)->refcounts[index];
}

static void inobt_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->inobt = ((const struct sources *)ctx)->chunks[index];
}

static void finobt_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	struct sources *s = ctx;

	(void)index;
	while (s->chunks[s->next_chunk].freecount == 0)
		s->next_chunk++;
	ret_record->inobt = s->chunks[s->next_chunk++];
}

static btree_source *const sources_of[BT_AG_NR] = {
	[BT_BNO] = bno_source,	   [BT_CNT] = cnt_source,   [BT_INO] = inobt_source,
	[BT_FINO] = finobt_source, [BT_RMAP] = rmap_source, [BT_REFC] = refcount_source,
};

static int size_order(const void *a, const void *b)
{
	const struct alloc_record *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return number_order(x->start.v, y->start.v);
}

static uint64_t size_number(const void *record, const void *ctx)
{
	const struct alloc_record *r = record;

	(void)ctx;
	return (uint64_t)r->len << 32 | r->start.v;
}

static const struct number_order by_size = { sizeof(struct alloc_record), size_number, NULL, size_order, NULL };

/* Writes the rmapbt records of p->blocks[from, to) to rmaps[]. Returns their number. */
static size_t own_rmaps(const struct mend_plan *p, uint32_t from, uint32_t to, uint64_t owner,
			struct rmap_record *rmaps)
{
	size_t n = 0;

	for (uint32_t i = from; i < to; i++) {
		if (i > from && p->blocks[i] == p->blocks[i - 1] + 1)
			rmaps[n - 1].len++;
		else
			rmaps[n++] =
				(struct rmap_record){ .start = { (uint32_t)p->blocks[i] }, .len = 1, .owner = owner };
	}
	return n;
}

static int all_rmaps(const struct mend_plan *p, struct sources *s)
{
	uint32_t refcount = p->shape[BT_REFC].blocks, inodes = refcount + mend_plan_inode_blocks(p);

	s->claims = p->records.rmaps;
	s->nclaims = p->records.nrmaps;
	s->own = calloc((size_t)p->nblocks + 1, sizeof(*s->own));
	if (!s->own)
		return -ENOMEM;
	s->nown = own_rmaps(p, 0, refcount, OWNER_REFC, s->own);
	s->nown += own_rmaps(p, refcount, inodes, OWNER_INOBT, s->own + s->nown);
	s->nown += own_rmaps(p, inodes, p->nblocks, OWNER_AG, s->own + s->nown);
	ordered_sort(s->own, s->nown, MEMBERS(MEMBER(s->own, start)));
	return 0;
}

struct alloc_record *alloc_by_size(const struct alloc_record *records, size_t count)
{
	struct alloc_record *v = calloc(count + 1, sizeof(*v));

	if (!v)
		return NULL;
	memcpy(v, records, count * sizeof(*v));
	number_sort(v, count, &by_size);
	return v;
}

static int all_free(struct mend_plan *p, struct sources *s)
{
	size_t room = p->records.nfree + p->nblocks + 1, n;

	s->by_start = calloc(room, sizeof(*s->by_start));
	if (!s->by_start)
		return -ENOMEM;
	n = mend_blocks_free_left(p, s->by_start);
	s->by_size = alloc_by_size(s->by_start, n);
	return s->by_size ? 0 : -ENOMEM;
}

static int write_tree(const struct mend_plan *p, enum btree_kind kind, struct sources *sources, const uint64_t *blocks,
		      const struct ag_writer *writer)
{
	const struct geometry *geo = p->geo;
	struct btree_build build = {
		.geo = geo,
		.kind = kind,
		.agno = p->contents->agno,
		.owner = p->contents->agno.v,
		.shape = p->shape[kind],
		.blocks = blocks,
		.source = sources_of[kind],
		.ctx = sources,
	};
	uint8_t *block = calloc(1, geo->block_size);
	int ret = block ? 0 : -ENOMEM;

	build.children = calloc(build.shape.blocks, sizeof(*build.children));
	if (!build.children)
		ret = -ENOMEM;
	for (uint32_t i = 0; i < build.shape.blocks && !ret; i++) {
		agbno_t agbno = { (uint32_t)blocks[i] };

		btree_build_next(&build, block);
		ret = writer->write(writer->ctx, block, bytes_of_daddr(daddr_of(geo, p->contents->agno, agbno)),
				    geo->block_size);
	}
	free(build.children);
	free(block);
	return ret;
}

/* Writes each btree to the next of p->blocks, and notes its root. *ret_used: total number of blocks. */
static int write_trees(struct mend_plan *p, struct sources *sources, const struct ag_writer *writer, uint32_t *ret_used)
{
	static const enum btree_kind order[] = { BT_REFC, BT_INO, BT_FINO, BT_BNO, BT_CNT, BT_RMAP };
	uint32_t used = 0;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		enum btree_kind kind = order[i];
		agbno_t root;
		int ret;

		if (!mend_plan_has(p, kind))
			continue;
		ret = write_tree(p, kind, sources, p->blocks + used, writer);
		if (ret)
			return ret;
		used += p->shape[kind].blocks;
		root.v = (uint32_t)p->blocks[used - 1];
		p->agf.root[kind] = p->agi.root[kind] = root;
		p->agi.level[kind] = p->agf.level[kind];
	}
	*ret_used = used;
	return 0;
}

/* ---- the headers ---- */

/* Writes a sector and frees its bytes; bytes NULL: returns -ENOMEM. */
static int write_sector(const struct geometry *geo, agno_t agno, enum ag_sector sector, uint8_t *bytes,
			const struct ag_writer *writer)
{
	int ret = -ENOMEM;

	if (bytes)
		ret = writer->write(writer->ctx, bytes, ag_sector_offset(geo, agno, sector), geo->sector_size);
	free(bytes);
	return ret;
}

int mend_agf_header(const struct geometry *geo, agno_t agno, const struct agf *agf, const struct ag_writer *writer)
{
	uint8_t *sector = calloc(1, geo->sector_size);

	if (sector)
		agf_encode(geo, agno, agf, sector);
	return write_sector(geo, agno, AGF_SECTOR, sector, writer);
}

int mend_agi_header(const struct geometry *geo, agno_t agno, const struct agi *agi, const struct ag_writer *writer)
{
	uint8_t *sector = calloc(1, geo->sector_size);

	if (sector)
		agi_encode(geo, agno, agi, sector);
	return write_sector(geo, agno, AGI_SECTOR, sector, writer);
}

/* Writes the AGFL with the blocks that no btree uses: p->blocks from `used` on. */
static int write_freelist(struct mend_plan *p, uint32_t used, const struct ag_writer *writer)
{
	uint32_t count = p->nblocks - used;
	uint8_t *sector = calloc(1, p->geo->sector_size);
	agbno_t *blocks = calloc(count + 1, sizeof(*blocks));

	if (!blocks) {
		free(sector);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++)
		blocks[i].v = (uint32_t)p->blocks[used + i];
	if (sector)
		agfl_encode(p->geo, p->contents->agno, blocks, count, sector);
	free(blocks);
	agf_set_freelist(&p->agf, count);
	return write_sector(p->geo, p->contents->agno, AGFL_SECTOR, sector, writer);
}

void mend_count_inodes(const struct ag_contents *c, struct agi *agi)
{
	agi->count = agi->freecount = 0;
	for (size_t i = 0; i < c->nchunks; i++) {
		agi->count += c->chunks[i].count;
		agi->freecount += c->chunks[i].freecount;
	}
}

static void count_inodes(struct mend_plan *p)
{
	mend_count_inodes(p->contents, &p->agi);
	p->agi.iblocks = p->shape[BT_INO].blocks;
	p->agi.fblocks = p->shape[BT_FINO].blocks;
}

static void count_all(struct mend_plan *p)
{
	const struct ag_contents *c = p->contents;

	p->agf.btreeblks = p->shape[BT_BNO].blocks - 1 + p->shape[BT_CNT].blocks - 1;
	if (p->geo->rmapbt)
		p->agf.btreeblks += p->shape[BT_RMAP].blocks - 1;
	p->agf.rmap_blocks = p->shape[BT_RMAP].blocks;
	p->agf.refcount_blocks = p->shape[BT_REFC].blocks;
	if (c->chunks)
		count_inodes(p);
}

int mend_write_all(struct mend_plan *p, const struct ag_writer *writer)
{
	struct sources s = { .refcounts = p->records.refcounts, .chunks = p->contents->chunks };
	uint32_t used = 0;
	int ret = all_free(p, &s);

	if (!ret && p->geo->rmapbt)
		ret = all_rmaps(p, &s);
	if (!ret)
		ret = write_trees(p, &s, writer, &used);
	count_all(p);
	if (!ret)
		ret = write_freelist(p, used, writer);
	if (!ret && p->contents->chunks)
		ret = mend_agi_header(p->geo, p->contents->agno, &p->agi, writer);
	if (!ret)
		ret = mend_agf_header(p->geo, p->contents->agno, &p->agf, writer);
	free(s.by_start);
	free(s.by_size);
	free(s.own);
	return ret;
}

int mend_write_inodes(struct mend_plan *p, const struct ag_writer *writer)
{
	struct sources s = { .chunks = p->contents->chunks };
	uint32_t used;
	int ret = write_trees(p, &s, writer, &used);

	count_inodes(p);
	return ret ? ret : mend_agi_header(p->geo, p->contents->agno, &p->agi, writer);
}
