/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern: blocks that repeat at other addresses.  It has their bytes as if they lay at address 0 of group 0, and the
 * places of all numbers that depend on the address, to which a difference is added.
 */
#ifndef XFSCK_TESTS_COMPUTED_PATTERN_H
#define XFSCK_TESTS_COMPUTED_PATTERN_H

#include <stddef.h>

#include "geometry.h"

/* What is added at a place.  All numbers are big-endian; those up to SHIFT_WIDE have 64 bits. */
enum shift {
	SHIFT_INO,    /* inode number of the pattern's first block */
	SHIFT_AG_INO, /* of the group's first block */
	SHIFT_FSB,    /* fsbno of the pattern's first block */
	SHIFT_EXTENT, /* the same, in the second word of a packed extent */
	SHIFT_DADDR,
	SHIFT_WIDE,
	SHIFT_INO_32 = SHIFT_WIDE, /* of 32 bits */
	SHIFT_AG_INO_32,
	SHIFT_NUMBER, /* no sum: eight hexadecimal digits of the pattern's number */
	SHIFT_NONE,   /* nothing is to be added */
};

struct patch {
	uint16_t at; /* byte in the block */
	uint8_t shift;
};

/* Where checksums are: in 4 bytes at this byte of the block, or in each inode. */
#define CRC_OF_INODES UINT16_MAX

struct pattern_block {
	uint8_t *bytes; /* NULL: zeroes, data or free space */
	struct patch *patches;
	uint32_t count;
	uint16_t crc;
	bool attr_leaf; /* hashes of parent pointers depend on the address, and so does the order of entries */
};

struct pattern {
	const struct geometry *geo;
	uint32_t length; /* blocks */
	struct pattern_block *blocks;
};

/* Where one copy of a pattern lies. */
struct pattern_place {
	agno_t agno;
	agbno_t agbno; /* of its first block */
	uint32_t number;
};

/* False: there is no memory. */
bool pattern_create(const struct geometry *geo, uint32_t length, struct pattern *ret_pattern);
void pattern_destroy(struct pattern *pattern);

/* The bytes of a block, for it to be built; zeroes at first.  Ends the program for want of memory, as the next does. */
uint8_t *pattern_bytes(struct pattern *pattern, uint32_t block, size_t crc);
void pattern_shift(struct pattern *pattern, uint32_t block, size_t at, enum shift shift);

/* Write one block of a copy, without checksums: for damage to be done. */
void pattern_copy(const struct pattern *pattern, const struct pattern_place *place, uint32_t block, uint8_t *bytes);
void pattern_seal(const struct pattern *pattern, uint32_t block, uint8_t *bytes);

#endif
