/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checksums of V5 metadata: CRC32c with all ones as seed, inverted at the end and stored little-endian, over the whole
 * block with the checksum field as zero (ondisk 00).  Uses isa-l, whose crc32_iscsi() neither sets the seed nor
 * inverts; crc_selftest() verifies that.
 */
#include "libxfs/crc.h"

#include <errno.h>
#include <isa-l/crc.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/*
 * The library's widest code leaves the upper halves of the vector registers in use, which slows down all later SSE
 * code: a third of the time of a whole run.
 */
#ifdef __x86_64__
__attribute__((target("avx"))) static inline void release_vectors(void)
{
	__builtin_ia32_vzeroupper();
}

static void after_library(void)
{
	if (__builtin_cpu_supports("avx"))
		release_vectors();
}
#else
static void after_library(void)
{
}
#endif

uint32_t crc_add(uint32_t crc, const void *bytes, size_t len)
{
	/* the library only reads: its prototype lacks the const */
	crc = crc32_iscsi((unsigned char *)bytes, (int)len, crc);
	after_library();
	return crc;
}

/* Computes the checksum in three pieces: before the field, zeroes for the field, and after it. */
static uint32_t crc_around_field(const uint8_t *bytes, size_t len, size_t crc_offset)
{
	static const uint8_t zero[sizeof(le32_t)];
	size_t behind = crc_offset + sizeof(zero);
	uint32_t crc;

	crc = crc_add(CRC_SEED, bytes, crc_offset);
	crc = crc_add(crc, zero, sizeof(zero));
	return ~crc_add(crc, bytes + behind, len - behind);
}

#ifdef __x86_64__
/*
 * Computes the checksum in one pass, which takes a quarter of the time for small blocks: over the block as it is, less
 * the contribution of the field.  Checksums are linear, and the field f with n - 4 bytes after it contributes f *
 * x^(8n), modulo the polynomial.  The tables are x^(8 * 2^i - 33) and x^(-8 * 2^i - 33), with bits reflected as
 * everywhere in CRC32c: n is the length of the block minus the offset of the field, and both have few set bits.
 * Offsets of fields are small multiples of four, for which there is a table of x^(-8 * 4 * i - 33).
 */
#define FACTORS 17
#define WORDS	32

static const uint32_t forward[FACTORS] = {
	0xbf818109, 0x780d5a4d, 0x05ec76f1, 0x00000001, 0x493c7d27, 0xba4fc28e, 0x9e4addf8, 0x0d3b6092, 0xb9e02b86,
	0xdd7e3b0c, 0x170076fa, 0xa51b6135, 0x82f89c77, 0x54a86326, 0x1dc403cc, 0x5ae703ab, 0xc5013a36,
};
static const uint32_t backward[FACTORS] = {
	0xa738873b, 0x616f3095, 0xc915ea3b, 0x77f5096b, 0x55953016, 0x8d6b52b5, 0x0e6e0c8a, 0xd6667510, 0xbe7257f3,
	0xa319ac44, 0x095a58f0, 0x7bea9ec2, 0xca41fd90, 0x1ef45b26, 0xfd76e8a2, 0xc6a704fd, 0x0a9bdf61,
};
static const uint32_t backward_words[WORDS] = {
	0xa9cdda0d, 0xc915ea3b, 0x77f5096b, 0x413d19cd, 0x55953016, 0x1a1d165e, 0x4f67303d, 0x269f6110,
	0x8d6b52b5, 0x13e747bd, 0x78eb0ca7, 0x6e6322d2, 0xee267d03, 0x81bc720f, 0xd800f8c6, 0x65331b2c,
	0x0e6e0c8a, 0x24359ccd, 0xbbac55d6, 0x10cb698f, 0x0368d712, 0xc32a6d75, 0xecc59e4c, 0xf4e0bc18,
	0x0a107008, 0x04ece3de, 0xff3567d8, 0xcf81826e, 0x71fd685b, 0xef027556, 0x361dfbd7, 0x9859f369,
};

/* a * b * x^33: the product of two reflected words is one bit off, and the instruction multiplies by x^32 */
__attribute__((target("avx,pclmul"))) static inline uint32_t multiply(uint32_t a, uint32_t b)
{
	__m128i product = _mm_clmulepi64_si128(_mm_cvtsi32_si128((int)a), _mm_cvtsi32_si128((int)b), 0);

	return (uint32_t)_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

__attribute__((target("avx,pclmul"))) static uint32_t crc_whole(const uint8_t *bytes, size_t len, size_t offset)
{
	uint32_t crc = crc32_iscsi((unsigned char *)bytes, (int)len, CRC_SEED), field;
	le32_t disk;

	release_vectors();
	memcpy(&disk, bytes + offset, sizeof(disk));
	field = multiply(le32_get(disk), backward_words[offset / 4 % WORDS]);
	for (offset &= ~(size_t)(4 * (WORDS - 1)); offset; offset &= offset - 1)
		field = multiply(field, backward[__builtin_ctzl(offset)]);
	for (; len; len &= len - 1)
		field = multiply(field, forward[__builtin_ctzl(len)]);
	return ~(crc ^ field);
}

uint32_t crc_block(const void *block, size_t len, size_t crc_offset)
{
	if (len >> FACTORS || !__builtin_cpu_supports("avx") || !__builtin_cpu_supports("pclmul"))
		return crc_around_field(block, len, crc_offset);
	return crc_whole(block, len, crc_offset);
}
#else
uint32_t crc_block(const void *block, size_t len, size_t crc_offset)
{
	return crc_around_field(block, len, crc_offset);
}
#endif

void crc_store(void *block, size_t len, size_t crc_offset)
{
	const le32_t crc = le32_put(crc_block(block, len, crc_offset));

	memcpy((uint8_t *)block + crc_offset, &crc, sizeof(crc));
}

uint32_t crc_stored(const void *block, size_t crc_offset)
{
	le32_t stored;

	memcpy(&stored, (const uint8_t *)block + crc_offset, sizeof(stored));
	return le32_get(stored);
}

bool crc_is_right(const void *block, size_t len, size_t crc_offset)
{
	return crc_stored(block, crc_offset) == crc_block(block, len, crc_offset);
}

/* Reports nothing; a separate function, by which crc_check() recognizes check_known(). */
static void say_nothing(void *ctx, const struct problem *problem)
{
	(void)ctx;
	(void)problem;
}

struct check check_known(const struct geometry *geo)
{
	return (struct check){ geo, say_nothing, NULL };
}

bool crc_check(const struct check *c, const void *block, size_t len, size_t crc_offset)
{
	return c->report == say_nothing || check_eq(c, F_BLOCK_CRC, (uint32_t)crc_offset, crc_stored(block, crc_offset),
						    crc_block(block, len, crc_offset));
}

int crc_selftest(void)
{
	/* the published check value of CRC-32C, and one of a block long enough for the library's wide code paths */
	static const char digits[] = "123456789";
	uint8_t pattern[4096];

	/* both functions must give the same value */
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(i * 7 + i / 256);

	if (~crc_add(CRC_SEED, digits, sizeof(digits) - 1) != 0xe3069283)
		return -ENOSYS;
	if (crc_block(pattern, sizeof(pattern), 52) != 0x821fd3f3 ||
	    crc_around_field(pattern, sizeof(pattern), 52) != 0x821fd3f3)
		return -ENOSYS;
	return 0;
}
