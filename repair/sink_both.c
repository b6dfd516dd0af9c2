/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sink that passes every fact on to two others. */
#include "sink_both.h"

/* Call the same operation of both sinks. */
#define TELL(ctx, op, lane, ...)                                                                                       \
	do {                                                                                                           \
		const struct sink_both *to = (ctx);                                                                    \
		to->first.ops->op(to->first.ctx, (lane), __VA_ARGS__);                                                 \
		to->second.ops->op(to->second.ctx, (lane), __VA_ARGS__);                                               \
	} while (0)

static void both_claim(void *ctx, unsigned lane, const struct claim *claim)
{
	TELL(ctx, claim, lane, claim);
}

static void both_alone(void *ctx, unsigned lane, const struct blocks *blocks)
{
	TELL(ctx, alone, lane, blocks);
}

static void both_free_extent(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks)
{
	TELL(ctx, free_extent, lane, kind, blocks);
}

static void both_rmap(void *ctx, unsigned lane, group_t group, const struct rmap_record *record)
{
	TELL(ctx, rmap, lane, group, record);
}

static void both_refcount(void *ctx, unsigned lane, group_t group, const struct refcount_record *record)
{
	TELL(ctx, refcount, lane, group, record);
}

static void both_chunk(void *ctx, unsigned lane, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	TELL(ctx, chunk, lane, kind, agno, record);
}

static void both_inode(void *ctx, unsigned lane, const struct dinode *inode)
{
	TELL(ctx, inode, lane, inode);
}

static void both_entry(void *ctx, unsigned lane, const struct entry_fact *entry)
{
	TELL(ctx, entry, lane, entry);
}

static void both_pptr(void *ctx, unsigned lane, const struct pptr_fact *pptr)
{
	TELL(ctx, pptr, lane, pptr);
}

static void both_unlinked(void *ctx, unsigned lane, agno_t agno, agino_t agino)
{
	TELL(ctx, unlinked, lane, agno, agino);
}

static void both_rooted(void *ctx, unsigned lane, xino_t ino, bool metadata)
{
	TELL(ctx, rooted, lane, ino, metadata);
}

static void both_unclaim(void *ctx, unsigned lane, const struct claim *claim)
{
	TELL(ctx, unclaim, lane, claim);
}

static void both_unmap(void *ctx, unsigned lane, group_t group, const struct rmap_record *record)
{
	TELL(ctx, unmap, lane, group, record);
}

static void both_freed(void *ctx, unsigned lane, const struct blocks *blocks)
{
	TELL(ctx, freed, lane, blocks);
}

static void both_recount(void *ctx, unsigned lane, const struct blocks *blocks, int change)
{
	TELL(ctx, recount, lane, blocks, change);
}

static const struct sink_ops both_ops = {
	.claim = both_claim,
	.alone = both_alone,
	.free_extent = both_free_extent,
	.rmap = both_rmap,
	.refcount = both_refcount,
	.chunk = both_chunk,
	.inode = both_inode,
	.entry = both_entry,
	.pptr = both_pptr,
	.unlinked = both_unlinked,
	.rooted = both_rooted,
	.unclaim = both_unclaim,
	.unmap = both_unmap,
	.freed = both_freed,
	.recount = both_recount,
};

struct sink sink_both(struct sink_both *room, const struct sink *first, const struct sink *second)
{
	*room = (struct sink_both){ *first, *second };
	return (struct sink){ &both_ops, room, first->key };
}
