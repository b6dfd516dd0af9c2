/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the core of an inode (ondisk 04): magic and inode number, whether it is in use, its type, links and
 * timestamps.  Other files check its forks (dinode_forks.c), its flags (dinode_flags.c) and free inodes
 * (dinode_free.c).  Facts of other objects (links, owned blocks) are not known here.
 */
#include "libxfs/crc.h"
#include "libxfs/v5.h"
#include "dinode_parts.h"

enum ftype dinode_type_of(uint16_t mode)
{
	switch (mode & MODE_TYPE) {
	case MODE_REG:
		return FT_REG;
	case MODE_DIR:
		return FT_DIR;
	case MODE_SYMLINK:
		return FT_SYMLINK;
	case MODE_CHR:
		return FT_CHR;
	case MODE_BLK:
		return FT_BLK;
	case MODE_FIFO:
		return FT_FIFO;
	case MODE_SOCK:
		return FT_SOCK;
	default:
		return FT_UNKNOWN;
	}
}

/*
 * The version that an inode of a V4 file system must have: 1 if it says so and has its link count where version 1 does,
 * else 2.
 */
static uint8_t old_version(const struct dinode_disk *disk)
{
	/* version 1 has its link count in the 16 bits of metatype and leaves nlink zero */
	if (disk->version == DINODE_VERSION_1 && (be16_get(disk->metatype) != 0 || be32_get(disk->nlink) == 0))
		return DINODE_VERSION_1;
	return DINODE_VERSION_2;
}

static void check_old_version(const struct check *c, const struct dinode_disk *disk)
{
	uint8_t version = old_version(disk);

	check_eq(c, F_INODE_VERSION, DINODE_OFF(version), disk->version, version);
	/* version 2 does not use metatype: the conversion from version 1 clears the link count there */
	if (version == DINODE_VERSION_1)
		return;
	check_eq(c, F_INODE_ONLINK, DINODE_OFF(metatype), be16_get(disk->metatype), 0);
	if (!c->geo->projid32)
		check_eq(c, F_INODE_PROJID_HI, DINODE_OFF(projid_hi), be16_get(disk->projid_hi), 0);
}

/* Checks that the bytes are inode `ino` (invariant 1).  False: wrong magic number. */
static bool check_identity(const struct check *c, const struct dinode_disk *disk, xino_t ino)
{
	if (!check_eq(c, F_BLOCK_MAGIC, DINODE_OFF(magic), be16_get(disk->magic), DINODE_MAGIC))
		return false;
	if (!c->geo->crc) {
		check_old_version(c, disk);
		return true;
	}
	crc_check(c, disk, c->geo->inode_size, DINODE_OFF(crc));
	/* version 5 has only one layout of inodes, so the rest is readable even if the version is wrong */
	check_eq(c, F_INODE_VERSION, DINODE_OFF(version), disk->version, DINODE_VERSION);
	check_eq(c, F_INODE_INO, DINODE_OFF(ino), be64_get(disk->ino), ino.v);
	v5_check_uuid(c, disk->uuid, DINODE_OFF(uuid));
	v5_check_lsn(c, be64_get(disk->lsn), DINODE_OFF(lsn));
	return true;
}

/* True if an inode of mode 0 has fields that only an inode in use has: then the mode is wrong. */
static bool looks_used(const struct geometry *g, const struct dinode_disk *disk)
{
	return (!g->crc && be16_get(disk->metatype) != 0) || be32_get(disk->nlink) != 0 ||
	       be64_get(disk->nblocks) != 0 || disk->forkoff != 0;
}

/* Sets which of the realtime section's own files this is, if any (ondisk 09), and whether its data is realtime. */
static void get_rt_facts(const struct geometry *g, const struct dinode_disk *disk, struct dinode *inode)
{
	uint16_t type = be16_get(disk->metatype);

	inode->rtfile = 0;
	inode->rgno = 0;
	if (inode->ftype == FT_REG && !g->metadir) {
		if (inode->ino.v == g->rbmino.v)
			inode->rtfile = METAFILE_RTBITMAP;
		else if (inode->ino.v == g->rsumino.v)
			inode->rtfile = METAFILE_RTSUMMARY;
	} else if (inode->ftype == FT_REG && inode->metadata && type >= METAFILE_RTBITMAP &&
		   type <= METAFILE_RTREFCOUNT && inode->projid < g->rgcount) {
		inode->rtfile = type;
		inode->rgno = inode->projid;
	}
	inode->rt_used_blocks = g->zoned ? be32_get(disk->cowextsize) : 0;
	inode->realtime = inode->flags & DIFLAG_REALTIME && inode->ftype == FT_REG && g->rblocks && !inode->rtfile;
}

/*
 * True if the inode belongs to the metadata directory tree.  For the roots of both trees the superblock decides, not
 * the flag, which may be damaged: too much depends on these two inodes.
 */
static bool is_metadata(const struct geometry *g, const struct dinode *inode)
{
	if (g->metadir && (inode->ino.v == g->rootino.v || inode->ino.v == g->metadirino.v))
		return inode->ino.v == g->metadirino.v;
	return inode->flags2 & DIFLAG2_METADATA;
}

static void get_core(const struct geometry *g, const struct dinode_disk *disk, xino_t ino, struct dinode *inode)
{
	inode->ino = ino;
	inode->disk = disk;
	inode->mode = be16_get(disk->mode);
	inode->ftype = dinode_type_of(inode->mode);
	inode->version = g->crc ? disk->version : old_version(disk);
	inode->nlink = be32_get(disk->nlink);
	inode->gen = be32_get(disk->gen);
	inode->uid = be32_get(disk->uid);
	inode->gid = be32_get(disk->gid);
	inode->projid = (uint32_t)be16_get(disk->projid_hi) << 16 | be16_get(disk->projid_lo);
	inode->size = be64_get(disk->size);
	inode->nblocks = be64_get(disk->nblocks);
	inode->flags = be16_get(disk->flags);
	inode->flags2 = g->crc ? be64_get(disk->flags2) : 0;
	inode->reflink = inode->flags2 & DIFLAG2_REFLINK;
	inode->metadata = is_metadata(g, inode);
	inode->metatype = inode->metadata ? be16_get(disk->metatype) : 0;
	inode->next_unlinked.v = be32_get(disk->next_unlinked);
	if (!g->crc && inode->version == DINODE_VERSION_1) {
		inode->nlink = be16_get(disk->metatype);
		inode->projid = 0;
	}
	get_rt_facts(g, disk, inode);
}

enum ftype dinode_internal_type(const struct geometry *g, xino_t ino)
{
	if (ino.v == g->rootino.v)
		return FT_DIR;
	if (g->metadir)
		return ino.v == g->metadirino.v ? FT_DIR : FT_UNKNOWN;
	if (ino.v == g->rbmino.v || ino.v == g->rsumino.v || ino.v == g->uquotino.v || ino.v == g->gquotino.v ||
	    ino.v == g->pquotino.v)
		return FT_REG;
	return FT_UNKNOWN;
}

bool dinode_is_internal(const struct geometry *g, xino_t ino)
{
	return ino.v != g->rootino.v && dinode_internal_type(g, ino) != FT_UNKNOWN;
}

bool dinode_is_users_file(const struct geometry *g, const struct dinode *inode)
{
	return inode->ftype == FT_REG && !inode->rtfile && !inode->metadata &&
	       dinode_internal_type(g, inode->ino) == FT_UNKNOWN;
}

static void check_type(const struct check *c, const struct dinode *inode)
{
	enum ftype want = dinode_internal_type(c->geo, inode->ino);

	if (inode->ftype == FT_UNKNOWN) {
		if (inode->mode != 0) /* mode 0 has been reported */
			problem(c, F_INODE_MODE, DINODE_OFF(mode), inode->mode, 0);
	} else if (want != FT_UNKNOWN) {
		check_eq(c, F_INODE_SB_TYPE, DINODE_OFF(mode), inode->ftype, want);
	}
}

/*
 * Checks the project id of the old bitmap and summary files.  Without metadata directories, kernels since 6.13 take
 * them for those of realtime group 0 and expect the group's number in the project id.
 */
static void check_rt_project(const struct check *c, const struct dinode *inode)
{
	if (c->geo->rblocks && !c->geo->metadir && inode->rtfile)
		check_eq(c, F_INODE_RT_PROJID, DINODE_OFF(projid_lo), inode->projid, 0);
}

/*
 * Checks the link count and the unlinked list pointer, within this inode (ondisk 04, Link count).  The number of links
 * and the list of the inode are compared elsewhere.
 */
static void check_links(const struct check *c, struct dinode *inode)
{
	const struct geometry *g = c->geo;
	agino_t next = inode->next_unlinked;
	bool exists;

	if (inode->nlink > DINODE_NLINK_MAX && inode->nlink != DINODE_NLINK_PINNED)
		problem(c, F_INODE_NLINK, DINODE_OFF(nlink), inode->nlink, DINODE_NLINK_MAX);
	if (next.v == NULL_AGINO)
		return;
	exists = (uint64_t)next.v >> (g->agblock_log + g->inopb_log) == 0 &&
		 ino_valid(g, ino_of(g, agno_of_ino(g, inode->ino), next));
	/* only inodes without links are on a list */
	if (inode->nlink != 0 || !exists) {
		problem(c, F_INODE_NEXT_UNLINKED, DINODE_OFF(next_unlinked), next.v, NULL_AGINO);
		inode->next_unlinked.v = NULL_AGINO;
	}
}

static bool time_valid(be64_t time, bool bigtime)
{
	uint64_t v = be64_get(time);

	return bigtime ? v < BIGTIME_END : (uint32_t)v < NSEC_PER_SEC;
}

static void time_problem(const struct check *c, be64_t time, bool bigtime, uint32_t offset)
{
	uint64_t v = be64_get(time);

	if (bigtime)
		problem(c, F_INODE_TIME, offset, v / NSEC_PER_SEC, BIGTIME_END / NSEC_PER_SEC - 1);
	else
		problem(c, F_INODE_NSEC, offset, (uint32_t)v, NSEC_PER_SEC - 1);
}

/* Reports only the first invalid timestamp: if the bigtime flag, on which their format depends, is wrong, all are. */
static void check_times(const struct check *c, const struct dinode_disk *disk, const struct dinode *inode)
{
	bool bigtime = inode->flags2 & DIFLAG2_BIGTIME;

	for (uint32_t i = 0; i < 3; i++) {
		if (time_valid(disk->times[i], bigtime))
			continue;
		/* the realtime bitmap counts allocations in its access time (ondisk 09) */
		if (i == 0 && dinode_is_rtbitmap(c->geo, disk, inode->ino))
			continue;
		time_problem(c, disk->times[i], bigtime, DINODE_OFF(times) + i * (uint32_t)sizeof(be64_t));
		return;
	}
	if (c->geo->crc && !time_valid(disk->crtime, bigtime))
		time_problem(c, disk->crtime, bigtime, DINODE_OFF(crtime));
}

static void check_pad(const struct check *c, const struct dinode_disk *disk)
{
	for (uint32_t i = 0; i < 3; i++)
		check_eq(c, F_INODE_PAD, DINODE_OFF(pad2) + i * (uint32_t)sizeof(be32_t), be32_get(disk->pad2[i]), 0);
}

bool dinode_decode(const struct check *c, const void *bytes, xino_t ino, bool allocated, struct dinode *ret_inode)
{
	const struct dinode_disk *disk = bytes;

	if (!check_identity(c, disk, ino))
		return false;
	if (c->geo->crc)
		check_pad(c, disk);
	if (!allocated) {
		dinode_free_check(c, disk);
		return false;
	}
	if (be16_get(disk->mode) == 0) {
		bool used = looks_used(c->geo, disk);

		problem(c, F_INODE_FREE_IN_USE, DINODE_OFF(mode), 0, used);
		if (!used)
			return false;
	}
	get_core(c->geo, disk, ino, ret_inode);
	check_type(c, ret_inode);
	check_links(c, ret_inode);
	check_rt_project(c, ret_inode);
	/* the format of timestamps depends on flags2 */
	if (dinode_flags_check(c, disk, ret_inode))
		check_times(c, disk, ret_inode);
	dinode_forks_decode(c, disk, ret_inode);
	return true;
}
