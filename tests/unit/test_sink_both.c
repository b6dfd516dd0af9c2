/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts that go to two sinks: each fact reaches both, once, with the same worker and content. */
#include <string.h>

#include "../../repair/base/sink.h"
#include "reported.h"

#define KINDS  15u /* of facts */
#define WORKER 3u

/* What a sink got: how often each kind, and the fact itself. */
struct told {
	unsigned times[KINDS];
	const void *fact[KINDS];
	unsigned workers_amiss;
};

static void note(void *ctx, unsigned worker, unsigned kind, const void *fact)
{
	struct told *told = ctx;

	told->times[kind]++;
	told->fact[kind] = fact;
	told->workers_amiss += worker != WORKER;
}

static void note_claim(void *ctx, unsigned worker, const struct claim *claim)
{
	note(ctx, worker, 0, claim);
}

static void note_free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	assert_int_equal(kind, BT_CNT);
	note(ctx, worker, 1, blocks);
}

static void note_rmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *record)
{
	assert_int_equal(group.v, 5);
	note(ctx, worker, 2, record);
}

static void note_refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *record)
{
	assert_int_equal(group.v, 6);
	note(ctx, worker, 3, record);
}

static void note_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	assert_int_equal(kind, BT_FINO);
	assert_int_equal(agno.v, 7);
	note(ctx, worker, 4, record);
}

static void note_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	note(ctx, worker, 5, inode);
}

static void note_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	note(ctx, worker, 6, entry);
}

static void note_pptr(void *ctx, unsigned worker, const struct pptr_fact *pptr)
{
	note(ctx, worker, 7, pptr);
}

static void note_unlinked(void *ctx, unsigned worker, agno_t agno, agino_t agino)
{
	assert_int_equal(agno.v, 8);
	assert_int_equal(agino.v, 88);
	note(ctx, worker, 8, NULL);
}

static void note_rooted(void *ctx, unsigned worker, xino_t ino, bool metadata)
{
	assert_int_equal(ino.v, 99);
	assert_true(metadata);
	note(ctx, worker, 9, NULL);
}

static void note_unclaim(void *ctx, unsigned worker, const struct claim *claim)
{
	note(ctx, worker, 10, claim);
}

static void note_unmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *record)
{
	assert_int_equal(group.v, 9);
	note(ctx, worker, 11, record);
}

static void note_freed(void *ctx, unsigned worker, const struct blocks *blocks)
{
	note(ctx, worker, 12, blocks);
}

static void note_recount(void *ctx, unsigned worker, const struct blocks *blocks, int change)
{
	assert_int_equal(change, -1);
	note(ctx, worker, 13, blocks);
}

static void note_alone(void *ctx, unsigned worker, const struct blocks *blocks)
{
	note(ctx, worker, 14, blocks);
}

static const struct sink_ops noting = {
	.claim = note_claim,
	.free_extent = note_free_extent,
	.rmap = note_rmap,
	.refcount = note_refcount,
	.chunk = note_chunk,
	.inode = note_inode,
	.entry = note_entry,
	.pptr = note_pptr,
	.unlinked = note_unlinked,
	.rooted = note_rooted,
	.unclaim = note_unclaim,
	.unmap = note_unmap,
	.freed = note_freed,
	.recount = note_recount,
	.alone = note_alone,
};

static void every_kind_of_fact_comes_to_both_once(void **state)
{
	static const struct claim claim;
	static const struct blocks blocks;
	static const struct rmap_record rmap;
	static const struct refcount_record refcount;
	static const struct inobt_record chunk;
	static const struct dinode inode;
	static const struct entry_fact entry;
	static const struct pptr_fact pptr;
	const void *const facts[KINDS] = { &claim, &blocks, &rmap,  &refcount, &chunk,	&inode,	 &entry, &pptr,
					   NULL,   NULL,    &claim, &rmap,     &blocks, &blocks, &blocks };
	static const struct hash_key key;
	struct told told[2] = { 0 };
	const struct sink first = { &noting, &told[0], &key }, second = { &noting, &told[1], &key };
	struct sink_both room;
	const struct sink sink = sink_both(&room, &first, &second);

	(void)state;
	assert_ptr_equal(sink.key, &key);
	sink.ops->claim(sink.ctx, WORKER, &claim);
	sink.ops->free_extent(sink.ctx, WORKER, BT_CNT, &blocks);
	sink.ops->rmap(sink.ctx, WORKER, (group_t){ 5 }, &rmap);
	sink.ops->refcount(sink.ctx, WORKER, (group_t){ 6 }, &refcount);
	sink.ops->chunk(sink.ctx, WORKER, BT_FINO, (agno_t){ 7 }, &chunk);
	sink.ops->inode(sink.ctx, WORKER, &inode);
	sink.ops->entry(sink.ctx, WORKER, &entry);
	sink.ops->pptr(sink.ctx, WORKER, &pptr);
	sink.ops->unlinked(sink.ctx, WORKER, (agno_t){ 8 }, (agino_t){ 88 });
	sink.ops->rooted(sink.ctx, WORKER, (xino_t){ 99 }, true);
	sink.ops->unclaim(sink.ctx, WORKER, &claim);
	sink.ops->unmap(sink.ctx, WORKER, (group_t){ 9 }, &rmap);
	sink.ops->freed(sink.ctx, WORKER, &blocks);
	sink.ops->recount(sink.ctx, WORKER, &blocks, -1);
	sink.ops->alone(sink.ctx, WORKER, &blocks);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(told[i].workers_amiss, 0);
		for (unsigned kind = 0; kind < KINDS; kind++) {
			assert_int_equal(told[i].times[kind], 1);
			assert_ptr_equal(told[i].fact[kind], facts[kind]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_fact_comes_to_both_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
