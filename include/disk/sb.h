/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The superblock on the disk (ondisk 01) and its feature words (ondisk 00,
 * section 4).  Sector 0 of every AG; what follows the struct in the sector is
 * zero.  Field names are the usual ones without their sb_.
 */
#ifndef XFSCK_DISK_SB_H
#define XFSCK_DISK_SB_H

#include <stddef.h>

#include "be.h"

#define SB_MAGIC 0x58465342u /* XFSB */

struct sb_disk {
	be32_t magicnum;
	be32_t blocksize; /* bytes */
	be64_t dblocks;	  /* blocks of the data device */
	be64_t rblocks;	  /* blocks of the realtime section */
	be64_t rextents;
	uint8_t uuid[16];
	be64_t logstart; /* fsbno, 0: external log */
	be64_t rootino;
	be64_t rbmino;
	be64_t rsumino;
	be32_t rextsize; /* blocks */
	be32_t agblocks;
	be32_t agcount;
	be32_t rbmblocks;
	be32_t logblocks;
	be16_t versionnum; /* SB_VERSION_* */
	be16_t sectsize;   /* bytes */
	be16_t inodesize;  /* bytes */
	be16_t inopblock;
	char fname[12];
	uint8_t blocklog;
	uint8_t sectlog;
	uint8_t inodelog;
	uint8_t inopblog;
	uint8_t agblklog;
	uint8_t rextslog;
	uint8_t inprogress;
	uint8_t imax_pct;
	be64_t icount;
	be64_t ifree;
	be64_t fdblocks;
	be64_t frextents;
	be64_t uquotino;
	be64_t gquotino;
	be16_t qflags;
	uint8_t flags;
	uint8_t shared_vn;
	be32_t inoalignmt; /* blocks */
	be32_t unit;	   /* stripe unit, blocks */
	be32_t width;	   /* stripe width, blocks */
	uint8_t dirblklog;
	uint8_t logsectlog;
	be16_t logsectsize; /* bytes */
	be32_t logsunit;    /* bytes, 1: no stripe */
	be32_t features2;   /* SB_FEATURES2_* */
	be32_t bad_features2;
	be32_t features_compat;
	be32_t features_ro_compat;    /* SB_RO_COMPAT_* */
	be32_t features_incompat;     /* SB_INCOMPAT_* */
	be32_t features_log_incompat; /* SB_LOG_INCOMPAT_* */
	le32_t crc;
	be32_t spino_align; /* blocks */
	be64_t pquotino;
	be64_t lsn;
	uint8_t meta_uuid[16]; /* with META_UUID */
	be64_t metadirino;     /* this and the rest: with METADIR */
	be32_t rgcount;
	be32_t rgextents;
	uint8_t rgblklog;
	uint8_t pad[7];
	be64_t rtstart;
	be64_t rtreserved;
};

_Static_assert(sizeof(struct sb_disk) == 304, "superblock");
_Static_assert(offsetof(struct sb_disk, uuid) == 32, "superblock");
_Static_assert(offsetof(struct sb_disk, logstart) == 48, "superblock");
_Static_assert(offsetof(struct sb_disk, rextsize) == 80, "superblock");
_Static_assert(offsetof(struct sb_disk, versionnum) == 100, "superblock");
_Static_assert(offsetof(struct sb_disk, fname) == 108, "superblock");
_Static_assert(offsetof(struct sb_disk, blocklog) == 120, "superblock");
_Static_assert(offsetof(struct sb_disk, icount) == 128, "superblock");
_Static_assert(offsetof(struct sb_disk, uquotino) == 160, "superblock");
_Static_assert(offsetof(struct sb_disk, qflags) == 176, "superblock");
_Static_assert(offsetof(struct sb_disk, inoalignmt) == 180, "superblock");
_Static_assert(offsetof(struct sb_disk, dirblklog) == 192, "superblock");
_Static_assert(offsetof(struct sb_disk, features2) == 200, "superblock");
_Static_assert(offsetof(struct sb_disk, features_compat) == 208, "superblock");
_Static_assert(offsetof(struct sb_disk, crc) == 224, "superblock");
_Static_assert(offsetof(struct sb_disk, pquotino) == 232, "superblock");
_Static_assert(offsetof(struct sb_disk, lsn) == 240, "superblock");
_Static_assert(offsetof(struct sb_disk, meta_uuid) == 248, "superblock");
_Static_assert(offsetof(struct sb_disk, metadirino) == 264, "superblock");
_Static_assert(offsetof(struct sb_disk, rgblklog) == 280, "superblock");
_Static_assert(offsetof(struct sb_disk, rtstart) == 288, "superblock");

/* limits of the format */
#define SB_MIN_SECTOR	   512u
#define SB_MAX_SECTOR	   32768u
#define SB_MIN_BLOCK	   512u
#define SB_MIN_BLOCK_V5	   1024u
#define SB_MAX_BLOCK	   65536u
#define SB_MAX_BLOCK_LOG   16u
#define SB_MIN_INODE	   256u
#define SB_MIN_INODE_V5	   512u
#define SB_MAX_INODE	   2048u
#define SB_MIN_INOPBLOCK   2u
#define SB_MIN_AG_BLOCKS   64u
#define SB_MIN_AG_BYTES	   (1ull << 24)
#define SB_MAX_AG_BYTES	   (1ull << 40)
#define SB_MIN_LOG_BLOCKS  512u
#define SB_MAX_LOG_BLOCKS  (1u << 20)
#define SB_MAX_LOG_BYTES   ((1ull << 31) - (10ull << 20))
#define SB_MAX_LOG_SUNIT   (256u << 10)
#define SB_MAX_WIDTH_BYTES INT32_MAX /* of a stripe: a signed 32-bit number in the kernel */
#define SB_MIN_REXT_BYTES  (4ull << 10)
#define SB_MAX_REXT_BYTES  (1ull << 30)
#define SB_MIN_RGEXTENTS   2u
#define SB_MAX_RGBLOCKS	   ((1u << 31) - 1)

/* bytes of an inode cluster for inodes of this size; in version 5 it grows in proportion to the inode size */
#define SB_CLUSTER_SIZE	      8192u
#define SB_CLUSTER_INODE_SIZE 256u

/* versionnum: the number and the old feature bits */
#define SB_VERSION_NUMBER   0x000fu
#define SB_VERSION_4	    4u
#define SB_VERSION_5	    5u
#define SB_VERSION_ATTR	    0x0010u
#define SB_VERSION_NLINK    0x0020u
#define SB_VERSION_QUOTA    0x0040u
#define SB_VERSION_ALIGN    0x0080u
#define SB_VERSION_DALIGN   0x0100u
#define SB_VERSION_SHARED   0x0200u
#define SB_VERSION_LOGV2    0x0400u
#define SB_VERSION_SECTOR   0x0800u
#define SB_VERSION_EXTFLG   0x1000u
#define SB_VERSION_DIRV2    0x2000u
#define SB_VERSION_BORG	    0x4000u /* names are compared without regard to case */
#define SB_VERSION_MOREBITS 0x8000u

#define SB_FEATURES2_LAZYSBCOUNT 0x002u
#define SB_FEATURES2_ATTR2	 0x008u
#define SB_FEATURES2_PROJID32	 0x080u
#define SB_FEATURES2_CRC	 0x100u
#define SB_FEATURES2_FTYPE	 0x200u

#define SB_RO_COMPAT_FINOBT   0x1u
#define SB_RO_COMPAT_RMAPBT   0x2u
#define SB_RO_COMPAT_REFLINK  0x4u
#define SB_RO_COMPAT_INOBTCNT 0x8u
#define SB_RO_COMPAT_KNOWN    0xfu

#define SB_INCOMPAT_FTYPE	0x001u
#define SB_INCOMPAT_SPINODES	0x002u
#define SB_INCOMPAT_META_UUID	0x004u
#define SB_INCOMPAT_BIGTIME	0x008u
#define SB_INCOMPAT_NEEDSREPAIR 0x010u
#define SB_INCOMPAT_NREXT64	0x020u
#define SB_INCOMPAT_EXCHRANGE	0x040u
#define SB_INCOMPAT_PARENT	0x080u
#define SB_INCOMPAT_METADIR	0x100u
#define SB_INCOMPAT_ZONED	0x200u
#define SB_INCOMPAT_ZONE_GAPS	0x400u
#define SB_INCOMPAT_KNOWN	0x7ffu

#define SB_LOG_INCOMPAT_XATTRS 0x1u
#define SB_LOG_INCOMPAT_KNOWN  0x1u

/* qflags by type of quota (ondisk 10): ACCT: usage is counted; ENFD: limits are enforced; CHKD: counts are right */
#define SB_QFLAG_USER_ACCT    0x001u
#define SB_QFLAG_USER_ENFD    0x002u
#define SB_QFLAG_USER_CHKD    0x004u
#define SB_QFLAG_PROJECT_ACCT 0x008u
#define SB_QFLAG_OTHER_ENFD   0x010u /* version 4: of groups or projects, whichever are counted */
#define SB_QFLAG_OTHER_CHKD   0x020u
#define SB_QFLAG_GROUP_ACCT   0x040u
#define SB_QFLAG_GROUP_ENFD   0x080u
#define SB_QFLAG_GROUP_CHKD   0x100u
#define SB_QFLAG_PROJECT_ENFD 0x200u
#define SB_QFLAG_PROJECT_CHKD 0x400u
/* the bits that are known in each version */
#define SB_QFLAGS_V4 0x007fu
#define SB_QFLAGS_V5 0x07cfu

#endif
