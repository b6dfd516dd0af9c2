/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbolic links: ondisk 08. */
#ifndef XFSCK_DISK_SYMLINK_H
#define XFSCK_DISK_SYMLINK_H

#include <stddef.h>

#include "be.h"

#define SYMLINK_MAGIC	 0x58534c4du /* XSLM */
#define SYMLINK_MAX_SIZE 1024u	     /* bytes of a target */

/* The header of each extent of a remote target, however many blocks the extent has; the target's bytes follow. */
struct symlink_disk {
	be32_t magic;
	be32_t offset; /* byte in the target */
	be32_t bytes;
	le32_t crc; /* over the whole extent */
	uint8_t uuid[16];
	be64_t owner;
	be64_t blkno;
	be64_t lsn;
};
_Static_assert(sizeof(struct symlink_disk) == 56, "symlink");
_Static_assert(offsetof(struct symlink_disk, crc) == 12, "symlink");
_Static_assert(offsetof(struct symlink_disk, uuid) == 16, "symlink");
_Static_assert(offsetof(struct symlink_disk, owner) == 32, "symlink");
_Static_assert(offsetof(struct symlink_disk, blkno) == 40, "symlink");
_Static_assert(offsetof(struct symlink_disk, lsn) == 48, "symlink");

#endif
