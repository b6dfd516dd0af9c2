/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves blocks of inodes back that were written to another block's place by mistake, or exchanged; inodes of version 3
 * have their numbers (ondisk 04).  They are moved to their place if inodes are missing there.  Their current place is
 * cleared, so that its own inodes are recreated from other metadata and not confused with the wrong ones.  The same for
 * neighbouring inodes that lie equally far from their places, as after a write that was some sectors off.  Not for a
 * single inode with a wrong number among right ones.  It is certain: both the checksummed inode numbers and the inobt
 * confirm it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/inode.h"
#include "mend/collect/mend_facts.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "sets/number_set.h"
#include "sets/ordered.h"
#include "mend/base/menders.h"

/* A block with the inodes of another one. */
struct stray {
	const struct found *found; /* about its first inode with a wrong number */
	xino_t at, belongs;	   /* first inode of the block where it is, and where it belongs */
	uint8_t *bytes;		   /* its contents; NULL: leave it */
	bool belongs_there;	   /* some of its inodes are missing in its place */
	bool replaced;		   /* other inodes were written over it */
};

struct inode_place_work {
	struct mend *m;
	struct stray *v;
	size_t count;
};

static int read_block(const struct inode_place_work *w, xino_t first, uint8_t *block)
{
	const struct geometry *geo = &w->m->now->geo;

	return mend_read(w->m, block, bytes_of_ino(geo, first), geo->block_size);
}

/* True if both are versions of the same inode. */
static bool is_twin(const struct dinode_disk *a, const struct dinode_disk *b)
{
	return be64_get(a->ino) == be64_get(b->ino) && be32_get(a->gen) == be32_get(b->gen) &&
	       be64_get(a->crtime) == be64_get(b->crtime);
}

/*
 * True if a block is misplaced: more of its inodes belong to the other place than to this one, where the log may have
 * restored some.  If only one does, its number may be wrong, unless `other`, the block at the other place, has inodes
 * of this place, or the same first inode.
 */
static bool lies_in_wrong_place(const struct geometry *geo, const struct stray *s, const uint8_t *other)
{
	unsigned agree = mend_inodes_at(geo, s->bytes, s->belongs);

	if (mend_inodes_at(geo, s->bytes, s->at) >= agree || 2 * agree < geo->inodes_per_block)
		return false;
	return agree > 1 || (agree && (mend_inodes_at(geo, other, s->at) ||
				       is_twin(mend_inode_in(geo, s->bytes, 0), mend_inode_in(geo, other, 0))));
}

/* Adds the block of a finding if it is misplaced. 0 or negative errno. */
static int add_stray(struct inode_place_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;
	struct stray s = { .found = found, .at = mend_inodes_first(geo, found->place.ino.v) };
	uint8_t *other = calloc(1, geo->block_size);
	int ret = other ? 0 : -ENOMEM;

	s.bytes = calloc(1, geo->block_size);
	s.belongs = mend_inodes_first(geo, found->problem.got);
	if (!s.bytes)
		ret = -ENOMEM;
	if (!ret && ino_valid(geo, s.belongs) && s.belongs.v != s.at.v && !read_block(w, s.at, s.bytes)) {
		if (read_block(w, s.belongs, other))
			memset(other, 0, geo->block_size);
		s.belongs_there = mend_inodes_at(geo, other, s.belongs) < mend_inodes_at(geo, s.bytes, s.belongs);
		if (lies_in_wrong_place(geo, &s, other)) {
			w->v[w->count++] = s;
			s.bytes = NULL;
		}
	}
	free(s.bytes);
	free(other);
	return ret;
}

/* Collects the chunks of these inodes, whose array it frees; NULL: -ENOMEM.  0 or negative errno. */
static int collect_chunks(const struct inode_place_work *w, xino_t *inos, size_t count, struct mend_facts *facts)
{
	int ret;

	if (!inos)
		return -ENOMEM;
	qsort(inos, count, sizeof(*inos), ino_order);
	ret = mend_facts_collect(w->m, inos, count, FACTS_CHUNKS, facts);
	free(inos);
	return ret;
}

/*
 * Leaves blocks whose place has no chunk in the inobt, unless all of their inodes are in their place already.  0 or
 * negative errno.
 */
static int keep_those_of_chunks(struct inode_place_work *w)
{
	xino_t *inos = calloc(w->count, sizeof(*inos));
	struct mend_facts facts = { 0 };
	int ret;

	for (size_t i = 0; i < w->count && inos; i++)
		inos[i] = w->v[i].belongs;
	ret = collect_chunks(w, inos, w->count, &facts);
	for (size_t i = 0; i < w->count; i++) {
		size_t chunks = 0;

		if (!ret)
			mend_facts_of(&facts, w->v[i].belongs, FACT_CHUNK, &chunks);
		if (chunks || !w->v[i].belongs_there)
			continue;
		free(w->v[i].bytes);
		w->v[i].bytes = NULL;
	}
	mend_facts_free(&facts);
	return ret;
}

/* Moves inodes to their place; those that are already there stay, because the log may have restored them. */
static int put_block_back(const struct inode_place_work *w, const struct stray *s)
{
	const struct geometry *geo = &w->m->now->geo;
	uint8_t *block = calloc(1, geo->block_size);
	int ret = -ENOMEM;

	if (!block)
		return ret;
	if (read_block(w, s->belongs, block))
		memset(block, 0, geo->block_size);
	mend_inodes_fill(geo, block, s->bytes, s->belongs);
	mend_done_so(w->m, s->found, SURE_CERTAIN, "inodes of this block moved to the places in their headers");
	ret = mend_write(w->m, block, bytes_of_ino(geo, s->belongs), geo->block_size);
	free(block);
	return ret;
}

/* Marks the block that will be overwritten, if it is misplaced itself: it need not be cleared. */
static void note_replaced(struct stray *v, size_t count, xino_t belongs)
{
	for (size_t i = 0; i < count; i++)
		v[i].replaced |= v[i].at.v == belongs.v;
}

/* Clears all inodes of a block that don't belong there. 0 or negative errno. */
static int clear(struct inode_place_work *w, struct stray *s)
{
	const struct geometry *geo = &w->m->now->geo;

	for (unsigned i = 0; i < geo->inodes_per_block; i++)
		if (!mend_inode_lies_at(geo, s->bytes, i, s->at))
			memset(s->bytes + ((size_t)i << geo->inode_log), 0, geo->inode_size);
	mend_done_so(w->m, s->found, SURE_CERTAIN,
		     "inodes of this block belong elsewhere; the inodes of this place are recreated");
	return mend_write(w->m, s->bytes, bytes_of_ino(geo, s->at), geo->block_size);
}

/* ---- inodes that lie less than a block from their places, or not a multiple of a block ---- */

/* An inode in the place of another one. */
struct shifted {
	const struct found *found;
	xino_t at, belongs;
	bool moves; /* neighbours lie as far from their places, and its place is in a chunk */
	bool moved, replaced;
};

/* Inodes in the places of others, by the numbers of these. */
struct all_shifted {
	struct shifted *v;
	size_t count;
};

static int read_inode(const struct inode_place_work *w, xino_t ino, uint8_t *bytes)
{
	const struct geometry *geo = &w->m->now->geo;

	return mend_read(w->m, bytes, bytes_of_ino(geo, ino), geo->inode_size);
}

static int write_inode(const struct inode_place_work *w, xino_t ino, const uint8_t *bytes)
{
	const struct geometry *geo = &w->m->now->geo;

	return mend_write(w->m, bytes, bytes_of_ino(geo, ino), geo->inode_size);
}

/* Reads an inode with a right checksum, and with the number of the place where it belongs. False: it is not there. */
static bool read_shifted(const struct inode_place_work *w, const struct shifted *s, uint8_t *bytes)
{
	return !read_inode(w, s->at, bytes) && mend_inode_lies_at(&w->m->now->geo, bytes, 0, s->belongs);
}

/* True if the finding is about such an inode. */
static bool is_shifted(const struct inode_place_work *w, const struct found *found, struct shifted *ret)
{
	const struct geometry *geo = &w->m->now->geo;
	uint8_t bytes[DINODE_SIZE_MAX];

	*ret = (struct shifted){ .found = found, .at = found->place.ino, .belongs = { found->problem.got } };
	return geo->crc && ino_valid(geo, ret->belongs) && (ret->belongs.v - ret->at.v) % geo->inodes_per_block != 0 &&
	       read_shifted(w, ret, bytes);
}

static bool is_beside(const struct shifted *a, const struct shifted *b)
{
	return a->at.v + 1 == b->at.v && a->belongs.v + 1 == b->belongs.v;
}

/* Sets `moves` of the inodes. 0 or negative errno. */
static int choose_shifted(const struct inode_place_work *w, struct all_shifted *all)
{
	xino_t *inos = calloc(all->count + 1, sizeof(*inos));
	struct mend_facts facts = { 0 };
	struct shifted *v = all->v;
	int ret;

	for (size_t i = 0; i < all->count && inos; i++)
		inos[i] = v[i].belongs;
	ret = collect_chunks(w, inos, all->count, &facts);
	for (size_t i = 0; i < all->count && !ret; i++) {
		size_t chunks;

		mend_facts_of(&facts, v[i].belongs, FACT_CHUNK, &chunks);
		v[i].moves = chunks && ((i && is_beside(&v[i - 1], &v[i])) ||
					(i + 1 < all->count && is_beside(&v[i], &v[i + 1])));
	}
	mend_facts_free(&facts);
	return ret;
}

/*
 * Moves an inode to its place, unless it is there already, or another one that belongs elsewhere, too, and has not been
 * moved.  0 or negative errno.
 */
static int put_inode_back(const struct inode_place_work *w, struct shifted *s, struct all_shifted *all)
{
	const size_t i = ordered_find(all->v, all->count, MEMBER(all->v, at), s->belongs.v);
	struct shifted *there = i < all->count ? &all->v[i] : NULL;
	uint8_t bytes[DINODE_SIZE_MAX], other[DINODE_SIZE_MAX];

	if (!s->moves || (there && there->moves && !there->moved) || !read_shifted(w, s, bytes))
		return 0;
	s->moved = true;
	if (there)
		there->replaced = true;
	if (!read_inode(w, s->belongs, other) && mend_inode_lies_at(&w->m->now->geo, other, 0, s->belongs))
		return 0;
	mend_done_so(w->m, s->found, SURE_CERTAIN, "inode moved to the place of its number");
	return write_inode(w, s->belongs, bytes);
}

static int clear_inode(const struct inode_place_work *w, const struct shifted *s)
{
	static const uint8_t nothing[DINODE_SIZE_MAX];

	mend_done_so(w->m, s->found, SURE_CERTAIN,
		     "this inode belongs elsewhere; the inode of this place is recreated");
	return write_inode(w, s->at, nothing);
}

static int shift_back(const struct inode_place_work *w, const struct found *found, size_t count)
{
	struct all_shifted all = { .v = calloc(count, sizeof(*all.v)) };
	int ret = all.v ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && all.v; i++)
		all.count += is_shifted(w, &found[i], &all.v[all.count]);
	if (all.count)
		ret = choose_shifted(w, &all);
	/* each one after the inode in its place */
	for (size_t i = 0; i < all.count && !ret; i++)
		if (all.v[i].belongs.v < all.v[i].at.v)
			ret = put_inode_back(w, &all.v[i], &all);
	for (size_t i = all.count; i-- > 0 && !ret;)
		if (all.v[i].belongs.v > all.v[i].at.v)
			ret = put_inode_back(w, &all.v[i], &all);
	for (size_t i = 0; i < all.count && !ret; i++)
		if (all.v[i].moved && !all.v[i].replaced)
			ret = clear_inode(w, &all.v[i]);
	free(all.v);
	return ret;
}

/* ---- whole blocks ---- */

bool mend_inode_place_wants(const struct found *found)
{
	return found->problem.finding == F_INODE_INO;
}

int mend_inode_place(struct mend *m, const struct found *found, size_t count)
{
	struct inode_place_work w = { .m = m, .v = calloc(count, sizeof(*w.v)) };
	xino_t last = { NULL_INO };
	int ret = w.v ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++) {
		const xino_t first = mend_inodes_first(&m->now->geo, found[i].place.ino.v);

		/* findings are sorted by inode */
		if (first.v != last.v)
			ret = add_stray(&w, &found[i]);
		last = first;
	}
	if (!ret && w.count)
		ret = keep_those_of_chunks(&w);
	for (size_t i = 0; i < w.count && !ret; i++)
		if (w.v[i].bytes && w.v[i].belongs_there) {
			note_replaced(w.v, w.count, w.v[i].belongs);
			ret = put_block_back(&w, &w.v[i]);
		}
	for (size_t i = 0; i < w.count && !ret; i++)
		if (w.v[i].bytes && !w.v[i].replaced)
			ret = clear(&w, &w.v[i]);
	for (size_t i = 0; i < w.count; i++)
		free(w.v[i].bytes);
	free(w.v);
	return ret ? ret : shift_back(&w, found, count);
}
