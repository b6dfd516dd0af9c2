/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of evidence records.  It is total, so that the result is the same at any number of threads.  Most of the
 * sorting uses a number for each record, which gives its approximate position.
 */

#include "evidence.h"
#include "sets/sort.h"

/* Called for millions of records, so it stops at the first field that differs. */
int evidence_order_in_group(const struct use *x, const struct use *y)
{
	int ret = number_order(x->start, y->start);

	if (!ret)
		ret = number_order(x->len, y->len);
	if (!ret)
		ret = number_order(x->owner, y->owner);
	if (!ret)
		ret = number_order(x->offset, y->offset);
	if (!ret)
		ret = number_order(x->flags, y->flags);
	return ret;
}

static int use_order(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int ret = number_order(x->group, y->group);

	if (!ret)
		ret = number_order(x->kind, y->kind);
	if (!ret)
		ret = evidence_order_in_group(x, y);
	if (!ret) /* two parts of one owner may claim the same block, such as a btree and the AGFL */
		ret = number_order(x->object, y->object);
	return ret;
}

int evidence_order_of_chunks(const void *a, const void *b)
{
	const struct chunk_fact *x = a, *y = b;
	int ret = number_order(x->agno.v, y->agno.v);

	if (!ret)
		ret = number_order(x->kind, y->kind);
	if (!ret)
		ret = number_order(x->record.start.v, y->record.start.v);
	if (!ret)
		ret = number_order(x->record.free, y->record.free);
	return ret;
}

static int unlinked_order(const void *a, const void *b)
{
	const struct unlinked_fact *x = a, *y = b;
	int ret = number_order(x->agno.v, y->agno.v);

	if (!ret)
		ret = number_order(x->agino.v, y->agino.v);
	if (!ret)
		ret = number_order(x->pointer, y->pointer);
	return ret;
}

static int inode_order(const void *a, const void *b)
{
	const struct inode_fact *x = a, *y = b;

	return number_order(x->ino.v, y->ino.v);
}

static int link_order(const void *a, const void *b)
{
	const struct link_fact *x = a, *y = b;
	int ret = number_order(x->key.v, y->key.v);

	if (!ret)
		ret = number_order(x->kind, y->kind);
	if (!ret)
		ret = number_order(x->directory.v, y->directory.v);
	if (!ret)
		ret = number_order(x->directory_gen, y->directory_gen);
	if (!ret)
		ret = number_order(x->name_hash, y->name_hash);
	return ret;
}

static uint64_t number_of_use(const void *record, const void *ctx)
{
	const struct use *use = record;
	const uint64_t longest = *(const uint64_t *)ctx;
	uint64_t start = use->start < longest ? use->start : longest - 1;

	return ((uint64_t)use->group * USE_KINDS + use->kind) * longest + start;
}

_Static_assert(BT_AG_NR <= 8, "three bits hold a kind of btree");

static uint64_t number_of_chunk(const void *record, const void *ctx)
{
	const struct chunk_fact *chunk = record;

	(void)ctx;
	return ((uint64_t)chunk->agno.v << 3 | chunk->kind) << 29 | chunk->record.start.v >> 3;
}

static uint64_t number_of_unlinked(const void *record, const void *ctx)
{
	const struct unlinked_fact *fact = record;

	(void)ctx;
	return (uint64_t)fact->agno.v << 32 | fact->agino.v;
}

static uint64_t number_of_inode(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct inode_fact *)record)->ino.v;
}

static uint64_t number_of_link(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct link_fact *)record)->key.v;
}

struct number_order evidence_order(enum evidence_kind kind, const uint64_t *longest)
{
	static const struct number_order orders[REC_NR] = {
		[REC_USE] = { sizeof(struct use), number_of_use, NULL, use_order, NULL },
		[REC_CHUNK] = { sizeof(struct chunk_fact), number_of_chunk, NULL, evidence_order_of_chunks, NULL },
		[REC_UNLINKED] = { sizeof(struct unlinked_fact), number_of_unlinked, NULL, unlinked_order, NULL },
		[REC_INODE] = { sizeof(struct inode_fact), number_of_inode, NULL, inode_order, NULL },
		[REC_LINK] = { sizeof(struct link_fact), number_of_link, NULL, link_order, NULL },
	};
	struct number_order order = orders[kind];

	order.ctx = longest;
	return order;
}
