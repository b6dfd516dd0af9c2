/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes features in a superblock (ondisk 00, section 4; 01): those that need no other change on the disk than in
 * counters, which the next check corrects.
 */
#include "libxfs/sb_feature.h"

#include "disk/sb.h"
#include "libxfs/ag.h"

/*
 * The log size required for nrext64.  Large extent counts allow higher bmbts, and so larger transactions, of which
 * three must fit into the log (ondisk 11, invariant 6).  The exact minimum differs between kernels, and a kernel that
 * needs a larger log does not mount.  So this is the default size of mkfs.xfs, and more for large blocks: half as much
 * again as any known tool or kernel requires.
 */
#define LOG_ENOUGH	  (64u << 20)
#define LOG_BLOCKS_ENOUGH 3072u /* additional blocks, if larger than 4 KiB */

static bool log_is_large(const struct geometry *geo)
{
	uint64_t blocks = LOG_ENOUGH >> geo->block_log;

	return geo->logblocks >= blocks + (geo->block_size > 4096 ? LOG_BLOCKS_ENOUGH : 0);
}

bool sb_feature_has(const struct geometry *geo, enum sb_feature feature)
{
	switch (feature) {
	case SB_FEATURE_lazycount:
		return geo->lazysbcount;
	case SB_FEATURE_inobtcount:
		return geo->inobtcnt;
	case SB_FEATURE_bigtime:
		return geo->bigtime;
	case SB_FEATURE_nrext64:
		return geo->nrext64;
	case SB_FEATURE_exchange:
		return geo->exchange;
	case SB_FEATURE_NR:
		break;
	}
	return false;
}

const char *sb_feature_refusal(const struct geometry *geo, enum sb_feature feature, bool on)
{
	if (feature == SB_FEATURE_lazycount)
		return geo->crc && !on ? "version 5 always has it" : NULL;
	if (!geo->crc)
		return "it is of version 4";
	if (feature == SB_FEATURE_inobtcount && !geo->finobt)
		return "it has no free inode btrees";
	if (feature == SB_FEATURE_nrext64 && !log_is_large(geo))
		return "its log may be too small then";
	return NULL;
}

static be32_t with_bit(be32_t word, uint32_t bit, bool on)
{
	return be32_put(on ? be32_get(word) | bit : be32_get(word) & ~bit);
}

/*
 * Sets or clears a bit of features2 in version 4: in both copies, and with the bit of versionnum that enables the word.
 */
static void set_features2(struct sb_disk *sb, uint32_t bit, bool on)
{
	uint16_t word = be16_get(sb->versionnum);

	if (!(word & SB_VERSION_MOREBITS))
		sb->features2 = be32_put(0);
	sb->features2 = with_bit(sb->features2, bit, on);
	sb->bad_features2 = sb->features2;
	word = be32_get(sb->features2) ? word | SB_VERSION_MOREBITS : word & (uint16_t)~SB_VERSION_MOREBITS;
	sb->versionnum = be16_put(word);
}

void sb_feature_set(uint8_t *sector, size_t size, enum sb_feature feature, bool on)
{
	struct sb_disk *sb = (struct sb_disk *)sector;

	switch (feature) {
	case SB_FEATURE_lazycount:
		set_features2(sb, SB_FEATURES2_LAZYSBCOUNT, on);
		break;
	case SB_FEATURE_inobtcount:
		sb->features_ro_compat = with_bit(sb->features_ro_compat, SB_RO_COMPAT_INOBTCNT, on);
		break;
	case SB_FEATURE_bigtime:
		sb->features_incompat = with_bit(sb->features_incompat, SB_INCOMPAT_BIGTIME, on);
		break;
	case SB_FEATURE_nrext64:
		sb->features_incompat = with_bit(sb->features_incompat, SB_INCOMPAT_NREXT64, on);
		break;
	case SB_FEATURE_exchange:
		sb->features_incompat = with_bit(sb->features_incompat, SB_INCOMPAT_EXCHRANGE, on);
		break;
	case SB_FEATURE_NR:
		break;
	}
	sb_seal(sector, (uint32_t)size);
}
