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
