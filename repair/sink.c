/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sink that drops all facts: sinks that want few kinds of facts start with a copy of it. */
#include "sink.h"

static void no_claim(void *ctx, unsigned lane, const struct claim *claim)
{
	(void)ctx, (void)lane, (void)claim;
}

static void no_alone(void *ctx, unsigned lane, const struct blocks *blocks)
{
	(void)ctx, (void)lane, (void)blocks;
}

static void no_free_extent(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks)
{
	(void)ctx, (void)lane, (void)kind, (void)blocks;
}

static void no_rmap(void *ctx, unsigned lane, group_t group, const struct rmap_record *record)
{
	(void)ctx, (void)lane, (void)group, (void)record;
}

static void no_refcount(void *ctx, unsigned lane, group_t group, const struct refcount_record *record)
{
	(void)ctx, (void)lane, (void)group, (void)record;
}

static void no_chunk(void *ctx, unsigned lane, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	(void)ctx, (void)lane, (void)kind, (void)agno, (void)record;
}

static void no_inode(void *ctx, unsigned lane, const struct dinode *inode)
{
	(void)ctx, (void)lane, (void)inode;
}

static void no_entry(void *ctx, unsigned lane, const struct entry_fact *entry)
{
	(void)ctx, (void)lane, (void)entry;
}

static void no_pptr(void *ctx, unsigned lane, const struct pptr_fact *pptr)
{
	(void)ctx, (void)lane, (void)pptr;
}

static void no_unlinked(void *ctx, unsigned lane, agno_t agno, agino_t agino)
{
	(void)ctx, (void)lane, (void)agno, (void)agino;
}

static void no_rooted(void *ctx, unsigned lane, xino_t ino, bool metadata)
{
	(void)ctx, (void)lane, (void)ino, (void)metadata;
}

static void no_attribute(void *ctx, unsigned lane, xino_t ino, const struct attr_entry *attribute)
{
	(void)ctx, (void)lane, (void)ino, (void)attribute;
}

static void no_target(void *ctx, unsigned lane, xino_t ino, uint32_t offset, const uint8_t *bytes, uint32_t len)
{
	(void)ctx, (void)lane, (void)ino, (void)offset, (void)bytes, (void)len;
}

static void no_unread(void *ctx, unsigned lane, xino_t ino)
{
	(void)ctx, (void)lane, (void)ino;
}

static void no_unmapped(void *ctx, unsigned lane, xino_t ino, enum fork fork, uint64_t offset, uint64_t end)
{
	(void)ctx, (void)lane, (void)ino, (void)fork, (void)offset, (void)end;
}

static void no_unnamed(void *ctx, unsigned lane, xino_t ino, uint64_t count)
{
	(void)ctx, (void)lane, (void)ino, (void)count;
}

static void no_unclaim(void *ctx, unsigned lane, const struct claim *claim)
{
	(void)ctx, (void)lane, (void)claim;
}

static void no_unmap(void *ctx, unsigned lane, group_t group, const struct rmap_record *record)
{
	(void)ctx, (void)lane, (void)group, (void)record;
}

static void no_freed(void *ctx, unsigned lane, const struct blocks *blocks)
{
	(void)ctx, (void)lane, (void)blocks;
}

static void no_recount(void *ctx, unsigned lane, const struct blocks *blocks, int change)
{
	(void)ctx, (void)lane, (void)blocks, (void)change;
}

const struct sink_ops sink_of_nothing = {
	.claim = no_claim,
	.alone = no_alone,
	.free_extent = no_free_extent,
	.rmap = no_rmap,
	.refcount = no_refcount,
	.chunk = no_chunk,
	.inode = no_inode,
	.entry = no_entry,
	.pptr = no_pptr,
	.unlinked = no_unlinked,
	.rooted = no_rooted,
	.attribute = no_attribute,
	.target = no_target,
	.unread = no_unread,
	.unmapped = no_unmapped,
	.unnamed = no_unnamed,
	.unclaim = no_unclaim,
	.unmap = no_unmap,
	.freed = no_freed,
	.recount = no_recount,
};
