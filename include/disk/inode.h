/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode as it lies on the disk: ondisk 04. The forks fill the rest of its inode_size bytes. */
#ifndef XFSCK_DISK_INODE_H
#define XFSCK_DISK_INODE_H

#include <stddef.h>

#include "be.h"

#define DINODE_MAGIC 0x494e /* IN */

/* version: 3 in file systems of version 5; else 2, or 1 if it was last written before version 2 came */
#define DINODE_VERSION_1 1
#define DINODE_VERSION_2 2
#define DINODE_VERSION	 3

/* mode: the type, and the permissions of owner, group and others */
#define MODE_TYPE    0xf000u
#define MODE_FIFO    0x1000u
#define MODE_CHR     0x2000u
#define MODE_DIR     0x4000u
#define MODE_BLK     0x6000u
#define MODE_REG     0x8000u
#define MODE_SYMLINK 0xa000u
#define MODE_SOCK    0xc000u
#define MODE_ACCESS  0777u

/* format, aformat */
#define DINODE_FMT_DEV	      0
#define DINODE_FMT_LOCAL      1
#define DINODE_FMT_EXTENTS    2
#define DINODE_FMT_BTREE      3
#define DINODE_FMT_META_BTREE 5 /* realtime rmap and refcount trees */

/* flags */
#define DIFLAG_REALTIME	    0x0001u
#define DIFLAG_PREALLOC	    0x0002u
#define DIFLAG_NEWRTBM	    0x0004u
#define DIFLAG_IMMUTABLE    0x0008u
#define DIFLAG_APPEND	    0x0010u
#define DIFLAG_SYNC	    0x0020u
#define DIFLAG_NOATIME	    0x0040u
#define DIFLAG_NODUMP	    0x0080u
#define DIFLAG_RTINHERIT    0x0100u
#define DIFLAG_PROJINHERIT  0x0200u
#define DIFLAG_NOSYMLINKS   0x0400u
#define DIFLAG_EXTSIZE	    0x0800u
#define DIFLAG_EXTSZINHERIT 0x1000u
#define DIFLAG_NODEFRAG	    0x2000u
#define DIFLAG_FILESTREAM   0x4000u
#define DIFLAG_RESERVED	    0x8000u

/* flags of all metadata files; metadata directories have NOSYMLINKS as well */
#define DINODE_METAFILE_FLAGS (DIFLAG_IMMUTABLE | DIFLAG_SYNC | DIFLAG_NOATIME | DIFLAG_NODUMP | DIFLAG_NODEFRAG)

/* flags2 */
#define DIFLAG2_DAX	   0x01u
#define DIFLAG2_REFLINK	   0x02u
#define DIFLAG2_COWEXTSIZE 0x04u
#define DIFLAG2_BIGTIME	   0x08u
#define DIFLAG2_NREXT64	   0x10u
#define DIFLAG2_METADATA   0x20u
#define DIFLAG2_ALL	   0x3fu

/* metatype */
#define METAFILE_DIR	       1
#define METAFILE_USER_QUOTA    2
#define METAFILE_GROUP_QUOTA   3
#define METAFILE_PROJECT_QUOTA 4
#define METAFILE_RTBITMAP      5 /* this and the following: projid is the number of the realtime group */
#define METAFILE_RTSUMMARY     6
#define METAFILE_RTRMAP	       7
#define METAFILE_RTREFCOUNT    8

#define DINODE_NLINK_MAX    INT32_MAX
#define DINODE_NLINK_PINNED UINT32_MAX /* the count was too large once, and is never changed again */

/* the most extents of a fork; the second pair is for inodes with NREXT64 */
#define DINODE_MAX_NEXTENTS	   INT32_MAX
#define DINODE_MAX_ANEXTENTS	   INT16_MAX
#define DINODE_MAX_NEXTENTS_LARGE  ((1ull << 48) - 1)
#define DINODE_MAX_ANEXTENTS_LARGE UINT32_MAX

/* timestamps: seconds and nanoseconds, or with BIGTIME nanoseconds since 1901, up to 2486 */
#define NSEC_PER_SEC 1000000000u
#define BIGTIME_END  (18446744073ull * NSEC_PER_SEC)

#define DINODE_SIZE_V4	      100u
#define DINODE_FLUSHITER_MASK 0xffffull /* versions 1 and 2: the bits of large_nextents that count flushes */

struct dinode_disk {
	be16_t magic;
	be16_t mode;
	uint8_t version;
	uint8_t format;
	be16_t metatype; /* of a metadata file, else 0; version 1: the link count */
	be32_t uid;
	be32_t gid;
	be32_t nlink;
	be16_t projid_lo;
	be16_t projid_hi;
	be64_t large_nextents; /* with NREXT64, else 0; versions 1 and 2: six bytes of 0 and the flush counter */
	be64_t times[3];       /* last access, modification, change */
	be64_t size;
	be64_t nblocks;
	be32_t extsize;
	be32_t nextents;  /* with NREXT64: extents of the attribute fork */
	be16_t anextents; /* with NREXT64: 0 */
	uint8_t forkoff;
	uint8_t aformat;
	be32_t dmevmask;
	be16_t dmstate;
	be16_t flags;
	be32_t gen;
	be32_t next_unlinked;
	le32_t crc; /* this and the rest: only in version 3; in versions 1 and 2 the forks begin here */
	be64_t changecount;
	be64_t lsn;
	be64_t flags2;
	be32_t cowextsize;
	be32_t pad2[3];
	be64_t crtime;
	be64_t ino;
	uint8_t uuid[16];
};
_Static_assert(sizeof(struct dinode_disk) == 176, "dinode");
_Static_assert(offsetof(struct dinode_disk, format) == 5, "dinode");
_Static_assert(offsetof(struct dinode_disk, metatype) == 6, "dinode");
_Static_assert(offsetof(struct dinode_disk, nlink) == 16, "dinode");
_Static_assert(offsetof(struct dinode_disk, large_nextents) == 24, "dinode");
_Static_assert(offsetof(struct dinode_disk, times) == 32, "dinode");
_Static_assert(offsetof(struct dinode_disk, size) == 56, "dinode");
_Static_assert(offsetof(struct dinode_disk, nblocks) == 64, "dinode");
_Static_assert(offsetof(struct dinode_disk, extsize) == 72, "dinode");
_Static_assert(offsetof(struct dinode_disk, nextents) == 76, "dinode");
_Static_assert(offsetof(struct dinode_disk, anextents) == 80, "dinode");
_Static_assert(offsetof(struct dinode_disk, forkoff) == 82, "dinode");
_Static_assert(offsetof(struct dinode_disk, aformat) == 83, "dinode");
_Static_assert(offsetof(struct dinode_disk, flags) == 90, "dinode");
_Static_assert(offsetof(struct dinode_disk, gen) == 92, "dinode");
_Static_assert(offsetof(struct dinode_disk, next_unlinked) == 96, "dinode");
_Static_assert(offsetof(struct dinode_disk, crc) == DINODE_SIZE_V4, "dinode");
_Static_assert(offsetof(struct dinode_disk, lsn) == 112, "dinode");
_Static_assert(offsetof(struct dinode_disk, flags2) == 120, "dinode");
_Static_assert(offsetof(struct dinode_disk, cowextsize) == 128, "dinode");
_Static_assert(offsetof(struct dinode_disk, crtime) == 144, "dinode");
_Static_assert(offsetof(struct dinode_disk, ino) == 152, "dinode");
_Static_assert(offsetof(struct dinode_disk, uuid) == 160, "dinode");

#endif
