/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks secondary superblocks, one in each AG but the first (ondisk 01, invariant 10), and promotes one of them to a
 * lost primary (ondisk 01, "Secondary superblocks").  Only mkfs, growfs and changes of label, uuid or features write
 * them.  Fields that describe the file system must equal those of the primary (the caller decides which of the two is
 * wrong); fields that change while it is mounted are stale or missing, and only their ranges are checked.
 */
#include "ag_header.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/sb_feature.h"
#include "libxfs/v5.h"
#include "sb.h"

void sb_set_first_inodes(void *sector, xino_t rootino)
{
	struct sb_disk *sb = sector;
	bool metadir = sb_version(sb) == SB_VERSION_5 && (be32_get(sb->features_incompat) & SB_INCOMPAT_METADIR);

	sb->rootino = be64_put(rootino.v);
	sb->rbmino = be64_put(metadir ? 0 : rootino.v + 1);
	sb->rsumino = be64_put(metadir ? 0 : rootino.v + 2);
	if (metadir)
		sb->metadirino = be64_put(rootino.v + 1);
}

void sb_promote(void *sector, xino_t rootino)
{
	struct sb_disk *sb = sector;

	sb->inprogress = 0;
	sb_set_first_inodes(sb, rootino);
	sb->icount = be64_put(0);
	sb->ifree = be64_put(0);
	sb->fdblocks = be64_put(0);
	sb->frextents = be64_put(0);
	if (sb_version(sb) == SB_VERSION_5) {
		/* these describe the log at one moment; in a secondary superblock they are out of date */
		sb->features_log_incompat = be32_put(0);
		sb->lsn = be64_put(0);
	}
}

void sb_seal(void *sector, uint32_t sector_size)
{
	struct sb_disk *sb = sector;

	if (sb_version(sb) == SB_VERSION_5)
		crc_store(sector, sector_size, SB_OFFSET(crc));
}

#define CRC_AT offsetof(struct sb_disk, crc)

bool sb_mark_needsrepair(uint8_t *sector, size_t size, bool on)
{
	struct sb_disk *sb = (struct sb_disk *)sector;
	uint32_t incompat = be32_get(sb->features_incompat), version = be16_get(sb->versionnum) & SB_VERSION_NUMBER;

	if (be32_get(sb->magicnum) != SB_MAGIC)
		return false;
	if (version == SB_VERSION_4) {
		sb->inprogress = on;
		return true;
	}
	if (version != SB_VERSION_5 || !crc_is_right(sector, size, CRC_AT))
		return false;
	incompat = on ? incompat | SB_INCOMPAT_NEEDSREPAIR : incompat & ~SB_INCOMPAT_NEEDSREPAIR;
	sb->features_incompat = be32_put(incompat);
	crc_store(sector, size, CRC_AT);
	return true;
}

#define SB_FIELD(field) SB_OFFSET(field), sizeof(((struct sb_disk *)0)->field)

struct field {
	uint32_t offset;
	uint32_t size;
	enum finding finding;
	uint32_t may_differ; /* bits that secondaries get late or never */
};

static const struct field must_equal[] = {
	{ SB_FIELD(blocksize), F_SB2_BLOCKSIZE, 0 },
	{ SB_FIELD(dblocks), F_SB2_DBLOCKS, 0 },
	{ SB_FIELD(rblocks), F_SB2_RBLOCKS, 0 },
	{ SB_FIELD(rextents), F_SB2_REXTENTS, 0 },
	{ SB_FIELD(uuid), F_SB2_UUID, 0 },
	{ SB_FIELD(logstart), F_SB2_LOGSTART, 0 },
	{ SB_FIELD(rextsize), F_SB2_REXTSIZE, 0 },
	{ SB_FIELD(agblocks), F_SB2_AGBLOCKS, 0 },
	{ SB_FIELD(agcount), F_SB2_AGCOUNT, 0 },
	{ SB_FIELD(rbmblocks), F_SB2_RBMBLOCKS, 0 },
	{ SB_FIELD(logblocks), F_SB2_LOGBLOCKS, 0 },
	/* a mount option may change the stripe in the primary only */
	{ SB_FIELD(versionnum), F_SB2_VERSIONNUM, SB_VERSION_ATTR | SB_VERSION_QUOTA | SB_VERSION_DALIGN },
	{ SB_FIELD(sectsize), F_SB2_SECTSIZE, 0 },
	{ SB_FIELD(inodesize), F_SB2_INODESIZE, 0 },
	{ SB_FIELD(inopblock), F_SB2_INOPBLOCK, 0 },
	{ SB_FIELD(fname), F_SB2_FNAME, 0 },
	{ SB_FIELD(blocklog), F_SB2_BLOCKLOG, 0 },
	{ SB_FIELD(sectlog), F_SB2_SECTLOG, 0 },
	{ SB_FIELD(inodelog), F_SB2_INODELOG, 0 },
	{ SB_FIELD(inopblog), F_SB2_INOPBLOG, 0 },
	{ SB_FIELD(agblklog), F_SB2_AGBLKLOG, 0 },
	{ SB_FIELD(rextslog), F_SB2_REXTSLOG, 0 },
	{ SB_FIELD(imax_pct), F_SB2_IMAX_PCT, 0 },
	{ SB_FIELD(flags), F_SB2_FLAGS, 0 },
	{ SB_FIELD(shared_vn), F_SB2_SHARED_VN, 0 },
	{ SB_FIELD(inoalignmt), F_SB2_INOALIGNMT, 0 },
	{ SB_FIELD(dirblklog), F_SB2_DIRBLKLOG, 0 },
	{ SB_FIELD(logsectlog), F_SB2_LOGSECTLOG, 0 },
	{ SB_FIELD(logsectsize), F_SB2_LOGSECTSIZE, 0 },
	{ SB_FIELD(logsunit), F_SB2_LOGSUNIT, 0 },
	{ SB_FIELD(features2), F_SB2_FEATURES2, 0 },
	{ SB_FIELD(bad_features2), F_SB2_BAD_FEATURES2, 0 },
	{ SB_FIELD(features_compat), F_SB2_FEATURES_COMPAT, 0 },
	{ SB_FIELD(features_ro_compat), F_SB2_FEATURES_RO_COMPAT, 0 },
	{ SB_FIELD(features_incompat), F_SB2_FEATURES_INCOMPAT, SB_INCOMPAT_NEEDSREPAIR },
	/* only those of the primary count when the log is replayed */
	{ SB_FIELD(features_log_incompat), F_SB2_FEATURES_LOG_INCOMPAT, SB_LOG_INCOMPAT_KNOWN },
	{ SB_FIELD(spino_align), F_SB2_SPINO_ALIGN, 0 },
	/* the following are used with some features only */
	{ SB_FIELD(meta_uuid), F_SB2_META_UUID, 0 },
	{ SB_FIELD(rgcount), F_SB2_RGCOUNT, 0 },
	{ SB_FIELD(rgextents), F_SB2_RGEXTENTS, 0 },
	{ SB_FIELD(rgblklog), F_SB2_RGBLKLOG, 0 },
	{ SB_FIELD(pad), F_SB_PAD, 0 },
	{ SB_FIELD(rtstart), F_SB2_RTSTART, 0 },
	{ SB_FIELD(rtreserved), F_SB2_RTRESERVED, 0 },
};

/*
 * The bits of a field that may differ.  In version 4 the kernel turns some features on when they are needed, or off on
 * request, in the primary only; xfs_repair -c does the same with lazy counters.
 */
static uint32_t may_differ_in(uint32_t version, const struct sb_disk *secondary, const struct field *f)
{
	uint32_t morebits = be32_get(secondary->features2) == 0 ? SB_VERSION_MOREBITS : 0;

	if (version == SB_VERSION_5)
		return f->may_differ;
	switch (f->offset) {
	case SB_OFFSET(versionnum):
		return f->may_differ | SB_VERSION_NLINK | morebits;
	case SB_OFFSET(features2):
	case SB_OFFSET(bad_features2):
		return f->may_differ | SB_FEATURES2_ATTR2 | SB_FEATURES2_LAZYSBCOUNT;
	default:
		return f->may_differ;
	}
}

/* The big-endian number in a field of 1 to 8 bytes. */
static uint64_t number_at(const uint8_t *bytes, uint32_t size)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < size; i++)
		v = v << 8 | bytes[i];
	return v;
}

/* The number in a field.  In version 4, features2 and its copy are one word, which kernels keep in either place. */
static uint64_t value_of(const struct field *f, uint32_t version, const uint8_t *sector)
{
	const struct sb_disk *sb = (const struct sb_disk *)sector;

	if (f->offset == SB_OFFSET(features2) && version == SB_VERSION_4)
		return sb_features2(sb);
	/* missing bits in the copy are harmless */
	if (f->offset == SB_OFFSET(bad_features2))
		return be32_get(sb->bad_features2) | sb_features2(sb);
	return number_at(sector + f->offset, f->size);
}

static void compare_field(const struct check *c, const struct field *f, uint32_t version, const uint8_t *sector,
			  const uint8_t *primary)
{
	uint32_t may_differ = may_differ_in(version, (const struct sb_disk *)sector, f);
	uint64_t got, want;

	if (memcmp(sector + f->offset, primary + f->offset, f->size) == 0)
		return;
	if (f->size > sizeof(uint64_t)) {
		/* uuids and the label have no number: report only that they differ */
		problem(c, f->finding, f->offset, 0, 0);
		return;
	}
	got = value_of(f, version, sector);
	want = value_of(f, version, primary);
	/* unknown log bits are wrong even if the primary has them too */
	if (f->finding == F_SB2_FEATURES_LOG_INCOMPAT)
		want &= may_differ;
	if ((got ^ want) & ~(uint64_t)may_differ)
		problem(c, f->finding, f->offset, got, want);
}

void sb_compare(const struct check *c, const void *sector, const void *primary)
{
	uint32_t used = sb_used_size(primary);
	uint32_t version = sb_version(primary);

	for (size_t i = 0; i < sizeof(must_equal) / sizeof(must_equal[0]); i++)
		if (must_equal[i].offset < used)
			compare_field(c, &must_equal[i], version, sector, primary);
}

void sb_overrule(void *sector, const void *other)
{
	static const uint8_t magic[] = { 'X', 'F', 'S', 'B' };
	const struct sb_disk *from_sb = other;
	struct sb_disk *sb = sector;
	uint32_t version = sb_version(other);

	memcpy(sector, magic, sizeof(magic));
	for (size_t i = 0; i < sizeof(must_equal) / sizeof(must_equal[0]); i++) {
		const struct field *f = &must_equal[i];
		uint32_t may_differ = may_differ_in(version, other, f);
		const uint8_t *from = (const uint8_t *)other + f->offset;
		uint8_t *to = (uint8_t *)sector + f->offset;

		/* only the primary describes the contents of the log */
		if (f->finding == F_SB2_FEATURES_LOG_INCOMPAT)
			continue;
		/* keep the bits that may differ; they are in the last four bytes of a number */
		for (uint32_t byte = 0; byte < f->size; byte++) {
			uint32_t shift = 8 * (f->size - 1 - byte);
			uint8_t own = shift < 32 ? (uint8_t)(may_differ >> shift) : 0;

			to[byte] = (uint8_t)((to[byte] & own) | (from[byte] & ~own));
		}
	}
	/* the NLINK feature is never removed */
	sb->versionnum = be16_put(be16_get(sb->versionnum) | (be16_get(from_sb->versionnum) & SB_VERSION_NLINK));
}

bool sb_is_shared(uint32_t offset)
{
	for (size_t i = 0; i < sizeof(must_equal) / sizeof(must_equal[0]); i++)
		if (must_equal[i].offset == offset)
			return true;
	return false;
}

/* Checks an inode number: that of the primary, or none, if the secondary is older; the primary's may be unknown. */
static void check_inode(const struct check *c, enum finding finding, uint32_t offset, uint64_t got, xino_t primary)
{
	if (got == primary.v || primary.v == NULL_INO)
		return;
	/* "none" is 0 if the primary has 0 (ondisk 01, METADIR), else all ones */
	if (got != NULL_INO || primary.v == 0)
		problem(c, finding, offset, got, primary.v);
}

/* Checks the quota fields.  Only growfs copies them to secondaries, and it clears sb_inprogress when it does. */
static void check_quota(const struct check *c, const struct sb_disk *sb)
{
	static const uint32_t offsets[] = { SB_OFFSET(uquotino), SB_OFFSET(gquotino), SB_OFFSET(pquotino) };
	const struct geometry *g = c->geo;
	const uint64_t inos[] = { be64_get(sb->uquotino), be64_get(sb->gquotino), g->crc ? be64_get(sb->pquotino) : 0 };
	bool copied = sb->inprogress == 0;
	uint32_t qflags = be16_get(sb->qflags);
	uint32_t qflags_known = g->crc ? SB_QFLAGS_V5 : SB_QFLAGS_V4;
	uint32_t qflags_possible = copied || g->metadir ? qflags_known : 0;

	for (unsigned i = 0; i < 3; i++) {
		if (inos[i] == 0 || (!g->metadir && inos[i] == NULL_INO))
			continue;
		if (g->metadir || !copied || !ino_valid(g, (xino_t){ inos[i] }))
			problem_at(c, F_SB2_QUOTINO, offsets[i], i, inos[i], 0);
	}
	if (qflags & ~qflags_possible)
		problem(c, F_SB2_QFLAGS, SB_OFFSET(qflags), qflags, qflags_possible);
}

static void check_counter(const struct check *c, uint32_t offset, be64_t counter, uint64_t most)
{
	uint64_t got = be64_get(counter);

	if (got > most)
		problem(c, F_SB2_COUNTER, offset, got, most);
}

static bool same_features2(const struct geometry *g, const struct sb_disk *a, const struct sb_disk *b)
{
	return g->crc ? be32_get(a->features2) == be32_get(b->features2) : sb_features2(a) == sb_features2(b);
}

void sb_check_secondary(const struct check *c, const void *sector, const void *primary, agno_t agno)
{
	const struct sb_disk *sb = sector;
	const struct geometry *g = c->geo;
	uint32_t used = sb_used_size(primary);

	(void)agno; /* a superblock does not contain the number of its AG */
	if (!check_eq(c, F_BLOCK_MAGIC, SB_OFFSET(magicnum), be32_get(sb->magicnum), SB_MAGIC))
		return;
	if (g->crc) {
		crc_check(c, sector, g->sector_size, SB_OFFSET(crc));
		v5_check_lsn(c, be64_get(sb->lsn), SB_OFFSET(lsn));
	}
	sb_compare(c, sector, primary);
	if (same_features2(g, sb, primary))
		sb_features2_check_copy(c, sb);
	ag_header_zero(c, F_SB_TAIL, sector, used, g->sector_size);

	if (sb->inprogress > 1)
		problem(c, F_SB2_INPROGRESS, SB_OFFSET(inprogress), sb->inprogress, 1);
	check_inode(c, F_SB2_ROOTINO, SB_OFFSET(rootino), be64_get(sb->rootino), g->rootino);
	check_inode(c, F_SB2_RBMINO, SB_OFFSET(rbmino), be64_get(sb->rbmino), g->rbmino);
	check_inode(c, F_SB2_RSUMINO, SB_OFFSET(rsumino), be64_get(sb->rsumino), g->rsumino);
	if (g->metadir)
		check_inode(c, F_SB2_METADIRINO, SB_OFFSET(metadirino), be64_get(sb->metadirino), g->metadirino);
	check_quota(c, sb);
	check_counter(c, SB_OFFSET(icount), sb->icount, sb_max_icount(g));
	check_counter(c, SB_OFFSET(ifree), sb->ifree, sb_max_icount(g));
	check_counter(c, SB_OFFSET(fdblocks), sb->fdblocks, g->dblocks);
	check_counter(c, SB_OFFSET(frextents), sb->frextents, g->rextents);
	sb_stripe_check(c, sb, g);
}
