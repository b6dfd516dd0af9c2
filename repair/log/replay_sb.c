/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The primary superblock during and after the replay (ondisk 11, "Recovery rules").  If the file system has grown,
 * later items may be in AGs that the superblock on the disk does not have, so the logged superblock is used.  Its
 * counters are kept only in memory while it is mounted; after a replay they are added up from the AG headers, as a
 * mount does.
 */
#include "replay.h"

#include <errno.h>

#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/log_apply.h"
#include "repair.h"
#include "run.h"

/* Sets r->geo from the replayed superblock, except fields that are not in it.  False: it can't be decoded. */
static bool decode(struct replay *r)
{
	const struct check silent = check_silent(NULL);
	struct geometry geo;

	if (!sb_decode(&silent, r->superblock, SB_READ_BYTES, &geo))
		return false;
	geo.head_lsn = r->geo.head_lsn;
	geo.counters_lost = r->geo.counters_lost;
	r->geo = geo;
	return true;
}

void replay_sb_follow(struct replay *r, const struct log_item *item, const struct log_buf *buf)
{
	if (buf->daddr.v != 0 || buf->type != LB_SUPERBLOCK)
		return;
	r->rc->run->log_superblock = true;
	log_buf_apply(item, r->superblock, SB_READ_BYTES);
	/* sizes that contradict each other are reported when the superblock is checked later */
	if (decode(r) && r->geo.dblocks << r->geo.block_log > r->end)
		r->end = r->geo.dblocks << r->geo.block_log;
}

struct sums {
	uint64_t icount, ifree, fdblocks;
};

/* Adds the counters in the headers of one AG.  *ret_known: false if they are unreadable or invalid. */
static int add_ag(struct replay *r, agno_t agno, struct sums *sums, bool *ret_known)
{
	struct agf_disk agf = { 0 };
	struct agi_disk agi = { 0 };
	bool ok;
	int ret = block_cache_read(r->cache, &agf, ag_sector_offset(&r->geo, agno, AGF_SECTOR), sizeof(agf));

	if (!ret)
		ret = block_cache_read(r->cache, &agi, ag_sector_offset(&r->geo, agno, AGI_SECTOR), sizeof(agi));
	ok = !ret && be32_get(agf.magicnum) == AGF_MAGIC && be32_get(agi.magicnum) == AGI_MAGIC;
	if (ok) {
		sums->icount += be32_get(agi.count);
		sums->ifree += be32_get(agi.freecount);
		sums->fdblocks += (uint64_t)be32_get(agf.freeblks) + be32_get(agf.flcount) + be32_get(agf.btreeblks);
	}
	*ret_known = ok;
	/* unreadable headers are reported when they are checked */
	return ret == -EIO || ret == -ENODATA ? 0 : ret;
}

static int add_up(struct replay *r, struct sums *sums, bool *ret_known)
{
	bool known = true;

	*sums = (struct sums){ 0 };
	for (uint32_t i = 0; i < r->geo.agcount && known; i++) {
		int ret = add_ag(r, (agno_t){ i }, sums, &known);

		if (ret)
			return ret;
	}
	*ret_known = known;
	return 0;
}

/* True if a superblock is sound; a damaged one is not changed here, but mended later. */
static bool is_sound_sb(const struct replay *r, const uint8_t *sector)
{
	const struct sb_disk *sb = (const struct sb_disk *)sector;
	uint32_t size = r->geo.sector_size;

	return be32_get(sb->magicnum) == SB_MAGIC &&
	       (!r->geo.crc || crc_is_right(sector, size, offsetof(struct sb_disk, crc)));
}

/* Corrects what a mount corrects after a replay: counters, if known, and the feature bits of the log. */
static void correct(const struct geometry *geo, const struct sums *sums, struct sb_disk *sb)
{
	if (sums) {
		sb->icount = be64_put(sums->icount);
		sb->ifree = be64_put(sums->ifree);
		sb->fdblocks = be64_put(sums->fdblocks);
	}
	if (geo->crc)
		sb->features_log_incompat = be32_put(0);
	sb_seal(sb, geo->sector_size);
}

int replay_sb_finish(struct replay *r)
{
	uint32_t size = r->geo.sector_size;
	struct sums sums;
	bool known = false, ok;
	int ret = r->geo.lazysbcount && !r->geo.counters_lost ? add_up(r, &sums, &known) : 0;

	if (!ret)
		ret = replay_read(r, r->buffer, 0, size, &ok);
	if (ret || !ok)
		return ret;
	correct(&r->geo, known ? &sums : NULL, (struct sb_disk *)r->superblock);
	decode(r);
	if (!is_sound_sb(r, r->buffer))
		return 0;
	correct(&r->geo, known ? &sums : NULL, (struct sb_disk *)r->buffer);
	return replay_write(r, r->buffer, 0, size);
}
