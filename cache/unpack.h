/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compressed files, by libraries that the program may have been built without. */
#ifndef XFSCK_CACHE_UNPACK_H
#define XFSCK_CACHE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum packing {
	PACKING_NONE,
	PACKING_GZIP,
	PACKING_XZ,
	PACKING_ZSTD,
	PACKINGS,
};

/* How a file is compressed that begins with these bytes. */
#define PACKING_MAGIC_LEN 6u
enum packing packing_of(const uint8_t bytes[static PACKING_MAGIC_LEN]);
const char *packing_name(enum packing packing);

/* Called for what comes out, piece by piece; other than 0: no more is wanted. */
typedef int unpack_fn(void *ctx, const uint8_t *bytes, size_t len);

/*
 * Unpack the file fd from its beginning.  memory: bytes that the library may take.  0, what fn has returned, or
 * negative errno: -EBADMSG where it is damaged or cut short, -EOPNOTSUPP without the library, -ENOBUFS where it takes
 * more memory.
 */
#define UNPACK_MEMORY ((UINT64_C(1) << 30) + (2u << 20)) /* what --long=30 of zstd(1) takes */
int unpack(int fd, enum packing packing, uint64_t memory, unpack_fn *fn, void *ctx);

/*
 * How many bytes a file of so many bytes unpacks to at least, as it says itself, which may be wrong; 0: it does not
 * say.
 */
uint64_t unpack_told(int fd, enum packing packing, uint64_t size);

#endif
