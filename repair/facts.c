/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A traversal for its facts alone: what is wrong has been reported by another, or will be. */
#include "repair.h"

int facts_gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		 const struct sink_ops *ops, void *ctx)
{
	const struct sweep_options options = sweep_options_of(rc);
	const struct sink sink = { ops, ctx, &rc->key };
	struct traverse *t = NULL;
	int ret = traverse_new(geo, rc->device, rc->primary, scope, &sink, NULL, &options, &t);

	if (!ret)
		ret = traverse_all(t);
	traverse_free(t);
	return ret;
}

int facts_gather_near(const struct repair *rc, const struct scope *scope, const xino_t *inos, size_t count,
		      const struct sink_ops *ops, void *ctx)
{
	const struct sweep_options options = sweep_options_of(rc);
	const struct sink sink = { ops, ctx, &rc->key };
	struct traverse *t = NULL;
	int ret = traverse_new(&rc->geo, rc->device, rc->primary, scope, &sink, NULL, &options, &t);

	if (!ret)
		ret = traverse_these(t, inos, count);
	traverse_free(t);
	return ret;
}

#define NEAR_LEAST 4096u /* or so many ... */
#define NEAR_SHARE 32u	 /* ... that all are this many times more */

size_t facts_near_most(const struct repair *rc)
{
	uint64_t share = traverse_totals(rc->traverse).inodes / NEAR_SHARE;

	return share > NEAR_LEAST ? (size_t)share : NEAR_LEAST;
}
