/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads inodes again, and finds their paths. */
#include "holders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/facts.h"
#include "libxfs/dinode.h"
#include "mend/base/mend_lanes.h"
#include "names/paths.h"
#include "repair.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

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

struct holder holder_of(const struct geometry *geo, const struct dinode *inode)
{
	return (struct holder){
		.ino = inode->ino,
		.size = inode->size,
		.ftype = (uint8_t)inode->ftype,
		.metadata = inode->metadata || inode->rtfile || paths_internal(geo, inode->ino),
		.keeps_more = keeps_more(geo, inode),
		.realtime = inode->realtime,
		.reflink = inode->reflink,
	};
}

static void inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct looking *looking = ctx;
	const struct holder holder = holder_of(&looking->rc->geo, inode);

	if (ino_set_has(looking->inos, inode->ino))
		mend_lanes_add(&looking->found, worker, &holder);
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

static void sort(struct holders *holders)
{
	holders->count = ordered_unique(holders->v, holders->count, MEMBERS(MEMBER(holders->v, ino)));
}

/* Finds those of the set that are not known yet. 0 or -ENOMEM. */
static int missing(const struct holders *holders, const struct ino_set *inos, struct ino_set *ret_missing)
{
	const size_t count = ino_set_count(inos);
	xino_t *all = count ? ino_set_sorted(inos) : NULL;
	int ret = all || !count ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++)
		if (!holders_of(holders, all[i].v))
			ret = ino_set_put(ret_missing, all[i]);
	free(all);
	return ret;
}

/* Reads all inodes of the set. 0 or negative errno. */
static int look_at(struct repair *rc, const struct ino_set *inos, struct holders *ret_holders)
{
	struct looking looking = { .rc = rc, .inos = inos };
	xino_t *all = ino_set_sorted(inos);
	int ret = all ? mend_lanes_new(&looking.found, rc, sizeof(struct holder)) : -ENOMEM;

	if (!ret)
		ret = gather(&looking, all, ino_set_count(inos));
	if (!ret)
		ret = mend_lanes_join(&looking.found, &ret_holders->v, &ret_holders->count);
	mend_lanes_free(&looking.found);
	free(all);
	return ret;
}

int holders_add(struct holders *holders, const struct holder *more, size_t count)
{
	struct holder *v = count ? reallocarray(holders->v, holders->count + count, sizeof(*v)) : holders->v;

	if (!count)
		return 0;
	if (!v)
		return -ENOMEM;
	memcpy(v + holders->count, more, count * sizeof(*v));
	holders->v = v;
	holders->count += count;
	sort(holders);
	return 0;
}

int holders_look(struct repair *rc, const struct ino_set *inos, struct holders *holders)
{
	struct ino_set rest = { 0 };
	struct holders found = { 0 };
	int ret = missing(holders, inos, &rest);

	if (!ret && ino_set_count(&rest))
		ret = look_at(rc, &rest, &found);
	if (!ret)
		ret = holders_add(holders, found.v, found.count);
	holders_free(&found);
	ino_set_free(&rest);
	return ret;
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
