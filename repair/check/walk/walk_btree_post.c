/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Posts blocks of an AG's btrees.  Leaves of the inobt are put off while too many inode chunks wait to be read. */
#include "walk.h"

static void post(struct walker *w, struct btree_want *want)
{
	const struct geometry *geo = w->t->geo;
	const struct btree_expect *expect = &want->expect;

	walk_post(w, &want->want, WANT_BTREE, expect->agno, daddr_of(geo, expect->agno, expect->agbno), geo->block_size,
		  geo->block_size);
}

/* Put a leaf of the inobt off, if too many chunks wait: an AG can have millions.  False: it must be posted now. */
static bool post_later(struct walker *w, struct btree_want *want)
{
	struct ag_state *ag = &w->t->ags[want->expect.agno.v];
	bool later;

	pthread_mutex_lock(&w->t->ags_lock);
	later = ag->chunks_waiting >= w->t->chunks_most &&
		!walk_grow(w, &ag->later, &ag->later_room, ag->nlater, sizeof(*ag->later));
	if (later)
		ag->later[ag->nlater++] = want;
	pthread_mutex_unlock(&w->t->ags_lock);
	return later;
}

void walk_btree_wanted(struct walker *w, const struct btree_expect *expect)
{
	struct btree_want *want = walk_want(w, sizeof(*want));

	if (!want)
		return;
	want->expect = *expect;
	/* where leaves and inodes lie must be known before the pass over the AG begins */
	want->want.item.early = expect->level > 0 || expect->kind == BT_INO || expect->kind == BT_REFC;
	if (expect->kind != BT_INO || expect->level > 0 || !post_later(w, want))
		post(w, want);
}

void walk_inobt_wait(struct walker *w, agno_t agno)
{
	pthread_mutex_lock(&w->t->ags_lock);
	w->t->ags[agno.v].chunks_waiting++;
	pthread_mutex_unlock(&w->t->ags_lock);
}

void walk_inobt_more(struct walker *w, agno_t agno, unsigned chunks)
{
	struct ag_state *ag = &w->t->ags[agno.v];
	struct btree_want *want = NULL;

	pthread_mutex_lock(&w->t->ags_lock);
	ag->chunks_waiting -= chunks;
	if (ag->later_next < ag->nlater && ag->chunks_waiting < w->t->chunks_most)
		want = ag->later[ag->later_next++];
	pthread_mutex_unlock(&w->t->ags_lock);
	if (want)
		post(w, want);
}
