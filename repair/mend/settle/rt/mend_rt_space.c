/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites the space metadata of realtime groups: bitmap and summary, with or without groups, rtrmapbt and rtrefcountbt
 * (ondisk 09; 12, S12 to S16).  All of it follows from the claims of files.  Relies on the group's own files existing,
 * and on no inode owning unknown blocks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "libxfs/rt_build.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_evidence.h"
#include "mend/collect/mend_object.h"
#include "mend/make/mend_rt.h"
#include "repair.h"
#include "report.h"
#include "run.h"

/* Rewrites the superblock of the realtime device, from that of the file system (ondisk 09, invariant 5). */

int mend_rtsb(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *block;
	int ret;

	if (!count || !m->rc->run->rt_device || !has_rtsb(geo) || device_bytes(m->rc->run->rt_device) < geo->block_size)
		return 0;
	block = malloc(geo->block_size);
	if (!block)
		return -ENOMEM;
	rt_build_sb(geo, block);
	ret = device_stage(m->rc->run->rt_device, LAYER_MEND, block, 0, geo->block_size);
	if (!ret)
		mend_done(m, found);
	free(block);
	return ret;
}

struct rt_space_work {
	struct mend *m;
	struct part_work {
		const struct found *why; /* the first finding about the group; NULL: none */
		unsigned kinds;		 /* RT_* parts to write */
	} * groups;			 /* per realtime group */
};

/* Returns the parts to rewrite because of a finding. */
static unsigned kinds_of(const struct found *found)
{
	switch (found->problem.finding) {
	case F_RMAP_LACKS:
	case F_RMAP_STRAY:
	case F_RTGROUP_RMAP:
	case F_RTGROUP_USED:
		return RT_RMAP;
	case F_REFCOUNT_COUNT:
	case F_SPACE_CLAIMED_TWICE:
		return RT_REFCOUNT;
	case F_RTGROUP_SPACE:
		return RT_WORDS | RT_REFCOUNT;
	default:
		break;
	}
	switch (found->place.object) {
	case OBJ_RTRMAPBT:
		return RT_RMAP;
	case OBJ_RTREFCBT:
		return RT_REFCOUNT;
	default:
		return RT_WORDS;
	}
}

static void say_too_large(const struct mend *m, uint32_t rgno)
{
	char note[160];

	snprintf(note, sizeof(note),
		 "The space records of realtime group %u cannot be rebuilt: that needs more memory than -m allows.",
		 rgno);
	report_note(m->rc->report, note);
}

static int rebuild(void *ctx, struct mend_evidence *evidence, group_t group)
{
	struct rt_space_work *w = ctx;
	struct mend *m = w->m;
	const uint32_t rgno = group.v - m->now->geo.agcount;
	const unsigned kinds = w->groups[rgno].kinds;
	struct use *claims;
	size_t count;
	int ret;

	if (!evidence) {
		say_too_large(m, rgno);
		return 0;
	}
	claims = mend_evidence_claims(evidence, group, &count);
	ret = mend_rt_write(m, rgno, kinds, claims, count);
	if (!ret && kinds)
		mend_done(m, w->groups[rgno].why);
	if (ret == -EEXIST || ret == -EINVAL) /* blocks with several owners, which other menders settle first */
		return 0;
	return mend_left(m, w->groups[rgno].why, 1, ret);
}

bool mend_rt_space_wants(const struct found *found)
{
	return mend_shared_is_claim(found) && found->place.rgno != NO_RGNO;
}

int mend_rt_space(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct rt_space_work w = { .m = m };
	bool *wanted;
	int ret = 0;

	if (!geo->rgcount || mend_owners_unknown(m->now, true))
		return 0;
	w.groups = calloc(geo->rgcount, sizeof(*w.groups));
	wanted = calloc(group_count(geo), sizeof(*wanted));
	if (!w.groups || !wanted)
		ret = -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++) {
		uint32_t rgno;

		if (!mend_rt_group_of(m, &found[i].place, &rgno) || !mend_shared_settled(m, &found[i]))
			continue;
		if (!w.groups[rgno].why)
			w.groups[rgno].why = &found[i];
		w.groups[rgno].kinds |= kinds_of(&found[i]) & mend_rt_kinds(geo);
		wanted[group_of_rg(geo, rgno).v] = true;
	}
	if (!ret)
		ret = mend_evidence_each(m, wanted, rebuild, &w);
	free(w.groups);
	free(wanted);
	return ret;
}
