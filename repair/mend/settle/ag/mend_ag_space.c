/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds the space btrees of an AG (bnobt, cntbt, rmapbt, refcountbt) and its free list from the blocks of inodes,
 * their forks and the inode btrees (ondisk 12, "What derives from what").  Nothing is rebuilt as long as an inode may
 * own unknown blocks, because these would be taken as free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_evidence.h"
#include "mend/make/mend_ag.h"
#include "mend/make/mend_records.h"
#include "repair.h"
#include "run.h"
#include "check/walk/walker.h"

/* AGs to rebuild; all arrays have an element per AG. */
struct ag_space_work {
	struct mend *m;
	const struct found **why; /* the finding that it is rebuilt for; NULL: not rebuilt */
	int *results;		  /* result of mend_ag() or an earlier step */
	struct ag_contents *held; /* its contents; valid while its evidence is */
	uint64_t *free;		  /* if rebuilt: its free blocks, as the superblock counts them */
	bool *edited;		  /* its btrees have kept their blocks */
};

/*
 * Adds unreadable blocks to contents->old, since new btrees use old blocks only if there are no others.  *ret_old: the
 * new contents->old, which the caller frees; NULL: all blocks were readable.  0 or -ENOMEM.
 */
static int leave_out_unreadable(const struct mend *m, struct ag_contents *contents, struct use **ret_old)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t start = ag_offset(geo, contents->agno), bad, len;
	uint64_t end = start + ((uint64_t)ag_length(geo, contents->agno) << geo->block_log);
	size_t room = 0, n = contents->nold;
	struct use *old = NULL;

	for (uint64_t at = start; device_unreadable(m->rc->run->device, at, end - at, &bad, &len); at = bad + len) {
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

/*
 * Resets the damaged LSNs noted by mend_log.c in blocks that are unowned now.  The claims are sorted, and lack only
 * blocks written since the last check, which have other LSNs.  0 or negative errno.
 */
static int reset_dates(struct mend *m, const struct ag_contents *contents)
{
	const struct geometry *geo = &m->now->geo;
	const struct number_set *dates = &m->notes.damaged_dates;
	const uint64_t start = ag_offset(geo, contents->agno);
	uint64_t *v = number_set_sorted(dates), end = 0;
	size_t claim = 0;
	int ret = v ? 0 : -ENOMEM;

	for (size_t i = 0; v && i < dates->count && !ret; i++) {
		const uint64_t block = (v[i] - start) >> geo->block_log;

		if (v[i] < start || block >= ag_length(geo, contents->agno))
			continue;
		for (; claim < contents->nclaims && contents->claims[claim].start <= block; claim++) {
			const struct use *use = &contents->claims[claim];

			end = use->start + use->len > end ? use->start + use->len : end;
		}
		if (block >= end)
			ret = mend_reset_lsn(m, v[i]);
	}
	free(v);
	return ret;
}

/* Corrects the btrees of an AG: in place if possible, else by rebuilding them. */
static int put_right(struct mend *m, struct ag_contents *contents, struct ag_mended *ret_mended, bool *ret_edited)
{
	const struct ag_writer writer = mend_writer(m);
	struct use *old = NULL;
	int ret = mend_ag_edit(m, contents, ret_mended);

	*ret_edited = !ret;
	if (ret != -EINVAL && ret != -ENOSPC && ret != -EEXIST)
		return ret;
	ret = leave_out_unreadable(m, contents, &old);
	if (!ret)
		ret = mend_ag(&m->now->geo, contents, &writer, ret_mended);
	free(old);
	return ret;
}

static void rebuild(void *ctx, struct mend_evidence *evidence, group_t group)
{
	const agno_t agno = { group.v };
	struct ag_space_work *work = ctx;
	struct mend *m = work->m;
	struct inobt_record *chunks;
	struct ag_contents *contents = &work->held[agno.v];
	struct ag_mended mended;
	int ret;

	ret = mend_evidence_contents(evidence, agno, false, contents, &chunks);
	if (!ret)
		ret = put_right(m, contents, &mended, &work->edited[agno.v]);
	if (!ret && m->notes.damaged_dates.count)
		ret = reset_dates(m, contents);
	work->results[agno.v] = ret;
	work->free[agno.v] = ret ? 0 : agf_free_blocks(&mended.agf);
}

/* If the owner of a claim is a recreated file, it may need the reflink flag: has that set. 0 or -ENOMEM. */
static int share_follows(struct mend *m, const struct use *use)
{
	const xino_t ino = { use->owner };

	return ino_set_has(&m->notes.rebuilt, ino)
		       ? mend_follows_inode(m, MEND_inode_shared, F_INODE_SHARED_NOT_REFLINK, ino)
		       : 0;
}

/* Finds the owners of overlapping claims, now that all claims of the AG are known, sorted by start. 0 or -ENOMEM. */
static int shares_follow(struct mend *m, const struct ag_contents *held)
{
	const struct use *farthest = NULL; /* the earlier claim with the highest end */
	int ret = 0;

	for (size_t i = 0; i < held->nclaims && ino_set_count(&m->notes.rebuilt) && !ret; i++) {
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

static int tell_rebuilt(void *ctx, struct mend_evidence *evidence, group_t group)
{
	const agno_t agno = { group.v };
	const struct ag_space_work *work = ctx;
	struct mend *m = work->m;

	if (!evidence) {
		mend_not_rebuilt(m, agno, "that needs more memory than there is");
		return 0;
	}
	switch (work->results[agno.v]) {
	case 0:
		group_note_new(m, agno);
		if (work->edited[agno.v])
			mend_done_so(m, work->why[agno.v], SURE_CERTAIN, "space btrees of the AG corrected");
		else
			mend_done(m, work->why[agno.v]);
		return shares_follow(m, &work->held[agno.v]);
	case -ENOSPC:
		mend_not_rebuilt(m, agno, "there is no space for new ones");
		return 0;
	case -EEXIST: /* blocks with several owners, which other menders settle first */
	case -EINVAL:
		return 0;
	default:
		return work->results[agno.v];
	}
}

/* If the free blocks of all AGs are known now, adds a finding that corrects the superblock's count. 0 or -ENOMEM. */
static int count_follows(const struct ag_space_work *work)
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

bool mend_ag_space_wants(const struct found *found)
{
	return mend_shared_is_claim(found) && found->place.rgno == NO_RGNO;
}

int mend_ag_space(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct ag_space_work work = { .m = m };
	bool *wanted;
	int ret = 0;

	if (mend_owners_unknown(m->now, false))
		return 0;
	work.why = calloc(geo->agcount, sizeof(const struct found *));
	work.results = calloc(geo->agcount, sizeof(*work.results));
	work.held = calloc(geo->agcount, sizeof(*work.held));
	wanted = calloc(group_count(geo), sizeof(*wanted));
	work.free = calloc(geo->agcount, sizeof(*work.free));
	work.edited = calloc(geo->agcount, sizeof(*work.edited));
	if (!work.why || !work.results || !work.held || !work.free || !work.edited || !wanted)
		ret = -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++) {
		if (found[i].place.agno.v >= geo->agcount || wanted[found[i].place.agno.v] ||
		    !mend_shared_settled(m, &found[i]))
			continue;
		work.why[found[i].place.agno.v] = &found[i];
		wanted[found[i].place.agno.v] = true;
	}
	if (!ret)
		ret = mend_evidence_share(m, wanted, rebuild, tell_rebuilt, &work);
	if (!ret)
		ret = count_follows(&work);
	free(work.why);
	free(work.results);
	free(work.held);
	free(work.free);
	free(work.edited);
	free(wanted);
	return ret;
}
