/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads inodes again, and finds their paths. */
#include "holders.h"

#include <errno.h>
#include <stdlib.h>

#include "facts.h"
#include "mend/base/mend_lanes.h"
#include "repair.h"
#include "sets/ordered.h"
#include "walk/walker.h"

struct looking {
	const struct repair *rc;
	const struct ino_set *inos;
	struct mend_lanes found;
};

static bool keeps_more(const struct geometry *geo, const struct dinode *inode)
{
	return inode->flags & (DIFLAG_PREALLOC | DIFLAG_APPEND) ||
	       (inode->flags & DIFLAG_EXTSIZE && be32_get(inode->disk->extsize)) ||
	       (inode->realtime && geo->rextsize > 1);
}

static void inode(void *ctx, unsigned lane, const struct dinode *inode)
{
	struct looking *looking = ctx;
	const struct geometry *geo = &looking->rc->geo;
	const struct holder holder = {
		.ino = inode->ino,
		.size = inode->size,
		.gen = inode->gen,
		.ftype = (uint8_t)inode->ftype,
		.metadata = inode->metadata || inode->rtfile || paths_internal(geo, inode->ino),
		.keeps_more = keeps_more(geo, inode),
		.realtime = inode->realtime,
		.reflink = inode->reflink,
	};

	if (ino_set_has(looking->inos, inode->ino))
		mend_lanes_add(&looking->found, lane, &holder);
}

static int gather(struct looking *looking, const xino_t *inos, size_t count)
{
	static const struct sink_ops ops = { .inode = inode };
	const struct scope scope = { 0 };
	const struct repair *rc = looking->rc;

	if (count <= facts_near_most(rc))
		return facts_gather_near(rc, &scope, inos, count, &ops, looking);
	return facts_gather(rc, &rc->geo, &scope, &ops, looking);
}

int holders_look(struct repair *rc, const struct ino_set *inos, struct holders *ret_holders)
{
	struct looking looking = { .rc = rc, .inos = inos };
	const size_t count = ino_set_count(inos);
	xino_t *all = count ? ino_set_sorted(inos) : NULL;
	int ret;

	*ret_holders = (struct holders){ 0 };
	if (!count)
		return 0;
	ret = all ? mend_lanes_new(&looking.found, rc, sizeof(struct holder)) : -ENOMEM;
	if (!ret)
		ret = gather(&looking, all, count);
	if (!ret)
		ret = mend_lanes_join(&looking.found, &ret_holders->v, &ret_holders->count);
	if (!ret)
		ordered_sort(ret_holders->v, ret_holders->count, MEMBERS(MEMBER(ret_holders->v, ino)));
	mend_lanes_free(&looking.found);
	free(all);
	return ret;
}

int holders_find(struct repair *rc, const struct ino_set *inos, struct holders *ret_holders)
{
	const int ret = holders_look(rc, inos, ret_holders);

	return ret ? ret : paths_seek(rc, inos, &ret_holders->paths);
}

void holders_free(struct holders *holders)
{
	free(holders->v);
	paths_free(holders->paths);
	*holders = (struct holders){ 0 };
}

const struct holder *holders_of(const struct holders *holders, uint64_t ino)
{
	const size_t i = ordered_find(holders->v, holders->count, MEMBER(holders->v, ino), ino);

	return i < holders->count ? &holders->v[i] : NULL;
}
