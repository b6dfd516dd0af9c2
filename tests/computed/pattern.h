/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern: blocks that repeat at other addresses.  It has their bytes as if they were at address 0 of group 0, and
 * the places of all numbers that depend on the address, to which a difference is added.
 */
#ifndef XFSCK_TESTS_COMPUTED_PATTERN_H
#define XFSCK_TESTS_COMPUTED_PATTERN_H

#include <stddef.h>

#include "geometry.h"

/* The number that is added at a place.  All are big-endian; those up to SHIFT_WIDE have 64 bits. */
enum shift {
	SHIFT_INO,    /* inode number of the pattern's first block */
	SHIFT_AG_INO, /* of the group's first block */
	SHIFT_FSB,    /* fsbno of the pattern's first block */
	SHIFT_EXTENT, /* the same, in the second word of a packed extent */
	SHIFT_DADDR,
	SHIFT_WIDE,
	SHIFT_INO_32 = SHIFT_WIDE, /* of 32 bits */
	SHIFT_AG_INO_32,
	SHIFT_NUMBER, /* no sum: the pattern's number in eight hexadecimal digits */
	SHIFT_NONE,   /* nothing */
};

struct patch {
	uint16_t at; /* byte in the block */
	uint8_t shift;
};

/* Places of checksums: in 4 bytes at this byte of the block, or in each inode. */
#define CRC_OF_INODES UINT16_MAX

struct pattern_block {
	uint8_t *bytes; /* NULL: zeroes, data or free space */
	struct patch *patches;
	uint32_t count;
	uint16_t crc;
	bool attr_leaf; /* hashes of parent pointers, and so the order of entries, depend on the address */
};

struct pattern {
	const struct geometry *geo;
	uint32_t length; /* blocks */
	struct pattern_block *blocks;
};

/* The place of one copy of a pattern. */
struct pattern_place {
	agno_t agno;
	agbno_t agbno; /* of its first block */
	uint32_t number;
};

/* False: out of memory. */
bool pattern_create(const struct geometry *geo, uint32_t length, struct pattern *ret_pattern);
void pattern_destroy(struct pattern *pattern);

/*
 * The bytes of a block, to be filled in; initially zeroes.  Ends the program if memory runs out, as does
 * pattern_shift().
 */
uint8_t *pattern_bytes(struct pattern *pattern, uint32_t block, size_t crc);
void pattern_shift(struct pattern *pattern, uint32_t block, size_t at, enum shift shift);

/* Writes one block of a copy without checksums, so that it can be damaged. */
void pattern_copy(const struct pattern *pattern, const struct pattern_place *place, uint32_t block, uint8_t *bytes);
void pattern_seal(const struct pattern *pattern, uint32_t block, uint8_t *bytes);

#endif
