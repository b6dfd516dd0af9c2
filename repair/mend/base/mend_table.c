/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which mender each finding leads to. */
#include <stddef.h>

#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/dir.h"
#include "disk/sb.h"
#include "mend.h"

struct row {
	enum mend_kind kind;
	struct mend_place field;
};

#define FIELD(struct_disk, member)                                                                                     \
	{                                                                                                              \
		MEND_field,                                                                                            \
		{                                                                                                      \
			offsetof(struct struct_disk, member), sizeof(((struct struct_disk *)0)->member)                \
		}                                                                                                      \
	}

/* A field of the primary superblock that must be right before anything else is mended. */
#define SB_FIELD(member)                                                                                               \
	{                                                                                                              \
		MEND_sb,                                                                                               \
		{                                                                                                      \
			offsetof(struct sb_disk, member), sizeof(((struct sb_disk *)0)->member)                        \
		}                                                                                                      \
	}

static const struct row rows[FINDING_NR] = {
	[F_IO_SHORT] = { .kind = MEND_shrink },
	[F_SB_REPAIR_CUT_SHORT] = { .kind = MEND_resume },
	[F_SB_LOST] = { .kind = MEND_sb },
	[F_SB_DERIVED] = { .kind = MEND_sb },
	[F_SB_OUTVOTED] = { .kind = MEND_sb },
	[F_SB_OUTVOTED_TEXT] = { .kind = MEND_sb },
	[F_SB_ICOUNT] = { .kind = MEND_sb },
	[F_SB_IFREE] = { .kind = MEND_sb },
	[F_SB_FDBLOCKS] = { .kind = MEND_sb },
	[F_SB_META_UUID] = { .kind = MEND_sb },
	[F_SB_LOG_INCOMPAT] = { .kind = MEND_sb },
	[F_SB_LOG_XATTRS] = { .kind = MEND_sb },
	[F_SB_TAIL] = { .kind = MEND_sb },
	[F_SB_VERSIONNUM] = SB_FIELD(versionnum),
	[F_SB_FEATURES2] = SB_FIELD(features2),
	[F_SB_BAD_FEATURES2] = SB_FIELD(bad_features2),
	[F_SB_LOGBLOCKS_MIN] = { .kind = MEND_sb },
	[F_SB_FEATURES2_COPY] = { .kind = MEND_sb },
	[F_SB_SECTSIZE] = SB_FIELD(sectsize),
	[F_SB_BLOCKSIZE] = SB_FIELD(blocksize),
	[F_SB_INODESIZE] = SB_FIELD(inodesize),
	[F_SB_LOGSUNIT] = SB_FIELD(logsunit),
	[F_SB_SECTLOG] = SB_FIELD(sectlog),
	[F_SB_BLOCKLOG] = SB_FIELD(blocklog),
	[F_SB_INODELOG] = SB_FIELD(inodelog),
	[F_SB_INOPBLOCK] = SB_FIELD(inopblock),
	[F_SB_INOPBLOG] = SB_FIELD(inopblog),
	[F_SB_AGBLKLOG] = SB_FIELD(agblklog),
	[F_SB_LOGSECTLOG] = SB_FIELD(logsectlog),
	[F_SB_ROOTINO] = SB_FIELD(rootino),
	[F_SB_RBMINO] = SB_FIELD(rbmino),
	[F_SB_RSUMINO] = SB_FIELD(rsumino),
	[F_SB_METADIRINO] = SB_FIELD(metadirino),
	[F_SB_QFLAGS] = SB_FIELD(qflags),
	[F_SB_QFLAGS_NEED] = SB_FIELD(qflags),
	[F_SB_FLAGS] = SB_FIELD(flags),
	[F_SB_SHARED_VN] = SB_FIELD(shared_vn),
	[F_SB_IMAX_PCT] = SB_FIELD(imax_pct),
	[F_SB_INPROGRESS] = SB_FIELD(inprogress),
	[F_SB_RGBLKLOG] = SB_FIELD(rgblklog),
	[F_SB_REXTSLOG] = SB_FIELD(rextslog),
	[F_SB_COMPAT] = SB_FIELD(features_compat),
	[F_SB_INOALIGNMT] = SB_FIELD(inoalignmt),
	[F_SB_SPINO_ALIGN] = SB_FIELD(spino_align),
	[F_AGF_FREEBLKS_COUNT] = FIELD(agf_disk, freeblks),
	[F_AGF_LONGEST_COUNT] = FIELD(agf_disk, longest),
	[F_AGF_BTREEBLKS_COUNT] = FIELD(agf_disk, btreeblks),
	[F_AGF_RMAP_BLOCKS_COUNT] = FIELD(agf_disk, rmap_blocks),
	[F_AGF_REFCOUNT_BLOCKS_COUNT] = FIELD(agf_disk, refcount_blocks),
	[F_AGI_COUNT_COUNT] = { .kind = MEND_ag_inodes },
	[F_AGI_FREECOUNT_COUNT] = FIELD(agi_disk, freecount),
	[F_AGI_IBLOCKS_COUNT] = FIELD(agi_disk, iblocks),
	[F_AGI_FBLOCKS_COUNT] = FIELD(agi_disk, fblocks),
	[F_SB_NEEDSREPAIR] = SB_FIELD(features_incompat),
	[F_SB_FREXTENTS_COUNT] = FIELD(sb_disk, frextents),
	[F_SB_FREXTENTS] = SB_FIELD(frextents),
	[F_SB_ICOUNT_COUNT] = FIELD(sb_disk, icount),
	[F_SB_IFREE_COUNT] = FIELD(sb_disk, ifree),
	[F_SB_FDBLOCKS_COUNT] = FIELD(sb_disk, fdblocks),
	[F_DIR_ENTRY_NAMELEN] = { .kind = MEND_dir },
	[F_DIR_ENTRY_NAME] = { .kind = MEND_dir },
	[F_DIR_ENTRY_DOTS] = { .kind = MEND_dir },
	[F_DIR_ENTRY_INO] = { .kind = MEND_dir },
	[F_DIR_ENTRY_INTERNAL] = { .kind = MEND_dir },
	[F_DIR_ENTRY_FTYPE] = { .kind = MEND_dir },
	[F_DIR_ENTRY_DUPLICATE] = { .kind = MEND_dir },
	[F_DIR_DOTS_MISSING] = { .kind = MEND_dir },
	[F_DIR_DOTS_NAME] = { .kind = MEND_dir },
	[F_DIR_DOTS_FTYPE] = { .kind = MEND_dir },
	[F_DIR_DOT_INO] = { .kind = MEND_dir },
	[F_DIR_DOTDOT_INO] = { .kind = MEND_dir },
	[F_DIR_SF_SIZE] = { .kind = MEND_dir },
	[F_DIR_SF_COUNT] = { .kind = MEND_dir },
	[F_DIR_SF_I8COUNT] = { .kind = MEND_dir },
	[F_DIR_SF_NAMELEN] = { .kind = MEND_dir },
	[F_DIR_SF_OFFSET] = { .kind = MEND_dir },
	[F_DIR_DATA_LENGTH] = { .kind = MEND_dir },
	[F_DIR_DATA_TAG] = { .kind = MEND_dir },
	[F_DIR_DATA_TORN] = { .kind = MEND_dir },
	[F_DIR_DATA_ADJACENT] = { .kind = MEND_dir },
	[F_DIR_BESTFREE_LENGTH] = { .kind = MEND_dir },
	[F_DIR_BESTFREE_OFFSET] = { .kind = MEND_dir },
	[F_DIR_BLOCK_COUNT] = { .kind = MEND_dir },
	[F_DIR_LEAF_COUNT] = { .kind = MEND_dir },
	[F_DIR_LEAF_STALE] = { .kind = MEND_dir },
	[F_DIR_LEAF_ORDER] = { .kind = MEND_dir },
	[F_DIR_LEAF_ADDRESS] = { .kind = MEND_dir },
	[F_DIR_LEAF_BESTCOUNT] = { .kind = MEND_dir },
	[F_DIR_LEAF_BESTS] = { .kind = MEND_dir },
	[F_DIR_FREE_FIRSTDB] = { .kind = MEND_dir },
	[F_DIR_FREE_NVALID] = { .kind = MEND_dir },
	[F_DIR_FREE_NUSED] = { .kind = MEND_dir },
	[F_DIR_FREE_BESTS] = { .kind = MEND_dir },
	[F_DIR_SIZE_XREF] = { .kind = MEND_dir },
	[F_DIR_BLOCK_PARTLY_MAPPED] = { .kind = MEND_dir },
	[F_DIR_BLOCK_SCATTERED] = { .kind = MEND_dir },
	[F_DIR_BLOCK_NOT_ALONE] = { .kind = MEND_dir },
	[F_DIR_LEAF1_NOT_ALONE] = { .kind = MEND_dir },
	[F_DIR_LEAF1_BESTCOUNT] = { .kind = MEND_dir },
	[F_DIR_NAMES] = { .kind = MEND_dir },
	[F_DIR_BESTFREE_INDEX] = { .kind = MEND_dir },
	[F_DIR_DUPLICATES] = { .kind = MEND_dir },
	[F_DIR_ENTRY_DANGLING] = { .kind = MEND_dir },
	[F_DIR_DOTDOT_DANGLING] = { .kind = MEND_dir },
	[F_DIR_ENTRY_OTHER_TREE] = { .kind = MEND_dir },
	[F_DIR_ENTRY_ROOT] = { .kind = MEND_dir },
	[F_DIR_ENTRY_FTYPE_INODE] = { .kind = MEND_dir },
	[F_DIR_ENTRY_SURPLUS] = { .kind = MEND_surplus },
	[F_DIR_LINKED_AGAIN] = { .kind = MEND_dir },
	[F_DIR_DOTDOT_PARENT] = { .kind = MEND_dir },
	[F_TREE_ROOT_PARENT] = { .kind = MEND_dir },
	[F_ATTR_SF_TOTSIZE] = { .kind = MEND_attr },
	[F_ATTR_SF_COUNT] = { .kind = MEND_attr },
	[F_ATTR_SF_ENTRY] = { .kind = MEND_attr },
	[F_ATTR_FLAGS] = { .kind = MEND_attr },
	[F_ATTR_NAMELEN] = { .kind = MEND_attr },
	[F_ATTR_NAME] = { .kind = MEND_attr },
	[F_ATTR_HASH] = { .kind = MEND_attr },
	[F_ATTR_DUPLICATE] = { .kind = MEND_attr },
	[F_ATTR_PARENT_SIZE] = { .kind = MEND_attr },
	[F_ATTR_PARENT_REMOTE] = { .kind = MEND_attr },
	[F_ATTR_PARENT_INO] = { .kind = MEND_attr },
	[F_ATTR_ACL] = { .kind = MEND_attr },
	[F_ATTR_ACL_ENTRY] = { .kind = MEND_attr },
	[F_ATTR_ACL_LACKS] = { .kind = MEND_attr },
	[F_ATTR_LEAF_COUNT] = { .kind = MEND_attr },
	[F_ATTR_LEAF_USEDBYTES] = { .kind = MEND_attr },
	[F_ATTR_LEAF_FIRSTUSED] = { .kind = MEND_attr },
	[F_ATTR_LEAF_HOLES] = { .kind = MEND_attr },
	[F_ATTR_LEAF_FREEMAP] = { .kind = MEND_attr },
	[F_ATTR_LEAF_FREE] = { .kind = MEND_attr },
	[F_ATTR_LEAF_PAD] = { .kind = MEND_attr },
	[F_ATTR_LEAF_NAMEIDX] = { .kind = MEND_attr },
	[F_ATTR_LEAF_SIZE] = { .kind = MEND_attr },
	[F_ATTR_LEAF_OVERLAP] = { .kind = MEND_attr },
	[F_ATTR_LEAF_ORDER] = { .kind = MEND_attr },
	[F_ATTR_REMOTE_VALUELEN] = { .kind = MEND_attr },
	[F_ATTR_REMOTE_VALUEBLK] = { .kind = MEND_attr },
	[F_ATTR_REMOTE_OFFSET] = { .kind = MEND_attr },
	[F_ATTR_REMOTE_BYTES] = { .kind = MEND_attr },
	[F_ATTR_REMOTE_LSN] = { .kind = MEND_attr },
	[F_ATTR_VALUE_BLOCKS] = { .kind = MEND_attr },
	[F_ATTR_DUPLICATES] = { .kind = MEND_attr },
	[F_PPTR_LACKS] = { .kind = MEND_pptr },
	[F_PPTR_STRAY] = { .kind = MEND_pptr },
	[F_AGF_BNO_ROOT] = { .kind = MEND_ag_space },
	[F_AGF_CNT_ROOT] = { .kind = MEND_ag_space },
	[F_AGF_RMAP_ROOT] = { .kind = MEND_ag_space },
	[F_AGF_REFCOUNT_ROOT] = { .kind = MEND_ag_space },
	[F_AGF_FLFIRST] = { .kind = MEND_ag_space },
	[F_AGF_FLLAST] = { .kind = MEND_ag_space },
	[F_AGF_FLCOUNT] = { .kind = MEND_ag_space },
	[F_AGFL_BNO] = { .kind = MEND_ag_space },
	[F_AGFL_DUPLICATE] = { .kind = MEND_ag_space },
	[F_SPACE_LOST] = { .kind = MEND_ag_space },
	[F_SPACE_FREE_IN_USE] = { .kind = MEND_ag_space },
	[F_SPACE_SHARED_OFTEN] = { .kind = MEND_ag_space },
	[F_SPACE_FREE_TWICE] = { .kind = MEND_ag_space },
	[F_REFCOUNT_COUNT] = { .kind = MEND_ag_space },
	[F_RMAP_LACKS] = { .kind = MEND_ag_space },
	[F_RMAP_STRAY] = { .kind = MEND_ag_space },
	[F_BNOBT_LACKS] = { .kind = MEND_ag_space },
	[F_CNTBT_LACKS] = { .kind = MEND_ag_space },
	[F_AG_SPACE] = { .kind = MEND_ag_space },
	[F_AG_RMAP] = { .kind = MEND_ag_space },
	[F_AG_FREESIZE] = { .kind = MEND_ag_space },
	[F_UNLINKED_LACKS] = { .kind = MEND_ag_unlinked },
	[F_UNLINKED_TWICE] = { .kind = MEND_ag_unlinked },
	[F_UNLINKED_STRAY] = { .kind = MEND_ag_unlinked },
	[F_AG_UNLINKED] = { .kind = MEND_ag_unlinked },
	[F_AG_UNLINKED_LOOP] = { .kind = MEND_ag_unlinked },
	[F_INODE_NEXT_UNLINKED] = { .kind = MEND_ag_unlinked },
	[F_AGI_ROOT] = { .kind = MEND_ag_inodes },
	[F_AGI_FREE_ROOT] = { .kind = MEND_ag_inodes },
	[F_FINOBT_LACKS] = { .kind = MEND_ag_inodes },
	[F_FINOBT_EXTRA] = { .kind = MEND_ag_inodes },
	[F_FINOBT_DIFFERS] = { .kind = MEND_ag_inodes },
	[F_AG_FINOBT] = { .kind = MEND_ag_inodes },
	[F_INODE_FREE_IN_USE] = { .kind = MEND_ag_inodes },
	[F_INODE_USED_BUT_FREE] = { .kind = MEND_ag_inodes },
	[F_RTGROUP_SPACE] = { .kind = MEND_rt_space },
	[F_RTGROUP_RMAP] = { .kind = MEND_rt_space },
	[F_RTGROUP_SUMMARY] = { .kind = MEND_rt_space },
	[F_RTGROUP_USED] = { .kind = MEND_rt_space },
	[F_RTFILE_DIRECTORY] = { .kind = MEND_rt_file },
	[F_RTFILE_MISSING] = { .kind = MEND_rt_file },
	[F_RTFILE_EXTRA] = { .kind = MEND_rt_file },
	[F_RTFILE_TWICE] = { .kind = MEND_rt_file },
	[F_RTFILE_NAME] = { .kind = MEND_rt_file },
	[F_RTBITMAP_UNMAPPED] = { .kind = MEND_rt_space },
	[F_RTSUMMARY_UNMAPPED] = { .kind = MEND_rt_space },
	[F_INODE_VERSION] = { .kind = MEND_inode_core },
	[F_INODE_INO] = { .kind = MEND_inode_core },
	[F_INODE_FREE_FIELD] = { .kind = MEND_inode_core },
	[F_INODE_FREE_FORMAT] = { .kind = MEND_inode_core },
	[F_INODE_MODE] = { .kind = MEND_inode_core },
	[F_INODE_SB_TYPE] = { .kind = MEND_inode_core },
	[F_INODE_NLINK] = { .kind = MEND_inode_core },
	[F_INODE_TIME] = { .kind = MEND_inode_core },
	[F_INODE_NSEC] = { .kind = MEND_inode_core },
	[F_INODE_PAD] = { .kind = MEND_inode_core },
	[F_INODE_FLAGS] = { .kind = MEND_inode_core },
	[F_INODE_FLAGS2] = { .kind = MEND_inode_core },
	[F_INODE_EXTSIZE] = { .kind = MEND_inode_core },
	[F_INODE_COWEXTSIZE] = { .kind = MEND_inode_core },
	[F_INODE_METATYPE] = { .kind = MEND_inode_core },
	[F_INODE_META_FLAGS] = { .kind = MEND_inode_core },
	[F_INODE_META_MODE] = { .kind = MEND_inode_core },
	[F_INODE_META_OWNER] = { .kind = MEND_inode_core },
	[F_INODE_FORMAT] = { .kind = MEND_inode_core },
	[F_INODE_AFORMAT] = { .kind = MEND_inode_core },
	[F_INODE_FORKOFF] = { .kind = MEND_inode_core },
	[F_INODE_FORKOFF_LOW] = { .kind = MEND_inode_core },
	[F_INODE_NEXTENTS] = { .kind = MEND_inode_core },
	[F_INODE_ANEXTENTS] = { .kind = MEND_inode_core },
	[F_INODE_NBLOCKS] = { .kind = MEND_inode_core },
	[F_INODE_SIZE] = { .kind = MEND_inode_core },
	[F_INODE_ONLINK] = { .kind = MEND_inode_core },
	[F_INODE_PROJID_HI] = { .kind = MEND_inode_core },
	[F_INODE_UNREADABLE] = { .kind = MEND_inode_core },
	[F_INODE_RT_GROUP] = { .kind = MEND_inode_core },
	[F_INODE_RT_PROJID] = { .kind = MEND_inode_core },
	[F_BMAP_START] = { .kind = MEND_inode_fork },
	[F_BMAP_LENGTH] = { .kind = MEND_inode_fork },
	[F_BMAP_OFFSET] = { .kind = MEND_inode_fork },
	[F_BMAP_UNWRITTEN] = { .kind = MEND_inode_fork },
	[F_BMAP_RT_ALIGN] = { .kind = MEND_inode_fork },
	[F_BMAP_ORDER] = { .kind = MEND_inode_fork },
	[F_BMDR_LEVEL] = { .kind = MEND_inode_fork },
	[F_BMDR_NUMRECS] = { .kind = MEND_inode_fork },
	[F_INODE_NEXTENTS_XREF] = { .kind = MEND_inode_fork },
	[F_INODE_ANEXTENTS_XREF] = { .kind = MEND_inode_fork },
	[F_INODE_NBLOCKS_XREF] = { .kind = MEND_inode_fork },
	[F_INODE_SHARED_NOT_REFLINK] = { .kind = MEND_inode_shared },
	[F_SYMLINK_NUL] = { .kind = MEND_symlink },
	[F_SYMLINK_OFFSET] = { .kind = MEND_symlink },
	[F_SYMLINK_BYTES] = { .kind = MEND_symlink },
	[F_SYMLINK_LENGTH] = { .kind = MEND_symlink },
	[F_SYMLINK_PARTS] = { .kind = MEND_symlink },
	[F_INODE_ROOTED_DANGLING] = { .kind = MEND_inode_chunk },
	[F_TREE_ROOT] = { .kind = MEND_inode_chunk },
	[F_SB_QUOTINO] = { .kind = MEND_quota_sb },
	[F_SB_QUOTA_BIT] = { .kind = MEND_quota_sb },
	[F_SB_QUOTA_NONE] = { .kind = MEND_quota_sb },
	[F_QUOTA_FILE_MISSING] = { .kind = MEND_quota_sb },
	[F_QUOTA_FILE_NAME] = { .kind = MEND_quota_dir },
	[F_QUOTA_FILE_UNNAMED] = { .kind = MEND_quota_dir },
	[F_QUOTA_FILE_MODE] = { .kind = MEND_quota_file },
	[F_QUOTA_FILE_SIZE] = { .kind = MEND_quota_file },
	[F_QUOTA_FILE_FLAGS] = { .kind = MEND_quota_file },
	[F_QUOTA_FILE_ATTR] = { .kind = MEND_quota_file },
	[F_QUOTA_FILE_UNWRITTEN] = { .kind = MEND_quota_file },
	[F_QUOTA_FILE_OFFSET] = { .kind = MEND_quota_file },
	[F_DQUOT_BLOCK_TYPE] = { .kind = MEND_dquot },
	[F_DQUOT_MAGIC] = { .kind = MEND_dquot },
	[F_DQUOT_CRC] = { .kind = MEND_dquot },
	[F_DQUOT_UUID] = { .kind = MEND_dquot },
	[F_DQUOT_LSN] = { .kind = MEND_dquot },
	[F_DQUOT_VERSION] = { .kind = MEND_dquot },
	[F_DQUOT_TYPE] = { .kind = MEND_dquot },
	[F_DQUOT_ID] = { .kind = MEND_dquot },
	[F_DQUOT_TIMER] = { .kind = MEND_dquot },
	[F_DQUOT_TIMER_STOPPED] = { .kind = MEND_dquot },
	[F_DQUOT_TIMER_RUNNING] = { .kind = MEND_dquot },
	[F_DQUOT_PAD] = { .kind = MEND_dquot },
	[F_QUOTA_BLOCKS] = { .kind = MEND_dquot },
	[F_QUOTA_INODES] = { .kind = MEND_dquot },
	[F_QUOTA_RTBLOCKS] = { .kind = MEND_dquot },
	[F_QUOTA_NO_RECORD] = { .kind = MEND_dquot },
	[F_TREE_UNREACHABLE] = { .kind = MEND_circle },
	[F_INODE_ORPHAN] = { .kind = MEND_orphan },
	[F_INODE_NLINK_COUNT] = { .kind = MEND_nlink },
};

/* Whether a finding is about a hash tree; its place tells whether that is a directory's or one of attributes. */
static bool of_da_tree(enum finding finding)
{
	switch (finding) {
	case F_DA_FORW:
	case F_DA_BACK:
	case F_DA_LEVEL:
	case F_DA_COUNT:
	case F_DA_ORDER:
	case F_DA_BEFORE:
	case F_DA_NO_ROOT:
	case F_DA_CHILDREN:
	case F_DA_SIBLINGS:
	case F_DA_LEAF_ORDER:
		return true;
	default:
		return false;
	}
}

/* Whether a finding is one that any block may have: who mends the object that the block is of mends it. */
static bool of_any_block(enum finding finding)
{
	switch (finding) {
	case F_BLOCK_MAGIC:
	case F_BLOCK_CRC:
	case F_BLOCK_BLKNO:
	case F_BLOCK_OWNER:
	case F_BLOCK_UUID:
	case F_BLOCK_LSN:
	case F_IO_UNREADABLE:
		return true;
	default:
		return false;
	}
}

/* Superblocks, AG headers and AG btrees, which can be made anew, whatever is wrong with them. */
static bool of_ag(enum object object)
{
	return object == OBJ_SUPERBLOCK || (object >= OBJ_AGF && object <= OBJ_REFCBT);
}

/* the block in the file where a directory's hash index begins, with blocks of 64 KiB; farther out with smaller ones */
#define DIR_INDEX_MIN (DIR_LEAF_OFFSET >> 16)

/* A realtime group's own files, which can be made anew, whatever is wrong with their contents. */
static bool of_rtgroup(enum object object)
{
	return object >= OBJ_RTBITMAP && object <= OBJ_RTREFCBT;
}

static enum mend_kind of_object(const struct place *place)
{
	switch (place->object) {
	case OBJ_DIRECTORY:
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
		return MEND_dir;
	case OBJ_DA_NODE: /* a directory's lie far out in its file, where attributes never reach */
		return place->fileoff.v != NO_FILEOFF && place->fileoff.v >= DIR_INDEX_MIN ? MEND_dir : MEND_attr;
	case OBJ_ATTR_FORK:
	case OBJ_ATTR_LEAF:
	case OBJ_ATTR_REMOTE:
		return MEND_attr;
	case OBJ_SUPERBLOCK: /* in AG 0 it is the primary */
		return place->agno.v ? MEND_sb_copy : MEND_sb;
	case OBJ_AGF:
	case OBJ_AGI:
	case OBJ_AGFL:
		return MEND_ag_header;
	case OBJ_INODE:
	case OBJ_CLUSTER:
		return MEND_inode_core;
	case OBJ_SYMLINK:
		return MEND_symlink;
	case OBJ_QUOTA_USER:
	case OBJ_QUOTA_GROUP:
	case OBJ_QUOTA_PROJECT:
		return MEND_dquot;
	case OBJ_INOBT:
	case OBJ_FINOBT:
		return MEND_ag_inodes;
	case OBJ_BNOBT:
	case OBJ_CNTBT:
	case OBJ_RMAPBT:
	case OBJ_REFCBT:
		return MEND_ag_space;
	default:
		return MEND_NOTHING;
	}
}

/* Whether a finding is about a bmbt block, or about an extent map or blocks that it claims. */
static bool of_extent_map(const struct found *found)
{
	switch (found->place.object) {
	case OBJ_BMBT:
		return true;
	case OBJ_DATA_FORK:
	case OBJ_ATTR_FORK:
		break;
	default:
		return false;
	}
	switch (found->problem.finding) {
	case F_SPACE_CLAIMED_TWICE:
	case F_BTREE_SIBLINGS:
	case F_BTREE_TOO_LARGE:
	case F_BTREE_POINTER:
	case F_BTREE_ORDER:
		return true;
	default:
		return false;
	}
}

static const struct {
	const char *text;
	enum mend_stage stage;
	enum sure sure;
} kinds[MEND_NR] = {
#define x(name, stage, sure, text) [MEND_##name] = { text, STAGE_##stage, SURE_##sure },
	MEND_TABLE(x)
#undef x
};

/* What is wrong decides, or if that does not tell, the object. */
enum mend_kind mend_of(const struct found *found)
{
	enum finding finding = found->problem.finding;
	enum mend_kind kind = rows[finding].kind;

	if (kind == MEND_NOTHING && (of_da_tree(finding) || of_any_block(finding) || of_ag(found->place.object)))
		kind = of_object(&found->place);
	/* findings about who has the log's blocks are for the AG */
	if (found->place.object == OBJ_LOG && kind != MEND_ag_space)
		kind = MEND_log;
	/* a root is wrong, and the tree has to be built anew; other findings about a header are for MEND_ag_header */
	if (finding == F_BTREE_ROOT)
		kind = found->place.object == OBJ_AGI ? MEND_ag_inodes : MEND_ag_space;
	/* a file has blocks that the AG's trees or free list have, too: these get others */
	if (finding == F_SPACE_CLAIMED_TWICE && found->place.object == OBJ_AG)
		kind = MEND_ag_space;
	if (finding == F_INODE_FREE_IN_USE && found->problem.want)
		kind = MEND_inode_core; /* the rest of the inode shows that it is in use: its mode is wrong */
	if (kind == MEND_NOTHING && of_extent_map(found))
		kind = MEND_inode_fork;
	if (finding == F_IO_SHORT && found->place.object != OBJ_DEVICE)
		kind = MEND_NOTHING; /* the realtime device is too short */
	if (kind == MEND_sb && found->place.agno.v)
		kind = MEND_sb_copy;
	if (of_rtgroup(found->place.object) || (kind == MEND_ag_space && found->place.rgno != NO_RGNO))
		kind = MEND_rt_space;
	if (found->place.object == OBJ_RTSB)
		kind = MEND_rtsb;
	return kind;
}

struct mend_place mend_field_of_finding(enum finding finding)
{
	return rows[finding].field;
}

enum mend_stage mend_stage(enum mend_kind kind)
{
	return kinds[kind].stage;
}

const char *mend_text(enum mend_kind kind)
{
	return kinds[kind].text;
}

enum sure mend_sure(enum mend_kind kind)
{
	return kinds[kind].sure;
}
