/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stray leaves are among the unowned blocks.  If free-space btrees are damaged, so are former leaves that were freed.
 * Therefore a leaf is rejected if a sibling does not point back to it, and a record is rejected if its blocks are free
 * or have an owner that does not share them.
 */

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "libxfs/object.h"
#include "mend_facts.h"
#include "mend_survey.h"
#include "repair.h"
#include "check/walk/walker.h"

/* The stray leaves of an AG. */
struct strays_ag {
	bool searched;
	agbno_t *leaves;
	size_t count, room;
};

struct mend_strays {
	uint32_t agcount;
	struct strays_ag ags[];
};

void mend_strays_free(struct mend *m)
{
	for (uint32_t ag = 0; m->strays && ag < m->strays->agcount; ag++)
		free(m->strays->ags[ag].leaves);
	free(m->strays);
	m->strays = NULL;
}

/* ---- a leaf ---- */

static struct btree_expect expect_leaf(const struct geometry *geo, agno_t agno, agbno_t agbno, const uint8_t *bytes)
{
	struct btree_expect expect = btree_expect_alone(geo, BT_RMAP, agno, agbno, agno.v, bytes);

	expect.level = 0;
	expect.unsure = false;
	return expect;
}

/* True if the block is an intact leaf; *ret_leaf: its decoded header. */
static bool is_leaf(const struct geometry *geo, agno_t agno, agbno_t agbno, const uint8_t *bytes,
		    struct btree_block *ret_leaf)
{
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	const struct btree_expect expect = expect_leaf(geo, agno, agbno, bytes);
	const struct btree_visitor nobody = { NULL, btree_ignore_record, btree_ignore_child, NULL };

	return object_has_magic(geo, object_kind(OBJ_RMAPBT), bytes) &&
	       btree_decode(&check, bytes, &expect, &nobody, ret_leaf) && !problems;
}

/* True if a sibling of a leaf is an intact leaf that does not point back to it. bytes: buffer for one block. */
static bool disowned_by(struct mend *m, agno_t agno, agbno_t leaf, uint64_t neighbour, bool left, uint8_t *bytes)
{
	const struct geometry *geo = &m->now->geo;
	const agbno_t at = { (uint32_t)neighbour };
	struct btree_block found;

	if (neighbour == NULL_FSBNO || !agbno_valid(geo, agno, at) ||
	    mend_read(m, bytes, bytes_of_daddr(daddr_of(geo, agno, at)), geo->block_size))
		return false;
	return is_leaf(geo, agno, at, bytes, &found) && (left ? found.right : found.left) != leaf.v;
}

/* ---- the search ---- */

struct search {
	struct mend *m;
	agno_t agno;
	const struct mend_survey *survey;
	struct block_map leaves;
};

static bool is_unowned(void *ctx, uint64_t block)
{
	const struct search *s = ctx;

	return mend_survey_any_unowned(s->survey, s->agno, block, 1);
}

static void note_leaf(void *ctx, uint64_t block, const uint8_t *bytes)
{
	struct search *s = ctx;
	struct btree_block found;

	if (is_leaf(&s->m->now->geo, s->agno, (agbno_t){ (uint32_t)block }, bytes, &found))
		block_map_mark(&s->leaves, block, 1);
}

static int search_ag(struct mend *m, agno_t agno, const struct mend_survey *survey, struct strays_ag *ret)
{
	struct search s = { .m = m, .agno = agno, .survey = survey };
	const struct mend_scan scan = { m, agno, is_unowned, note_leaf, &s };
	const uint32_t end = ag_length(&m->now->geo, agno);
	int error = block_map_new(&s.leaves, 0, end);

	if (!error)
		error = mend_scan(&scan);
	for (uint32_t b = 0; b < end && !error; b++) {
		if (!block_map_get(&s.leaves, b))
			continue;
		error = array_grow(&ret->leaves, &ret->room, ret->count, sizeof(*ret->leaves));
		if (!error)
			ret->leaves[ret->count++].v = b;
	}
	block_map_free(&s.leaves);
	ret->searched = !error;
	return error;
}

/* ---- records ---- */

struct telling {
	mend_stray_fn *fn;
	void *ctx;
	agno_t agno;
	const struct survey_ag *maps;
	bool shares_known; /* the refcountbt is whole */
};

/* True if all claimed blocks of the range are used more than once by the refcountbt. */
static bool all_shared(const struct survey_ag *maps, uint64_t start, uint64_t end)
{
	for (uint64_t b = start;;) {
		const uint64_t claimed = block_map_next(&maps->claimed, &maps->claimed, b, true);

		if (claimed >= end)
			return true;
		b = block_map_next(&maps->shared, &maps->shared, claimed, false);
		if (b == claimed)
			return false;
	}
}

static void leaf_record_found(void *ctx, const union btree_record *record, uint32_t index)
{
	const struct telling *t = ctx;
	const struct rmap_record *rmap = &record->rmap;
	const uint64_t start = rmap->start.v, end = start + rmap->len;

	(void)index;
	if (block_map_next(&t->maps->free, &t->maps->alone, start, true) >= end &&
	    (!t->shares_known || all_shared(t->maps, start, end)))
		t->fn(t->ctx, 0, group_of_ag(t->agno), rmap);
}

static int tell_ag(struct mend *m, agno_t agno, const struct survey_ag *maps, const struct strays_ag *strays,
		   mend_stray_fn *fn, void *ctx)
{
	const struct geometry *geo = &m->now->geo;
	const struct check silent = check_silent(geo);
	struct telling t = { fn, ctx, agno, maps, ag_tree_whole(&m->now->traverse->ags[agno.v], BT_REFC) };
	const struct btree_visitor visitor = { &t, leaf_record_found, btree_ignore_child, NULL };
	uint8_t *bytes = malloc(geo->block_size), *other = malloc(geo->block_size);
	const bool room = bytes && other;

	for (size_t i = 0; i < strays->count && room; i++) {
		const agbno_t leaf = strays->leaves[i];
		struct btree_expect expect;
		struct btree_block found;

		if (mend_space_took(m, fsbno_of(geo, agno, leaf), false) ||
		    mend_read(m, bytes, bytes_of_daddr(daddr_of(geo, agno, leaf)), geo->block_size) ||
		    !is_leaf(geo, agno, leaf, bytes, &found) || disowned_by(m, agno, leaf, found.left, true, other) ||
		    disowned_by(m, agno, leaf, found.right, false, other))
			continue;
		expect = expect_leaf(geo, agno, leaf, bytes);
		btree_decode(&silent, bytes, &expect, &visitor, &found);
	}
	free(bytes);
	free(other);
	return room ? 0 : -ENOMEM;
}

/* ---- all of it ---- */

/* Marks the AGs that may have stray leaves. False: none. */
static bool wanted_ags(const struct mend *m, bool *wanted)
{
	const struct repair *now = m->now;
	bool any = false;

	for (uint32_t ag = 0; ag < now->geo.agcount; ag++) {
		const struct strays_ag *strays = &m->strays->ags[ag];

		/* if an AG has none, it needs no survey */
		wanted[ag] = now->traverse->ags[ag].tree[BT_RMAP].cut && (!strays->searched || strays->count);
		any |= wanted[ag];
	}
	return any;
}

/* Passes on the records of the leaves in these AGs. 0 or negative errno. */
static int tell_leaves(struct mend *m, const bool *wanted, mend_stray_fn *fn, void *ctx)
{
	struct mend_survey survey;
	const bool adopted = mend_survey_adopt(m, wanted, &survey);
	int ret = adopted ? 0 : mend_survey(m, wanted, NULL, &survey);

	for (uint32_t ag = 0; ag < m->now->geo.agcount && !ret; ag++) {
		struct strays_ag *strays = &m->strays->ags[ag];

		if (!wanted[ag])
			continue;
		if (!strays->searched)
			ret = search_ag(m, (agno_t){ ag }, &survey, strays);
		if (!ret)
			ret = tell_ag(m, (agno_t){ ag }, mend_survey_maps(&survey, (agno_t){ ag }), strays, fn, ctx);
	}
	if (adopted && !ret)
		ret = mend_survey_return(m, &survey);
	mend_survey_free(&survey);
	return ret == -E2BIG ? 0 : ret;
}

int mend_strays_tell(struct mend *m, mend_stray_fn *fn, void *ctx)
{
	const uint32_t agcount = m->now->geo.agcount;
	bool *wanted;
	int ret = 0;

	if (!m->now->geo.rmapbt)
		return 0;
	if (!m->strays) {
		m->strays = calloc(1, sizeof(*m->strays) + agcount * sizeof(m->strays->ags[0]));
		if (!m->strays)
			return -ENOMEM;
		m->strays->agcount = agcount;
	}
	wanted = calloc(agcount, sizeof(*wanted));
	if (!wanted)
		return -ENOMEM;
	if (wanted_ags(m, wanted))
		ret = tell_leaves(m, wanted, fn, ctx);
	free(wanted);
	return ret;
}
