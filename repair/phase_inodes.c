/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sweep: all btrees, inodes and what hangs from them, in one pass over each AG. */
#include "repair.h"

void superblock_facts(const struct geometry *geo, const struct sink *sink)
{
	const xino_t rooted[] = { geo->rbmino, geo->rsumino, geo->uquotino, geo->gquotino, geo->pquotino };

	if (geo->logstart.v && fsb_range_valid(geo, geo->logstart, geo->logblocks)) {
		const struct blocks at = { group_of_ag(agno_of_fsbno(geo, geo->logstart)),
					   { agbno_of_fsbno(geo, geo->logstart).v },
					   geo->logblocks };
		const struct claim log = { .at = at, .owner = OWNER_LOG, .object = OBJ_LOG };

		sink->ops->claim(sink->ctx, 0, &log);
	}
	if (has_rtsb(geo)) {
		const struct blocks at = { group_of_rg(geo, 0), { 0 }, geo->rextsize };
		const struct claim rtsb = { .at = at, .owner = OWNER_FS, .object = OBJ_AG };

		sink->ops->claim(sink->ctx, 0, &rtsb);
	}
	if (geo->metadir)
		return; /* there they are files of the metadata tree */
	for (size_t i = 0; i < sizeof(rooted) / sizeof(rooted[0]); i++)
		if (rooted[i].v && rooted[i].v != NULL_INO && ino_valid(geo, rooted[i]))
			sink->ops->rooted(sink->ctx, 0, rooted[i], false);
}

/*
 * What a sound file system has is read once: nothing of it is kept, not even what several have asked for until now.  Of
 * any other the first sweep keeps what it can, from the first damage on.
 */
static void keep_if_damaged(struct repair *rc)
{
	rc->traverse->keep_bytes = rc->memory.kept;
	if (rc->traverse->damage)
		memory_keep_blocks(rc);
	else
		device_keep(rc->device, 0);
}

enum phase_result phase_inodes(struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	uint64_t expected = geo->icount > geo->ifree ? geo->icount - geo->ifree : 0;
	int ret;

	superblock_facts(geo, &rc->traverse->sink);
	intents_facts(rc->intents, &rc->intents_filter.below);
	if (!rc->early.over)
		keep_if_damaged(rc);
	report_progress(rc->report, &rc->traverse->inodes_done, expected, "inodes");
	ret = traverse_inodes(rc->traverse);
	return ret ? failed(rc, "the sweep", ret) : PHASE_DONE;
}
