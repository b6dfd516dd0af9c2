/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checksums of V5 metadata: CRC32c with all ones as seed, inverted at the end
 * and stored little-endian, over the whole block with the four bytes of the
 * checksum itself counted as zero (ondisk 00).  Relies on isa-l, whose
 * crc32_iscsi() neither sets the seed nor inverts; crc_selftest() makes sure of that.
 */
#include "libxfs/crc.h"

#include <errno.h>
#include <isa-l/crc.h>

/*
 * The library's widest code leaves the upper halves of the vector registers in use, which makes all the SSE
 * code behind it slow: a third of the time of a whole run.
 */
#ifdef __x86_64__
__attribute__((target("avx"))) static void release_vectors(void)
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
	/* the library only reads, its prototype forgets to say so */
	crc = crc32_iscsi((unsigned char *)bytes, (int)len, crc);
	after_library();
	return crc;
}

uint32_t crc_block(const void *block, size_t len, size_t crc_offset)
{
	static const uint8_t zero[sizeof(le32_t)];
	const uint8_t *bytes = block;
	size_t behind = crc_offset + sizeof(zero);
	uint32_t crc;

	crc = crc_add(CRC_SEED, bytes, crc_offset);
	crc = crc_add(crc, zero, sizeof(zero));
	crc = crc_add(crc, bytes + behind, len - behind);
	return ~crc;
}

void crc_store(void *block, size_t len, size_t crc_offset)
{
	const le32_t crc = le32_put(crc_block(block, len, crc_offset));

	memcpy((uint8_t *)block + crc_offset, &crc, sizeof(crc));
}

bool crc_check(const struct check *c, const void *block, size_t len, size_t crc_offset)
{
	le32_t stored;

	memcpy(&stored, (const uint8_t *)block + crc_offset, sizeof(stored));
	return check_eq(c, F_BLOCK_CRC, (uint32_t)crc_offset, le32_get(stored), crc_block(block, len, crc_offset));
}

int crc_selftest(void)
{
	/* the published check value of CRC-32C, and one long enough for the wide code paths of the library */
	static const uint8_t digits[9] = "123456789";
	uint8_t pattern[4096];

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(i * 7 + i / 256);

	if (~crc_add(CRC_SEED, digits, sizeof(digits)) != 0xe3069283)
		return -ENOSYS;
	if (crc_block(pattern, sizeof(pattern), 52) != 0x821fd3f3)
		return -ENOSYS;
	return 0;
}
