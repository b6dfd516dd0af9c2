/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about disputed claims.  All questions that menders may ask are collected and sorted first, so that the rmapbt
 * records of each inode are read only once.
 */
#include "mend_claims.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "group_age.h"
#include "libxfs/btree.h"
#include "libxfs/dinode.h"
#include "libxfs/dinode_mend.h"
#include "mend_evidence.h"
#include "repair.h"
#include "sets/ordered.h"

int mend_rmap_extents(const struct geometry *geo, const struct mend_facts *facts, xino_t ino, enum fork fork,
		      enum ino_fact_kind kind, struct mend_map *map)
{
	size_t count;
	const struct ino_fact *rmap = mend_facts_of(facts, ino, kind, &count);
	uint64_t end = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct bmap_record extent = {
			rmap[i].off, { rmap[i].value }, rmap[i].len, rmap[i].flags & RMAP_UNWRITTEN
		};
		const enum fork of = rmap[i].flags & RMAP_ATTR ? ATTR_FORK : DATA_FORK;

		/* a wrong bit may put an offset beyond the end of any file */
		if (of != fork || rmap[i].flags & RMAP_BMBT || extent.off.v < end ||
		    mend_map_end(&extent) > dinode_fork_end(geo, fork) || mend_facts_reaches_next(rmap, count, i))
			continue;
		ret = mend_map_add(map, &extent);
		end = mend_map_end(&extent);
	}
	return ret;
}

struct claimant claimant_of(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t bytes[DINODE_SIZE_MAX];
	struct claimant c = { 0 };
	struct dinode inode;

	if (found->place.object != OBJ_DATA_FORK || !ino_valid(geo, found->place.ino) ||
	    mend_read(m, bytes, bytes_of_ino(geo, found->place.ino), geo->inode_size) ||
	    !dinode_decode(&check, bytes, found->place.ino, true, &inode))
		return c;
	c.file = dinode_is_users_file(geo, &inode);
	c.beyond = c.file && found->place.fileoff.v >= (inode.size >> geo->block_log) + 1;
	c.shares = c.file && (inode.reflink || ino_set_has(&m->notes.rebuilt, found->place.ino));
	c.date.v = geo->crc ? be64_get(inode.disk->lsn) : 0;
	return c;
}

/* True if two files may share blocks: both have the reflink flag; or one has it, and the other one is older. */
static bool may_have_shared(const struct claimant *x, const struct claimant *y)
{
	if (!x->file || !y->file || x->shares == y->shares)
		return x->file && y->file && x->shares;
	return x->date.v && y->date.v && (x->shares ? x->date.v > y->date.v : y->date.v > x->date.v);
}

bool claimants_seem_to_share(const struct mend *m, const struct found *one, const struct claimant *x,
			     const struct found *other, const struct claimant *y)
{
	return one->place.ino.v != other->place.ino.v && one->place.object == OBJ_DATA_FORK &&
	       one->place.agno.v < m->now->geo.agcount && one->place.fileoff.v == other->place.fileoff.v &&
	       group_is_old(m, one->place.agno) && may_have_shared(x, y);
}

#define BY_BLOCK(v)                                                                                                    \
	MEMBERS(MEMBER(v, place.ino), MEMBER(v, place.agno), MEMBER(v, place.agbno), MEMBER(v, place.rgno),            \
		MEMBER(v, place.rgbno))

static int by_block(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	const int order = ordered_compare(x, y, BY_BLOCK(x));

	return order ? order : found_compare(x, y);
}

const struct found *claims_other(const struct claims *c, const struct found *found)
{
	struct found key = *found;
	size_t i;

	key.place.ino.v = found->problem.want;
	i = ordered_place(c->found, c->count, &key, BY_BLOCK(c->found));
	for (; i < c->count && !ordered_compare(&c->found[i], &key, BY_BLOCK(c->found)); i++)
		if (&c->found[i] != found && c->found[i].problem.finding == F_SPACE_CLAIMED_TWICE)
			return &c->found[i];
	return NULL;
}

/* ---- owners by the rmapbt ---- */

static struct rmap_question question_of(const struct claims *c, const struct place *place, xino_t ino)
{
	if (place->rgno != NO_RGNO)
		return (struct rmap_question){ ino, FACT_RTRMAP, rtbno_of(c->geo, place->rgno, place->rgbno).v, NULL };
	return (struct rmap_question){ ino, FACT_RMAP, fsbno_of(c->geo, place->agno, place->agbno).v, NULL };
}

#define BY_QUESTION(v) MEMBERS(MEMBER(v, ino), MEMBER(v, kind), MEMBER(v, block))

static bool is_about_blocks(const struct found *found)
{
	return found->problem.finding == F_SPACE_CLAIMED_TWICE || found->problem.finding == F_SPACE_FREE_IN_USE;
}

/* Collects all questions, sorted, each once. 0 or -ENOMEM. */
static int put_questions(struct claims *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		n += is_about_blocks(&c->found[i]);
	c->questions = calloc(2 * n + 1, sizeof(*c->questions));
	if (!c->questions)
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct found *found = &c->found[i];

		if (!is_about_blocks(found))
			continue;
		c->questions[n++] = question_of(c, &found->place, found->place.ino);
		if (found->problem.finding == F_SPACE_CLAIMED_TWICE)
			c->questions[n++] = question_of(c, &found->place, (xino_t){ found->problem.want });
	}
	c->nquestions = ordered_unique(c->questions, n, BY_QUESTION(c->questions));
	return 0;
}

/* Answers all questions about one inode and kind, from index `first` on. Returns the index after them. */
static size_t answer(struct claims *c, size_t first)
{
	const xino_t ino = c->questions[first].ino;
	const uint8_t kind = c->questions[first].kind;
	size_t count, next = first;
	const struct ino_fact *rmap = mend_facts_of(c->facts, ino, kind, &count);

	for (size_t i = 0; i < count; i++) {
		const struct rmap_question from = { ino, kind, rmap[i].value, NULL };

		for (size_t at = ordered_place(c->questions, c->nquestions, &from, BY_QUESTION(c->questions));
		     at < c->nquestions; at++) {
			struct rmap_question *q = &c->questions[at];

			if (q->ino.v != ino.v || q->kind != kind || q->block - rmap[i].value >= rmap[i].len)
				break;
			if (!q->rmap)
				q->rmap = &rmap[i];
		}
	}
	while (next < c->nquestions && c->questions[next].ino.v == ino.v && c->questions[next].kind == kind)
		next++;
	return next;
}

const struct ino_fact *claims_rmap(const struct claims *c, const struct found *claim, xino_t ino)
{
	const struct rmap_question question = question_of(c, &claim->place, ino);
	const size_t at = ordered_same(c->questions, c->nquestions, &question, BY_QUESTION(c->questions));

	return at < c->nquestions ? c->questions[at].rmap : NULL;
}

/* A place in a file. */
struct spot {
	uint8_t fork; /* RMAP_ATTR or 0 */
	uint64_t off;
};

static bool begins_up_to(const void *element, const void *key)
{
	const struct ino_fact *rmap = element;
	const struct spot *spot = key;
	const uint8_t fork = rmap->flags & RMAP_ATTR;

	return fork != spot->fork ? fork < spot->fork : rmap->off.v <= spot->off;
}

const struct ino_fact *claims_rmap_there(const struct claims *c, const struct found *claim, size_t *ret_count)
{
	const struct spot spot = { claim->place.object == OBJ_ATTR_FORK ? RMAP_ATTR : 0, claim->place.fileoff.v };
	size_t count;
	const struct ino_fact *rmap = mend_facts_of(c->facts, claim->place.ino, FACT_RMAP, &count);
	const size_t end = array_lower_bound(rmap, count, sizeof(*rmap), &spot, begins_up_to);
	size_t first = end;

	while (first > 0 && (rmap[first - 1].flags & RMAP_ATTR) == spot.fork &&
	       rmap[first - 1].off.v == rmap[end - 1].off.v)
		first--;
	*ret_count = end - first;
	return rmap + first;
}

/* ---- extents by the kinds of other claimants ---- */

static struct claim_line line_of(const struct claims *c, const struct found *claim)
{
	const struct place *at = &claim->place;
	const uint64_t block =
		at->rgno != NO_RGNO ? rtbno_of(c->geo, at->rgno, at->rgbno).v : fsbno_of(c->geo, at->agno, at->agbno).v;

	return (struct claim_line){ .ino = at->ino, .line = at->fileoff.v - block, .object = (uint8_t)at->object };
}

#define BY_LINE(v) MEMBERS(MEMBER(v, ino), MEMBER(v, object), MEMBER(v, line))

static bool is_claim_of_fork(const struct found *found)
{
	return is_about_blocks(found) && (found->place.object == OBJ_DATA_FORK || found->place.object == OBJ_ATTR_FORK);
}

/* Collects the lines of all claims, sorted, each once. 0 or -ENOMEM. */
static int put_lines(struct claims *c)
{
	size_t n = 0;

	c->lines = calloc(c->count + 1, sizeof(*c->lines));
	if (!c->lines)
		return -ENOMEM;
	for (size_t i = 0; i < c->count; i++) {
		struct claim_line *line = &c->lines[n];
		const uint64_t other = c->found[i].problem.want;

		if (!is_claim_of_fork(&c->found[i]))
			continue;
		*line = line_of(c, &c->found[i]);
		line->free = c->found[i].problem.finding == F_SPACE_FREE_IN_USE;
		line->tree = !line->free && mend_owner_is_tree(other);
		line->fixed = !line->free && !line->tree && other > OWNER_COW;
		line->file = !line->free && other < OWNER_COW;
		n++;
	}
	ordered_sort(c->lines, n, BY_LINE(c->lines));
	for (size_t i = 0; i < n; i++) {
		struct claim_line *last = c->nlines ? &c->lines[c->nlines - 1] : NULL;
		const struct claim_line *line = &c->lines[i];

		if (!last || ordered_compare(last, line, BY_LINE(line))) {
			c->lines[c->nlines++] = *line;
			continue;
		}
		last->file |= line->file;
		last->tree |= line->tree;
		last->fixed |= line->fixed;
		last->free |= line->free;
	}
	return 0;
}

bool claims_strange(const struct claims *c, const struct found *claim)
{
	const struct claim_line key = line_of(c, claim);
	const size_t i = ordered_same(c->lines, c->nlines, &key, BY_LINE(c->lines));
	const struct claim_line *line = &c->lines[i];

	return i < c->nlines && (line->fixed || line->file + line->tree + line->free > 1);
}

/* With this many pairs of files that have the same blocks at the same offset, wrong extents are ruled out. */
#define SEVERAL_PAIRS 4u

/* True if another file has the first block of a claim at the same file offset, like files that share it. */
static bool is_same_place(const struct claims *c, const struct found *claim)
{
	const struct found *other = NULL;

	if (claim->problem.finding == F_SPACE_CLAIMED_TWICE && claim->place.object == OBJ_DATA_FORK)
		other = claims_other(c, claim);
	return other && other->place.ino.v != claim->place.ino.v && other->place.fileoff.v == claim->place.fileoff.v;
}

bool claims_seem_shared(const struct claims *c, const struct found *claim)
{
	return c->same_place >= (size_t)2 * SEVERAL_PAIRS && is_same_place(c, claim);
}

int claims_new(const struct geometry *geo, const struct found *found, size_t count, const struct mend_facts *facts,
	       struct claims *ret)
{
	struct claims *c = ret;
	int error = 0;

	*c = (struct claims){ .geo = geo, .facts = facts, .found = calloc(count + 1, sizeof(*c->found)) };
	if (!c->found)
		return -ENOMEM;
	c->count = count;
	memcpy(c->found, found, count * sizeof(*found));
	qsort(c->found, count, sizeof(*c->found), by_block);
	for (size_t i = 0; i < count && error >= 0; i++) {
		const struct problem *p = &c->found[i].problem;

		if (p->finding == F_INODE_NBLOCKS_XREF && p->got < p->want)
			error = ino_set_put(&c->too_many, c->found[i].place.ino);
		if (error >= 0 && (p->finding == F_INODE_NBLOCKS_XREF || p->finding == F_INODE_NEXTENTS_XREF))
			error = ino_set_put(&c->miscounted, c->found[i].place.ino);
	}
	for (size_t i = 0; i < count; i++)
		c->same_place += is_same_place(c, &c->found[i]);
	if (error >= 0)
		error = put_questions(c);
	if (!error)
		error = put_lines(c);
	for (size_t i = 0; i < c->nquestions && !error;)
		i = answer(c, i);
	return error;
}

void claims_free(struct claims *c)
{
	free(c->found);
	free(c->questions);
	free(c->lines);
	ino_set_free(&c->too_many);
	ino_set_free(&c->miscounted);
	*c = (struct claims){ 0 };
}
