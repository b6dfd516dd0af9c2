/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds inode chunks that the inode btrees list after the repair, but not before it.  An inobt that is destroyed does
 * not destroy the inodes: their blocks show what was there, so the account has to compare these as well.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "array.h"
#include "check/walk/traverse.h"
#include "loss_fact.h"
#include "loss_unlisted.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

/* A chunk, by the number of its first inode. */
struct chunk {
	xino_t first;
	struct inobt_record record;
};

struct listing {
	const struct geometry *geo;
	const struct number_set *but; /* first inodes of chunks to leave out; NULL: only the numbers are wanted */
	struct number_set numbers;
	struct chunk *all;
	size_t count, room;
	pthread_mutex_t lock;
	int error;
};

static void list_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	struct listing *l = ctx;
	const struct chunk chunk = { ino_of(l->geo, agno, record->start), *record };
	bool failed = false;

	(void)worker;
	if (kind != BT_INO || !ino_valid(l->geo, chunk.first))
		return;
	pthread_mutex_lock(&l->lock);
	if (!l->but)
		failed = number_set_add(&l->numbers, chunk.first.v) < 0;
	else if (!number_set_has(l->but, chunk.first.v))
		failed = array_add(l->all, l->room, l->count, chunk);
	if (failed)
		l->error = -ENOMEM;
	pthread_mutex_unlock(&l->lock);
}

/* Lists the chunks of these groups, as rc sees them on this side. 0 or negative errno. */
static int list_groups(const struct repair *rc, enum fact_side side, const agno_t *groups, size_t count,
		       struct listing *l)
{
	static const struct sink_ops ops = { .chunk = list_chunk };
	const struct sink sink = { &ops, l, &rc->run->key };
	const struct scope scope = { .shallow = true };
	struct traverse *t = NULL;
	int ret;

	view_show(rc, side);
	ret = facts_traverse(rc, &rc->geo, &scope, &sink, &t);
	if (!ret)
		ret = traverse_these_groups(t, groups, count);
	traverse_free(t);
	return ret ? ret : l->error;
}

/* Gets the groups whose inobt was not whole before the repair, to be freed. NULL: out of memory. */
static agno_t *groups_not_whole(const struct repair *rc, const struct repair *again, size_t *ret_count)
{
	const uint32_t most = rc->geo.agcount < again->geo.agcount ? rc->geo.agcount : again->geo.agcount;
	agno_t *groups = calloc((size_t)most + 1, sizeof(*groups));

	*ret_count = 0;
	for (uint32_t i = 0; groups && i < most; i++)
		if (!ag_tree_whole(&rc->traverse->ags[i], BT_INO))
			groups[(*ret_count)++].v = i;
	return groups;
}

/* Copies the chunks to ret, by group and in order. 0 or -ENOMEM. */
static int arrange(const struct geometry *geo, struct listing *l, struct loss_unlisted *ret)
{
	ret->records = calloc(l->count + 1, sizeof(*ret->records));
	ret->of = calloc(geo->agcount, sizeof(*ret->of));
	if (!ret->records || !ret->of)
		return -ENOMEM;
	ordered_sort(l->all, l->count, MEMBERS(MEMBER(l->all, first)));
	for (size_t i = 0; i < l->count; i++) {
		struct facts_chunks *of = &ret->of[agno_of_ino(geo, l->all[i].first).v];

		ret->records[i] = l->all[i].record;
		if (!of->count++)
			of->v = &ret->records[i];
	}
	return 0;
}

int loss_unlisted_find(const struct repair *rc, const struct repair *again, struct loss_unlisted *ret)
{
	struct listing before = { .geo = &rc->geo, .lock = PTHREAD_MUTEX_INITIALIZER };
	struct listing after = { .geo = &rc->geo, .but = &before.numbers, .lock = PTHREAD_MUTEX_INITIALIZER };
	size_t count;
	agno_t *groups;
	int error = 0;

	*ret = (struct loss_unlisted){ 0 };
	if (!rc->traverse)
		return 0;
	groups = groups_not_whole(rc, again, &count);
	if (!groups)
		return -ENOMEM;
	if (count)
		error = list_groups(rc, SIDE_BEFORE, groups, count, &before);
	if (count && !error)
		error = list_groups(again, SIDE_AFTER, groups, count, &after);
	if (count && !error)
		error = arrange(&rc->geo, &after, ret);
	free(groups);
	number_set_free(&before.numbers);
	free(after.all);
	return error;
}

void loss_unlisted_free(struct loss_unlisted *unlisted)
{
	free(unlisted->of);
	free(unlisted->records);
}
