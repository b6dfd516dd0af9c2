/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets up a traversal, runs its two sweeps, and passes each block to the walk_*.c for its kind. */
#include "traverse.h"

#include <errno.h>
#include <stdlib.h>

#include "report.h"
#include "rt_state.h"
#include "samples.h"
#include "shared.h"
#include "inflight.h"
#include "names/dir_runs.h"
#include "walk.h"

static void see_sample(struct walker *w, const uint8_t *bytes, uint64_t offset, uint32_t len)
{
	uint64_t bad, bad_len;

	if (!device_unreadable(w->t->device, offset, len, &bad, &bad_len))
		samples_see(w->samples, bytes, offset, len);
}

static void arrived(void *ctx, unsigned worker, struct sweep_item *item, const uint8_t *bytes, uint64_t offset,
		    uint32_t len, bool last)
{
	struct traverse *t = ctx;
	struct walker *w = t->walkers[worker];
	struct want *want = caa_container_of(item, struct want, item);

	__atomic_store_n(&w->totals.metadata_bytes, w->totals.metadata_bytes + len, __ATOMIC_RELAXED);
	if (w->samples)
		see_sample(w, bytes, offset, len);
	switch (want->kind) {
	case WANT_HEADERS:
		walk_headers(w, want, bytes, offset);
		break;
	case WANT_FREELIST:
		walk_freelist(w, want, bytes, offset);
		break;
	case WANT_BTREE:
		walk_btree(w, want, bytes, offset);
		break;
	case WANT_CHUNK:
		walk_chunk(w, want, bytes, offset, len, last);
		break;
	case WANT_BMBT:
		walk_bmbt(w, want, bytes, offset);
		break;
	case WANT_FORK:
		walk_fork_blocks(w, want, bytes, offset, len, last);
		break;
	case WANT_PART:
		walk_part(w, want, bytes, offset, len, last);
		break;
	}
	if (last)
		walk_free(w, want, want->size);
}

static void ahead(const struct sweep_item *item, bool sooner)
{
	const struct want *want = caa_container_of(item, const struct want, item);

	if (want->kind == WANT_FORK || want->kind == WANT_PART || want->kind == WANT_BMBT)
		walk_fork_ahead(want, sooner);
}

int traverse_new(const struct geometry *geo, struct device *device, const uint8_t *primary, const struct scope *scope,
		 const struct sink *sink, struct findings *findings, const struct sweep_options *options,
		 struct traverse **ret_traverse)
{
	struct traverse *t = calloc(1, sizeof(*t));
	const struct sweep_ops ops = { arrived, ahead, t };
	int ret;

	if (!t)
		return -ENOMEM;
	pthread_mutex_init(&t->ags_lock, NULL);
	t->geo = geo;
	t->device = device;
	t->names_changed = device_dump(device).obfuscated;
	t->primary = primary;
	t->device_blocks = (device_bytes(device) >> geo->block_log) + 1;
	if (t->device_blocks > geo->dblocks)
		t->device_blocks = geo->dblocks;
	t->scope = *scope;
	t->sink = *sink;
	t->findings = findings;
	t->chunks_most = options->max_queued / 4;
	t->options = *options;
	t->ags = calloc(geo->agcount, sizeof(*t->ags));
	t->shared = calloc(group_count(geo), sizeof(*t->shared));
	t->walkers = calloc(options->workers, sizeof(struct walker *));
	for (unsigned i = 0; t->walkers && i < options->workers; i++) {
		struct walker *w = walker_new(t, i);

		if (!w)
			break;
		t->walkers[t->nwalkers++] = w;
	}
	ret = rt_state_init(&t->rt, geo);
	if (!t->ags || !t->shared || t->nwalkers != options->workers)
		ret = -ENOMEM;
	if (!ret)
		ret = sweep_create(device, geo->agcount, options, &ops, &t->sweep);
	if (ret)
		traverse_free(t);
	else
		*ret_traverse = t;
	return ret;
}

/* Frees the walkers' memory.  A walker may hold pieces from another one's slabs, so all give up theirs first. */
static void free_memory(struct traverse *t)
{
	for (unsigned i = 0; i < t->nwalkers; i++) {
		inflight_free(t->walkers[i], t->walkers[i]->spare);
		t->walkers[i]->spare = NULL;
	}
	for (unsigned i = 0; i < t->nwalkers; i++)
		walk_memory_free(t->walkers[i]);
}

/* Frees the wants of a sweep that was held and will not continue. */
static void forget_wanted(struct traverse *t)
{
	for (uint32_t ag = 0; t->sweep && ag < t->geo->agcount; ag++) {
		const struct ag_state *state = &t->ags[ag];
		struct sweep_item *item;

		while ((item = sweep_take_parked(t->sweep, ag)) || (item = sweep_take_posted(t->sweep, ag))) {
			struct want *want = caa_container_of(item, struct want, item);

			walk_free(t->walkers[0], want, want->size);
		}
		for (size_t i = state->later_next; i < state->nlater; i++)
			walk_free(t->walkers[0], state->later[i], state->later[i]->want.size);
	}
}

static void free_group(struct ag_state *ag)
{
	free(ag->unlinked);
	free(ag->later);
}

/* Returns the state of a group without the parts that belong to its traversal. */
static struct ag_state lent(const struct ag_state *ag)
{
	struct ag_state state = *ag;

	state.later = NULL;
	state.nlater = state.later_room = state.later_next = 0;
	state.chunks_waiting = 0;
	state.unlinked = NULL;
	state.nunlinked = state.unlinked_room = 0;
	return state;
}

void traverse_borrow(struct traverse *t, const struct traverse *from, const agno_t *but, size_t count)
{
	for (uint32_t group = 0, next = 0; group < group_count(t->geo); group++) {
		if (next < count && but[next].v == group) {
			next++;
			continue;
		}
		if (!group_is_rt(t->geo, (group_t){ group }))
			t->ags[group] = lent(&from->ags[group]);
		t->shared[group] = from->shared[group];
		t->shared[group].lent = true;
	}
	rt_state_copy(&t->rt, &from->rt, t->geo);
}

void traverse_free(struct traverse *t)
{
	if (!t)
		return;
	forget_wanted(t);
	sweep_destroy(t->sweep);
	free_memory(t);
	for (unsigned i = 0; i < t->nwalkers; i++)
		walker_free(t->walkers[i]);
	for (uint32_t ag = 0; t->ags && ag < t->geo->agcount; ag++)
		free_group(&t->ags[ag]);
	for (uint32_t group = 0; t->shared && group < group_count(t->geo); group++)
		shared_free(&t->shared[group]);
	rt_state_free(&t->rt);
	dir_runs_free(t->dirs);
	pthread_mutex_destroy(&t->ags_lock);
	free(t->walkers);
	free(t->shared);
	free(t->ags);
	free(t);
}

static int run(struct traverse *t)
{
	int ret = sweep_run(t->sweep);

	return ret ? ret : __atomic_load_n(&t->error, __ATOMIC_RELAXED);
}

int traverse_groups(struct traverse *t)
{
	int ret;

	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		walk_headers_post(t->walkers[0], (agno_t){ ag });
	ret = run(t);
	if (!ret && t->scope.judge && t->geo->reflink && has_rtgroups(t->geo))
		ret = rt_shared_read(t);
	for (uint32_t group = 0; group < group_count(t->geo) && !ret; group++)
		ret = shared_settle(&t->shared[group], group_length(t->geo, (group_t){ group }));
	return ret;
}

static void post_trees(struct traverse *t, agno_t agno)
{
	static const enum btree_kind kinds[] = { BT_INO, BT_FINO, BT_BNO, BT_CNT, BT_RMAP };
	const size_t count = t->scope.claims || t->scope.trees ? sizeof(kinds) / sizeof(kinds[0]) : 1;

	for (size_t i = 0; i < count; i++)
		walk_tree_start(t->walkers[0], agno, kinds[i]);
}

void traverse_trees_post(struct traverse *t)
{
	for (uint32_t ag = 0; ag < t->geo->agcount; ag++)
		post_trees(t, (agno_t){ ag });
}

int traverse_sweep(struct traverse *t)
{
	int ret = run(t);

	if (!ret && !sweep_held(t->sweep))
		free_memory(t); /* later traversals need little, and other phases may need the memory */
	return ret;
}

/* Sweeps the rest of the scope, after traverse_groups().  Returns 0 or a negative errno. */
static int traverse_inodes(struct traverse *t)
{
	traverse_trees_post(t);
	return traverse_sweep(t);
}

int traverse_take_samples(struct traverse *t)
{
	for (unsigned i = 0; i < t->nwalkers; i++) {
		t->walkers[i]->samples = calloc(1, sizeof(struct samples));
		if (!t->walkers[i]->samples)
			return -ENOMEM;
	}
	return 0;
}

int traverse_all(struct traverse *t)
{
	int ret = traverse_groups(t);

	return ret ? ret : traverse_inodes(t);
}

int traverse_these(struct traverse *t, const xino_t *inos, size_t count)
{
	for (size_t i = 0; i < count; i++)
		walk_chunk_one(t->walkers[0], inos[i]);
	return run(t);
}

int traverse_these_groups(struct traverse *t, const agno_t *groups, size_t count)
{
	const bool shallow = t->scope.shallow;
	int ret;

	for (size_t i = 0; i < count; i++)
		walk_headers_post(t->walkers[0], groups[i]);
	ret = run(t);
	for (size_t i = 0; i < count && !ret; i++)
		ret = shared_settle(&t->shared[groups[i].v], ag_length(t->geo, groups[i]));
	t->scope.shallow = true;
	for (size_t i = 0; i < count && !ret; i++)
		post_trees(t, groups[i]);
	if (!ret)
		ret = run(t);
	t->scope.shallow = shallow;
	return ret;
}

int traverse_chunks(struct traverse *t, agno_t agno, const struct inobt_record *chunks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		walk_chunk_found(t->walkers[0], agno, &chunks[i], false);
	return run(t);
}

void traverse_look_groups(const void *ctx, struct report_work_state *state)
{
	const struct traverse *t = ctx;

	state->done = __atomic_load_n(&t->groups_done, __ATOMIC_RELAXED);
}

/* Returns the number of wanted bytes that have arrived. */
static uint64_t bytes_arrived(const struct traverse *t)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < t->nwalkers; i++)
		bytes += __atomic_load_n(&t->walkers[i]->totals.metadata_bytes, __ATOMIC_RELAXED);
	return bytes;
}

/* Counts inodes whose blocks have all arrived: estimated by the share of wanted bytes that have arrived. */
void traverse_look_inodes(const void *ctx, struct report_work_state *state)
{
	const struct traverse *t = ctx;
	const uint64_t inodes = __atomic_load_n(&t->inodes_done, __ATOMIC_RELAXED);
	const uint64_t arrived = bytes_arrived(t), wanted = sweep_wanted(t->sweep);

	state->done = arrived < wanted ? (uint64_t)((long double)inodes * arrived / wanted) : inodes;
	state->number = __atomic_load_n(&t->at_ino, __ATOMIC_RELAXED);
	state->object = state->number ? "inode" : NULL;
}

struct totals traverse_totals(const struct traverse *t)
{
	struct totals sum = { 0 };

	for (unsigned i = 0; i < t->nwalkers; i++)
		totals_add(&sum, &t->walkers[i]->totals, 1);
	return sum;
}
