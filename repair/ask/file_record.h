/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The properties of a file in its inode, as a record of a few bytes. */
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
	uint64_t nblocks; /* fs blocks of both forks, including their btrees */
	uint64_t nextents, anextents;
	bool attr_fork;		      /* has one, even if empty */
	uint32_t rdev;		      /* of a device node, as on disk; else 0 */
	uint32_t extsize, cowextsize; /* hints in fs blocks, if set by flags; else 0 */
	struct time_stamp times[TIME_NR];
};

#define FILE_RECORD_MOST 192u /* bytes */

void file_record_of(const struct geometry *geo, const struct dinode *inode, struct file_record *ret);
/* Packs a record; returns its length in bytes. */
size_t file_record_pack(const struct file_record *record, uint8_t bytes[static FILE_RECORD_MOST]);
/* Unpacks a result of file_record_pack(). */
void file_record_unpack(const uint8_t *at, struct file_record *ret);

#endif
