/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for what is learnt of the realtime groups; its size is bounded by sb_rt_decode(). */
#include "rt_state.h"

#include <errno.h>
#include <stdlib.h>

int rt_state_init(struct rt_state *rt, const struct geometry *geo)
{
	pthread_mutex_init(&rt->lock, NULL);
	if (!geo->rgcount)
		return 0;
	rt->group = calloc(geo->rgcount, sizeof(*rt->group));
	if (geo->rbmblocks)
		rt->edges = calloc((size_t)geo->rgcount * geo->rbmblocks, sizeof(*rt->edges));
	return rt->group && (rt->edges || !geo->rbmblocks) ? 0 : -ENOMEM;
}

void rt_state_free(struct rt_state *rt)
{
	free(rt->group);
	free(rt->edges);
	pthread_mutex_destroy(&rt->lock);
}
