/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read numbers in log items, which are in the byte order of the machine that wrote them: big_endian says in which. */
#ifndef XFSCK_LIBXFS_LOG_BYTES_H
#define XFSCK_LIBXFS_LOG_BYTES_H

#include "be.h"

static inline uint16_t log_get16(const uint8_t *at, bool big_endian)
{
	uint16_t v;

	memcpy(&v, at, sizeof(v));
	return big_endian ? __builtin_bswap16(v) : v;
}

static inline uint32_t log_get32(const uint8_t *at, bool big_endian)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return big_endian ? __builtin_bswap32(v) : v;
}

static inline uint64_t log_get64(const uint8_t *at, bool big_endian)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return big_endian ? __builtin_bswap64(v) : v;
}

#endif
