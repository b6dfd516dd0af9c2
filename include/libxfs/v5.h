/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields that every V5 block carries, wherever its header has them (ondisk 00, invariant 4 and section 6). */
#ifndef XFSCK_LIBXFS_V5_H
#define XFSCK_LIBXFS_V5_H

#include "be.h"
#include "check.h"

/* Where a kind of block has these fields, in bytes. */
struct v5_header {
	uint16_t crc, uuid;
	uint16_t lsn;	     /* 0: blocks of this kind are never dated */
	uint16_t blkno;	     /* 0: it is known by where it lies */
	uint16_t owner;	     /* likewise */
	uint8_t owner_bytes; /* 4: an AG, 8: a file */
};

#define V5_HEADER(disk, header)                                                                                        \
	{                                                                                                              \
		offsetof(struct disk, header crc), offsetof(struct disk, header uuid),                                 \
			offsetof(struct disk, header lsn), offsetof(struct disk, header blkno),                        \
			offsetof(struct disk, header owner), sizeof(((struct disk *)0)->header owner)                  \
	}

/* The sector that the block says it lies at, and whose it says it is. */
uint64_t v5_blkno(const void *block, const struct v5_header *header);
uint64_t v5_owner(const void *block, const struct v5_header *header);

/*
 * Reports each field that is wrong, of a block of len bytes.  False if it was written for another place and another
 * owner, as its checksum confirms: what it holds is theirs.  Of one alone the number may be what is wrong.
 */
bool v5_check_header(const struct check *c, const void *block, size_t len, const struct v5_header *header,
		     xdaddr_t daddr, uint64_t owner);

/* What is left to do where the checks below see that not all is as usual. */
bool v5_wrong_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset);
bool v5_newer_lsn(const struct check *c, uint64_t lsn, uint32_t offset);

/* Reports a uuid that is not the file system's metadata uuid. */
static inline bool v5_check_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset)
{
	return memcmp(uuid, c->geo->meta_uuid, 16) == 0 || v5_wrong_uuid(c, uuid, offset);
}

/* Reports an LSN ahead of the log head; 0, which is what mkfs writes, and all ones are always fine. */
static inline bool v5_check_lsn(const struct check *c, uint64_t lsn, uint32_t offset)
{
	return lsn <= c->geo->head_lsn.v || v5_newer_lsn(c, lsn, offset);
}

#endif
