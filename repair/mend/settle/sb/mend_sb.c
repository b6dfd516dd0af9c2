/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the primary superblock chosen by the check (sb_choose.c), with corrected dependent fields, and with valid
 * values for invalid counters (ondisk 01).  The next check finds out if the counters are right.  The choice of the
 * superblock is likely, not certain: it keeps the most data.
 */
#include "mend_sb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/walk/walker.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/restore/mend_logged.h"
#include "repair.h"
#include "run.h"

/*
 * Rewrites backup superblocks as copies of the primary, like the kernel when it grows a file system (ondisk 01,
 * "Secondary superblocks").  Relies on the primary being settled.  Fields about the current state (log features,
 * NEEDSREPAIR, LSN) are cleared in the backups.
 */

/*
 * Clears invalid quota inodes.  They are settled later (mend_quota_sb.c); otherwise the backup would be wrong as soon
 * as it is written, and again after each round.
 */
static void leave_out_wrong_quotas(const struct geometry *g, struct sb_disk *sb)
{
	be64_t *const inos[] = { &sb->uquotino, &sb->gquotino, &sb->pquotino };

	for (size_t i = 0; i < (g->crc ? 3 : 2); i++) {
		const xino_t ino = { be64_get(*inos[i]) };

		if (g->metadir || (ino.v != NULL_INO && !ino_valid(g, ino)))
			*inos[i] = be64_put(0);
	}
}

static int write_copy(const struct mend *m, const uint8_t *primary, agno_t agno)
{
	const struct geometry *g = &m->now->geo;
	uint8_t *sector = malloc(g->sector_size);
	struct sb_disk *sb = (struct sb_disk *)sector;
	int ret;

	if (!sector)
		return -ENOMEM;
	memcpy(sector, primary, g->sector_size);
	leave_out_wrong_quotas(g, sb);
	if (g->crc) {
		sb->features_log_incompat = be32_put(0);
		sb->features_incompat = be32_put(be32_get(sb->features_incompat) & ~SB_INCOMPAT_NEEDSREPAIR);
		sb->lsn = be64_put(0);
	}
	sb_seal(sector, g->sector_size);
	ret = mend_write(m, sector, ag_offset(g, agno), g->sector_size);
	free(sector);
	return ret;
}

int mend_sb_copies_write(const struct mend *m, const uint8_t *primary, uint32_t agcount)
{
	const struct geometry *g = &m->now->geo;
	int ret = 0;

	for (agno_t ag = { 1 }; ag.v < agcount && ag_offset(g, ag) < device_bytes(m->rc->run->device) && !ret; ag.v++)
		ret = write_copy(m, primary, ag);
	return ret;
}

int mend_sb_copy(struct mend *m, const struct found *found, size_t count)
{
	uint32_t done = 0; /* AG that was done last; 0 has the primary and is skipped */
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		uint32_t ag = found[i].place.agno.v;

		if (ag == done || ag == 0 || ag >= m->now->geo.agcount)
			continue;
		ret = write_copy(m, m->now->primary, found[i].place.agno);
		if (!ret)
			mend_done(m, &found[i]);
		done = ag;
	}
	return ret;
}

#define RT_EXTENT_MIN 4096u /* bytes */

/* Sets the counters from those AGs that could be walked. */
static void put_counters(const struct mend *m, struct sb_disk *sb)
{
	const struct traverse *t = m->now->traverse;
	uint64_t icount = 0, ifree = 0, fdblocks = 0;

	for (uint32_t ag = 0; t && ag < m->now->geo.agcount; ag++) {
		icount += t->ags[ag].inodes;
		ifree += t->ags[ag].free_inodes;
		fdblocks += t->ags[ag].free_blocks;
	}
	sb->icount = be64_put(icount);
	sb->ifree = be64_put(ifree);
	sb->fdblocks = be64_put(fdblocks);
}

/* ---- backup superblocks ---- */

#define COPIES_ASKED 8u

/* True if the fields of a problem are valid in a backup superblock. */
typedef bool copy_accept(const struct geometry *geo, const struct sb_disk *copy, const struct problem *problem);

/* Reads the first acceptable backup superblock into `sector`. False: none. */
static bool find_copy(struct mend *m, copy_accept *accept, const struct problem *problem, uint8_t *sector)
{
	const struct geometry *geo = &m->now->geo;
	const struct sb_disk *copy = (const struct sb_disk *)sector;

	for (uint32_t ag = 1; ag < geo->agcount && ag <= COPIES_ASKED; ag++) {
		uint64_t offset = ag_offset(geo, (agno_t){ ag });

		if (!mend_read(m, sector, offset, geo->sector_size) && be32_get(copy->magicnum) == SB_MAGIC &&
		    accept(geo, copy, problem))
			return true;
	}
	return false;
}

static uint32_t word_at(const struct sb_disk *sb, uint32_t offset)
{
	be32_t word;

	memcpy(&word, (const uint8_t *)sb + offset, sizeof(word));
	return be32_get(word);
}

static bool features_possible(const struct geometry *geo, const struct sb_disk *copy, const struct problem *p)
{
	uint32_t word = word_at(copy, p->offset);

	(void)geo;
	return !(word & p->got) || (word & p->want) == p->want;
}

/* True if the first readable AGI has a finobt. */
static bool has_finobt(struct mend *m, uint8_t *sector)
{
	const struct geometry *geo = &m->now->geo;
	const struct agi_disk *agi = (const struct agi_disk *)sector;

	for (uint32_t ag = 0; ag < geo->agcount && ag <= COPIES_ASKED; ag++)
		if (!mend_read(m, sector, ag_sector_offset(geo, (agno_t){ ag }, AGI_SECTOR), geo->sector_size) &&
		    be32_get(agi->magicnum) == AGI_MAGIC)
			return be32_get(agi->free_root) != 0;
	return false;
}

/* True if there are traces of the feature that another one needs, when no backup superblock tells. sector: buffer. */
static bool has_needed(struct mend *m, const struct sb_disk *sb, const struct problem *p, uint8_t *sector)
{
	if (p->offset == offsetof(struct sb_disk, features_ro_compat))
		return has_finobt(m, sector);
	return p->got == SB_INCOMPAT_ZONE_GAPS || ino_valid(&m->now->geo, (xino_t){ be64_get(sb->metadirino) });
}

/*
 * Settles a feature (p->got) without another one that it needs (p->want).  Sets both as in a valid backup superblock;
 * else sets the needed one, if there are traces of it; else clears the one that needs it.
 */
static void settle_features(struct mend *m, struct sb_disk *sb, const struct problem *p)
{
	uint8_t *copy = malloc(m->now->geo.sector_size);
	uint32_t bits = (uint32_t)(p->got | p->want), word = word_at(sb, p->offset);
	be32_t settled;

	if (copy && find_copy(m, features_possible, p, copy))
		word = (word & ~bits) | (word_at((const struct sb_disk *)copy, p->offset) & bits);
	else if (copy && has_needed(m, sb, p, copy))
		word |= (uint32_t)p->want;
	else
		word &= ~(uint32_t)p->got;
	settled = be32_put(word);
	memcpy((uint8_t *)sb + p->offset, &settled, sizeof(settled));
	free(copy);
}

static bool stripe_possible(const struct geometry *geo, const struct sb_disk *sb, const struct problem *problem)
{
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);

	(void)problem;
	sb_stripe_check(&check, sb, geo);
	return !problems;
}

static void put_stripe(struct sb_disk *sb, const struct sb_disk *as)
{
	uint16_t others = be16_get(sb->versionnum) & (uint16_t)~SB_VERSION_DALIGN;

	sb->unit = as->unit;
	sb->width = as->width;
	sb->versionnum = be16_put(others | (be16_get(as->versionnum) & SB_VERSION_DALIGN));
}

/*
 * Sets the stripe as in a backup superblock; else keeps the unit, which files and inodes are aligned to, with the least
 * width; else sets none, which only changes the layout of new files.
 */
static void settle_stripe(struct mend *m, struct sb_disk *sb, const struct problem *problem)
{
	uint8_t *copy = malloc(m->now->geo.sector_size);
	const struct sb_disk none = { 0 };

	if (copy && find_copy(m, stripe_possible, problem, copy)) {
		put_stripe(sb, (const struct sb_disk *)copy);
	} else {
		sb->width = sb->unit;
		if (!stripe_possible(&m->now->geo, sb, problem))
			put_stripe(sb, &none);
	}
	free(copy);
}

/* ---- the metadata UUID ---- */

/* Sets the metadata UUID to that of the blocks (sb_uuid.c). */
static void settle_meta_uuid(const struct geometry *geo, struct sb_disk *sb)
{
	if (memcmp(geo->meta_uuid, sb->uuid, sizeof(sb->uuid)) != 0)
		memcpy(sb->meta_uuid, geo->meta_uuid, sizeof(sb->meta_uuid));
	else
		sb->features_incompat = be32_put(be32_get(sb->features_incompat) & ~(uint32_t)SB_INCOMPAT_META_UUID);
}

/* ---- the realtime section ---- */

/* Clears a field about a realtime section that does not exist; not if two or more of its sizes are set. */
static void clear_rt_field(struct sb_disk *sb, uint32_t offset)
{
	if (!!be64_get(sb->rblocks) + !!be64_get(sb->rextents) + !!be32_get(sb->rbmblocks) > 1)
		return;
	if (offset == offsetof(struct sb_disk, rblocks))
		sb->rblocks = be64_put(0);
	else if (offset == offsetof(struct sb_disk, frextents))
		sb->frextents = be64_put(0);
	else if (offset == offsetof(struct sb_disk, rextents))
		sb->rextents = be64_put(0);
	else if (offset == offsetof(struct sb_disk, rbmblocks))
		sb->rbmblocks = be32_put(0);
	else if (offset == offsetof(struct sb_disk, rextslog))
		sb->rextslog = 0;
	else if (offset == offsetof(struct sb_disk, rgcount))
		sb->rgcount = be32_put(0);
}

/* Sets the realtime extent size like mkfs, if there is no realtime section, so that any size will do. */
static void put_rt_extent(const struct geometry *geo, struct sb_disk *sb)
{
	if (!be64_get(sb->rblocks) && !be64_get(sb->rextents))
		sb->rextsize = be32_put(geo->block_size < RT_EXTENT_MIN ? RT_EXTENT_MIN / geo->block_size : 1);
}

/* Sets the log sector size from its logarithm, else from the sector size; 0 without the feature bit. */
static void put_log_sector(struct sb_disk *sb)
{
	uint32_t size = sb->logsectlog < 16 ? 1u << sb->logsectlog : 0;

	if (size < SECTOR_SIZE)
		size = be16_get(sb->sectsize);
	sb->logsectsize = be16_put(be16_get(sb->versionnum) & SB_VERSION_SECTOR ? (uint16_t)size : 0);
}

/* True if the wrong value is that on the device, and the chosen superblock already has another one. */
static bool others_settled(const uint8_t *device, const uint8_t *sector, const struct found *found)
{
	return mend_field_of_finding(found->problem.finding).width &&
	       mend_field_get(found, device) == found->problem.got &&
	       mend_field_get(found, sector) != found->problem.got;
}

/* Corrects in `sector` what a finding is about; device: the superblock on the device. */
static void settle_sector(struct mend *m, const uint8_t *device, uint8_t *sector, const struct found *found)
{
	struct sb_disk *sb = (struct sb_disk *)sector;

	switch (found->problem.finding) {
	case F_SB_LOST:
	case F_SB_DERIVED:
	case F_SB_ICOUNT:
	case F_SB_IFREE:
	case F_SB_FDBLOCKS:
		put_counters(m, sb);
		break;
	case F_SB_LOG_INCOMPAT:
	case F_SB_LOG_XATTRS:
		sb->features_log_incompat = be32_put(0);
		break;
	case F_SB_META_UUID:
		settle_meta_uuid(&m->now->geo, sb);
		break;
	case F_BLOCK_LSN:
		sb->lsn = be64_put(0);
		break;
	case F_SB_TAIL:
		memset(sector + found->problem.offset, 0, m->now->geo.sector_size - found->problem.offset);
		break;
	case F_SB_FEATURES2_COPY:
		sb->features2 = be32_put((uint32_t)(found->problem.got | found->problem.want));
		sb->bad_features2 = sb->features2;
		break;
	case F_SB_UNIT:
	case F_SB_WIDTH:
	case F_SB_WIDTH_MAX:
		settle_stripe(m, sb, &found->problem);
		break;
	case F_SB_FEATURE_NEEDS:
		settle_features(m, sb, &found->problem);
		break;
	case F_SB_LOGSECTSIZE:
		put_log_sector(sb);
		break;
	case F_SB_RT_FIELD:
		clear_rt_field(sb, found->problem.offset);
		break;
	case F_SB_REXTSIZE:
		put_rt_extent(&m->now->geo, sb);
		break;
	default:
		if (!others_settled(device, sector, found))
			mend_field_put(found, sector);
		break;
	}
}

/* True if a rule changed a field that backups have, too: they have the same error, and would outvote the change. */
static bool differs_from_copies(const struct mend *m, const uint8_t *sector)
{
	unsigned differences = 0;
	const struct check check = check_counting(&m->now->geo, &differences);

	sb_compare(&check, m->now->primary, sector);
	return differences > 0;
}

bool mend_sb_wants(const struct found *found)
{
	return found->problem.finding == F_SPACE_LOST; /* may be a log that no superblock names */
}

int mend_sb(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *sector = malloc(2 * (size_t)geo->sector_size), *device;
	const struct found *first = NULL, *small = NULL; /* log is too small: mend_sb_log() */
	int ret = 0;

	if (!sector)
		return -ENOMEM;
	memcpy(sector, m->now->primary, geo->sector_size);
	device = sector + geo->sector_size;
	if (mend_read(m, device, 0, geo->sector_size))
		memcpy(device, sector, geo->sector_size);
	for (size_t i = 0; i < count; i++) {
		if ((found[i].place.agno.v != 0 && found[i].place.agno.v != NO_AGNO) ||
		    found[i].problem.finding == F_SPACE_LOST)
			continue;
		if (found[i].problem.finding == F_SB_LOGBLOCKS_MIN) {
			small = &found[i];
			continue;
		}
		settle_sector(m, device, sector, &found[i]);
		first = first ? first : &found[i];
	}
	if (first || small)
		ret = mend_sb_log(m, (struct sb_disk *)sector, found, count);
	if (small && m->now->geo.logblocks != small->problem.got)
		first = small;
	if (first && !ret) {
		sb_seal(sector, geo->sector_size);
		ret = mend_write(m, sector, 0, geo->sector_size);
		if (!ret && differs_from_copies(m, sector))
			ret = mend_sb_copies_write(m, sector, geo->agcount);
		if (!ret) {
			memcpy(m->now->primary, sector, geo->sector_size); /* for mend_sb_copy() */
			mend_done(m, first);
		}
	}
	free(sector);
	return ret;
}
