/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record of a quota file as it lies on the disk: ondisk 10. Each block holds as many as fit, the rest is unused. */
#ifndef XFSCK_DISK_DQUOT_H
#define XFSCK_DISK_DQUOT_H

#include <stddef.h>

#include "be.h"

#define DQUOT_MAGIC   0x4451 /* DQ */
#define DQUOT_VERSION 1

/* type: one of these, ... */
#define DQUOT_TYPE_USER	   0x01u
#define DQUOT_TYPE_PROJECT 0x02u
#define DQUOT_TYPE_GROUP   0x04u
#define DQUOT_TYPE_ANY	   0x07u
/* ... and, except for id 0, whose "timers" are grace periods, this flag: timers count units of four seconds */
#define DQUOT_BIGTIME	  0x80u
#define DQUOT_BIGTIME_END 4074815107u /* in these units: the first time that is out of range */

/* bytes of a record that are logged: those before fill, checksum, LSN and uuid (ondisk 11, "DQUOT") */
#define DQUOT_LOGGED_SIZE 104u

struct dquot_disk {
	be16_t magic;
	uint8_t version;
	uint8_t type;
	be32_t id;
	be64_t blk_hardlimit; /* blocks */
	be64_t blk_softlimit;
	be64_t ino_hardlimit;
	be64_t ino_softlimit;
	be64_t bcount;
	be64_t icount;
	be32_t itimer; /* 0: not running */
	be32_t btimer;
	be16_t iwarns;
	be16_t bwarns;
	be32_t pad0;
	be64_t rtb_hardlimit;
	be64_t rtb_softlimit;
	be64_t rtbcount;
	be32_t rtbtimer;
	be16_t rtbwarns;
	be16_t pad;
	be32_t fill;
	le32_t crc; /* of this record; this and the rest are zero in version 4 */
	be64_t lsn;
	uint8_t uuid[16];
};
_Static_assert(sizeof(struct dquot_disk) == 136, "dquot");
_Static_assert(offsetof(struct dquot_disk, id) == 4, "dquot");
_Static_assert(offsetof(struct dquot_disk, bcount) == 40, "dquot");
_Static_assert(offsetof(struct dquot_disk, itimer) == 56, "dquot");
_Static_assert(offsetof(struct dquot_disk, pad0) == 68, "dquot");
_Static_assert(offsetof(struct dquot_disk, rtbcount) == 88, "dquot");
_Static_assert(offsetof(struct dquot_disk, pad) == 102, "dquot");
_Static_assert(offsetof(struct dquot_disk, crc) == 108, "dquot");
_Static_assert(offsetof(struct dquot_disk, lsn) == 112, "dquot");
_Static_assert(offsetof(struct dquot_disk, uuid) == 120, "dquot");

#endif
