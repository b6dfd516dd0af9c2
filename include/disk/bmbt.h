/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extent maps of forks: packed records, the keys of their btree, and its root in the inode (ondisk 05). */
#ifndef XFSCK_DISK_BMBT_H
#define XFSCK_DISK_BMBT_H

#include <stddef.h>

#include "be.h"

#define BMBT_MAGIC    0x424d4133 /* BMA3 */
#define BMBT_MAGIC_V4 0x424d4150 /* BMAP */

/*
 * A record is two words of 64 bits, from the top: 1 bit unwritten, 54 bits
 * offset in the file, 52 bits start block (9 of them in the first word), 21 bits length.
 */
struct bmbt_rec_disk {
	be64_t l0;
	be64_t l1;
};
_Static_assert(sizeof(struct bmbt_rec_disk) == 16, "bmbt record");
_Static_assert(offsetof(struct bmbt_rec_disk, l1) == 8, "bmbt record");

#define BMBT_LEN_BITS	      21
#define BMBT_START_BITS	      52
#define BMBT_OFF_BITS	      54
#define BMBT_START_BITS_IN_L0 9
#define BMBT_LEN_MAX	      ((1u << BMBT_LEN_BITS) - 1)

struct bmbt_key_disk {
	be64_t startoff;
};
_Static_assert(sizeof(struct bmbt_key_disk) == 8, "bmbt key");

/* the root of a bmbt, at the start of a fork; keys follow and, after the room for as many keys as fit, pointers */
struct bmdr_disk {
	be16_t level;
	be16_t numrecs;
};
_Static_assert(sizeof(struct bmdr_disk) == 4, "bmdr");
_Static_assert(offsetof(struct bmdr_disk, numrecs) == 2, "bmdr");

#endif
