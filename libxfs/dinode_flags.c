/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the flags of an inode in use, the fields that depend on them, and the rules for metadata files (ondisk 04,
 * invariants 3 and 6).  A flag is wrong if the file type or the features of the file system exclude it.  Some flags
 * seem to be for directories only, but the kernel lets files have or inherit them.
 */
#include "disk/bmbt.h"
#include "dinode_parts.h"

uint32_t dinode_hint_max(const struct geometry *g, bool realtime)
{
	uint32_t extent = (1u << BMBT_LEN_BITS) - 1;

	if (realtime)
		return extent;
	return g->agblocks / 2 < extent ? g->agblocks / 2 : extent;
}

bool dinode_is_rtbitmap(const struct geometry *g, const struct dinode_disk *disk, xino_t ino)
{
	bool metadata = g->crc && be64_get(disk->flags2) & DIFLAG2_METADATA;

	return ino.v == g->rbmino.v || (metadata && be16_get(disk->metatype) == METAFILE_RTBITMAP);
}

static uint16_t possible_flags(const struct geometry *g, const struct dinode *inode)
{
	const uint16_t of_files = DIFLAG_REALTIME | DIFLAG_EXTSIZE;
	const uint16_t of_dirs = DIFLAG_RTINHERIT | DIFLAG_PROJINHERIT | DIFLAG_EXTSZINHERIT;
	uint16_t no = DIFLAG_RESERVED;

	if (g->rblocks == 0 || inode->metadata || inode->rtfile)
		no |= DIFLAG_REALTIME;
	if (inode->ino.v != g->rbmino.v)
		no |= DIFLAG_NEWRTBM; /* bitmaps of realtime groups don't have it */
	switch (inode->ftype) {
	case FT_UNKNOWN:
		break;
	case FT_REG:
		no |= of_dirs;
		if (inode->metadata) /* other files inherit it, without effect */
			no |= DIFLAG_NOSYMLINKS;
		break;
	case FT_DIR:
		no |= of_files;
		break;
	default:
		no |= of_files | of_dirs | DIFLAG_NOSYMLINKS;
	}
	return (uint16_t)~no;
}

static uint64_t possible_flags2(const struct geometry *g, const struct dinode *inode)
{
	bool file = inode->ftype == FT_REG || inode->ftype == FT_UNKNOWN;
	bool file_or_dir = file || inode->ftype == FT_DIR;
	uint64_t flags2 = 0;

	if (g->bigtime)
		flags2 |= DIFLAG2_BIGTIME;
	if (g->nrext64)
		flags2 |= DIFLAG2_NREXT64;
	/*
	 * realtime files share blocks only in file systems with realtime groups; a realtime group's own files never do
	 */
	if (file && g->reflink && !inode->rtfile && (!inode->realtime || has_rtgroups(g)))
		flags2 |= DIFLAG2_REFLINK;
	if (file_or_dir && g->reflink)
		flags2 |= DIFLAG2_COWEXTSIZE;
	if (file_or_dir && g->metadir)
		flags2 |= DIFLAG2_METADATA;
	if (file_or_dir)
		flags2 |= DIFLAG2_DAX;
	return flags2;
}

/*
 * Reports a hint without its flag, a flag without its hint, and a hint that is too large or, in a realtime file, not a
 * multiple of the realtime extent size.
 */
static void check_hint(const struct check *c, enum finding finding, uint32_t hint, bool flagged, bool realtime,
		       uint32_t offset)
{
	uint32_t max = flagged ? dinode_hint_max(c->geo, realtime) : 0;

	if (hint > max || (flagged && hint == 0) || (realtime && hint % c->geo->rextsize != 0))
		problem(c, finding, offset, hint, max);
}

/* Reports only the first broken rule: if the flag is set by mistake, all are broken. */
static bool check_metadata(const struct check *c, const struct dinode_disk *disk, const struct dinode *inode)
{
	uint16_t type = be16_get(disk->metatype);
	bool dir = inode->ftype == FT_DIR;
	uint16_t flags = DINODE_METAFILE_FLAGS | (dir ? DIFLAG_NOSYMLINKS : 0);

	/* every inode below the metadata root has the flag, and no other one */
	if (inode->ino.v == c->geo->rootino.v)
		return problem(c, F_INODE_FLAGS2, DINODE_OFF(flags2), inode->flags2, inode->flags2 & ~DIFLAG2_METADATA);
	if ((inode->flags & flags) != flags)
		return problem(c, F_INODE_META_FLAGS, DINODE_OFF(flags), inode->flags, flags);
	if (type == 0 || type > METAFILE_RTREFCOUNT || ((type == METAFILE_DIR) != dir && inode->ftype != FT_UNKNOWN))
		return problem(c, F_INODE_METATYPE, DINODE_OFF(metatype), type, dir ? METAFILE_DIR : 0);
	if (type >= METAFILE_RTBITMAP && inode->projid >= c->geo->rgcount)
		return problem(c, F_INODE_RT_GROUP, DINODE_OFF(projid_lo), inode->projid, c->geo->rgcount);
	if (inode->mode & MODE_ACCESS)
		return problem(c, F_INODE_META_MODE, DINODE_OFF(mode), inode->mode, inode->mode & ~MODE_ACCESS);
	if (inode->uid != 0)
		return problem(c, F_INODE_META_OWNER, DINODE_OFF(uid), inode->uid, 0);
	if (inode->gid != 0)
		return problem(c, F_INODE_META_OWNER, DINODE_OFF(gid), inode->gid, 0);
	/* the kernel does not turn on quotas if their file has a project id */
	if (type >= METAFILE_USER_QUOTA && type <= METAFILE_PROJECT_QUOTA && inode->projid != 0)
		return problem(c, F_INODE_META_OWNER, DINODE_OFF(projid_lo), inode->projid, 0);
	if (inode->flags2 & DIFLAG2_DAX)
		return problem(c, F_INODE_FLAGS2, DINODE_OFF(flags2), inode->flags2, inode->flags2 & ~DIFLAG2_DAX);
	if (be32_get(disk->dmevmask) != 0)
		return problem(c, F_INODE_PAD, DINODE_OFF(dmevmask), be32_get(disk->dmevmask), 0);
	return check_eq(c, F_INODE_PAD, DINODE_OFF(dmstate), be16_get(disk->dmstate), 0);
}

/*
 * True if the inode has no flags (except those of its format), no hints and no metadata type.  Most inodes are like
 * this, and need no further check.
 */
static bool has_none(const struct geometry *g, const struct dinode_disk *disk, const struct dinode *inode)
{
	uint64_t formats = (g->bigtime ? DIFLAG2_BIGTIME : 0) | (g->nrext64 ? DIFLAG2_NREXT64 : 0);

	return g->crc && !g->metadir && !(inode->flags | (inode->flags2 & ~formats)) &&
	       !(be32_get(disk->extsize) | be32_get(disk->cowextsize) | be16_get(disk->metatype));
}

bool dinode_flags_check(const struct check *c, const struct dinode_disk *disk, const struct dinode *inode)
{
	const struct geometry *g = c->geo;
	uint16_t flags;
	uint64_t flags2;
	bool sound, sound2;

	if (has_none(g, disk, inode))
		return true;
	flags = inode->flags & possible_flags(g, inode);
	flags2 = inode->flags2 & possible_flags2(g, inode);
	sound = check_eq(c, F_INODE_FLAGS, DINODE_OFF(flags), inode->flags, flags);
	sound2 = check_eq(c, F_INODE_FLAGS2, DINODE_OFF(flags2), inode->flags2, flags2);
	/* if the flags are wrong, a hint that contradicts them is the same fault */
	if (sound)
		check_hint(c, F_INODE_EXTSIZE, be32_get(disk->extsize), flags & (DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT),
			   inode->realtime, DINODE_OFF(extsize));
	if (!sound2)
		return false;
	if (!g->crc)
		return true;
	/* zoned: the group's count of used blocks has the same offset */
	if (!g->zoned || inode->rtfile != METAFILE_RTRMAP)
		check_hint(c, F_INODE_COWEXTSIZE, be32_get(disk->cowextsize), flags2 & DIFLAG2_COWEXTSIZE,
			   inode->realtime, DINODE_OFF(cowextsize));
	if (flags2 & DIFLAG2_METADATA)
		check_metadata(c, disk, inode);
	else if (g->metadir && inode->ino.v == g->metadirino.v)
		problem(c, F_INODE_FLAGS2, DINODE_OFF(flags2), flags2, flags2 | DIFLAG2_METADATA);
	else
		check_eq(c, F_INODE_METATYPE, DINODE_OFF(metatype), be16_get(disk->metatype), 0);
	return true;
}
