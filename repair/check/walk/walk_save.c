/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves the state of a traversal.  The states of all walkers are saved as that of one.  The results of phase groups are
 * not saved, since that phase runs again.
 */
#include "walk_save.h"

#include <errno.h>
#include <string.h>

#include "names/dir_runs.h"
#include "sets/save.h"
#include "traverse.h"

/* ---- data of the walkers ---- */

struct dirs_save {
	struct saver *s;
	uint64_t last;
};

static void save_dir(void *ctx, struct dir_parent dir)
{
	struct dirs_save *save = ctx;

	save_near(save->s, dir.dir.v, save->last);
	save_near(save->s, dir.parent.v, dir.dir.v);
	save->last = dir.dir.v;
}

/* Directories are nearly in the order in which they were found, so each differs little from the last one. */
static void save_dirs(const struct dir_runs *dirs, struct saver *s)
{
	struct dirs_save save = { .s = s };
	int ret;

	save_number(s, dirs ? dir_runs_total(dirs) : 0);
	ret = dirs ? dir_runs_each(dirs, save_dir, &save) : 0;
	if (ret && !s->error)
		s->error = ret;
}

/* Directories are collected by a resumed run only if the earlier run collected them. */
static void load_dirs(struct walker *w, struct loader *l)
{
	const size_t count = load_count(l);
	uint64_t last = 0;

	if (count && !w->t->dirs)
		load_refuse(l);
	for (size_t n = 0; n < count && load_good(l); n++) {
		struct dir_parent dir;

		dir.dir.v = last = load_near(l, last);
		dir.parent.v = load_near(l, dir.dir.v);
		if (load_good(l) && !ino_valid(w->t->geo, dir.dir))
			load_refuse(l);
		else if (load_good(l))
			dir_runs_add(w->t->dirs, w->worker, dir);
	}
}

static void save_gaps(const struct traverse *t, struct saver *s)
{
	uint64_t gaps = 0, tree_gaps = 0;

	for (unsigned i = 0; i < t->nwalkers; i++) {
		gaps += t->walkers[i]->ngaps;
		tree_gaps += t->walkers[i]->ntree_gaps;
	}
	save_number(s, gaps);
	for (unsigned i = 0; i < t->nwalkers; i++) {
		const struct walker *w = t->walkers[i];

		for (size_t n = 0; n < w->ngaps; n++) {
			save_number(s, w->gaps[n].ino.v);
			save_number(s, w->gaps[n].what);
		}
	}
	save_number(s, tree_gaps);
	for (unsigned i = 0; i < t->nwalkers; i++) {
		const struct walker *w = t->walkers[i];

		for (size_t n = 0; n < w->ntree_gaps; n++) {
			const struct tree_gap *gap = &w->tree_gaps[n];

			save_number(s, gap->group.v);
			save_number(s, gap->kind);
			walk_key_save(&gap->from, s);
			walk_key_save(&gap->to, s);
			save_number(s, gap->claims);
		}
	}
}

static void load_gaps(struct walker *w, struct loader *l)
{
	size_t count = load_count(l);

	w->ngaps = w->ntree_gaps = 0;
	for (size_t n = 0; n < count && load_good(l); n++) {
		struct gap gap = { { load_number(l) }, (unsigned)load_at_most(l, GAP_ALL | GAP_RTFILE) };

		if (load_good(l))
			walk_add(w, w->gaps, w->gaps_room, w->ngaps, gap);
	}
	count = load_count(l);
	for (size_t n = 0; n < count && load_good(l); n++) {
		struct tree_gap gap = { .group = { (uint32_t)load_at_most(l, group_count(w->t->geo)) },
					.kind = (enum btree_kind)load_at_most(l, BT_AG_NR - 1) };

		gap.from = walk_key_load(l);
		gap.to = walk_key_load(l);
		gap.claims = load_bool(l);
		if (load_good(l))
			walk_add(w, w->tree_gaps, w->tree_gaps_room, w->ntree_gaps, gap);
	}
}

/* ---- data of groups ---- */

static void save_tree(const struct tree *tree, uint32_t level, struct saver *s)
{
	save_number(s, tree->blocks);
	save_number(s, tree->links);
	save_word(s, tree->siblings);
	save_number(s, tree->suspects);
	save_number(s, tree->gap);
	save_number(s, tree->cut);
	save_number(s, level);
}

static void load_tree(struct tree *tree, uint32_t *level, uint64_t limit, struct loader *l)
{
	*tree = (struct tree){ .limit = limit };
	tree->blocks = load_number(l);
	tree->links = load_number(l);
	tree->siblings = load_word(l);
	tree->suspects = (uint32_t)load_at_most(l, UINT32_MAX);
	tree->gap = load_bool(l);
	tree->cut = load_bool(l);
	*level = (uint32_t)load_at_most(l, UINT32_MAX);
}

/* Returns where the height of a btree is; for btrees that the sweep walks after the headers. */
static uint32_t *level_of(struct ag_state *ag, enum btree_kind kind)
{
	return kind == BT_INO || kind == BT_FINO ? &ag->agi.level[kind] : &ag->agf.level[kind];
}

static void save_ag(struct ag_state *ag, struct saver *s)
{
	for (enum btree_kind kind = 0; kind < BT_REFC; kind++)
		save_tree(&ag->tree[kind], *level_of(ag, kind), s);
	save_number(s, ag->free_blocks);
	save_number(s, ag->longest);
	save_number(s, ag->inodes);
	save_number(s, ag->free_inodes);
	save_number(s, ag->too_many_inodes);
	save_number(s, ag->nunlinked);
	for (size_t i = 0; i < ag->nunlinked; i++) {
		save_number(s, ag->unlinked[i].agino);
		save_number(s, ag->unlinked[i].next);
	}
}

static void load_ag(struct walker *w, struct ag_state *ag, uint64_t blocks, struct loader *l)
{
	size_t count;

	for (enum btree_kind kind = 0; kind < BT_REFC; kind++)
		load_tree(&ag->tree[kind], level_of(ag, kind), blocks, l);
	ag->free_blocks = load_number(l);
	ag->longest = (uint32_t)load_at_most(l, UINT32_MAX);
	ag->inodes = load_number(l);
	ag->free_inodes = load_number(l);
	ag->too_many_inodes = load_bool(l);
	count = load_count(l);
	for (size_t i = 0; i < count && load_good(l); i++) {
		struct unlinked_inode inode = { .agino = (uint32_t)load_at_most(l, UINT32_MAX) };

		inode.next = (uint32_t)load_at_most(l, UINT32_MAX);
		walk_add(w, ag->unlinked, ag->unlinked_room, ag->nunlinked, inode);
	}
}

static void save_rt(const struct traverse *t, struct saver *s)
{
	const struct geometry *geo = t->geo;

	for (uint32_t rg = 0; rg < geo->rgcount; rg++) {
		const struct rt_group *group = &t->rt.group[rg];

		save_number(s, group->free);
		save_word(s, group->summary);
		save_number(s, group->staged);
		for (unsigned kind = 0; kind < RTFILE_NR; kind++) {
			save_number(s, group->file[kind].ino.v);
			save_number(s, group->file[kind].count);
			save_number(s, group->file[kind].known);
			save_number(s, group->name[kind].ino.v);
			save_number(s, group->name[kind].directory.v);
			save_number(s, group->name[kind].count);
		}
		for (uint64_t b = 0; b < geo->rbmblocks; b++) {
			save_number(s, t->rt.edges[rg * (uint64_t)geo->rbmblocks + b].lead);
			save_number(s, t->rt.edges[rg * (uint64_t)geo->rbmblocks + b].trail);
		}
	}
	save_number(s, t->rt.directory.v);
}

static void load_rt(struct traverse *t, struct loader *l)
{
	const struct geometry *geo = t->geo;

	for (uint32_t rg = 0; rg < geo->rgcount && load_good(l); rg++) {
		struct rt_group *group = &t->rt.group[rg];

		group->free = load_number(l);
		group->summary = load_word(l);
		group->staged = load_number(l);
		for (unsigned kind = 0; kind < RTFILE_NR; kind++) {
			group->file[kind].ino.v = load_number(l);
			group->file[kind].count = (unsigned)load_at_most(l, UINT32_MAX);
			group->file[kind].known = load_bool(l);
			group->name[kind].ino.v = load_number(l);
			group->name[kind].directory.v = load_number(l);
			group->name[kind].count = (unsigned)load_at_most(l, UINT32_MAX);
		}
		for (uint64_t b = 0; b < geo->rbmblocks; b++) {
			struct rt_edges *edges = &t->rt.edges[rg * (uint64_t)geo->rbmblocks + b];

			edges->lead = (uint32_t)load_at_most(l, UINT32_MAX);
			edges->trail = (uint32_t)load_at_most(l, UINT32_MAX);
		}
	}
	t->rt.directory.v = load_number(l);
}

/* ---- everything ---- */

static void save_totals(const struct totals *totals, struct saver *s)
{
#define x(name) save_number(s, totals->name);
	TOTALS_TABLE(x)
#undef x
#define x(name) save_number(s, totals->users.name);
	TOTALS_OF_USERS(x)
#undef x
}

static void load_totals(struct totals *totals, struct loader *l)
{
#define x(name) totals->name = load_number(l);
	TOTALS_TABLE(x)
#undef x
#define x(name) totals->users.name = load_number(l);
	TOTALS_OF_USERS(x)
#undef x
}

void traverse_save(const struct traverse *t, struct saver *s)
{
	const struct totals totals = traverse_totals(t);

	save_totals(&totals, s);
	save_number(s, t->contents);
	save_number(s, t->inodes_done);
	save_number(s, t->damage);
	save_number(s, t->incomplete);
	save_number(s, t->gaps);
	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		save_ag(&t->ags[ag], s);
	save_rt(t, s);
	save_gaps(t, s);
	save_dirs(t->dirs, s);
}

void traverse_load(struct traverse *t, struct loader *l)
{
	struct walker *w = t->walkers[0];

	for (unsigned i = 0; i < t->nwalkers; i++) {
		t->walkers[i]->totals = (struct totals){ 0 };
		t->walkers[i]->ngaps = t->walkers[i]->ntree_gaps = 0;
	}
	load_totals(&w->totals, l);
	t->contents = load_number(l);
	t->inodes_done = load_number(l);
	t->damage = load_bool(l);
	t->incomplete = load_bool(l);
	t->gaps = load_number(l);
	for (uint32_t ag = 0; ag < t->geo->agcount && load_good(l); ag++)
		load_ag(w, &t->ags[ag], ag_length(t->geo, (agno_t){ ag }), l);
	load_rt(t, l);
	load_gaps(w, l);
	load_dirs(w, l);
	if (t->error)
		load_failed(l, t->error);
}
