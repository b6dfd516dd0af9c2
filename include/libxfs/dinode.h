/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes (ondisk 04). */
#ifndef XFSCK_LIBXFS_DINODE_H
#define XFSCK_LIBXFS_DINODE_H

#include "check.h"
#include "disk/inode.h"
#include "libxfs/bmap.h"

/* file types in directory entries: ondisk 06 */
enum ftype {
	FT_UNKNOWN,
	FT_REG,
	FT_DIR,
	FT_CHR,
	FT_BLK,
	FT_FIFO,
	FT_SOCK,
	FT_SYMLINK,
	FT_WHITEOUT,
	FT_NR,
};

enum fork_format {
	FMT_DEV, /* no contents to decode */
	FMT_LOCAL,
	FMT_EXTENTS,
	FMT_BTREE,
	FMT_META_BTREE, /* root of a BT_RTRMAP or BT_RTREFC tree, not an extent map */
};

struct dinode {
	xino_t ino;
	const struct dinode_disk *disk; /* in the decoded buffer */
	uint16_t mode;
	enum ftype ftype; /* of mode; FT_UNKNOWN: no valid type */
	uint8_t version;
	uint32_t nlink;
	uint32_t gen;
	uint32_t uid, gid, projid;
	uint64_t size; /* bytes */
	uint64_t nblocks;
	uint16_t flags;
	uint64_t flags2;
	bool reflink;
	bool metadata;		 /* belongs to the metadata directory tree */
	uint16_t metatype;	 /* METAFILE_*, if metadata */
	bool realtime;		 /* its data is in the realtime section */
	uint16_t rtfile;	 /* METAFILE_RTBITMAP to METAFILE_RTREFCOUNT, in either form of the section; 0: none */
	uint32_t rgno;		 /* the realtime group that rtfile belongs to */
	uint32_t rt_used_blocks; /* ZONED, METAFILE_RTRMAP: blocks in use in the group */
	agino_t next_unlinked;
	struct dinode_fork {
		bool present; /* false: no attribute fork */
		bool ok;      /* format, size and place are valid: contents can be decoded */
		enum fork_format format;
		const uint8_t *bytes; /* in the decoded buffer */
		uint32_t size;	      /* bytes */
		uint64_t nextents;
		struct bmap_rules rules;
	} fork[2]; /* DATA_FORK, ATTR_FORK */
};

/* Size of the core in bytes: the forks follow (ondisk 04). */
static inline uint32_t dinode_core_size(const struct geometry *geo)
{
	return geo->crc ? (uint32_t)sizeof(struct dinode_disk) : DINODE_SIZE_V4;
}

/* The first block offset that no fork can have; directories and symlinks end earlier (ondisk 05). */
uint64_t dinode_fork_end(const struct geometry *geo, enum fork fork);

/*
 * Checks the core of the inode in inode_size bytes.  allocated: in use according to the inobt.  *ret_inode is filled
 * whenever true is returned; fork[].ok says whether a fork can be decoded.  False: it has no inode magic, or it is
 * free; free inodes are checked as such (ondisk 03, 04).  An inode that is free in the inobt counts as free, whatever
 * its mode.  One that is in use there, but has mode 0, is reported as INODE_FREE_IN_USE; if its other fields look used
 * (`want` is 1), it is decoded nevertheless.
 */
bool dinode_decode(const struct check *c, const void *bytes, xino_t ino, bool allocated, struct dinode *ret_inode);

/* Converts a stored timestamp to seconds since 1970.  bigtime: the inode's flag (ondisk 04). */
static inline int64_t dinode_seconds(uint64_t time, bool bigtime)
{
	return bigtime ? (int64_t)(time / NSEC_PER_SEC) - (INT64_C(1) << 31) : (int32_t)(time >> 32);
}

/*
 * Frees an inode in place, as the kernel does (ondisk 04, "Free inodes"): clears its contents and increments its
 * generation.  bytes: inode_size of them.
 */
void dinode_set_free(const struct geometry *geo, uint8_t *bytes);

/* The type that an inode must have because the superblock names it (ondisk 01, invariant 8); FT_UNKNOWN: any. */
enum ftype dinode_internal_type(const struct geometry *g, xino_t ino);
/* The type of a mode; FT_UNKNOWN: invalid. */
enum ftype dinode_type_of(uint16_t mode);
/* True if the superblock names the inode as an internal file; false for the root directory of the users. */
bool dinode_is_internal(const struct geometry *g, xino_t ino);
/* True if it is a regular file of a user, not an internal one. */
bool dinode_is_users_file(const struct geometry *g, const struct dinode *inode);

#endif
