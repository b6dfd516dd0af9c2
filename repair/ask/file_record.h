/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an inode says of a file, as a record of few bytes. */
#ifndef XFSCK_REPAIR_FILE_RECORD_H
#define XFSCK_REPAIR_FILE_RECORD_H

#include "libxfs/dinode.h"

enum file_time {
	TIME_ACCESS,
	TIME_MODIFICATION,
	TIME_CHANGE,
	TIME_CREATION, /* 0 before version 5 */
	TIME_NR,
};

struct time_stamp {
	int64_t seconds; /* since 1970 */
	uint32_t nsec;
};

struct file_record {
	uint16_t mode;
	uint16_t flags;
	uint64_t flags2;
	uint32_t nlink, uid, gid, projid, gen;
	uint64_t size;	  /* bytes */
	uint64_t nblocks; /* fs blocks of both forks and their btrees */
	uint64_t nextents, anextents;
	bool attr_fork;		      /* it has one, if only an empty one */
	uint32_t rdev;		      /* of a device node, as it is on the disk; else 0 */
	uint32_t extsize, cowextsize; /* fs blocks: hints, where flags say that there are any; else 0 */
	struct time_stamp times[TIME_NR];
};

#define FILE_RECORD_MOST 192u /* bytes */

void file_record_of(const struct geometry *geo, const struct dinode *inode, struct file_record *ret);
/* Pack a record; returns its bytes. */
size_t file_record_pack(const struct file_record *record, uint8_t bytes[static FILE_RECORD_MOST]);
/* Unpack what file_record_pack() has packed. */
void file_record_unpack(const uint8_t *at, struct file_record *ret);

#endif
