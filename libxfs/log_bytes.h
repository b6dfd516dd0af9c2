/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read numbers in log items, which are in the byte order of the machine that wrote them: big_endian says in which. */
#ifndef XFSCK_LIBXFS_LOG_BYTES_H
#define XFSCK_LIBXFS_LOG_BYTES_H

#include "be.h"

static inline uint16_t log_get16(const uint8_t *at, bool big_endian)
{
	be16_t d;

	memcpy(&d, at, sizeof(d));
	return big_endian ? be16_get(d) : __builtin_bswap16(be16_get(d));
}

static inline uint32_t log_get32(const uint8_t *at, bool big_endian)
{
	be32_t d;

	memcpy(&d, at, sizeof(d));
	return big_endian ? be32_get(d) : __builtin_bswap32(be32_get(d));
}

static inline uint64_t log_get64(const uint8_t *at, bool big_endian)
{
	be64_t d;

	memcpy(&d, at, sizeof(d));
	return big_endian ? be64_get(d) : __builtin_bswap64(be64_get(d));
}

#endif
