/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a transaction in the log says (ondisk 11, "Operations in the payload", "Items").  A transaction is a list of
 * items, an item a list of regions; the first region says what the item is.  These read the regions of one
 * item, in the byte order of the machine that wrote them, and check all that can be checked without the rest of the
 * file system: lengths, counts, maps against regions, addresses against the geometry.
 * False: the item can't be replayed; why has been reported (offset: bytes in the region, index: number of the region).
 */
#ifndef XFSCK_LIBXFS_LOG_ITEM_H
#define XFSCK_LIBXFS_LOG_ITEM_H

#include "check.h"
#include "disk/log_item.h"

struct log_region {
	const uint8_t *bytes;
	uint32_t len; /* a multiple of 4 */
	uint32_t at;  /* byte of the log where it begins, for reports */
};

struct log_item {
	enum log_item_type type;
	bool big_endian; /* what is not raw metadata in it */
	uint32_t nregions;
	const struct log_region *regions;
};

/*
 * What every transaction begins with, 16 bytes in the first region: *ret_count items, or regions behind this one in
 * those of today.  False: it is none (not reported).
 */
bool log_transaction_header(const uint8_t *bytes, uint32_t len, bool big_endian, uint32_t *ret_count);

/* What every item begins with, and what of it decides about the order of recovery (ondisk 11, "Recovery rules"). */
#define LOG_ITEM_HEAD_BYTES 8u
struct log_item_head {
	uint16_t type; /* enum log_item_type, if known */
	uint16_t nregions;
	uint16_t buf_flags; /* LOG_BUF_* of a buffer, else 0 */
	bool known;
};
void log_item_head(const uint8_t bytes[LOG_ITEM_HEAD_BYTES], bool big_endian, struct log_item_head *ret_head);

struct log_buf {
	xdaddr_t daddr; /* 512-byte sector of the data device; a realtime superblock: of the realtime device */
	uint32_t len;	/* sectors */
	uint16_t flags; /* LOG_BUF_* */
	enum log_buf_type type;
};
bool log_buf_decode(const struct check *c, const struct log_item *item, struct log_buf *ret_buf);
/*
 * The pieces that were logged, after log_buf_decode() was true: bytes [offset, offset + len) of the buffer.  *position
 * starts as { 0 }. False: there are no more.
 */
struct log_buf_position {
	uint32_t region, bit;
};
struct log_buf_piece {
	const uint8_t *bytes;
	uint32_t offset, len;
};
bool log_buf_next(const struct log_item *item, struct log_buf_position *position, struct log_buf_piece *ret_piece);

struct log_inode {
	xino_t ino;
	xdaddr_t daddr;	 /* of the cluster's buffer */
	uint32_t len;	 /* sectors */
	uint32_t offset; /* bytes of the inode in it */
	uint32_t fields; /* LOG_INODE_* */
	uint32_t rdev;
	/* the inode as it is to be on the disk but for next_unlinked, lsn and crc: big-endian, core_len bytes */
	uint32_t core_len; /* 96 or 176; 0: not logged */
	uint8_t core[176];
	/* as logged; of LOG_INODE_DBROOT the form in memory: log_root_to_disk() */
	struct log_region data, attr; /* len 0: not logged */
};
bool log_inode_decode(const struct check *c, const struct log_item *item, struct log_inode *ret_inode);
/*
 * Turn a logged root of an extent map btree (or of a btree of a metadata file, whose records have another size) into
 * the form in the fork, of fork_len bytes, which are all set.  False: it does not fit or can't be (reported).
 */
bool log_root_to_disk(const struct check *c, const struct log_inode *inode, enum fork fork, uint8_t *root,
		      uint32_t fork_len);

struct log_icreate {
	agno_t agno;
	agbno_t agbno;
	uint32_t count;	 /* inodes */
	uint32_t blocks; /* of the file system */
	uint32_t gen;
};
bool log_icreate_decode(const struct check *c, const struct log_item *item, struct log_icreate *ret_icreate);

struct log_dquot {
	uint32_t id;
	xdaddr_t daddr;
	uint32_t len;	      /* sectors */
	uint32_t offset;      /* bytes in the buffer */
	const uint8_t *dquot; /* 104 bytes, as on the disk */
};
bool log_dquot_decode(const struct check *c, const struct log_item *item, struct log_dquot *ret_dquot);

/* Quota was turned off while it was being logged: the types whose records are not replayed, as LOG_BUF_*DQUOT. */
bool log_quotaoff_decode(const struct check *c, const struct log_item *item, uint32_t *ret_types);

/* EFI, RUI, CUI, BUI, ATTRI, XMI, and those of the realtime section; and the items that say that they are done. */
struct log_intent {
	enum log_item_type type;
	bool done;	/* an EFD, RUD ...; type is that of the intent it ends */
	uint64_t id;	/* of the intent */
	uint32_t count; /* extents; 0 if done, 1 of ATTRI and XMI */
};
bool log_intent_decode(const struct check *c, const struct log_item *item, struct log_intent *ret_intent);
/* One of its extents, 0 <= index < count, of EFI, RUI, CUI, BUI; their realtime forms count realtime blocks. */
struct log_intent_extent {
	uint64_t owner;	     /* of RUI and BUI: inode or OWNER_* */
	uint64_t startblock; /* fsblock, checked to lie with len in one group */
	uint64_t startoff;   /* of RUI and BUI: in the fork */
	uint32_t len;
	uint32_t flags; /* what is to be done in the low byte, INTENT_* or BUI_* */
};
bool log_intent_extent(const struct check *c, const struct log_item *item, uint32_t index,
		       struct log_intent_extent *ret_extent);

struct log_attri {
	xino_t ino;
	uint32_t igen;
	enum log_attr_intent op;
	uint32_t filter;				    /* namespace bits of the attribute */
	struct log_region name, new_name, value, new_value; /* trimmed to their true lengths */
};
bool log_attri_decode(const struct check *c, const struct log_item *item, struct log_attri *ret_attri);

struct log_xmi {
	xino_t ino1, ino2;
	uint32_t igen1, igen2;
	fileoff_t startoff1, startoff2;
	uint64_t blockcount;
	uint64_t flags;
	uint64_t isize1, isize2;
};
bool log_xmi_decode(const struct check *c, const struct log_item *item, struct log_xmi *ret_xmi);

#endif
