/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory for the state of the realtime groups, whose number sb_rt_decode() bounds, and the files of a group. */
#include "rt_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void rt_state_copy(struct rt_state *to, const struct rt_state *from, const struct geometry *geo)
{
	if (from->group)
		memcpy(to->group, from->group, geo->rgcount * sizeof(*to->group));
	if (from->edges)
		memcpy(to->edges, from->edges, (size_t)geo->rgcount * geo->rbmblocks * sizeof(*to->edges));
	to->directory = from->directory;
}

void rt_state_free(struct rt_state *rt)
{
	free(rt->group);
	free(rt->edges);
	pthread_mutex_destroy(&rt->lock);
}

bool rtfile_wanted(const struct geometry *geo, enum rtfile kind)
{
	switch (kind) {
	case RTFILE_RMAP:
		return geo->metadir && geo->rmapbt;
	case RTFILE_REFCOUNT:
		return geo->metadir && geo->reflink;
	default:
		return !geo->zoned;
	}
}

void rtfile_name(uint32_t rgno, enum rtfile kind, char *ret_name, size_t size)
{
	static const char *const suffixes[RTFILE_NR] = { "bitmap", "summary", "rmap", "refcount" };

	snprintf(ret_name, size, "%u.%s", rgno, suffixes[kind]);
}
