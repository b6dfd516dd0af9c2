/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories: ondisk 06. */
#ifndef XFSCK_DISK_DIR_H
#define XFSCK_DISK_DIR_H

#include "disk/da.h"

#define DIR_MAGIC_BLOCK 0x58444233u /* XDB3 */
#define DIR_MAGIC_DATA	0x58444433u /* XDD3 */
#define DIR_MAGIC_FREE	0x58444633u /* XDF3 */

#define DIR_MAGIC_BLOCK_V4 0x58443242u /* XD2B */
#define DIR_MAGIC_DATA_V4  0x58443244u /* XD2D */
#define DIR_MAGIC_FREE_V4  0x58443246u /* XD2F */

/* where the three spaces of a directory start, in bytes of its data fork; the data space starts at 0 */
#define DIR_LEAF_OFFSET (1ull << 35)
#define DIR_FREE_OFFSET (1ull << 36)

#define DIR_FREETAG   0xffff /* a region is free: no inode number begins with this */
#define DIR_NULL_BEST 0xffff /* in bests[]: this data block does not exist */

/* header of data, block and free index blocks */
struct dir_blkhdr_disk {
	be32_t magic;
	le32_t crc; /* this and the rest: not in version 4 */
	be64_t blkno;
	be64_t lsn;
	uint8_t uuid[16];
	be64_t owner;
};
_Static_assert(sizeof(struct dir_blkhdr_disk) == 48, "dir blkhdr");
_Static_assert(offsetof(struct dir_blkhdr_disk, crc) == 4, "dir blkhdr");
_Static_assert(offsetof(struct dir_blkhdr_disk, blkno) == 8, "dir blkhdr");
_Static_assert(offsetof(struct dir_blkhdr_disk, lsn) == 16, "dir blkhdr");
_Static_assert(offsetof(struct dir_blkhdr_disk, uuid) == 24, "dir blkhdr");
_Static_assert(offsetof(struct dir_blkhdr_disk, owner) == 40, "dir blkhdr");

#define DIR_BLKHDR_SIZE_V4 4u
_Static_assert(offsetof(struct dir_blkhdr_disk, crc) == DIR_BLKHDR_SIZE_V4, "dir blkhdr");

#define DIR_BESTFREES 3

struct dir_bestfree_disk {
	be16_t offset; /* bytes in the block */
	be16_t length; /* bytes, 0: none */
};
_Static_assert(sizeof(struct dir_bestfree_disk) == 4, "dir bestfree");
_Static_assert(DIR_BLKHDR_SIZE_V4 + DIR_BESTFREES * sizeof(struct dir_bestfree_disk) == DA_HEADER_SIZE_V4,
	       "dir data header");

struct dir_data_header_disk {
	struct dir_blkhdr_disk hdr;
	struct dir_bestfree_disk bestfree[DIR_BESTFREES];
	be32_t pad;
};
_Static_assert(sizeof(struct dir_data_header_disk) == DA_HEADER_SIZE, "dir data header");
_Static_assert(offsetof(struct dir_data_header_disk, bestfree) == 48, "dir data header");

/* Entries and free regions end with a be16 tag: their own offset in the block. */
#define DIR_ALIGN    8u
#define DIR_TAG_SIZE 2u
/* the smallest entry; also the size of those of `.` and `..` */
#define DIR_ENTRY_MIN 16u

struct dir_entry_disk {
	be64_t inumber;
	uint8_t namelen;
	uint8_t name[]; /* then the file type, if the file system has that, padding, and the tag */
};
_Static_assert(offsetof(struct dir_entry_disk, namelen) == 8, "dir entry");
_Static_assert(offsetof(struct dir_entry_disk, name) == 9, "dir entry");

struct dir_unused_disk {
	be16_t freetag;
	be16_t length; /* bytes, tag included */
};
_Static_assert(sizeof(struct dir_unused_disk) == 4, "dir unused");

struct dir_leaf_entry_disk {
	be32_t hashval;
	be32_t address; /* byte offset in the data space / 8, 0: stale */
};
_Static_assert(sizeof(struct dir_leaf_entry_disk) == 8, "dir leaf entry");
_Static_assert(offsetof(struct dir_leaf_entry_disk, address) == 4, "dir leaf entry");

/* the end of a block-format block; its leaf entries lie right before */
struct dir_block_tail_disk {
	be32_t count; /* of leaf entries, stale ones included */
	be32_t stale;
};
_Static_assert(sizeof(struct dir_block_tail_disk) == 8, "dir block tail");

/* after the blkinfo of either size */
struct dir_leaf_counts_disk {
	be16_t count; /* stale entries included */
	be16_t stale;
};
_Static_assert(DA_BLKINFO_SIZE_V4 + sizeof(struct dir_leaf_counts_disk) == DA_HEADER_SIZE_V4, "dir leaf header");

struct dir_leaf_header_disk {
	struct da_blkinfo_disk info;
	struct dir_leaf_counts_disk n;
	be32_t pad;
};
_Static_assert(sizeof(struct dir_leaf_header_disk) == DA_HEADER_SIZE, "dir leaf header");
_Static_assert(offsetof(struct dir_leaf_header_disk, n.count) == 56, "dir leaf header");
_Static_assert(offsetof(struct dir_leaf_header_disk, n.stale) == 58, "dir leaf header");

/* the end of a leaf1 block; bests[] lie right before */
struct dir_leaf_tail_disk {
	be32_t bestcount;
};
_Static_assert(sizeof(struct dir_leaf_tail_disk) == 4, "dir leaf tail");

/* after the blkhdr of either size */
struct dir_free_range_disk {
	be32_t firstdb; /* number of the data block that the first slot of bests[] is about */
	be32_t nvalid;	/* slots of bests[] */
	be32_t nused;	/* of these, slots of data blocks that exist */
};
_Static_assert(DIR_BLKHDR_SIZE_V4 + sizeof(struct dir_free_range_disk) == DA_HEADER_SIZE_V4, "dir free header");

struct dir_free_header_disk {
	struct dir_blkhdr_disk hdr;
	struct dir_free_range_disk range;
	be32_t pad;
};
_Static_assert(sizeof(struct dir_free_header_disk) == DA_HEADER_SIZE, "dir free header");
_Static_assert(offsetof(struct dir_free_header_disk, range.firstdb) == 48, "dir free header");
_Static_assert(offsetof(struct dir_free_header_disk, range.nvalid) == 52, "dir free header");
_Static_assert(offsetof(struct dir_free_header_disk, range.nused) == 56, "dir free header");

/* shortform: the parent's inode number follows, in 4 bytes, or in 8 if i8count is not 0 */
struct dir_sf_header_disk {
	uint8_t count;	 /* entries, without `.` and `..` */
	uint8_t i8count; /* inode numbers above 32 bits, the parent's included */
};
_Static_assert(sizeof(struct dir_sf_header_disk) == 2, "dir sf header");

struct dir_sf_entry_disk {
	uint8_t namelen;
	be16_t offset;	/* bytes: where the entry lies once the directory has block format */
	uint8_t name[]; /* then the file type, if the file system has that, and the inode number */
};
_Static_assert(offsetof(struct dir_sf_entry_disk, offset) == 1, "dir sf entry");
_Static_assert(offsetof(struct dir_sf_entry_disk, name) == 3, "dir sf entry");

#endif
