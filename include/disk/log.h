/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of the log (ondisk 11).  Addresses in the log count blocks of 512 bytes. */
#ifndef XFSCK_DISK_LOG_H
#define XFSCK_DISK_LOG_H

#include <stddef.h>

#include "be.h"

#define LOG_MAGIC	     0xfeedbabeu
#define LOG_BLOCK	     512u
#define LOG_MAX_RECORD	     (256u << 10) /* bytes */
#define LOG_MAX_IN_FLIGHT    8u		  /* records that a writer has in flight at a time */
#define LOG_HEADER_COVERS    (32u << 10)  /* bytes of payload per header block */
#define LOG_V1_RECORD	     (32u << 10)  /* bytes: the only buffer size in version 1; records have one header block */
#define LOG_OLD_MKFS_LEN     20u	  /* `len` of the only record of an old mkfs: bytes of its operation */
#define LOG_FORMAT_LE	     1
#define LOG_FORMAT_BE	     2
#define LOG_NO_BLOCK	     UINT32_MAX
#define LOG_CYCLES_PER_BLOCK 64

/* The first word of every block of the log is overwritten with the cycle; the header keeps what was there. */
struct log_header_disk {
	be32_t magic;
	be32_t cycle;
	be32_t version;
	be32_t len; /* bytes after the header blocks */
	be64_t lsn;
	be64_t tail_lsn;
	le32_t crc; /* 0: none */
	be32_t prev_block;
	be32_t num_logops;
	be32_t cycle_data[LOG_CYCLES_PER_BLOCK];
	be32_t fmt;
	uint8_t fs_uuid[16];
	be32_t size; /* bytes of the writer's buffer; gives the number of header blocks; unused in version 1 */
	be32_t pad;  /* 32-bit x86 kernels don't have it, and leave it out of the checksum */
};
_Static_assert(sizeof(struct log_header_disk) == 328, "log header");
_Static_assert(offsetof(struct log_header_disk, len) == 12, "log header");
_Static_assert(offsetof(struct log_header_disk, lsn) == 16, "log header");
_Static_assert(offsetof(struct log_header_disk, tail_lsn) == 24, "log header");
_Static_assert(offsetof(struct log_header_disk, crc) == 32, "log header");
_Static_assert(offsetof(struct log_header_disk, prev_block) == 36, "log header");
_Static_assert(offsetof(struct log_header_disk, num_logops) == 40, "log header");
_Static_assert(offsetof(struct log_header_disk, cycle_data) == 44, "log header");
_Static_assert(offsetof(struct log_header_disk, fmt) == 300, "log header");
_Static_assert(offsetof(struct log_header_disk, fs_uuid) == 304, "log header");
_Static_assert(offsetof(struct log_header_disk, size) == 320, "log header");
_Static_assert(offsetof(struct log_header_disk, pad) == 324, "log header");

/* the second and further header blocks of large records */
struct log_ext_header_disk {
	be32_t cycle;
	be32_t cycle_data[LOG_CYCLES_PER_BLOCK];
};
_Static_assert(sizeof(struct log_ext_header_disk) == 260, "log extended header");

struct log_op_disk {
	be32_t tid;
	be32_t len;
	uint8_t clientid;
	uint8_t flags;
	be16_t res2;
};
_Static_assert(sizeof(struct log_op_disk) == 12, "log op");
_Static_assert(offsetof(struct log_op_disk, flags) == 9, "log op");

/* clientid of the only operation that belongs to no transaction, in an unmount record, and its flag */
#define LOG_CLIENT_LOG 0xaau
#define LOG_OP_UNMOUNT 0x20u

#endif
