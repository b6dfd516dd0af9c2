/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the bytes of a device lie: in a file or block device, or in a part of one, behind a server, in a metadump.  All
 * else in cache/ is the same for all of them.  Offsets are those of the file system: its first byte is 0.
 */
#ifndef XFSCK_CACHE_SOURCE_H
#define XFSCK_CACHE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "device.h"

struct engine_ops;
struct nbd_io;

/* Compressed files, by libraries that the program may have been built without. */

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

#define UNPACK_MEMORY ((UINT64_C(1) << 30) + (2u << 20)) /* what --long=30 of zstd(1) takes */
/*
 * Unpack the open file fd from its beginning.  memory: the bytes that the library may use.  Returns 0, the value that
 * fn returned, or a negative errno: -EBADMSG if the file is damaged or too short, -EOPNOTSUPP without the library,
 * -ENOBUFS if the library needs more memory.
 */
int unpack(int fd, enum packing packing, uint64_t memory, unpack_fn *fn, void *ctx);

/*
 * How many bytes a file of so many bytes unpacks to at least, as it says itself, which may be wrong; 0: it does not
 * say.
 */
uint64_t unpack_told(int fd, enum packing packing, uint64_t size);

struct source_ops {
	/* One request, of any alignment that device->align allows.  Bytes read, 0 at the end, or negative errno. */
	ssize_t (*read)(struct device *device, void *buf, uint64_t offset, size_t len);
	/* Bytes written or negative errno; after open_write(). */
	ssize_t (*write)(struct device *device, const void *bytes, uint64_t offset, size_t len);
	int (*flush)(struct device *device);
	/* As device_may_write() and device_open_write(). */
	int (*may_write)(const struct device *device, char *message, size_t size);
	int (*open_write)(struct device *device, char *message, size_t size);
	/* The size that it has now, in bytes.  0 or negative errno. */
	int (*size)(const struct device *device, uint64_t *ret_bytes);
	/*
	 * Find the first bytes from offset on that may be other than zero, [*ret_data, *ret_hole).  -ENXIO: there are
	 * none; another negative errno: that is not known.  NULL: it never is.
	 */
	int (*extent)(const struct device *device, uint64_t offset, uint64_t *ret_data, uint64_t *ret_hole);
	/*
	 * A new descriptor for libblkid, through which the device can be read from *ret_base on; of one that has none,
	 * of a file in memory that holds its beginning and its end.  Or negative errno.
	 */
	int (*probe)(const struct device *device, uint64_t *ret_base);
	/* How to keep reads in flight.  NULL: as the system can. */
	const struct engine_ops *engine;
	/* How often to try again what could not be read; 0 where the kernel or the medium has done so. */
	unsigned retries;
	/* Why it is gone if device_gone(): the rest of a sentence. */
	const char *gone_why;
	/* As device_inner() and device_dump(); NULL: there is nothing of that. */
	const char *(*inner)(const struct device *device, enum device_inner inner);
	struct device_dump (*dump)(const struct device *device);
	/* The device is silent: let all requests fail that are in flight.  NULL: that can't be done. */
	void (*cancel)(struct device *device);
	/* As device_rest(); NULL: there is nothing that runs beside. */
	void (*rest)(struct device *device);
	/* May be called at any stage of opening, and is, if that fails. */
	void (*close)(struct device *device);
};

/* The kinds of sources. */
int source_file_open(struct device *device, const struct device_options *options, char *message, size_t size);

/* Finds out whether somebody else uses a device or image. */

/*
 * 0 if the file or device that st describes may be read; else -EBUSY, or another negative errno if that can't be found
 * out, and a sentence in message, which has room for size bytes.  *ret_exclusive: it is a block device that must be
 * opened with O_EXCL, which fails if users hold it that can't be found otherwise.
 */
int in_use_check(const char *path, const struct stat *st, bool allow_readonly_mounted, bool *ret_exclusive,
		 char *message, size_t size);

/*
 * Lock an open file or device against other runs: alone: no other run may have it open; else no run that is alone may.
 * -EBUSY: somebody has.  0: it is locked as long as fd is open, or its file system knows no locks.
 */
int in_use_lock(int fd, bool alone);
/*
 * The same for a part of a file, which in_use_lock() has locked for more than one: `bytes` from `base` on.  To lock it
 * alone takes a descriptor for writing, *ret_lock_fd, which the caller closes to unlock; negative: there is none.
 */
int in_use_lock_part(int fd, uint64_t base, uint64_t bytes, bool alone, int *ret_lock_fd);

/* A device that is only there as a metadump. */

/*
 * Look whether a name leads to a metadump, and how that is compressed: a descriptor for it; -ENOENT if not, as far as
 * can be told; -EIO if its beginning can't be read.
 */
int source_metadump_find(const char *path, enum packing *ret_packing);
/* As source_open(), of what that has found: fd belongs to the device from now on, also if this fails. */
int source_metadump_open(struct device *device, int fd, enum packing packing, const struct device_options *options,
			 char *message, size_t size);
/* As source_open(), of a device that options->carrier carries. */
int source_metadump_open_inner(struct device *device, const struct device_options *options, char *message, size_t size);

/* A device behind an NBD server. */

/* True if the name of a device is the URI of an NBD export. */
bool source_nbd_is_uri(const char *path);
/* As source_open(). */
int source_nbd_open(struct device *device, const struct device_options *options, char *message, size_t size);
/* The connection of such a device. */
struct nbd_io *source_nbd_io(const struct device *device);

#endif
