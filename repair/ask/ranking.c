/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the top items in a heap. */
#include "ranking.h"

#include "array.h"
#include "check/names/search.h"
#include "sets/sort.h"

/* Compares in the order in which items are shown. */
static int compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const int order = number_order(y->rank, x->rank);

	return order ? order : number_order(x->id, y->id);
}

static void exchange(struct ranked *a, struct ranked *b)
{
	const struct ranked was = *a;

	*a = *b;
	*b = was;
}

/* Moves an item up the heap to its position. */
static void rise(struct ranked *v, size_t at)
{
	for (size_t above; at; at = above) {
		above = (at - 1) / 2;
		if (compare(&v[above], &v[at]) >= 0)
			return;
		exchange(&v[above], &v[at]);
	}
}

/* Moves the first item down the heap to its position. */
static void sink_down(struct ranked *v, size_t count)
{
	for (size_t at = 0, below; (below = 2 * at + 1) < count; at = below) {
		if (below + 1 < count && compare(&v[below + 1], &v[below]) > 0)
			below++;
		if (compare(&v[at], &v[below]) >= 0)
			return;
		exchange(&v[at], &v[below]);
	}
}

int ranking_add(struct ranking *ranking, const struct ranked *item)
{
	int ret;

	if (ranking->count == ranking->most) {
		if (ranking->most && compare(item, &ranking->v[0]) < 0) {
			ranking->v[0] = *item;
			sink_down(ranking->v, ranking->count);
		}
		return 0;
	}
	ret = array_add(ranking->v, ranking->room, ranking->count, *item);
	if (!ret)
		rise(ranking->v, ranking->count - 1);
	return ret;
}

int ranking_join(struct ranking *ranking, const struct ranking *other)
{
	int ret = 0;

	for (size_t i = 0; i < other->count && !ret; i++)
		ret = ranking_add(ranking, &other->v[i]);
	return ret;
}

void ranking_sort(struct ranking *ranking)
{
	if (ranking->count)
		qsort(ranking->v, ranking->count, sizeof(*ranking->v), compare);
}

void ranking_free(struct ranking *ranking)
{
	free(ranking->v);
	ranking->v = NULL;
	ranking->count = ranking->room = 0;
}

int ranking_paths(const struct ranking *const *rankings, size_t count, struct repair *rc,
		  const struct names_noted *noted, struct paths **ret_paths)
{
	struct ino_set inos = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		for (size_t k = 0; k < rankings[i]->count && !ret; k++)
			ret = ino_set_put(&inos, (xino_t){ rankings[i]->v[k].id });
	if (!ret)
		ret = paths_seek_noted(rc, &inos, noted, ret_paths);
	ino_set_free(&inos);
	return ret;
}
