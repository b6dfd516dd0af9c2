/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Integers as they lie on the disk.  They are arrays of bytes in a struct, so
 * they have no alignment, no padding, and don't convert to host integers by
 * accident: the getters and putters here are the only way in and out.
 * XFS is big-endian throughout; only checksums are little-endian (ondisk 00).
 */
#ifndef XFSCK_BE_H
#define XFSCK_BE_H

#include <stdint.h>
#include <string.h>

typedef struct {
	uint8_t b[2];
} be16_t;

typedef struct {
	uint8_t b[4];
} be32_t;

typedef struct {
	uint8_t b[8];
} be64_t;

typedef struct {
	uint8_t b[4];
} le32_t;

/* Numbers of this many bits, from the host's order of bytes to that of the disk, and back. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BE_SWAP(bits, v) __builtin_bswap##bits(v)
#define LE_SWAP(bits, v) (v)
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BE_SWAP(bits, v) (v)
#define LE_SWAP(bits, v) __builtin_bswap##bits(v)
#else
#error "hosts are little-endian or big-endian"
#endif

static inline uint16_t be16_get(be16_t d)
{
	uint16_t v;

	memcpy(&v, d.b, sizeof(v));
	return BE_SWAP(16, v);
}

static inline uint32_t be32_get(be32_t d)
{
	uint32_t v;

	memcpy(&v, d.b, sizeof(v));
	return BE_SWAP(32, v);
}

static inline uint64_t be64_get(be64_t d)
{
	uint64_t v;

	memcpy(&v, d.b, sizeof(v));
	return BE_SWAP(64, v);
}

static inline uint32_t le32_get(le32_t d)
{
	uint32_t v;

	memcpy(&v, d.b, sizeof(v));
	return LE_SWAP(32, v);
}

static inline be16_t be16_put(uint16_t v)
{
	const uint16_t ordered = BE_SWAP(16, v);
	be16_t d;

	memcpy(d.b, &ordered, sizeof(ordered));
	return d;
}

static inline be32_t be32_put(uint32_t v)
{
	const uint32_t ordered = BE_SWAP(32, v);
	be32_t d;

	memcpy(d.b, &ordered, sizeof(ordered));
	return d;
}

static inline be64_t be64_put(uint64_t v)
{
	const uint64_t ordered = BE_SWAP(64, v);
	be64_t d;

	memcpy(d.b, &ordered, sizeof(ordered));
	return d;
}

static inline le32_t le32_put(uint32_t v)
{
	const uint32_t ordered = LE_SWAP(32, v);
	le32_t d;

	memcpy(d.b, &ordered, sizeof(ordered));
	return d;
}

#endif
