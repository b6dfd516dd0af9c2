/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays new inode chunks, which get free inodes whatever their blocks contain (ondisk 11, "ICREATE"). */
#include "replay.h"

#include "libxfs/log_apply.h"
#include "run.h"

/* True if a buffer of the chunk was freed later.  Then the whole chunk was, and its blocks may have another use now. */
static bool any_cancelled(const struct replay *r, const struct log_icreate *icreate)
{
	const struct geometry *geo = &r->geo;
	uint32_t sectors = geo->cluster_blocks << (geo->block_log - SECTOR_LOG);

	for (uint32_t block = 0; block < icreate->blocks; block += geo->cluster_blocks) {
		agbno_t agbno = { icreate->agbno.v + block };

		if (replay_is_cancelled(r, daddr_of(geo, icreate->agno, agbno), sectors))
			return true;
	}
	return false;
}

static int make_block(struct replay *r, const struct log_icreate *icreate, agbno_t agbno)
{
	const struct geometry *geo = &r->geo;
	uint64_t offset = bytes_of_daddr(daddr_of(geo, icreate->agno, agbno));

	if (!replay_may_change(r, offset, geo->block_size) ||
	    replay_is_guarded(r, daddr_of(geo, icreate->agno, agbno), geo->block_size >> SECTOR_LOG, LB_DINODE))
		return 0;
	for (uint32_t i = 0; i < geo->inodes_per_block; i++) {
		xino_t ino = ino_of(geo, icreate->agno, (agino_t){ (agbno.v << geo->inopb_log) + i });

		log_icreate_apply(geo, ino, icreate->gen, r->buffer + ((size_t)i << geo->inode_log));
	}
	return replay_write(r, r->buffer, offset, geo->block_size);
}

int replay_icreate(struct replay *r, const struct log_item *item)
{
	struct log_icreate icreate;
	int ret = 0;

	if (!log_icreate_decode(&r->check, item, &icreate))
		return 0;
	if (any_cancelled(r, &icreate)) {
		r->counts->cancelled++;
		return 0;
	}
	for (uint32_t block = 0; block < icreate.blocks && !ret; block++) {
		ret = make_block(r, &icreate, (agbno_t){ icreate.agbno.v + block });
	}
	return ret;
}
