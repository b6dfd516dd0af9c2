/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of findings that follow from others, and the objects that hide something if they are damaged. */
#include "follows.h"

#include "report.h"

/* Those that are not listed follow from nothing. */
static const uint8_t follows[FINDING_NR] = {
	[F_BTREE_ROOT] = FOLLOWS_SPACE,
	[F_INODE_FREE_IN_USE] = FOLLOWS_INODES,
	[F_INODE_USED_BUT_FREE] = FOLLOWS_INODES,
	[F_INODE_NBLOCKS] = FOLLOWS_INODE,
	[F_INODE_NBLOCKS_XREF] = FOLLOWS_INODE,
	[F_INODE_NEXTENTS_XREF] = FOLLOWS_INODE,
	[F_INODE_ANEXTENTS_XREF] = FOLLOWS_INODE,
	[F_DIR_SIZE_XREF] = FOLLOWS_INODE,
	[F_DIR_NAMES] = FOLLOWS_INODE,
	[F_DIR_BESTFREE_INDEX] = FOLLOWS_INODE,
	[F_DA_CHILDREN] = FOLLOWS_INODE,
	[F_DA_SIBLINGS] = FOLLOWS_INODE,
	[F_ATTR_VALUE_BLOCKS] = FOLLOWS_INODE,
	[F_INODE_SHARED_NOT_REFLINK] = FOLLOWS_SPACE,
	[F_AG_SPACE] = FOLLOWS_SPACE,
	[F_AG_RMAP] = FOLLOWS_SPACE,
	[F_AG_FREESIZE] = FOLLOWS_SPACE,
	[F_AG_FINOBT] = FOLLOWS_INODES,
	[F_AG_UNLINKED] = FOLLOWS_INODES,
	[F_AGF_FREEBLKS_COUNT] = FOLLOWS_SPACE,
	[F_AGF_LONGEST_COUNT] = FOLLOWS_SPACE,
	[F_AGF_BTREEBLKS_COUNT] = FOLLOWS_SPACE,
	[F_AGF_RMAP_BLOCKS_COUNT] = FOLLOWS_SPACE,
	[F_AGF_REFCOUNT_BLOCKS_COUNT] = FOLLOWS_SPACE,
	[F_AGI_COUNT_COUNT] = FOLLOWS_INODES,
	[F_AGI_FREECOUNT_COUNT] = FOLLOWS_INODES,
	[F_AGI_IBLOCKS_COUNT] = FOLLOWS_INODES,
	[F_AGI_FBLOCKS_COUNT] = FOLLOWS_INODES,
	[F_SB_ICOUNT_COUNT] = FOLLOWS_ANY,
	[F_SB_IFREE_COUNT] = FOLLOWS_ANY,
	[F_SB_FDBLOCKS_COUNT] = FOLLOWS_ANY,
	[F_SB_FREXTENTS_COUNT] = FOLLOWS_ANY,
	[F_INODES_LINKS] = FOLLOWS_NAMES,
	[F_INODES_FTYPE] = FOLLOWS_NAMES,
	[F_INODES_PARENTS] = FOLLOWS_NAMES,
	[F_INODES_PPTRS] = FOLLOWS_NAMES,
	[F_TREE_UNREACHABLE] = FOLLOWS_GOT,
	[F_SPACE_LOST] = FOLLOWS_SPACE,
	[F_SPACE_FREE_IN_USE] = FOLLOWS_SPACE,
	[F_SPACE_CLAIMED_TWICE] = FOLLOWS_SPACE,
	[F_SPACE_SHARED_OFTEN] = FOLLOWS_SPACE,
	[F_SPACE_FREE_TWICE] = FOLLOWS_SPACE,
	[F_REFCOUNT_COUNT] = FOLLOWS_SPACE,
	[F_RMAP_LACKS] = FOLLOWS_SPACE,
	[F_RMAP_STRAY] = FOLLOWS_SPACE,
	[F_BNOBT_LACKS] = FOLLOWS_SPACE,
	[F_CNTBT_LACKS] = FOLLOWS_SPACE,
	[F_FINOBT_LACKS] = FOLLOWS_INODES,
	[F_FINOBT_EXTRA] = FOLLOWS_INODES,
	[F_FINOBT_DIFFERS] = FOLLOWS_INODES,
	[F_UNLINKED_LACKS] = FOLLOWS_INODES,
	[F_UNLINKED_TWICE] = FOLLOWS_INODES,
	[F_UNLINKED_STRAY] = FOLLOWS_INODES,
	[F_INODE_NLINK_COUNT] = FOLLOWS_NAMES,
	[F_INODE_ORPHAN] = FOLLOWS_NAMES,
	[F_DIR_ENTRY_DANGLING] = FOLLOWS_GOT,
	[F_DIR_ENTRY_FORMER] = FOLLOWS_GOT,
	[F_DIR_ENTRY_SURPLUS] = FOLLOWS_GOT,
	[F_DIR_DOTDOT_DANGLING] = FOLLOWS_GOT,
	[F_DIR_ENTRY_FTYPE_INODE] = FOLLOWS_GOT,
	[F_DIR_LINKED_AGAIN] = FOLLOWS_GOT,
	[F_DIR_DOTDOT_PARENT] = FOLLOWS_WANT,
	[F_PPTR_LACKS] = FOLLOWS_WANT,
	[F_PPTR_STRAY] = FOLLOWS_GOT,
	[F_QUOTA_BLOCKS] = FOLLOWS_ANY,
	[F_QUOTA_INODES] = FOLLOWS_ANY,
	[F_QUOTA_RTBLOCKS] = FOLLOWS_ANY,
	[F_QUOTA_NO_RECORD] = FOLLOWS_ANY,
	[F_RTGROUP_SPACE] = FOLLOWS_ANY,
	[F_RTGROUP_RMAP] = FOLLOWS_ANY,
	[F_RTGROUP_SUMMARY] = FOLLOWS_ANY,
	[F_RTGROUP_USED] = FOLLOWS_ANY,
};

enum follows finding_follows(enum finding finding)
{
	return (enum follows)follows[finding];
}

/* Values of an inode that nothing else depends on, so that nothing follows if they are wrong. */
static bool is_only_a_value(enum finding finding)
{
	switch (finding) {
	case F_INODE_TIME:
	case F_INODE_NSEC:
	case F_INODE_PAD:
	case F_INODE_EXTSIZE:
	case F_INODE_COWEXTSIZE:
	case F_INODE_PROJID_HI:
	case F_BTREE_PAD:
	case F_ATTR_LEAF_PAD:
		return true;
	default:
		return false;
	}
}

struct hides finding_hides(const struct found *found)
{
	const enum finding finding = found->problem.finding;
	const enum object object = found->place.object;

	if (finding_follows(finding) != FOLLOWS_NOTHING || finding_class(finding) != CLASS_PRIMARY ||
	    finding_severity(finding) > SEV_CORRUPT || is_only_a_value(finding))
		return (struct hides){ 0 };
	switch (object) {
	case OBJ_DEVICE:
	case OBJ_INODE:
	case OBJ_CLUSTER:
	case OBJ_DATA_FORK:
	case OBJ_BMBT:
	case OBJ_AG:
	case OBJ_AGI:
	case OBJ_INOBT:
	case OBJ_FINOBT:
		return (struct hides){ true, true, true };
	case OBJ_ATTR_FORK:
	case OBJ_AGF:
	case OBJ_AGFL:
	case OBJ_BNOBT:
	case OBJ_CNTBT:
	case OBJ_RMAPBT:
	case OBJ_REFCBT:
		return (struct hides){ .space = true };
	case OBJ_DIRECTORY:
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
	case OBJ_DA_NODE:
	case OBJ_ATTR_LEAF: /* these hold parent pointers */
	case OBJ_ATTR_REMOTE:
		return (struct hides){ .names = true };
	default:
		return (struct hides){ 0 };
	}
}
