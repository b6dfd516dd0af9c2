/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quota files (ondisk 10): identifies them, checks the rules for their inodes, and reads their blocks.  Also charges
 * each inode's usage to its ids.  quota_check.c compares the usage with the records.
 */
#include "disk/inode.h"
#include "inflight.h"
#include "log/intents.h"
#include "quota.h"

/* Returns the quota type of an inode in use; QUOTA_TYPES: it is not a quota file. */
static enum quota_type type_of(const struct geometry *geo, const struct dinode *inode)
{
	const xino_t rooted[QUOTA_TYPES] = { geo->uquotino, geo->gquotino, geo->pquotino };

	if (geo->metadir)
		return inode->metadata && inode->metatype >= METAFILE_USER_QUOTA &&
				       inode->metatype <= METAFILE_PROJECT_QUOTA
			       ? (enum quota_type)(inode->metatype - METAFILE_USER_QUOTA)
			       : QUOTA_TYPES;
	for (unsigned type = 0; type < QUOTA_TYPES; type++)
		if (inode->ino.v == rooted[type].v)
			return type;
	return QUOTA_TYPES;
}

static bool has_attributes(const struct dinode_fork *fork)
{
	const size_t count_offset = 2; /* in the header of a shortform fork: ondisk 07 */

	if (!fork->present || !fork->ok)
		return false;
	if (fork->format == FMT_LOCAL)
		return fork->size > count_offset && fork->bytes[count_offset] != 0;
	return fork->nextents != 0;
}

/* Checks the inode (ondisk 10, invariant 1).  dinode_flags.c checks mode and owner of all metadata tree files. */
static void check_file(struct walker *w, const struct dinode *inode)
{
	bool metadir = w->t->geo->metadir;

	if (!metadir && inode->mode & ~MODE_TYPE)
		walk_problem(w, F_QUOTA_FILE_MODE, NO_INDEX, inode->mode, inode->mode & MODE_TYPE);
	if (inode->flags & DIFLAG_REALTIME && w->t->geo->rblocks) /* without a section, reported for any inode */
		walk_problem(w, F_QUOTA_FILE_FLAGS, NO_INDEX, DIFLAG_REALTIME, 0);
	if (inode->reflink)
		walk_problem(w, F_QUOTA_FILE_FLAGS, NO_INDEX, DIFLAG2_REFLINK, 0);
	if (inode->size != 0) /* the kernel never sets it */
		walk_problem(w, F_QUOTA_FILE_SIZE, NO_INDEX, inode->size, 0);
	/* in the metadata tree there may be a parent pointer */
	if (!metadir && has_attributes(&inode->fork[ATTR_FORK]))
		walk_problem(w, F_QUOTA_FILE_ATTR, NO_INDEX, 0, 0);
}

void walk_quota_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode)
{
	enum quota_type type = type_of(w->t->geo, inode);

	inflight->ids[QUOTA_USER] = inode->uid;
	inflight->ids[QUOTA_GROUP] = inode->gid;
	inflight->ids[QUOTA_PROJECT] = inode->projid;
	if (type == QUOTA_TYPES)
		return;
	inflight->is_quota = true;
	inflight->quota = type;
	w->place.object = OBJ_QUOTA_USER + type;
	quota_file(w->t->quota, w->worker, type, inode->ino);
	if (inode->ftype == FT_REG) /* any other type has been reported */
		check_file(w, inode);
	else
		w->t->quota->lanes[w->worker].gap[type] = true;
	w->place.object = OBJ_INODE;
}

bool walk_quota_extent(struct walker *w, const struct inflight *inflight, const struct bmap_record *r)
{
	uint64_t end = dquot_file_end(w->t->geo).v;
	enum object object = w->place.object;
	bool ok = true;

	w->place.object = OBJ_QUOTA_USER + inflight->quota;
	if (r->off.v + r->len > end)
		ok = (walk_problem(w, F_QUOTA_FILE_OFFSET, NO_INDEX, r->len, end - 1), false);
	if (r->unwritten)
		ok = (walk_problem(w, F_QUOTA_FILE_UNWRITTEN, NO_INDEX, r->len, 0), false);
	w->place.object = object;
	if (!ok)
		w->t->quota->lanes[w->worker].gap[inflight->quota] = true;
	return ok;
}

struct visit {
	struct walker *w;
	enum quota_type type;
};

static void dquot_found(void *ctx, const struct dquot *dquot)
{
	const struct visit *visit = ctx;

	if (quota_record(visit->w->t->quota, visit->w->worker, visit->type, dquot))
		walk_failed(visit->w);
}

void walk_quota_block(struct walker *w, const struct inflight *inflight, const uint8_t *bytes, uint64_t fileoff)
{
	const struct dquot_expect expect = { dquot_file_types(w->t->geo, inflight->quota), { fileoff } };
	struct visit visit = { w, inflight->quota };

	w->place.object = OBJ_QUOTA_USER + inflight->quota;
	w->totals.metadata_blocks++;
	if (!dquot_block_decode(&w->check, bytes, &expect, dquot_found, &visit))
		w->t->quota->lanes[w->worker].gap[inflight->quota] = true;
	if (quota_block(w->t->quota, w->worker, inflight->quota, expect.off))
		walk_failed(w);
}

/* Charges an inode's usage.  Quota files and other metadata files are charged to nobody (ondisk 10, Usage rule). */
void walk_quota_settle(struct walker *w, const struct inflight *inflight)
{
	uint64_t used[QUOTA_COUNTS], rtblocks = inflight->rtblocks;
	int64_t more, rtmore;

	if (inflight->is_quota && inflight->gap)
		w->t->quota->lanes[w->worker].gap[inflight->quota] = true;
	if (inflight->is_quota || inflight->metadata || !w->t->quota->compared)
		return;
	/* remaps that wait for recovery are charged already, but not yet counted in nblocks (ondisk 11, BUI) */
	intents_charge(w->t->intents, inflight->ino, &more, &rtmore);
	used[QUOTA_BLOCKS] = (inflight->nblocks > rtblocks ? inflight->nblocks - rtblocks : 0) + (uint64_t)more;
	used[QUOTA_INODES] = 1;
	used[QUOTA_RTBLOCKS] = rtblocks + (uint64_t)rtmore;
	if (quota_charge(w->t->quota, w->worker, inflight->ids, used))
		walk_failed(w);
}
