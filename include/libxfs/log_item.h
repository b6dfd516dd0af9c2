/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes transactions in the log (ondisk 11, "Operations in the payload", "Items").  A transaction is a list of items,
 * and an item is a list of regions, the first of which has the type of the item.
 *
 * The decoders read the regions of one item, in the byte order of the machine that wrote them, and check all that can
 * be checked without the rest of the file system: lengths, counts, maps against regions, addresses against the
 * geometry.  False: the item can't be replayed, which is reported (offset: byte in the region, index: number of the
 * region).
 */
#ifndef XFSCK_LIBXFS_LOG_ITEM_H
#define XFSCK_LIBXFS_LOG_ITEM_H

#include "check.h"
#include "disk/log_item.h"

struct log_region {
	const uint8_t *bytes;
	uint32_t len; /* a multiple of 4 */
	uint32_t at;  /* byte of the log where the region begins, for reports */
};

struct log_item {
	enum log_item_type type;
	bool big_endian; /* byte order of its fields, except those in on-disk form */
	uint32_t nregions;
	const struct log_region *regions;
};

/*
 * Decodes the header in the first region of every transaction.  *ret_count: the number of regions after it or, in old
 * kernels, of items.  False: it is no such header, which is not reported.
 */
bool log_transaction_header(const uint8_t *bytes, uint32_t len, bool big_endian, uint32_t *ret_count);

/*
 * The first fields of an item: what it is about, and the flags of buffer items, which decide the order of replay
 * (ondisk 11, "Recovery rules").  Only type and nregions have been checked by anybody; the decoders below check the
 * rest.
 */
#define LOG_ITEM_HEAD_BYTES 24u
struct log_item_head {
	uint64_t at;   /* the sector of a buffer, the number of an inode, AG << 32 | block of an icreate; else 0 */
	uint32_t len;  /* sectors of a buffer, inodes of an icreate; else 0 */
	uint16_t type; /* enum log_item_type, if known */
	uint16_t nregions;
	uint16_t buf_flags; /* LOG_BUF_* of a buffer, and its type << LOG_BUF_TYPE_SHIFT; else 0 */
	bool known;	    /* type is one of enum log_item_type */
};
/* len: bytes of the first region, of which `bytes` is the start, padded with zeros. */
void log_item_head(const uint8_t bytes[LOG_ITEM_HEAD_BYTES], uint64_t len, bool big_endian,
		   struct log_item_head *ret_head);

struct log_buf {
	xdaddr_t daddr; /* 512-byte sector of the data device; for a realtime superblock, of the realtime device */
	uint32_t len;	/* sectors */
	uint16_t flags; /* LOG_BUF_* */
	enum log_buf_type type;
};
bool log_buf_decode(const struct check *c, const struct log_item *item, struct log_buf *ret_buf);
/*
 * Returns the logged ranges of a buffer, one after the other, if log_buf_decode() was true: each is bytes [offset,
 * offset + len) of it.  Initialize *position with { 0 }.  False: there are no more.
 */
struct log_buf_position {
	uint32_t region, bit;
};
struct log_buf_range {
	const uint8_t *bytes;
	uint32_t offset, len;
};
bool log_buf_next(const struct log_item *item, struct log_buf_position *position, struct log_buf_range *ret_range);

struct log_inode {
	xino_t ino;
	xdaddr_t daddr;	 /* of the buffer of the inode cluster */
	uint32_t len;	 /* sectors */
	uint32_t offset; /* byte of the buffer where the inode begins */
	uint32_t fields; /* LOG_INODE_* */
	uint32_t rdev;
	/* the first core_len bytes of the inode in on-disk form, except for next_unlinked, lsn and crc */
	uint32_t core_len; /* 96 or 176; 0: not logged */
	uint8_t core[176];
	/* the forks as logged; btree roots have their in-memory form, see log_root_to_disk() */
	struct log_region data, attr; /* len 0: not logged */
};
bool log_inode_decode(const struct check *c, const struct log_item *item, struct log_inode *ret_inode);
/*
 * Converts the logged root of a bmbt, rtrmapbt or rtrefcountbt to its form in a fork of fork_len bytes, all of which
 * are set.  False: it does not fit or is invalid, which is reported.
 */
bool log_root_to_disk(const struct check *c, const struct log_inode *inode, enum fork fork, uint8_t *root,
		      uint32_t fork_len);

struct log_icreate {
	agno_t agno;
	agbno_t agbno;
	uint32_t count;	 /* inodes */
	uint32_t blocks; /* blocks of these inodes */
	uint32_t gen;
};
bool log_icreate_decode(const struct check *c, const struct log_item *item, struct log_icreate *ret_icreate);

struct log_dquot {
	uint32_t id;
	xdaddr_t daddr;
	uint32_t len;	      /* sectors */
	uint32_t offset;      /* byte of the buffer where the record begins */
	const uint8_t *dquot; /* 104 bytes, as on the disk */
};
bool log_dquot_decode(const struct check *c, const struct log_item *item, struct log_dquot *ret_dquot);

/* Decodes a quotaoff item: no records of these types in the log are replayed.  *ret_types: LOG_BUF_*DQUOT. */
bool log_quotaoff_decode(const struct check *c, const struct log_item *item, uint32_t *ret_types);

/* An intent: EFI, RUI, CUI, BUI, ATTRI, XMI or its realtime form; or the done item that completes it: EFD, RUD ... */
struct log_intent {
	enum log_item_type type;
	bool done;	/* a done item; type is that of its intent */
	uint64_t id;	/* of the intent */
	uint32_t count; /* extents; 0 for done items, 1 for ATTRI and XMI, which have none */
};
bool log_intent_decode(const struct check *c, const struct log_item *item, struct log_intent *ret_intent);
/* Extent `index` < count of an EFI, RUI, CUI or BUI.  In realtime forms, and with BUI_REALTIME, blocks are realtime. */
struct log_intent_extent {
	uint64_t owner;	     /* RUI, BUI: inode; RUI also OWNER_* (libxfs/btree.h) */
	uint64_t startblock; /* block number; it lies, with len, in one group */
	uint64_t startoff;   /* RUI, BUI: block in the fork */
	uint32_t len;
	uint32_t flags; /* the operation in the low byte, and INTENT_* or BUI_* */
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
