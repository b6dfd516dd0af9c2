/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types for the addresses and numbers of XFS: the compiler rejects an agbno where an agno is wanted.  The arithmetic
 * between them (ondisk 00, section 1) is in geometry.h and nowhere else.
 */
#ifndef XFSCK_UNITS_H
#define XFSCK_UNITS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
	uint32_t v;
} agno_t; /* allocation group number */
typedef struct {
	uint32_t v;
} agbno_t; /* block in its allocation group */
typedef struct {
	uint32_t v;
} agino_t; /* inode in its allocation group */
typedef struct {
	uint64_t v;
} fsbno_t; /* block of the file system, sparse: agno << agblklog | agbno */
typedef struct {
	uint64_t v;
} xino_t; /* inode number */
typedef struct {
	uint64_t v;
} xdaddr_t; /* 512-byte sector of the device, linear */
typedef struct {
	uint64_t v;
} fileoff_t; /* block in a file's fork */
typedef struct {
	uint32_t v;
} dablk_t; /* block in the da space of a directory or attribute fork */
typedef struct {
	uint32_t v;
} group_t; /* AG or realtime group; the realtime groups are numbered after the AGs */
typedef struct {
	uint64_t v;
} gbno_t; /* block in its group */
typedef struct {
	uint64_t v;
} lsn_t; /* log sequence number: cycle << 32 | 512-byte block of the log */

#define NULL_AGBNO UINT32_MAX
#define NULL_AGINO UINT32_MAX
#define NULL_FSBNO UINT64_MAX
#define NULL_INO   UINT64_MAX
#define NULL_LSN   UINT64_MAX

#define SECTOR_SIZE 512u
#define SECTOR_LOG  9

enum fork {
	DATA_FORK,
	ATTR_FORK,
};

/* The use of a device by the file system. */
enum device_role {
	ROLE_DATA,
	ROLE_LOG,
	ROLE_REALTIME,
	ROLE_NR,
};

#endif
