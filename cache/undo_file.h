/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of the undo file: a header, followed by extents. Each has a header, a checksum for each sector as the commit
 * writes it, and the previous contents. Numbers are big-endian.
 */
#ifndef XFSCK_CACHE_UNDO_FILE_H
#define XFSCK_CACHE_UNDO_FILE_H

#include <stddef.h>

#include "be.h"
#include "undo.h"

#define UNDO_MAGIC	  "xfsckund"
#define UNDO_VERSION	  1u
#define UNDO_EXTENT_MAGIC 0x58754e65u /* XuNe */
#define UNDO_MAX_LEN	  (2u << 20)  /* bytes of an extent */
#define UNDO_LOST	  (1u << 0)   /* flag of an extent: it was unreadable, so it cannot be restored */
#define UNDO_FREE	  (1u << 1) /* flag of an extent: free space, restored without checking the current contents */

struct undo_device_disk {
	be64_t bytes; /* size; 0: no such device */
	char path[248];
};

struct undo_header_disk {
	char magic[8];
	be32_t version;
	be32_t complete; /* 1: all extents are present */
	uint8_t uuid[16];
	be64_t time;	/* seconds since 1970 */
	be64_t extents; /* number of extents */
	be64_t bytes;	/* of the whole file */
	be32_t pad;
	be32_t crc; /* of this header, with 0 in this field */
	struct undo_device_disk devices[UNDO_DEVICES];
};
_Static_assert(sizeof(struct undo_header_disk) == 64 + UNDO_DEVICES * 256, "undo header");
_Static_assert(offsetof(struct undo_header_disk, crc) == 60, "undo header");

struct undo_extent_disk {
	be32_t magic;
	be32_t device;
	be64_t offset; /* bytes */
	be32_t len;
	be32_t flags;
	be32_t number; /* from 0; detects missing and duplicate extents */
	be32_t crc;    /* of this header with 0 in this field, the checksums and the contents */
};
_Static_assert(sizeof(struct undo_extent_disk) == 32, "undo extent");
_Static_assert(offsetof(struct undo_extent_disk, crc) == 28, "undo extent");

/* Returns the number of sectors of an extent; the last may be incomplete. */
static inline uint32_t undo_sectors(uint32_t len)
{
	return (len + 511) / 512;
}

/* Returns the checksum of one sector of an extent of len bytes. */
uint32_t undo_sector_crc(const uint8_t *bytes, uint32_t len, uint32_t sector);

#endif
