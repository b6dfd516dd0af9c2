/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types, flags and limits of operations and items in the log (ondisk 11, "Items").  Items are in the byte order of the
 * machine that wrote the log, so there are no structs for them: libxfs/log_item.h reads them field by field.
 */
#ifndef XFSCK_DISK_LOG_ITEM_H
#define XFSCK_DISK_LOG_ITEM_H

/* operations of transactions: their clientid, and their flags */
#define LOG_CLIENT_TRANSACTION 0x69u
#define LOG_OP_START	       0x01u
#define LOG_OP_COMMIT	       0x02u
#define LOG_OP_CONTINUE	       0x04u
#define LOG_OP_WAS_CONT	       0x08u
#define LOG_OP_END	       0x10u

/* the first region of a transaction */
#define LOG_TRANSACTION_MAGIC 0x5452414eu
#define LOG_TRANSACTION_BYTES 16u

/* The first region of inode items of 32-bit machines, which lacks 4 bytes of padding. */
#define LOG_INODE_BYTES_32 52u

#define LOG_REGIONS_MAX 257u	    /* of an item: the first, and one for every second chunk of the largest block */
#define LOG_REGION_MAX	(64u << 10) /* bytes: the largest block, or attribute value */

enum log_item_type {
	LI_EFI = 0x1236,
	LI_EFD = 0x1237,
	LI_IUNLINK = 0x1238, /* not written any more; there is nothing to replay */
	LI_INODE = 0x123b,
	LI_BUF = 0x123c,
	LI_DQUOT = 0x123d,
	LI_QUOTAOFF = 0x123e,
	LI_ICREATE = 0x123f,
	LI_RUI = 0x1240,
	LI_RUD = 0x1241,
	LI_CUI = 0x1242,
	LI_CUD = 0x1243,
	LI_BUI = 0x1244,
	LI_BUD = 0x1245,
	LI_ATTRI = 0x1246,
	LI_ATTRD = 0x1247,
	LI_XMI = 0x1248,
	LI_XMD = 0x1249,
	LI_EFI_RT = 0x124a,
	LI_EFD_RT = 0x124b,
	LI_RUI_RT = 0x124c,
	LI_RUD_RT = 0x124d,
	LI_CUI_RT = 0x124e,
	LI_CUD_RT = 0x124f,
};

/* flags of a buffer item */
#define LOG_BUF_INODE	   0x0001u /* a buffer of inodes, of which only next_unlinked is replayed */
#define LOG_BUF_CANCEL	   0x0002u /* the blocks were freed: contents logged before are not replayed */
#define LOG_BUF_UDQUOT	   0x0004u
#define LOG_BUF_PDQUOT	   0x0008u
#define LOG_BUF_GDQUOT	   0x0010u
#define LOG_BUF_TYPE_SHIFT 11
#define LOG_BUF_CHUNK	   128u /* bytes per bit of the map */

enum log_buf_type {
	LB_UNKNOWN,
	LB_UDQUOT,
	LB_PDQUOT,
	LB_GDQUOT,
	LB_BTREE,
	LB_AGF,
	LB_AGFL,
	LB_AGI,
	LB_DINODE,
	LB_SYMLINK,
	LB_DIR_BLOCK,
	LB_DIR_DATA,
	LB_DIR_FREE,
	LB_DIR_LEAF1,
	LB_DIR_LEAFN,
	LB_DA_NODE,
	LB_ATTR_LEAF,
	LB_ATTR_REMOTE,
	LB_SUPERBLOCK,
	LB_RTBITMAP,
	LB_RTSUMMARY,
	LB_TYPES,
};

/* fields of an inode item */
#define LOG_INODE_CORE	 0x001u
#define LOG_INODE_DDATA	 0x002u
#define LOG_INODE_DEXT	 0x004u
#define LOG_INODE_DBROOT 0x008u
#define LOG_INODE_DEV	 0x010u
#define LOG_INODE_UUID	 0x020u
#define LOG_INODE_ADATA	 0x040u
#define LOG_INODE_AEXT	 0x080u
#define LOG_INODE_ABROOT 0x100u
#define LOG_INODE_DOWNER 0x200u
#define LOG_INODE_AOWNER 0x400u

/* flags of intents: the operation, in the low byte, ... */
enum log_rmap_intent {
	RUI_MAP = 1,
	RUI_MAP_SHARED,
	RUI_UNMAP,
	RUI_UNMAP_SHARED,
	RUI_CONVERT,
	RUI_CONVERT_SHARED,
	RUI_ALLOC,
	RUI_FREE,
};
enum log_refcount_intent {
	CUI_INCREASE = 1,
	CUI_DECREASE,
	CUI_ALLOC_COW,
	CUI_FREE_COW,
};
enum log_bmap_intent {
	BUI_MAP = 1,
	BUI_UNMAP,
};
enum log_attr_intent {
	ATTRI_SET = 1,
	ATTRI_REMOVE,
	ATTRI_REPLACE,
	ATTRI_PPTR_SET,
	ATTRI_PPTR_REMOVE,
	ATTRI_PPTR_REPLACE,
};
/* ... and the others */
#define INTENT_ATTR_FORK (1u << 31)
#define INTENT_BMBT	 (1u << 30) /* of RUI */
#define INTENT_UNWRITTEN (1u << 29) /* of RUI */
#define BUI_UNWRITTEN	 (1u << 30)
#define BUI_REALTIME	 (1u << 29)

#endif
