/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which menders get a finding: the one that it leads to by mend_table.c, and those that may do better and come before
 * it.
 */
#include "mend.h"

/* What tells that a file is not the quota file of a type, or another is. */
static bool concerns_quotas(const struct found *found, enum mend_kind kind)
{
	enum finding finding = found->problem.finding;
	bool of_quota = found->place.object >= OBJ_QUOTA_USER && found->place.object <= OBJ_QUOTA_PROJECT;

	switch (kind) {
	case MEND_quota_named:
		return of_quota || finding == F_INODE_SB_TYPE || finding == F_INODE_ROOTED_DANGLING ||
		       finding == F_INODE_NLINK_COUNT || finding == F_INODE_ORPHAN;
	case MEND_quota_sb:
		return finding == F_DQUOT_BLOCK_TYPE || finding == F_INODE_ORPHAN;
	case MEND_quota_file: /* records that are not where they belong, and where they may be */
		return (of_quota &&
			(finding == F_BLOCK_MAGIC || finding == F_DQUOT_ID || finding == F_DQUOT_BLOCK_TYPE)) ||
		       finding == F_SPACE_LOST;
	default:
		return false;
	}
}

/* Damage in what the forks of an inode hold: it may be read from the wrong place. */
static bool of_fork_contents(const struct found *found)
{
	switch (found->place.object) {
	case OBJ_DATA_FORK:
	case OBJ_ATTR_FORK:
	case OBJ_BMBT:
	case OBJ_ATTR_LEAF:
		return finding_severity(found->problem.finding) == SEV_CORRUPT;
	default:
		return false;
	}
}

/* Blocks that nobody has, who may miss some, and what may be named in them. */
static bool concerns_lost_names(const struct found *found)
{
	switch (found->problem.finding) {
	case F_SPACE_LOST:
	case F_INODE_ORPHAN:
	case F_INODE_NLINK_COUNT:
		return true;
	default:
		return (found->place.object == OBJ_DIR_BLOCK || found->place.object == OBJ_DIR_DATA) &&
		       finding_severity(found->problem.finding) == SEV_CORRUPT;
	}
}

bool mend_concerns(const struct found *found, enum mend_kind kind)
{
	if (kind == MEND_block_place)
		return mend_block_place_may_help(found);
	if (kind == MEND_magic)
		return mend_magic_may_help(found);
	if (kind == MEND_byte)
		return mend_byte_may_help(found);
	if (kind == MEND_logged)
		return mend_logged_may_help(found);
	if (kind == MEND_inode_place)
		return found->problem.finding == F_INODE_INO;
	if (kind == MEND_inode_named) /* or who was taken for free has a name after all */
		return (found->problem.finding == F_INODE_FREE_IN_USE && !found->problem.want) ||
		       found->problem.finding == F_DIR_ENTRY_DANGLING ||
		       found->problem.finding == F_DIR_DOTDOT_DANGLING;
	if (kind == MEND_inode_mode)
		return mend_inode_mode_may_help(found);
	if (kind == MEND_extent_place)
		return mend_extent_place_may_help(found);
	if (kind == MEND_named_again)
		return found->problem.finding == F_INODE_NLINK_COUNT && !found->problem.got;
	if (kind == MEND_inode_counts)
		return mend_inode_counts_may_help(found);
	if (kind == MEND_fork_lost)
		return found->problem.finding == F_SPACE_LOST;
	if (kind == MEND_dir_lost)
		return concerns_lost_names(found);
	if (kind == MEND_inode_border)
		return of_fork_contents(found);
	/* whether the directory or the inode was written later */
	if (kind == MEND_outdated)
		return found->problem.finding == F_PPTR_LACKS || found->problem.finding == F_PPTR_STRAY;
	/* whose claim on free blocks is wrong, the map or the bnobt: the map, if the rmapbt contradicts it */
	if (kind == MEND_inode_fork && found->problem.finding == F_SPACE_FREE_IN_USE &&
	    (found->place.object == OBJ_DATA_FORK || found->place.object == OBJ_ATTR_FORK))
		return true;
	/* whether they are wrong or the log is */
	if (kind == MEND_log && (found->problem.finding == F_BLOCK_LSN || found->problem.finding == F_DQUOT_LSN))
		return true;
	/* a log of which no superblock tells */
	if (kind == MEND_sb && found->problem.finding == F_SPACE_LOST)
		return true;
	/* what it leads to may be lost, not wrong */
	if (kind == MEND_inode_chunk &&
	    (found->problem.finding == F_DIR_DOTDOT_DANGLING || found->problem.finding == F_PPTR_STRAY))
		return true;
	/* files of a realtime group that no name leads to; the older form's, which the superblock does */
	if (kind == MEND_rt_file &&
	    (found->problem.finding == F_INODE_ORPHAN || found->problem.finding == F_INODE_ROOTED_DANGLING))
		return true;
	/* a target whose blocks are lost */
	if (kind == MEND_symlink &&
	    (found->problem.finding == F_INODE_NEXTENTS || found->problem.finding == F_INODE_SIZE))
		return true;
	/* who has no name may be who an entry should lead to */
	if (kind == MEND_dir && found->problem.finding == F_INODE_ORPHAN)
		return true;
	/* the inobt goes by the inode unless that makes no sense: then the inobt is right */
	if (kind == MEND_inode_core && found->problem.finding == F_INODE_USED_BUT_FREE)
		return true;
	return mend_of(found) == kind || concerns_quotas(found, kind);
}
