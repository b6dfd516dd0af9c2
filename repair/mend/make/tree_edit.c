/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits a btree in place.  The nodes determine the leaf of a record: they must be intact, and each leaf must have a
 * header of this btree; its records don't matter, because all of them are known.  Neighbours balance leaves that would
 * get too many or too few records.
 */
#include "tree_edit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include "array.h"
#include "mend/base/mend.h"
#include "parallel.h"
#include "repair.h"
#include "sets/sort.h"

static uint64_t offset_of(const struct tree_edit *e, const struct tree_block *b)
{
	return bytes_of_daddr(daddr_of(&e->m->now->geo, e->agno, b->at.agbno));
}

/* Children of a node being visited. */
struct children {
	struct tree_edit *edit;
	struct tree_level *level;
	int error;
};

static void add_child(void *ctx, const struct btree_expect *child)
{
	struct children *c = ctx;
	const struct tree_block block = { .at = *child };

	/* a loop has more blocks than the AG */
	if (!c->error && ++c->edit->blocks > ag_length(&c->edit->m->now->geo, c->edit->agno))
		c->error = -EINVAL;
	if (!c->error)
		c->error = array_add(c->level->v, c->level->room, c->level->count, block);
}

/* True if a block has the right siblings for its place in its level. */
static bool siblings_are_right(const struct tree_level *level, size_t i, const struct btree_block *block)
{
	return block->left == (i ? level->v[i - 1].at.agbno.v : NULL_FSBNO) &&
	       block->right == (i + 1 < level->count ? level->v[i + 1].at.agbno.v : NULL_FSBNO);
}

/* Reads a node, and adds its children to the level below. 0, -EINVAL or -ENOMEM. */
static int open_node(struct tree_edit *e, uint32_t level, size_t i)
{
	const struct geometry *geo = &e->m->now->geo;
	struct children children = { e, &e->level[level - 1], 0 };
	const struct btree_visitor visitor = { &children, btree_ignore_record, add_child, NULL };
	struct tree_block *node = &e->level[level].v[i];
	const size_t before = children.level->count;
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	struct btree_block block;

	node->bytes = malloc(geo->block_size);
	if (!node->bytes)
		return -ENOMEM;
	if (mend_read(e->m, node->bytes, offset_of(e, node), geo->block_size) ||
	    !btree_decode(&check, node->bytes, &node->at, &visitor, &block) || problems || block.level != level ||
	    !siblings_are_right(&e->level[level], i, &block))
		return -EINVAL;
	node->children = (uint32_t)(children.level->count - before);
	return children.error;
}

int tree_edit_open(struct tree_edit *e, struct mend *m, enum btree_kind kind, agno_t agno, agbno_t root,
		   uint32_t levels)
{
	const struct tree_block top = { .at = { .kind = kind,
						.agno = agno,
						.agbno = root,
						.owner = agno.v,
						.level = (uint8_t)(levels - 1),
						.root = true } };
	int ret;

	*e = (struct tree_edit){ .m = m, .kind = kind, .agno = agno, .levels = levels, .blocks = 1 };
	if (levels == 0 || levels > BTREE_LEVELS_MAX || levels > m->now->geo.btree[kind].max_level)
		return -EINVAL;
	ret = array_add(e->level[levels - 1].v, e->level[levels - 1].room, e->level[levels - 1].count, top);
	for (uint32_t level = levels - 1; level > 0 && !ret; level--)
		for (size_t i = 0; i < e->level[level].count && !ret; i++)
			ret = open_node(e, level, i);
	return ret;
}

/* ---- records of each leaf ---- */

/* Counts the records of each leaf by the keys in the nodes; the first leaf gets everything below all keys. */
static void share_out(struct tree_edit *e, btree_source *source, void *ctx, uint64_t records)
{
	const struct geometry *geo = &e->m->now->geo;
	struct tree_level *leaves = &e->level[0];
	size_t leaf = 0;

	for (uint64_t i = 0; i < records; i++) {
		union btree_record record;
		struct btkey key;

		source(ctx, i, &record);
		key = btree_key_of(geo, e->kind, &record);
		while (leaf + 1 < leaves->count && btkey_cmp(&key, &leaves->v[leaf + 1].at.low) >= 0)
			leaf++;
		leaves->v[leaf].records++;
	}
}

static uint32_t least_records(const struct tree_edit *e, const struct tree_block *leaf)
{
	return leaf->at.root ? 0 : e->m->now->geo.btree[e->kind].leaf_max / 2;
}

/* Moves a leaf's surplus to its neighbour, or takes what it lacks from it. */
static void level_out(const struct tree_edit *e, struct tree_block *leaf, struct tree_block *neighbour)
{
	const uint32_t most = e->m->now->geo.btree[e->kind].leaf_max, least = least_records(e, leaf);

	if (leaf->records > most) {
		neighbour->records += leaf->records - most;
		leaf->records = most;
	} else if (leaf->records < least) {
		const uint32_t lacks = least - leaf->records;
		const uint32_t taken = lacks < neighbour->records ? lacks : neighbour->records;

		neighbour->records -= taken;
		leaf->records += taken;
	}
}

/* Balances neighbours. True if all leaves then have enough, and room for their records. */
static bool all_fit(const struct tree_edit *e)
{
	const struct tree_level *leaves = &e->level[0];
	bool fit = true;

	for (size_t i = 0; i + 1 < leaves->count; i++)
		level_out(e, &leaves->v[i], &leaves->v[i + 1]);
	for (size_t i = leaves->count - 1; i > 0; i--)
		level_out(e, &leaves->v[i], &leaves->v[i - 1]);
	for (size_t i = 0; i < leaves->count && fit; i++)
		fit = leaves->v[i].records >= least_records(e, &leaves->v[i]) &&
		      leaves->v[i].records <= e->m->now->geo.btree[e->kind].leaf_max;
	return fit;
}

/* ---- changes ---- */

static int note_changed(struct tree_edit *e, struct tree_block *block)
{
	block->changed = true;
	return __atomic_add_fetch(&e->changed, 1, __ATOMIC_RELAXED) > TREE_EDIT_MAX ? -ENOSPC : 0;
}

/* The records of the btree, and a buffer for a leaf. */
struct records {
	btree_source *source;
	void *ctx;
	uint8_t *made;
};

/* Makes leaf i from its records, and keeps it if it differs from `bytes`, the current contents. 0 or negative errno. */
static int make_leaf(struct tree_edit *e, size_t i, const struct records *records, const uint8_t *bytes)
{
	const struct geometry *geo = &e->m->now->geo;
	const struct tree_level *leaves = &e->level[0];
	struct tree_block *leaf = &leaves->v[i];
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	const struct check silent = check_silent(geo);
	const struct btree_spot spot = { .geo = geo,
					 .kind = e->kind,
					 .agno = e->agno,
					 .owner = e->agno.v,
					 .self = leaf->at.agbno.v,
					 .left = i ? leaves->v[i - 1].at.agbno.v : NULL_FSBNO,
					 .right = i + 1 < leaves->count ? leaves->v[i + 1].at.agbno.v : NULL_FSBNO };
	struct btree_block block;

	btree_leaf_make(&spot, records->source, records->ctx, leaf->first, leaf->records, records->made, &leaf->keys);
	if (btree_leaf_same(geo, e->kind, bytes, records->made))
		return 0;
	if (!btree_decode(&silent, bytes, &leaf->at, &visitor, &block))
		return -EINVAL;
	leaf->bytes = malloc(geo->block_size);
	if (!leaf->bytes)
		return -ENOMEM;
	memcpy(leaf->bytes, records->made, geo->block_size);
	btree_seal(geo, e->kind, leaf->bytes);
	return note_changed(e, leaf);
}

#define RUN_BYTES 65536u /* leaves within this range are read together */

/* Returns the block of a leaf's place: block in the high half, leaf number in the low half. */
static uint32_t block_of(uint64_t place)
{
	return (uint32_t)(place >> 32);
}

/* Makes the first of these leaves, and those that are read along with it. Returns their number, or a negative errno. */
static ssize_t make_run(struct tree_edit *e, const uint64_t *places, size_t count, const struct records *records,
			uint8_t *bytes)
{
	const struct geometry *geo = &e->m->now->geo;
	const uint32_t start = block_of(places[0]), most = RUN_BYTES >> geo->block_log;
	size_t n = 1;
	int ret = 0;

	while (n < count && block_of(places[n]) - start < most)
		n++;
	/* blocks in between may be unreadable */
	if (mend_read_once(e->m, bytes, bytes_of_daddr(daddr_of(geo, e->agno, (agbno_t){ start })),
			   (size_t)(block_of(places[n - 1]) - start + 1) << geo->block_log)) {
		n = 1;
		if (mend_read_once(e->m, bytes, offset_of(e, &e->level[0].v[(uint32_t)places[0]]), geo->block_size))
			return -EINVAL;
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = make_leaf(e, (uint32_t)places[i], records,
				bytes + ((size_t)(block_of(places[i]) - start) << geo->block_log));
	return ret ? ret : (ssize_t)n;
}

#define THREADS 8u  /* they mostly wait for the device */
#define SLICE	16u /* leaves that a thread takes at a time */

/* All leaves, by place. */
struct making {
	struct tree_edit *edit;
	btree_source *source;
	void *ctx;
	uint64_t *places;
	size_t count;
	int error; /* the first; atomic */
};

static void make_slice(void *ctx, size_t slice)
{
	struct making *m = ctx;
	const size_t size = m->edit->m->now->geo.block_size;
	const size_t end = (slice + 1) * SLICE < m->count ? (slice + 1) * SLICE : m->count;
	uint8_t *bytes = malloc(size > RUN_BYTES ? size : RUN_BYTES);
	const struct records records = { m->source, m->ctx, malloc(size) };
	ssize_t ret = bytes && records.made ? 0 : -ENOMEM;
	int none = 0;

	for (size_t i = slice * SLICE; i < end && ret >= 0; i += (size_t)ret)
		ret = make_run(m->edit, m->places + i, end - i, &records, bytes);
	if (ret < 0)
		__atomic_compare_exchange_n(&m->error, &none, (int)ret, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	free(records.made);
	free(bytes);
}

static int make_leaves(struct tree_edit *e, btree_source *source, void *ctx)
{
	const struct tree_level *leaves = &e->level[0];
	struct making m = { .edit = e, .source = source, .ctx = ctx, .count = leaves->count };
	uint64_t first = 0;

	m.places = calloc(leaves->count, sizeof(*m.places));
	if (!m.places)
		return -ENOMEM;
	for (size_t i = 0; i < leaves->count; i++) {
		leaves->v[i].first = first;
		first += leaves->v[i].records;
		m.places[i] = (uint64_t)leaves->v[i].at.agbno.v << 32 | i;
	}
	sort_words(m.places, leaves->count, 1);
	parallel_each(THREADS, (leaves->count + SLICE - 1) / SLICE, make_slice, &m);
	free(m.places);
	return m.error;
}

/* Sets the keys in the nodes of a level. 0 or -ENOSPC. */
static int make_nodes(struct tree_edit *e, uint32_t level)
{
	const struct geometry *geo = &e->m->now->geo;
	const struct tree_block *child = e->level[level - 1].v;
	int ret = 0;

	for (size_t i = 0; i < e->level[level].count && !ret; i++) {
		struct tree_block *node = &e->level[level].v[i];
		bool changed = false;

		for (uint32_t k = 0; k < node->children; k++, child++) {
			changed |= btree_node_put(geo, e->kind, node->bytes, k, &child->keys);
			btree_child_add(&node->keys, &child->keys, k == 0);
		}
		if (changed) {
			btree_seal(geo, e->kind, node->bytes);
			ret = note_changed(e, node);
		}
	}
	return ret;
}

int tree_edit_make(struct tree_edit *e, btree_source *source, void *ctx, uint64_t records)
{
	int ret;

	/* more than fit would overflow 32 bits */
	if (records > (uint64_t)e->level[0].count * e->m->now->geo.btree[e->kind].leaf_max)
		return -ENOSPC;
	share_out(e, source, ctx, records);
	if (!all_fit(e))
		return -ENOSPC;
	ret = make_leaves(e, source, ctx);
	for (uint32_t level = 1; level < e->levels && !ret; level++)
		ret = make_nodes(e, level);
	return ret;
}

int tree_edit_stage(const struct tree_edit *e)
{
	int ret = 0;

	for (uint32_t level = 0; level < e->levels && !ret; level++) {
		for (size_t i = 0; i < e->level[level].count && !ret; i++) {
			const struct tree_block *block = &e->level[level].v[i];

			if (block->changed)
				ret = mend_write(e->m, block->bytes, offset_of(e, block), e->m->now->geo.block_size);
		}
	}
	return ret;
}

void tree_edit_free(struct tree_edit *e)
{
	for (uint32_t level = 0; level < BTREE_LEVELS_MAX; level++) {
		for (size_t i = 0; i < e->level[level].count; i++)
			free(e->level[level].v[i].bytes);
		free(e->level[level].v);
	}
	*e = (struct tree_edit){ 0 };
}
