/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_ZEROES_H
#define XFSCK_ZEROES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* True if all bytes are zero. */
static inline bool all_zero(const uint8_t *bytes, size_t len)
{
	return !len || (!bytes[0] && !memcmp(bytes, bytes + 1, len - 1));
}

#endif
