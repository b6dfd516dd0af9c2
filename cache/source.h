/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of a device's bytes: a file or block device, or a part of one; an NBD server; a metadump. The rest of cache/
 * does not depend on the source. Offsets are those of the file system, whose first byte is 0.
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

/* Compressed files; libraries for them are optional at build time. */

enum packing {
	PACKING_NONE,
	PACKING_GZIP,
	PACKING_XZ,
	PACKING_ZSTD,
	PACKINGS,
};

/* Returns the compression of a file with these first bytes. */
#define PACKING_MAGIC_LEN 6u
enum packing packing_of(const uint8_t bytes[static PACKING_MAGIC_LEN]);
const char *packing_name(enum packing packing);

/* Called for each piece of output; a return value other than 0 ends unpacking. */
typedef int unpack_fn(void *ctx, const uint8_t *bytes, size_t len);

#define UNPACK_MEMORY ((UINT64_C(1) << 30) + (2u << 20)) /* what zstd(1) needs for --long=30 */
/*
 * Unpacks the open file fd from its beginning. memory: bytes that the library may use. Returns 0, the value of fn, or a
 * negative errno: -EBADMSG: damaged or truncated; -EOPNOTSUPP: no library; -ENOBUFS: the library needs more memory.
 */
int unpack(int fd, enum packing packing, uint64_t memory, unpack_fn *fn, void *ctx);

/* Returns the unpacked size that a file of this size states, in bytes: a minimum, and untrusted. 0: not stated. */
uint64_t unpack_stated_size(int fd, enum packing packing, uint64_t size);

struct source_ops {
	/* Makes one request, aligned to device->align. Returns bytes read, 0 at the end, or negative errno. */
	ssize_t (*read)(struct device *device, void *buf, uint64_t offset, size_t len);
	/* Returns bytes written or negative errno. Needs open_write() first. */
	ssize_t (*write)(struct device *device, const void *bytes, uint64_t offset, size_t len);
	int (*flush)(struct device *device);
	/* Like device_may_write() and device_open_write(). */
	int (*may_write)(const struct device *device, char *message, size_t size);
	int (*open_write)(struct device *device, char *message, size_t size);
	/* Gets the current size in bytes. 0 or negative errno. */
	int (*size)(const struct device *device, uint64_t *ret_bytes);
	/*
	 * Finds the first range from offset on that may not be zero, [*ret_data, *ret_hole). -ENXIO: none; another
	 * negative errno: unknown. NULL: always unknown.
	 */
	int (*extent)(const struct device *device, uint64_t offset, uint64_t *ret_data, uint64_t *ret_hole);
	/*
	 * Returns a new descriptor for libblkid, in which the device begins at *ret_base; a source without a descriptor
	 * returns a file in memory with copies of its beginning, its end and its partitions. Or negative errno.
	 */
	int (*probe)(const struct device *device, uint64_t *ret_base);
	/* Keeps reads in flight; NULL: io_uring or threads. */
	const struct engine_ops *engine;
	/* Retries after a failed read; 0 if the kernel or the medium has already retried. */
	unsigned retries;
	/* Why the device is gone if device_gone(): the rest of a sentence. */
	const char *gone_why;
	/* Like device_inner() and device_dump(). NULL: does not apply. */
	const char *(*inner)(const struct device *device, enum device_inner inner);
	struct device_dump (*dump)(const struct device *device);
	/* Makes all requests in flight fail, since the device is silent. NULL: impossible. */
	void (*cancel)(struct device *device);
	/* Like device_rest(). NULL: there are no threads. */
	void (*rest)(struct device *device);
	/* May be called at any stage of opening, and is called if opening fails. */
	void (*close)(struct device *device);
};

/* Constructors of sources. */
int source_file_open(struct device *device, const struct device_options *options, char *message, size_t size);

/* Checks whether a device or image is in use. */

/*
 * Checks whether the file or device of st may be read. 0; -EBUSY, or another negative errno if that cannot be found
 * out, with a sentence in message, of size bytes. *ret_exclusive: open the block device with O_EXCL, which fails if it
 * is in use in ways that cannot be found otherwise.
 */
int in_use_check(const char *path, const struct stat *st, bool allow_readonly_mounted, bool *ret_exclusive,
		 char *message, size_t size);

/*
 * Locks an open file or device against other runs. alone: no other run may have it open; else no other run may have it
 * alone. -EBUSY: conflict. 0: locked until fd is closed, or the file system does not support locks.
 */
int in_use_lock(int fd, bool alone);
/*
 * The same for `bytes` from `base` of a file that in_use_lock() locked as shared. An exclusive lock needs a descriptor
 * for writing, *ret_lock_fd; the caller closes it to unlock. Negative: none.
 */
int in_use_lock_part(int fd, uint64_t base, uint64_t bytes, bool alone, int *ret_lock_fd);

/* A device in a metadump. */

/*
 * Opens a metadump, and finds its compression. Returns a descriptor; -ENOENT: not a metadump, as far as can be told;
 * -EIO: its beginning is unreadable.
 */
int source_metadump_find(const char *path, enum packing *ret_packing);
/* Like source_open(), for a result of source_metadump_find(). The device owns fd from now on, even after an error. */
int source_metadump_open(struct device *device, int fd, enum packing packing, const struct device_options *options,
			 char *message, size_t size);
/* Like source_open(), for a device in the dump of options->carrier. */
int source_metadump_open_inner(struct device *device, const struct device_options *options, char *message, size_t size);

/* A device behind an NBD server. */

/* True if a device name is the URI of an NBD export. */
bool source_nbd_is_uri(const char *path);
/* Like source_open(). */
int source_nbd_open(struct device *device, const struct device_options *options, char *message, size_t size);
/* Returns the connection, owned by the device. */
struct nbd_io *source_nbd_io(const struct device *device);

#endif
