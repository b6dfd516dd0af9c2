/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The feature words of a primary superblock: ondisk 00, section 4.  Bits that
 * nobody defined, or whose meaning this program does not know, end the run: to
 * judge such a file system would be guessing.  Bits that version 5 always has,
 * and dependencies among bits, are checked; what follows goes to the geometry.
 */
#include "sb.h"

#define VERSION5 5u

/* what version 5 always has, and what else it may have: section 4.1, 4.2 */
#define VERSIONNUM_REQUIRED                                                                                            \
	(VERSION5 | SB_VERSION_NLINK | SB_VERSION_ALIGN | SB_VERSION_LOGV2 | SB_VERSION_EXTFLG | SB_VERSION_DIRV2 |    \
	 SB_VERSION_MOREBITS)
#define VERSIONNUM_OPTIONAL                                                                                            \
	(SB_VERSION_ATTR | SB_VERSION_QUOTA | SB_VERSION_DALIGN | SB_VERSION_SECTOR | SB_VERSION_BORG)
#define FEATURES2_REQUIRED (SB_FEATURES2_LAZYSBCOUNT | SB_FEATURES2_ATTR2 | SB_FEATURES2_PROJID32 | SB_FEATURES2_CRC)
#define FEATURES2_OPTIONAL SB_FEATURES2_FTYPE

/* a bit and those of the same word that it needs: section 4.3 */
struct need {
	uint32_t bit;
	uint32_t needs;
};

static const struct need ro_compat_needs[] = {
	{ SB_RO_COMPAT_INOBTCNT, SB_RO_COMPAT_FINOBT },
	{ 0, 0 },
};

static const struct need incompat_needs[] = {
	{ SB_INCOMPAT_METADIR, SB_INCOMPAT_EXCHRANGE | SB_INCOMPAT_FTYPE },
	{ SB_INCOMPAT_ZONE_GAPS, SB_INCOMPAT_ZONED },
	{ 0, 0 },
};

/* The same bits without those that can't be, and with those that must. */
static uint32_t legal(uint32_t word, uint32_t required, uint32_t optional)
{
	return required | (word & optional);
}

static void check_needs(const struct check *c, uint32_t offset, uint32_t word, const struct need *need)
{
	for (; need->bit != 0; need++)
		if (word & need->bit && (word & need->needs) != need->needs)
			problem(c, F_SB_FEATURE_NEEDS, offset, need->bit, need->needs);
}

static bool check_known(const struct check *c, enum finding finding, uint32_t offset, uint32_t word, uint32_t known)
{
	return (word & ~known) == 0 || problem(c, finding, offset, word & ~known, 0);
}

bool sb_is_version5(const struct sb_disk *sb)
{
	uint32_t features2 = be32_get(sb->features2) | be32_get(sb->bad_features2);

	/* no other version may have the CRC bit: where it is set, only the number is wrong */
	return (be16_get(sb->versionnum) & SB_VERSION_NUMBER) == VERSION5 || features2 & SB_FEATURES2_CRC;
}

uint32_t sb_versionnum(const struct sb_disk *sb)
{
	uint32_t word = be16_get(sb->versionnum);
	uint32_t believed = legal(word, VERSIONNUM_REQUIRED, VERSIONNUM_OPTIONAL);

	if (word == believed)
		return word;
	believed &= ~(SB_VERSION_DALIGN | SB_VERSION_SECTOR);
	if (be32_get(sb->unit) != 0)
		believed |= SB_VERSION_DALIGN;
	if (be16_get(sb->logsectsize) != 0)
		believed |= SB_VERSION_SECTOR;
	return believed;
}

/* The words that are older than version 5. */
static void check_old_words(const struct check *c, const struct sb_disk *sb)
{
	uint32_t features2 = be32_get(sb->features2);
	uint32_t copy = be32_get(sb->bad_features2);

	check_eq(c, F_SB_VERSIONNUM, SB_OFFSET(versionnum), be16_get(sb->versionnum), sb_versionnum(sb));
	if (features2 != legal(features2, FEATURES2_REQUIRED, FEATURES2_OPTIONAL))
		problem(c, F_SB_FEATURES2, SB_OFFSET(features2), features2,
			legal(copy, FEATURES2_REQUIRED, FEATURES2_OPTIONAL));
	else
		check_eq(c, F_SB_BAD_FEATURES2, SB_OFFSET(bad_features2), copy, features2);
}

static void set_uuids(const struct check *c, const struct sb_disk *sb, struct geometry *g, bool own_meta_uuid)
{
	static const uint8_t none[sizeof(g->meta_uuid)];

	memcpy(g->uuid, sb->uuid, sizeof(g->uuid));
	memcpy(g->meta_uuid, own_meta_uuid ? sb->meta_uuid : sb->uuid, sizeof(g->meta_uuid));
	if (own_meta_uuid && memcmp(sb->meta_uuid, none, sizeof(none)) == 0)
		problem(c, F_SB_META_UUID, SB_OFFSET(meta_uuid), 0, 0);
}

bool sb_features_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t versionnum = sb_versionnum(sb);
	uint32_t compat = be32_get(sb->features_compat);
	uint32_t ro_compat = be32_get(sb->features_ro_compat);
	uint32_t incompat = be32_get(sb->features_incompat);
	uint32_t log_incompat = be32_get(sb->features_log_incompat);
	bool known;

	if (!sb_is_version5(sb))
		return problem(c, F_SB_VERSION_UNSUPPORTED, SB_OFFSET(versionnum),
			       be16_get(sb->versionnum) & SB_VERSION_NUMBER, VERSION5);
	check_old_words(c, sb);
	known = check_known(c, F_SB_RO_COMPAT_UNSUPPORTED, SB_OFFSET(features_ro_compat), ro_compat,
			    SB_RO_COMPAT_KNOWN);
	known &= check_known(c, F_SB_INCOMPAT_UNSUPPORTED, SB_OFFSET(features_incompat), incompat, SB_INCOMPAT_KNOWN);
	known &= check_known(c, F_SB_LOG_INCOMPAT_UNSUPPORTED, SB_OFFSET(features_log_incompat), log_incompat,
			     SB_LOG_INCOMPAT_KNOWN);
	if (known && incompat & SB_INCOMPAT_ZONED)
		known = problem(c, F_SB_ZONED_UNSUPPORTED, SB_OFFSET(features_incompat), incompat, 0);
	if (!known)
		return false;

	/* a program that does not know a compatible feature may go on, even write: that is what the word is for */
	check_eq(c, F_SB_COMPAT, SB_OFFSET(features_compat), compat, 0);
	check_needs(c, SB_OFFSET(features_ro_compat), ro_compat, ro_compat_needs);
	check_needs(c, SB_OFFSET(features_incompat), incompat, incompat_needs);
	if (incompat & SB_INCOMPAT_NEEDSREPAIR)
		problem(c, F_SB_NEEDSREPAIR, SB_OFFSET(features_incompat), incompat,
			incompat & ~SB_INCOMPAT_NEEDSREPAIR);
	set_uuids(c, sb, g, incompat & SB_INCOMPAT_META_UUID);

	g->version = VERSION5;
	g->crc = true;
	g->lazysbcount = true;
	g->log_version = 2;
	g->quota = versionnum & SB_VERSION_QUOTA;
	g->ascii_ci = versionnum & SB_VERSION_BORG;
	g->finobt = ro_compat & SB_RO_COMPAT_FINOBT;
	g->rmapbt = ro_compat & SB_RO_COMPAT_RMAPBT;
	g->reflink = ro_compat & SB_RO_COMPAT_REFLINK;
	g->inobtcnt = ro_compat & SB_RO_COMPAT_INOBTCNT && g->finobt;
	g->ftype = incompat & SB_INCOMPAT_FTYPE || be32_get(sb->features2) & SB_FEATURES2_FTYPE;
	g->sparse = incompat & SB_INCOMPAT_SPINODES;
	g->bigtime = incompat & SB_INCOMPAT_BIGTIME;
	g->nrext64 = incompat & SB_INCOMPAT_NREXT64;
	g->exchange = incompat & SB_INCOMPAT_EXCHRANGE;
	g->parent = incompat & SB_INCOMPAT_PARENT;
	g->metadir = incompat & SB_INCOMPAT_METADIR;
	g->needsrepair = incompat & SB_INCOMPAT_NEEDSREPAIR;
	g->log_xattrs = log_incompat & SB_LOG_INCOMPAT_XATTRS;
	return true;
}
