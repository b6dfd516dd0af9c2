/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which menders get a finding: the one that it leads to by mend_table.c, and others that may know a better way.  Most
 * of these come first, since they are of an earlier stage.
 */
#include "mend/base/mend.h"
#include "mend/make/mend_chunks.h"

/* Whether a finding may mean that a quota file is not what it is taken for, or that another file is a quota file. */
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
	case MEND_quota_file: /* records that are in a wrong place, and lost blocks, in which they may be */
		return (of_quota &&
			(finding == F_BLOCK_MAGIC || finding == F_DQUOT_ID || finding == F_DQUOT_BLOCK_TYPE)) ||
		       finding == F_SPACE_LOST;
	default:
		return false;
	}
}

/* Whether it is damage in what a fork holds: the fork may have been read from the wrong place in its inode. */
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

/* Whether it is about lost blocks, directories that may have lost some, or inodes that may be named in them. */
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
	/* a sound inode may lie where something leads in vain, or no inode in a chunk: then the inobt is what is wrong
	 */
	if (kind == MEND_ag_inodes && (mend_chunks_missing(found).v != NULL_INO || mend_chunks_may_be_gone(found)))
		return true;
	if (kind == MEND_inode_named) /* an inode that was made free may have a name after all */
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
	/* the inode is right about its names if it was written later than the directory */
	if (kind == MEND_outdated)
		return found->problem.finding == F_PPTR_LACKS || found->problem.finding == F_PPTR_STRAY;
	/* blocks of a map that too many files share: some map is wrong, if more says so than the reference count */
	if (kind == MEND_inode_fork && found->problem.finding == F_SPACE_SHARED_OFTEN)
		return true;
	/* blocks of a map that are free: the map is wrong, not the bnobt, if the rmapbt contradicts it */
	if (kind == MEND_inode_fork && found->problem.finding == F_SPACE_FREE_IN_USE &&
	    (found->place.object == OBJ_DATA_FORK || found->place.object == OBJ_ATTR_FORK))
		return true;
	if (kind == MEND_inode_fork && mend_inode_fork_may_help(found))
		return true;
	/* dates (LSNs) that are too new: either they are wrong, or the log is */
	if (kind == MEND_log && (found->problem.finding == F_BLOCK_LSN || found->problem.finding == F_DQUOT_LSN))
		return true;
	/* lost blocks may be a log of which no superblock tells */
	if (kind == MEND_sb && found->problem.finding == F_SPACE_LOST)
		return true;
	/* the directory that `..` or a parent pointer names may be lost with its chunk */
	if (kind == MEND_inode_chunk &&
	    (found->problem.finding == F_DIR_DOTDOT_DANGLING || found->problem.finding == F_PPTR_STRAY))
		return true;
	/* a file of a realtime group that has lost its name, or that the superblock of the older form names in vain */
	if (kind == MEND_rt_file &&
	    (found->problem.finding == F_INODE_ORPHAN || found->problem.finding == F_INODE_ROOTED_DANGLING))
		return true;
	/* a symlink whose target's blocks are lost */
	if (kind == MEND_symlink &&
	    (found->problem.finding == F_INODE_NEXTENTS || found->problem.finding == F_INODE_SIZE))
		return true;
	/* an inode without a name may be the one that a damaged entry should lead to */
	if (kind == MEND_dir && found->problem.finding == F_INODE_ORPHAN)
		return true;
	/* the inobt is made to agree with the inode, unless the inode makes no sense: then the inode is mended */
	if (kind == MEND_inode_core && found->problem.finding == F_INODE_USED_BUT_FREE)
		return true;
	return mend_of(found) == kind || concerns_quotas(found, kind);
}
