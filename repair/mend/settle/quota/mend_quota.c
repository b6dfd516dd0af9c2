/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the quota files: the superblock names them, and their records have a type (ondisk 01, invariant 8; 10).  With a
 * metadata tree, a directory names them instead: mend_quota_dir.c.
 */
#include "mend_quota.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/dquot_mend.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"

#define BLOCKS_LOOKED_AT 16u /* leading blocks of a file that are read for its type */

static bool is_none(xino_t ino)
{
	return ino.v == 0 || ino.v == NULL_INO;
}

/* Returns the types of the first records found in a map's blocks; 0: none. block: buffer. */
static uint8_t types_of_map(struct mend *m, const struct mend_fork *fork, uint8_t *block)
{
	const struct geometry *geo = &m->now->geo;
	unsigned looked = 0;

	for (size_t i = 0; i < fork->count; i++) {
		for (uint32_t k = 0; k < fork->extents[i].len && looked < BLOCKS_LOOKED_AT; k++, looked++) {
			const fsbno_t at = { fork->extents[i].start.v + k };
			uint8_t types;
			fileoff_t off;

			if (!mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, at)), geo->block_size) &&
			    dquot_block_identify(geo, block, &types, &off))
				return types;
		}
	}
	return 0;
}

/*
 * Gets the types of an inode's records: DQUOT_TYPE_*, 0 if none are recognized.  orphan: nothing else identifies it as
 * a quota file, so it must also have no permissions or no size.  0 or negative errno.
 */
static int types_of_file(struct mend *m, xino_t ino, bool orphan, uint8_t *ret_types)
{
	struct mend_inode inode;
	uint8_t *block;
	int ret = mend_inode_load(m, ino, &inode);

	*ret_types = 0;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	block = malloc(m->now->geo.block_size);
	if (!block)
		ret = -ENOMEM;
	else if (inode.inode.ftype == FT_REG && (!orphan || !(inode.inode.mode & ~MODE_TYPE) || !inode.inode.size))
		*ret_types = types_of_map(m, &inode.fork[DATA_FORK], block);
	free(block);
	mend_inode_free(&inode);
	return ret;
}

int quota_roots_load(struct mend *m, struct quota_roots *ret)
{
	const struct geometry *geo = &m->now->geo;
	int error = 0;

	*ret = (struct quota_roots){ .ino = { geo->uquotino, geo->gquotino, geo->pquotino } };
	for (unsigned type = 0; type < QUOTA_TYPES && !error; type++)
		if (!is_none(ret->ino[type]))
			error = types_of_file(m, ret->ino[type], false, &ret->types[type]);
	return error;
}

bool quota_roots_right(const struct mend *m, const struct quota_roots *roots, enum quota_type type)
{
	return !is_none(roots->ino[type]) && roots->types[type] & dquot_file_types(&m->now->geo, type);
}

void quota_roots_drop(struct quota_roots *roots, enum quota_type type)
{
	roots->ino[type].v = NULL_INO;
	roots->types[type] = 0;
	roots->recount |= 1u << type;
	roots->changed = true;
}

const struct found *quota_reason(const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (found[i].place.object == OBJ_SUPERBLOCK ||
		    (found[i].place.object >= OBJ_QUOTA_USER && found[i].place.object <= OBJ_QUOTA_PROJECT))
			return &found[i];
	return NULL;
}

/* True if there may be a file of this type: in version 4, there is one for either groups or projects. */
static bool can_have_file(const struct geometry *geo, enum quota_type type)
{
	bool projects = geo->qflags & SB_QFLAG_PROJECT_ACCT;

	return geo->crc || type == QUOTA_USER || (type == QUOTA_PROJECT) == projects;
}

static void assign(struct quota_roots *roots, enum quota_type type, xino_t ino, uint8_t types)
{
	roots->ino[type] = ino;
	roots->types[type] = types;
	roots->changed = true;
}

/* Assigns files to the types of their records, if types have each other's files. */
static void find_among_types(const struct mend *m, struct quota_roots *roots)
{
	const struct quota_roots before = *roots;

	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		if (quota_roots_right(m, roots, type) || !can_have_file(&m->now->geo, type))
			continue;
		for (unsigned other = 0; other < QUOTA_TYPES; other++) {
			if (other == type || quota_roots_right(m, &before, other) ||
			    !(before.types[other] & dquot_file_types(&m->now->geo, type)))
				continue;
			assign(roots, type, before.ino[other], before.types[other]);
			if (roots->ino[other].v == before.ino[other].v)
				quota_roots_drop(roots, other);
		}
	}
}

int quota_roots_find(struct mend *m, struct quota_roots *roots, const struct found *found, size_t count)
{
	int ret = 0;

	find_among_types(m, roots);
	for (size_t i = 0; i < count && !ret; i++) {
		uint8_t types;

		if (found[i].problem.finding != F_INODE_ORPHAN)
			continue;
		ret = types_of_file(m, found[i].place.ino, true, &types);
		for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++) {
			if (!(types & dquot_file_types(&m->now->geo, type)) || quota_roots_right(m, roots, type) ||
			    !can_have_file(&m->now->geo, type))
				continue;
			assign(roots, type, found[i].place.ino, types);
			break;
		}
	}
	return ret;
}

/* Returns the flag for a type's usage having been counted. */
static uint16_t checked_flag(const struct geometry *geo, unsigned type)
{
	static const uint16_t flags[QUOTA_TYPES] = { SB_QFLAG_USER_CHKD, SB_QFLAG_GROUP_CHKD, SB_QFLAG_PROJECT_CHKD };

	return geo->crc || type == QUOTA_USER ? flags[type] : SB_QFLAG_OTHER_CHKD;
}

/* Sets the files' inode numbers in the superblock. In version 4, groups or projects use the second field. */
static void put_files(const struct geometry *geo, struct sb_disk *sb, const xino_t inos[QUOTA_TYPES])
{
	static const xino_t none[QUOTA_TYPES]; /* a directory names the files, and all fields are 0 */
	xino_t other;

	if (geo->metadir)
		inos = none;
	other = inos[QUOTA_GROUP];
	if (geo->crc)
		sb->pquotino = be64_put(inos[QUOTA_PROJECT].v);
	else if (is_none(other))
		other = inos[QUOTA_PROJECT];
	sb->uquotino = be64_put(inos[QUOTA_USER].v);
	sb->gquotino = be64_put(other.v);
}

int quota_roots_store(struct mend *m, const struct quota_roots *roots)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *sector = malloc(geo->sector_size);
	struct sb_disk *sb = (struct sb_disk *)sector;
	bool any = false;
	uint16_t flags;
	int ret;

	if (!sector)
		return -ENOMEM;
	memcpy(sector, m->now->primary, geo->sector_size);
	flags = be16_get(sb->qflags);
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		any |= !is_none(roots->ino[type]);
		if (roots->recount >> type & 1)
			flags &= (uint16_t)~checked_flag(geo, type);
	}
	/* if quota bit and flags contradict each other: a file shows that quotas are in use, flags alone don't */
	if (any)
		sb->versionnum = be16_put(be16_get(sb->versionnum) | SB_VERSION_QUOTA);
	else if (roots->last_word)
		sb->versionnum = be16_put(be16_get(sb->versionnum) & (uint16_t)~SB_VERSION_QUOTA);
	if (!any && (roots->last_word || !geo->quota))
		flags = 0;
	sb->qflags = be16_put(flags);
	put_files(geo, sb, roots->ino);
	sb_seal(sector, geo->sector_size);
	ret = mend_write(m, sector, 0, geo->sector_size);
	free(sector);
	return ret;
}
