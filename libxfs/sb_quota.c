/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the quota inodes and quota flags in the superblock (ondisk 01, invariant 8; ondisk 10, invariant 5).  Version
 * 4 has one inode and one pair of flags for groups or projects; the geometry has them in the form of version 5.
 */
#include "sb.h"

#define SB_QUOTA_TYPES 3

/* flags by quota type, in the order of the inode fields in the superblock: user, group, project */
static const struct {
	uint16_t acct, enfd, chkd;
} type_flags[SB_QUOTA_TYPES] = {
	{ SB_QFLAG_USER_ACCT, SB_QFLAG_USER_ENFD, SB_QFLAG_USER_CHKD },
	{ SB_QFLAG_GROUP_ACCT, SB_QFLAG_GROUP_ENFD, SB_QFLAG_GROUP_CHKD },
	{ SB_QFLAG_PROJECT_ACCT, SB_QFLAG_PROJECT_ENFD, SB_QFLAG_PROJECT_CHKD },
};

/* True if a quota inode can have this number, given the n quota inodes before it. */
static bool quotino_possible(const struct geometry *g, const uint64_t *others, unsigned n, uint64_t ino)
{
	/* with metadata directories they are found by name */
	if (g->metadir || !ino_valid(g, (xino_t){ ino }))
		return false;
	if (ino == g->rootino.v || ino == g->rbmino.v || ino == g->rsumino.v)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (others[i] == ino)
			return false;
	return true;
}

/* Converts version 4 flags, where groups and projects share one pair of flags, to those of version 5. */
static uint16_t as_version5(uint16_t flags)
{
	uint16_t enfd = SB_QFLAG_PROJECT_ENFD, chkd = SB_QFLAG_PROJECT_CHKD;

	if (flags & SB_QFLAG_GROUP_ACCT) {
		flags &= (uint16_t)~SB_QFLAG_PROJECT_ACCT;
		enfd = SB_QFLAG_GROUP_ENFD;
		chkd = SB_QFLAG_GROUP_CHKD;
	}
	if (flags & SB_QFLAG_OTHER_ENFD)
		flags |= enfd;
	if (flags & SB_QFLAG_OTHER_CHKD)
		flags |= chkd;
	return flags & SB_QFLAGS_V5;
}

static uint16_t as_version4(uint16_t flags)
{
	if (flags & (SB_QFLAG_GROUP_ENFD | SB_QFLAG_PROJECT_ENFD))
		flags |= SB_QFLAG_OTHER_ENFD;
	if (flags & (SB_QFLAG_GROUP_CHKD | SB_QFLAG_PROJECT_CHKD))
		flags |= SB_QFLAG_OTHER_CHKD;
	return flags & SB_QFLAGS_V4;
}

/* Reports flags that contradict each other; returns the others, in the form of version 5. */
static uint16_t decode_flags(const struct check *c, const struct sb_disk *sb, const struct geometry *g)
{
	uint16_t raw = be16_get(sb->qflags), known = raw & (g->crc ? SB_QFLAGS_V5 : SB_QFLAGS_V4);
	uint16_t flags = g->crc ? known : as_version5(known), sound;

	/* with unknown bits set, the field is garbage: use none of it */
	if (!check_eq(c, F_SB_QFLAGS, SB_OFFSET(qflags), raw, known))
		return 0;
	for (unsigned i = 0; i < SB_QUOTA_TYPES; i++)
		if (!(flags & type_flags[i].acct))
			flags &= (uint16_t) ~(type_flags[i].enfd | type_flags[i].chkd);
	sound = g->crc ? flags : as_version4(flags);
	if (known != sound)
		problem(c, F_SB_QFLAGS_NEED, SB_OFFSET(qflags), known, sound);
	return flags;
}

void sb_quota_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	static const uint32_t offsets[SB_QUOTA_TYPES] = { SB_OFFSET(uquotino), SB_OFFSET(gquotino),
							  SB_OFFSET(pquotino) };
	uint64_t inos[SB_QUOTA_TYPES] = { be64_get(sb->uquotino), be64_get(sb->gquotino), be64_get(sb->pquotino) };
	bool in_use;

	g->qflags = decode_flags(c, sb, g);
	in_use = g->qflags != 0;
	if (!g->crc) {
		bool projects = g->qflags & SB_QFLAG_PROJECT_ACCT;

		inos[2] = NULL_INO;
		if (projects) {
			inos[2] = inos[1];
			inos[1] = NULL_INO;
		}
	}
	for (unsigned i = 0; i < SB_QUOTA_TYPES; i++) {
		/* 0 means none, and so does all ones, except with metadata directories, where only 0 is written */
		if (inos[i] == 0 || (inos[i] == NULL_INO && !g->metadir))
			continue;
		if (quotino_possible(g, inos, i, inos[i])) {
			in_use = true;
			continue;
		}
		problem_at(c, F_SB_QUOTINO, g->crc || i == 0 ? offsets[i] : SB_OFFSET(gquotino), i, inos[i], 0);
		inos[i] = NULL_INO;
		if (!g->metadir)
			g->qflags &= (uint16_t)~type_flags[i].chkd;
	}
	/* the kernel sets the quota bit in the transaction that turns quotas on; turning them off clears everything */
	if (in_use && !g->quota)
		problem(c, F_SB_QUOTA_BIT, SB_OFFSET(versionnum), be16_get(sb->versionnum),
			be16_get(sb->versionnum) | SB_VERSION_QUOTA);
	g->uquotino.v = inos[0];
	g->gquotino.v = inos[1];
	g->pquotino.v = inos[2];
}
