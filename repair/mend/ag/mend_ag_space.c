/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The btrees of an allocation group that say who owns which block, and its free list: rebuilt from what inodes, their
 * forks and the inode trees use (ondisk 12, "What derives from what").  Relies on all inodes having been looked at: as
 * long as one has blocks that are not known, nothing is taken for free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend/mend.h"
#include "mend/mend_evidence.h"
#include "mend/mend_records.h"

/* Groups to rebuild, and the finding that is the reason. */
struct work {
	struct mend *m;
	const struct found **why; /* per AG; NULL: it is sound */
	int *results;		  /* per AG: what became of it */
	struct ag_contents *held; /* per AG: what it holds, as long as there is evidence of it */
	uint64_t *free;		  /* per AG that was rebuilt: blocks that are free now, as the superblock counts them */
};

/* Blocks that can't be read count as those of old trees: the new ones go there only for want of others. */
static int leave_out_unreadable(const struct mend *m, struct ag_contents *contents, struct use **ret_old)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t start = ag_offset(geo, contents->agno), bad, len;
	uint64_t end = start + ((uint64_t)ag_length(geo, contents->agno) << geo->block_log);
	size_t room = 0, n = contents->nold;
	struct use *old = NULL;

	for (uint64_t at = start; device_unreadable(m->rc->device, at, end - at, &bad, &len); at = bad + len) {
		uint64_t first = (bad - start) >> geo->block_log;
		uint64_t last = (bad + len - 1 - start) >> geo->block_log;

		if (!old) {
			old = calloc(n + 1, sizeof(*old));
			if (!old)
				return -ENOMEM;
			memcpy(old, contents->old, n * sizeof(*old));
			room = n + 1;
		}
		if (array_grow(&old, &room, n, sizeof(*old))) {
			free(old);
			return -ENOMEM;
		}
		old[n++] = (struct use){ .start = first, .len = last - first + 1, .owner = OWNER_AG };
	}
	if (old) {
		contents->old = old;
		contents->nold = n;
	}
	*ret_old = old;
	return 0;
}

static void rebuild(void *ctx, struct mend_evidence *evidence, group_t group)
{
	const agno_t agno = { group.v };
	struct work *work = ctx;
	struct mend *m = work->m;
	const struct ag_writer writer = mend_writer(m);
	struct inobt_record *chunks;
	struct ag_contents *contents = &work->held[agno.v];
	struct ag_mended mended;
	struct use *old = NULL;
	int ret;

	ret = mend_evidence_contents(evidence, agno, false, contents, &chunks);
	if (!ret)
		ret = leave_out_unreadable(m, contents, &old);
	if (!ret)
		ret = mend_ag(&m->now->geo, contents, &writer, &mended);
	free(old);
	work->results[agno.v] = ret;
	work->free[agno.v] = ret ? 0 : agf_free_blocks(&mended.agf);
}

/* Files made anew while nobody knew which blocks are shared, as it may be. */
static int share_follows(struct mend *m, const struct use *use)
{
	const xino_t ino = { use->owner };

	return ino_set_has(&m->notes.remade, ino)
		       ? mend_follows_inode(m, MEND_inode_shared, F_INODE_SHARED_NOT_REFLINK, ino)
		       : 0;
}

/* Whose blocks are shared shows when all claims of the group are known; they come by their start. */
static int shares_follow(struct mend *m, const struct ag_contents *held)
{
	const struct use *farthest = NULL; /* of those before */
	int ret = 0;

	for (size_t i = 0; i < held->nclaims && m->notes.remade.count && !ret; i++) {
		const struct use *use = &held->claims[i];

		if (!ag_use_shareable(&m->now->geo, use))
			continue;
		if (farthest && use->start < farthest->start + farthest->len) {
			ret = share_follows(m, farthest);
			if (!ret)
				ret = share_follows(m, use);
		}
		if (!farthest || use->start + use->len > farthest->start + farthest->len)
			farthest = use;
	}
	return ret;
}

static int tell(void *ctx, struct mend_evidence *evidence, group_t group)
{
	const agno_t agno = { group.v };
	const struct work *work = ctx;
	struct mend *m = work->m;

	if (!evidence) {
		mend_not_rebuilt(m, agno, "that takes more memory than there is");
		return 0;
	}
	switch (work->results[agno.v]) {
	case 0:
		mend_done(m, work->why[agno.v]);
		return shares_follow(m, &work->held[agno.v]);
	case -ENOSPC:
		mend_not_rebuilt(m, agno, "there is no room for new ones");
		return 0;
	case -EEXIST: /* blocks with several owners, which is for others to settle */
	case -EINVAL:
		return 0;
	default:
		return work->results[agno.v];
	}
}

/* What the superblock counts, where all groups are known. */
static int count_follows(const struct work *work)
{
	const struct repair *now = work->m->now;
	uint64_t fdblocks = 0;
	bool any = false;

	for (uint32_t i = 0; i < now->geo.agcount; i++) {
		const struct ag_state *ag = &now->traverse->ags[i];
		const bool rebuilt = work->why[i] && !work->results[i];

		any |= rebuilt;
		if (!rebuilt && (work->why[i] || !ag_fdblocks_known(&now->geo, ag)))
			return 0;
		fdblocks += rebuilt ? work->free[i] : ag_fdblocks(&now->geo, ag);
	}
	return any ? mend_follows_count(work->m, F_SB_FDBLOCKS_COUNT, fdblocks) : 0;
}

int mend_ag_space(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct work work = { .m = m };
	bool *wanted;
	int ret = 0;

	if (mend_owners_unknown(m->now, false))
		return 0;
	work.why = calloc(geo->agcount, sizeof(const struct found *));
	work.results = calloc(geo->agcount, sizeof(*work.results));
	work.held = calloc(geo->agcount, sizeof(*work.held));
	wanted = calloc(group_count(geo), sizeof(*wanted));
	work.free = calloc(geo->agcount, sizeof(*work.free));
	if (!work.why || !work.results || !work.held || !work.free || !wanted)
		ret = -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++) {
		if (found[i].place.agno.v >= geo->agcount || wanted[found[i].place.agno.v])
			continue;
		work.why[found[i].place.agno.v] = &found[i];
		wanted[found[i].place.agno.v] = true;
	}
	if (!ret)
		ret = mend_evidence_share(m, wanted, rebuild, tell, &work);
	if (!ret)
		ret = count_follows(&work);
	free(work.why);
	free(work.results);
	free(work.held);
	free(work.free);
	free(wanted);
	return ret;
}
