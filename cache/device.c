/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open device, independent of its source (source.h), and whether two names refer to the same bytes. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "engine.h"
#include "kept.h"
#include "origin.h"
#include "overlay.h"
#include "output.h"
#include "source.h"
#include "unreadable.h"

#ifdef HAVE_LIBNBD
#define WITH_LIBNBD true
#else
#define WITH_LIBNBD false
#endif
#ifdef HAVE_ZSTD
#define WITH_ZSTD true
#else
#define WITH_ZSTD false
#endif
#ifdef HAVE_LZMA
#define WITH_LZMA true
#else
#define WITH_LZMA false
#endif
#ifdef HAVE_ZLIB
#define WITH_ZLIB true
#else
#define WITH_ZLIB false
#endif

const struct device_input device_inputs[] = {
	{ "NBD (libnbd)", WITH_LIBNBD, "no, this was built without libnbd" },
	{ "metadumps in zstd (libzstd)", WITH_ZSTD, "no, this was built without libzstd" },
	{ "metadumps in xz (liblzma)", WITH_LZMA, "no, this was built without liblzma" },
	{ "metadumps in gzip (zlib)", WITH_ZLIB, "no, this was built without zlib" },
	{ 0 },
};

/*
 * Opens device->path: sets device->source, bytes, align, sector, name and the members of the source. 0, or negative
 * errno with a sentence for the user in message.
 */
static int source_open(struct device *device, const struct device_options *options, char *message, size_t size)
{
	enum packing packing;
	int fd;

	if (options->carrier)
		return source_metadump_open_inner(device, options, message, size);
	if (source_nbd_is_uri(device->path))
		return source_nbd_open(device, options, message, size);
	fd = source_metadump_find(device->path, &packing);
	if (fd >= 0)
		return source_metadump_open(device, fd, packing, options, message, size);
	if (fd == -EIO)
		device->doubtful = SECTOR_SIZE;
	return source_file_open(device, options, message, size);
}

static int choose_engine(struct device *device, enum device_engine engine)
{
	int ret;

	/* a share of the time needs the time of each request, which a ring does not have */
	if (engine == ENGINE_THREADS || device->pace.share || device->source->engine)
		return 0;
	ret = ioq_uring_usable();
	device->uring = ret == 0;
	device->uring_required = engine == ENGINE_URING;
	return device->uring_required ? ret : 0;
}

static int prepare(struct device *device, const struct device_options *options, char *message, size_t size)
{
	int ret = choose_engine(device, options->engine);

	if (ret) {
		snprintf(message, size, "cannot read %s through io_uring: %s", device->name, strerror(-ret));
		return ret;
	}
	if (options->medium != MEDIUM_UNKNOWN)
		device->medium = options->medium;
	device->on_loss = options->on_loss;
	device->on_loss_ctx = options->on_loss_ctx;
	if (device->bad_unit < device->align)
		device->bad_unit = device->align;
	device->buffers = buffers_create(device->align);
	device->unreadable = unreadable_create();
	device->overlay = overlay_create();
	device->kept = kept_create();
	device->below = kept_create();
	device->ahead = kept_create();
	if (!device->buffers || !device->unreadable || !device->overlay || !device->kept || !device->below ||
	    !device->ahead) {
		snprintf(message, size, "cannot open %s: %s", device->name, strerror(ENOMEM));
		return -ENOMEM;
	}
	return 0;
}

int device_open(const char *path, const struct device_options *options, struct device **ret_device, char *message,
		size_t size)
{
	struct device *device = calloc(1, sizeof(*device));
	int ret;

	if (device) {
		device->path = strdup(path);
		device->name = strdup(path);
		device->may_be_mounted = options->allow_readonly_mounted;
		device->fd = device->lock_fd = device->write_fd = -1;
		pthread_mutex_init(&device->failed_lock, NULL);
		watch_init(device);
		pace_init(&device->pace, options->read_rate, options->read_requests, options->read_share);
		device->watch.limit = options->io_timeout;
		device->watch.on_silence = options->on_silence;
		device->watch.ctx = options->on_silence_ctx;
	}
	if (!device || !device->path || !device->name) {
		snprintf(message, size, "cannot open %s: %s", path, strerror(ENOMEM));
		device_close(device);
		return -ENOMEM;
	}
	ret = source_open(device, options, message, size);
	if (!ret)
		ret = prepare(device, options, message, size);
	if (ret) {
		device_close(device);
		return ret;
	}
	*ret_device = device;
	return 0;
}

void device_close(struct device *device)
{
	if (!device)
		return;
	watch_destroy(device);
	pace_destroy(&device->pace);
	if (device->source)
		device->source->close(device);
	buffers_destroy(device->buffers);
	unreadable_destroy(device->unreadable);
	overlay_destroy(device->overlay);
	kept_destroy(device->kept);
	kept_destroy(device->below);
	kept_destroy(device->ahead);
	pthread_mutex_destroy(&device->failed_lock);
	free(device->path);
	free(device->name);
	free(device);
}

const char *device_path(const struct device *device)
{
	return device->path;
}

const char *device_name(const struct device *device)
{
	return device->name;
}

uint64_t device_base(const struct device *device)
{
	return device->base;
}

bool device_is_file(const struct device *device)
{
	return device->file && !device->is_range;
}

/* Returns the size of the file or block device in bytes; 0: unknown. */
static uint64_t bytes_at(const char *path, const struct stat *st)
{
	uint64_t bytes = 0;
	int fd;

	if (!S_ISBLK(st->st_mode))
		return (uint64_t)st->st_size;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && ioctl(fd, BLKGETSIZE64, &bytes))
		bytes = 0;
	if (fd >= 0)
		close(fd);
	return bytes;
}

bool device_is_at(const struct device *device, const char *path)
{
	struct origin mine, other;
	struct stat st;

	if (device->fd < 0)
		return strcmp(device->path, path) == 0;
	if (fstat(device->fd, &st))
		return false;
	mine = origin_find(&st);
	mine.offset += device->base;
	if (stat(path, &st))
		return false;
	other = origin_find(&st);
	if (!origin_shared(&mine, &other))
		return false;
	return mine.offset == other.offset ||
	       (mine.offset < other.offset ? other.offset - mine.offset < device->bytes
					   : mine.offset - other.offset < bytes_at(path, &st));
}

/* Finds the directory in which a file of this name would be created. False: it does not exist. */
static bool find_folder(const char *path, struct stat *ret_st)
{
	char *copy = strdup(path);
	const bool found = copy && stat(dirname(copy), ret_st) == 0;

	free(copy);
	return found;
}

bool device_same_path(const char *path, const char *other)
{
	struct stat one, two;
	struct origin a, b;

	if (stat(path, &one) == 0 && stat(other, &two) == 0) {
		a = origin_find(&one);
		b = origin_find(&two);
		return origin_shared(&a, &b);
	}
	return access(path, F_OK) && access(other, F_OK) && strcmp(path_name(path), path_name(other)) == 0 &&
	       find_folder(path, &one) && find_folder(other, &two) && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

const char *device_inner(const struct device *device, enum device_inner inner)
{
	return device->source->inner ? device->source->inner(device, inner) : NULL;
}

struct device_dump device_dump(const struct device *device)
{
	return device->source->dump ? device->source->dump(device) : (struct device_dump){ 0 };
}

bool device_is_remote(const char *path)
{
	return source_nbd_is_uri(path);
}

bool device_same_file(int fd, const char *path)
{
	struct stat one, two;
	struct origin a, b;

	if (fstat(fd, &one) || stat(path, &two))
		return false;
	a = origin_find(&one);
	b = origin_find(&two);
	return origin_shared(&a, &b);
}

bool device_mounted(const struct device *device)
{
	return device->mounted;
}

uint64_t device_bytes(const struct device *device)
{
	return device->bytes;
}

bool device_resized(const struct device *device, char *message, size_t size)
{
	uint64_t now = 0;

	if (device->source->size(device, &now) || now == device->bytes)
		return false;
	snprintf(message, size, "%s had %llu bytes at first, and has %llu now, so somebody else works on it",
		 device->name, (unsigned long long)device->bytes, (unsigned long long)now);
	return true;
}

uint32_t device_align(const struct device *device)
{
	return device->align;
}

uint32_t device_sector(const struct device *device)
{
	return device->sector;
}

enum device_medium device_medium(const struct device *device)
{
	return device->medium;
}

bool device_uses_uring(const struct device *device)
{
	return device->uring;
}

void device_rest(struct device *device)
{
	watch_rest(device);
	if (device->source->rest)
		device->source->rest(device);
}

uint64_t device_data_below(const struct device *device, uint64_t offset, uint64_t *ret_end)
{
	uint64_t data = offset, hole = device->bytes;
	const int ret = device->source->extent ? device->source->extent(device, offset, &data, &hole) : -EOPNOTSUPP;

	if (ret)
		data = ret == -ENXIO ? device->bytes : offset; /* other errors: unknown */
	/* of a part: what is behind it belongs to what follows it */
	*ret_end = ret || hole <= data || hole > device->bytes ? device->bytes : hole;
	return data < device->bytes ? data : device->bytes;
}

uint64_t device_next_data(const struct device *device, uint64_t offset, uint32_t unit)
{
	uint64_t end, data = device_data_below(device, offset, &end);

	if (data > offset && overlay_any(device->overlay))
		data = overlay_next(device->overlay, offset, data);
	return data < device->bytes ? data - data % unit : data;
}

void device_counts(const struct device *device, struct device_counts *ret_counts)
{
	*ret_counts = (struct device_counts){
		.requests = atomic_load_explicit(&device->requests, memory_order_relaxed),
		.bytes = atomic_load_explicit(&device->bytes_read, memory_order_relaxed),
		.backward = atomic_load_explicit(&device->backward, memory_order_relaxed),
		.errors = atomic_load_explicit(&device->errors, memory_order_relaxed),
		.kept = atomic_load_explicit(&device->bytes_kept, memory_order_relaxed),
		.arrived = atomic_load_explicit(&device->arrived, memory_order_relaxed),
		.at = atomic_load_explicit(&device->at, memory_order_relaxed),
		.compared = atomic_load_explicit(&device->compared, memory_order_relaxed),
	};
}
