/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes (ondisk 04). */
#ifndef XFSCK_LIBXFS_DINODE_H
#define XFSCK_LIBXFS_DINODE_H

#include "check.h"
#include "disk/inode.h"
#include "libxfs/bmap.h"

/* file types as directory entries name them: ondisk 06 */
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
	const struct dinode_disk *disk; /* in the buffer that was decoded */
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
	uint16_t metatype;	 /* METAFILE_*, if it does */
	bool realtime;		 /* its data lies in the realtime section */
	uint16_t rtfile;	 /* METAFILE_RTBITMAP to METAFILE_RTREFCOUNT, in either form of the section; 0: none */
	uint32_t rgno;		 /* the realtime group that rtfile belongs to */
	uint32_t rt_used_blocks; /* ZONED, METAFILE_RTRMAP: blocks in use in the group */
	agino_t next_unlinked;
	struct dinode_fork {
		bool present; /* the attribute fork may be absent */
		bool ok;      /* format, size and place are sound: contents can be decoded */
		enum fork_format format;
		const uint8_t *bytes; /* in the buffer that was decoded */
		uint32_t size;	      /* bytes */
		uint64_t nextents;
		struct bmap_rules rules;
	} fork[2]; /* DATA_FORK, ATTR_FORK */
};

/* Bytes of the core: the forks follow (ondisk 04). */
static inline uint32_t dinode_core_size(const struct geometry *geo)
{
	return geo->crc ? (uint32_t)sizeof(struct dinode_disk) : DINODE_SIZE_V4;
}

/* The first block offset that lies behind all that a fork can have; directories and symlinks end earlier (ondisk 05).
 */
uint64_t dinode_fork_end(const struct geometry *geo, enum fork fork);

/*
 * Check the core of the inode in inode_size bytes at `bytes`.  allocated: the inobt says it is in use.
 * *ret_inode is filled whenever true is returned; fork[].ok says whether a fork can be decoded.  False: it is no
 * inode by its magic, or it is free; free inodes are checked as such (ondisk 03, 04).  An inode that is free in the
 * inobt is taken to be free, whatever its mode.  One that is in use there, but has mode 0, is reported as
 * INODE_FREE_IN_USE; if its other fields look used, which `want` 1 says, it is decoded all the same.
 */
bool dinode_decode(const struct check *c, const void *bytes, xino_t ino, bool allocated, struct dinode *ret_inode);

/* A time stamp as it is stored, in seconds since 1970. bigtime: the inode's flag, which says how (ondisk 04). */
static inline int64_t dinode_seconds(uint64_t time, bool bigtime)
{
	return bigtime ? (int64_t)(time / NSEC_PER_SEC) - (INT64_C(1) << 31) : (int32_t)(time >> 32);
}

/*
 * Free an inode in place, as the kernel does (ondisk 04, "Free inodes"): clear what it holds and increment its
 * generation.  bytes: inode_size of them.
 */
void dinode_set_free(const struct geometry *geo, uint8_t *bytes);

/* The type that an inode must have because the superblock names it (ondisk 01, invariant 8); FT_UNKNOWN: any. */
enum ftype dinode_internal_type(const struct geometry *g, xino_t ino);
/* The type of a mode; FT_UNKNOWN: it has no valid one. */
enum ftype dinode_type_of(uint16_t mode);
/* True if the superblock names the inode as one of its own files, and not as the users' root. */
bool dinode_is_internal(const struct geometry *g, xino_t ino);
/* Whether an inode is a regular file of a user, and none of the file system's own. */
bool dinode_is_users_file(const struct geometry *g, const struct dinode *inode);

#endif
