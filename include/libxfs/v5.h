/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of every V5 block, at the offsets of its header (ondisk 00, invariant 4 and section 6). */
#ifndef XFSCK_LIBXFS_V5_H
#define XFSCK_LIBXFS_V5_H

#include "be.h"
#include "check.h"

/* Offsets of these fields in a kind of block, in bytes. */
struct v5_header {
	uint16_t crc, uuid;
	uint16_t lsn;	/* 0: v5_check_header() does not check the LSN */
	uint16_t blkno; /* 0: no address and no owner (AG headers) */
	uint16_t owner;
	uint8_t owner_bytes; /* 4: the owner is an AG number; 8: an inode number; 0: none */
};

#define V5_HEADER(disk, header)                                                                                        \
	{                                                                                                              \
		offsetof(struct disk, header crc), offsetof(struct disk, header uuid),                                 \
			offsetof(struct disk, header lsn), offsetof(struct disk, header blkno),                        \
			offsetof(struct disk, header owner), sizeof(((struct disk *)0)->header owner)                  \
	}

/* The address (512-byte sector) and the owner (AG or inode number) in the header of a block. */
uint64_t v5_blkno(const void *block, const struct v5_header *header);
uint64_t v5_owner(const void *block, const struct v5_header *header);

/*
 * Checks checksum, address, LSN, uuid and owner of a block of len bytes, and reports each that is wrong.  False: the
 * block was written for another place, or by another file system: the checksum is right, and two of address, owner and
 * uuid are wrong, or, in a block of an AG btree, the uuid.  If less is wrong, that field is damaged, and the result is
 * true.
 */
bool v5_check_header(const struct check *c, const void *block, size_t len, const struct v5_header *header,
		     xdaddr_t daddr, uint64_t owner);

/* The slow paths of the two checks below. */
bool v5_wrong_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset);
bool v5_newer_lsn(const struct check *c, uint64_t lsn, uint32_t offset);

/* Reports a uuid other than the metadata uuid of the file system.  True: it is right. */
static inline bool v5_check_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset)
{
	return memcmp(uuid, c->geo->meta_uuid, 16) == 0 || v5_wrong_uuid(c, uuid, offset);
}

/*
 * Reports an LSN at the head of the log, which the next record will get, or beyond it.  True: it is before the head, or
 * the head is unknown, or it is 0 or NULL_LSN.
 */
static inline bool v5_check_lsn(const struct check *c, uint64_t lsn, uint32_t offset)
{
	return lsn < c->geo->head_lsn.v || v5_newer_lsn(c, lsn, offset);
}

#endif
