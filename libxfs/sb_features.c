/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the feature words of a primary superblock: ondisk 00, section 4.  Undefined and unknown bits end the run,
 * since such a file system can't be checked.  Checks bits that a version always has, and dependencies among bits; then
 * sets the features in the geometry.
 */
#include "sb.h"

/* the bits that a version always has, and those it may have, in the words of both versions: section 4.1, 4.2 */
struct old_words {
	uint32_t versionnum;
	uint32_t versionnum_optional;
	uint32_t features2;
	uint32_t features2_optional;
};

#define OPTIONAL_IN_BOTH (SB_VERSION_ATTR | SB_VERSION_QUOTA | SB_VERSION_DALIGN | SB_VERSION_SECTOR | SB_VERSION_BORG)
#define REQUIRED_IN_V5                                                                                                 \
	(SB_VERSION_NLINK | SB_VERSION_ALIGN | SB_VERSION_LOGV2 | SB_VERSION_EXTFLG | SB_VERSION_MOREBITS)
#define FEATURES2_OF_V5 (SB_FEATURES2_LAZYSBCOUNT | SB_FEATURES2_ATTR2 | SB_FEATURES2_PROJID32)

static const struct old_words words_of_v4 = {
	.versionnum = SB_VERSION_4 | SB_VERSION_DIRV2,
	.versionnum_optional = OPTIONAL_IN_BOTH | REQUIRED_IN_V5,
	.features2 = 0,
	.features2_optional = FEATURES2_OF_V5 | SB_FEATURES2_FTYPE,
};

static const struct old_words words_of_v5 = {
	.versionnum = SB_VERSION_5 | SB_VERSION_DIRV2 | REQUIRED_IN_V5,
	.versionnum_optional = OPTIONAL_IN_BOTH,
	.features2 = FEATURES2_OF_V5 | SB_FEATURES2_CRC,
	.features2_optional = SB_FEATURES2_FTYPE,
};

/* a bit and the bits of the same word that it requires: section 4.3 */
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
	{ SB_INCOMPAT_ZONED, SB_INCOMPAT_METADIR },
	{ SB_INCOMPAT_ZONE_GAPS, SB_INCOMPAT_ZONED },
	{ 0, 0 },
};

/* The word without illegal bits, and with all required ones. */
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

static bool check_bits_known(const struct check *c, enum finding finding, uint32_t offset, uint32_t word,
			     uint32_t known)
{
	return (word & ~known) == 0 || problem(c, finding, offset, word & ~known, 0);
}

/*
 * The version is stored three times: in versionnum, and as the CRC bit in features2 and its copy, which only version 5
 * has.  The majority decides.  If only the number says 5, a stored checksum, which only version 5 has, confirms it.
 */
uint32_t sb_version(const struct sb_disk *sb)
{
	uint32_t number = be16_get(sb->versionnum) & SB_VERSION_NUMBER;
	bool crc = be32_get(sb->features2) & SB_FEATURES2_CRC;
	bool crc_copy = be32_get(sb->bad_features2) & SB_FEATURES2_CRC;

	if (number == SB_VERSION_4)
		return crc && crc_copy ? SB_VERSION_5 : SB_VERSION_4;
	if (crc || crc_copy)
		return SB_VERSION_5;
	return number == SB_VERSION_5 && le32_get(sb->crc) == 0 ? SB_VERSION_4 : number;
}

static const struct old_words *words_of(const struct sb_disk *sb)
{
	return sb_version(sb) == SB_VERSION_4 ? &words_of_v4 : &words_of_v5;
}

/*
 * The right value of features2: the copy (bad_features2) if features2 is illegal.  In version 4, if both are legal, the
 * bits of both, as in the kernel, since old kernels wrote only the copy.
 */
uint32_t sb_features2(const struct sb_disk *sb)
{
	const struct old_words *words = words_of(sb);
	uint32_t features2 = be32_get(sb->features2);
	uint32_t copy = be32_get(sb->bad_features2);
	uint32_t legal2 = legal(features2, words->features2, words->features2_optional);
	uint32_t legal_copy = legal(copy, words->features2, words->features2_optional);

	if (features2 != legal2)
		return legal_copy;
	return copy == legal_copy && sb_version(sb) == SB_VERSION_4 ? legal2 | legal_copy : legal2;
}

/*
 * True if features2 lacks bits only because a kernel or tool from before 2008 has set them in the copy.  In version 4
 * the kernel reads them from there.
 */
static bool is_misplaced(const struct sb_disk *sb)
{
	uint32_t features2 = be32_get(sb->features2), copy = be32_get(sb->bad_features2);

	return sb_version(sb) == SB_VERSION_4 && (features2 | copy) == sb_features2(sb);
}

void sb_features2_check_copy(const struct check *c, const struct sb_disk *sb)
{
	uint32_t features2 = be32_get(sb->features2), copy = be32_get(sb->bad_features2);

	if (features2 != copy && !(copy & ~sb_features2(sb)) && (!(copy & ~features2) || is_misplaced(sb)))
		problem(c, F_SB_FEATURES2_COPY, SB_OFFSET(features2), features2, copy);
}

uint32_t sb_versionnum(const struct sb_disk *sb)
{
	const struct old_words *words = words_of(sb);
	uint32_t word = be16_get(sb->versionnum);
	uint32_t believed = legal(word, words->versionnum, words->versionnum_optional);

	if (sb_features2(sb) != 0)
		believed |= SB_VERSION_MOREBITS;
	if ((word ^ believed) == 0 || (word ^ believed) == SB_VERSION_MOREBITS)
		return believed;
	believed &= ~(SB_VERSION_DALIGN | SB_VERSION_SECTOR);
	if (be32_get(sb->unit) != 0)
		believed |= SB_VERSION_DALIGN;
	if (be16_get(sb->logsectsize) != 0)
		believed |= SB_VERSION_SECTOR;
	return believed;
}

/* Checks versionnum and features2, the words that are older than version 5. */
static void check_old_words(const struct check *c, const struct sb_disk *sb)
{
	uint32_t features2 = be32_get(sb->features2);
	uint32_t copy = be32_get(sb->bad_features2);
	uint32_t want = sb_features2(sb);

	check_eq(c, F_SB_VERSIONNUM, SB_OFFSET(versionnum), be16_get(sb->versionnum), sb_versionnum(sb));
	if (features2 != want && !is_misplaced(sb))
		problem(c, F_SB_FEATURES2, SB_OFFSET(features2), features2, want);
	else if (copy & ~want)
		problem(c, F_SB_BAD_FEATURES2, SB_OFFSET(bad_features2), copy, want);
	else
		sb_features2_check_copy(c, sb);
}

/*
 * Sets the uuids of the geometry.  No writer leaves a uuid zero, so a zero meta_uuid is damage; blocks then most likely
 * have the uuid, as in most file systems.
 */
static void set_uuids(const struct check *c, const struct sb_disk *sb, struct geometry *g, bool own_meta_uuid)
{
	static const uint8_t none[sizeof(g->meta_uuid)];

	if (own_meta_uuid && memcmp(sb->meta_uuid, none, sizeof(none)) == 0)
		own_meta_uuid = problem(c, F_SB_META_UUID, SB_OFFSET(meta_uuid), 0, 0);
	memcpy(g->uuid, sb->uuid, sizeof(g->uuid));
	memcpy(g->meta_uuid, own_meta_uuid ? sb->meta_uuid : sb->uuid, sizeof(g->meta_uuid));
}

/* Rejects versions and features of old file systems that this program does not support. */
static bool check_age(const struct check *c, const struct sb_disk *sb)
{
	uint32_t version = sb_version(sb), word = be16_get(sb->versionnum);

	if (version != SB_VERSION_4 && version != SB_VERSION_5)
		return problem(c, F_SB_VERSION_UNSUPPORTED, SB_OFFSET(versionnum), version, SB_VERSION_5);
	if (version == SB_VERSION_4 && !(word & SB_VERSION_DIRV2))
		return problem(c, F_SB_DIRV1_UNSUPPORTED, SB_OFFSET(versionnum), word, word | SB_VERSION_DIRV2);
	return true;
}

static void decode_old_words(const struct sb_disk *sb, struct geometry *g)
{
	uint32_t versionnum = sb_versionnum(sb);
	uint32_t features2 = sb_features2(sb);

	g->version = (uint8_t)sb_version(sb);
	g->crc = g->version == SB_VERSION_5;
	/* only the feature allows a log stripe unit, so either field alone shows that the log has version 2 */
	g->log_version = versionnum & SB_VERSION_LOGV2 || be32_get(sb->logsunit) != 0 ? 2 : 1;
	g->quota = versionnum & SB_VERSION_QUOTA;
	g->ascii_ci = versionnum & SB_VERSION_BORG;
	g->unwritten = versionnum & SB_VERSION_EXTFLG;
	g->lazysbcount = features2 & SB_FEATURES2_LAZYSBCOUNT;
	g->projid32 = features2 & SB_FEATURES2_PROJID32;
	g->ftype = features2 & SB_FEATURES2_FTYPE;
}

/* Decodes the feature words that only version 5 has. */
static bool decode_new_words(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint32_t compat = be32_get(sb->features_compat);
	uint32_t ro_compat = be32_get(sb->features_ro_compat);
	uint32_t incompat = be32_get(sb->features_incompat);
	uint32_t log_incompat = be32_get(sb->features_log_incompat);
	bool known;

	known = check_bits_known(c, F_SB_RO_COMPAT_UNSUPPORTED, SB_OFFSET(features_ro_compat), ro_compat,
				 SB_RO_COMPAT_KNOWN);
	known &= check_bits_known(c, F_SB_INCOMPAT_UNSUPPORTED, SB_OFFSET(features_incompat), incompat,
				  SB_INCOMPAT_KNOWN);
	if (!known)
		return false;

	/*
	 * Compatible features can be ignored even when writing, so unknown ones neither stop the check nor count as
	 * damage: a flipped bit is found when superblocks are compared.
	 */
	check_eq(c, F_SB_COMPAT, SB_OFFSET(features_compat), compat, 0);
	check_needs(c, SB_OFFSET(features_ro_compat), ro_compat, ro_compat_needs);
	check_needs(c, SB_OFFSET(features_incompat), incompat, incompat_needs);
	if (incompat & SB_INCOMPAT_NEEDSREPAIR)
		problem(c, F_SB_NEEDSREPAIR, SB_OFFSET(features_incompat), incompat,
			incompat & ~SB_INCOMPAT_NEEDSREPAIR);

	g->finobt = ro_compat & SB_RO_COMPAT_FINOBT;
	g->rmapbt = ro_compat & SB_RO_COMPAT_RMAPBT;
	g->reflink = ro_compat & SB_RO_COMPAT_REFLINK;
	g->inobtcnt = ro_compat & SB_RO_COMPAT_INOBTCNT && g->finobt;
	g->ftype |= (incompat & SB_INCOMPAT_FTYPE) != 0;
	g->sparse = incompat & SB_INCOMPAT_SPINODES;
	g->bigtime = incompat & SB_INCOMPAT_BIGTIME;
	g->nrext64 = incompat & SB_INCOMPAT_NREXT64;
	g->exchange = incompat & SB_INCOMPAT_EXCHRANGE;
	g->parent = incompat & SB_INCOMPAT_PARENT;
	g->metadir = incompat & SB_INCOMPAT_METADIR;
	g->zoned = g->metadir && incompat & SB_INCOMPAT_ZONED;
	g->zone_gaps = g->zoned && incompat & SB_INCOMPAT_ZONE_GAPS;
	g->needsrepair = incompat & SB_INCOMPAT_NEEDSREPAIR;
	/* these bits describe the contents of the log, and mean nothing if it is clean */
	g->log_xattrs = log_incompat & SB_LOG_INCOMPAT_XATTRS;
	g->log_unknown = log_incompat & ~SB_LOG_INCOMPAT_KNOWN;
	return true;
}

bool sb_features_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	if (!check_age(c, sb))
		return false;
	check_old_words(c, sb);
	decode_old_words(sb, g);
	if (g->crc && !decode_new_words(c, sb, g))
		return false;
	set_uuids(c, sb, g, g->crc && be32_get(sb->features_incompat) & SB_INCOMPAT_META_UUID);
	if (!g->unwritten)
		problem(c, F_SB_NO_UNWRITTEN, SB_OFFSET(versionnum), be16_get(sb->versionnum), SB_VERSION_EXTFLG);
	return true;
}
