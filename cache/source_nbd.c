/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device behind an NBD server, local or remote, such as qemu-nbd or nbdkit. The server states its size, the requests
 * it accepts, and whether it is writable; the protocol cannot announce changes of these.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

bool source_nbd_is_uri(const char *path)
{
	static const char *const schemes[] = { "nbd", "nbds", "nbd+unix", "nbds+unix", "nbd+vsock", "nbds+vsock" };
	const size_t length = strcspn(path, ":");

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strlen(schemes[i]) == length && strncasecmp(path, schemes[i], length) == 0)
			return strncmp(path + length, "://", 3) == 0;
	return false;
}

#ifndef HAVE_LIBNBD
static void close_nothing(struct device *device)
{
	(void)device;
}

int source_nbd_open(struct device *device, const struct device_options *options, char *message, size_t size)
{
	static const struct source_ops nothing = { .close = close_nothing };

	(void)options;
	device->source = &nothing;
	snprintf(message, size, "cannot open %s: this xfsck was built without libnbd", device->path);
	return -EOPNOTSUPP;
}
#else
#include <fcntl.h>
#include <libnbd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"
#include "nbd_io.h"
#include "partitions.h"
#include "whole.h"

#define RETRIES	    4u
#define MOST_ALIGN  (64u << 10) /* bytes */
#define USUAL_MOST  (32u << 20) /* the protocol's default for servers that state no limit */
#define LARGEST	    (4u << 20)	/* our requests need not be larger */
#define PROBED_ENDS (1u << 20)	/* bytes at each end in which libblkid looks */

struct nbd_source {
	struct nbd_handle *handle;
	struct nbd_io *io;
	uint64_t bytes; /* size of the export */
	bool readonly;
	bool can_flush, can_fua;
};

struct nbd_io *source_nbd_io(const struct device *device)
{
	const struct nbd_source *nbd = device->state;

	return nbd->io;
}

/* Marks the device as gone if the connection is lost. Returns the error. */
static int note_lost(struct device *device, int error)
{
	const struct nbd_source *nbd = device->state;

	if (error && nbd_io_disconnected(nbd->io))
		atomic_store(&device->gone, true);
	return error;
}

static ssize_t source_read(struct device *device, void *buf, uint64_t offset, size_t len)
{
	const size_t available = device_available(device, offset, len);
	const int error =
		available ? nbd_io_do(source_nbd_io(device), NBD_READ, buf, device->base + offset, available) : 0;

	return note_lost(device, error) ? error : (ssize_t)available;
}

static ssize_t source_write(struct device *device, const void *bytes, uint64_t offset, size_t len)
{
	const struct nbd_source *nbd = device->state;
	const int error = nbd_io_do(nbd->io, nbd->can_flush ? NBD_WRITE : NBD_WRITE_FUA, (void *)bytes,
				    device->base + offset, len);

	return note_lost(device, error) ? error : (ssize_t)len;
}

static int source_flush(struct device *device)
{
	const struct nbd_source *nbd = device->state;

	return nbd->can_flush ? note_lost(device, nbd_io_do(nbd->io, NBD_FLUSH, NULL, 0, 0)) : 0;
}

static int source_may_write(const struct device *device, char *message, size_t size)
{
	const struct nbd_source *nbd = device->state;

	if (nbd->readonly) {
		snprintf(message, size, "%s can't be written: the server exports it read-only", device->name);
		return -EROFS;
	}
	if (!nbd->can_flush && !nbd->can_fua) {
		snprintf(message, size,
			 "%s can't be written safely: the server does not tell when what is written is on its medium "
			 "(neither flush nor FUA)",
			 device->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int source_size(const struct device *device, uint64_t *ret_bytes)
{
	*ret_bytes = device->bytes;
	return 0;
}

/* A file in memory for libblkid, filled with copies. */
struct sample {
	struct nbd_source *nbd;
	int fd;
	int error;
};

static void copy_range(void *ctx, uint64_t offset, uint64_t bytes)
{
	struct sample *sample = ctx;
	const uint64_t whole = sample->nbd->bytes;
	uint8_t *buf = malloc(PROBED_ENDS);
	size_t len;

	if (offset < whole && !sample->error) {
		len = bytes < whole - offset ? bytes : whole - offset;
		len = len < PROBED_ENDS ? len : PROBED_ENDS;
		sample->error = buf ? nbd_io_do(sample->nbd->io, NBD_READ, buf, offset, len) : -ENOMEM;
		if (!sample->error)
			sample->error = whole_write(sample->fd, offset, buf, len);
	}
	free(buf);
}

static int source_probe(const struct device *device, uint64_t *ret_base)
{
	struct nbd_source *nbd = device->state;
	struct sample sample = { .nbd = nbd, .fd = memfd_create("xfsck", MFD_CLOEXEC) };

	*ret_base = device->base;
	if (sample.fd < 0 || ftruncate(sample.fd, (off_t)nbd->bytes))
		sample.error = -errno;
	copy_range(&sample, 0, PROBED_ENDS);
	copy_range(&sample, nbd->bytes > PROBED_ENDS ? (nbd->bytes - PROBED_ENDS) & ~(uint64_t)(MOST_ALIGN - 1) : 0,
		   PROBED_ENDS);
	copy_range(&sample, device->base, PROBED_ENDS);
	if (!sample.error)
		partitions_each(sample.fd, copy_range, &sample);
	if (!sample.error)
		return sample.fd;
	if (sample.fd >= 0)
		close(sample.fd);
	return sample.error;
}

static void source_rest(struct device *device)
{
	nbd_io_rest(source_nbd_io(device));
}

static void source_cancel(struct device *device)
{
	nbd_io_cut(source_nbd_io(device));
}

/* Runs libnbd until is_such(handle), or until the server is silent. 0, or -1: see nbd_get_error() or *ret_silent. */
static int go_on(const struct device *device, struct nbd_handle *handle, int (*is_such)(struct nbd_handle *handle),
		 bool *ret_silent)
{
	const int most = device->watch.limit ? (int)device->watch.limit * 1000 : -1;
	int ret = 1;

	while (ret > 0 && is_such(handle) == 0)
		ret = nbd_poll(handle, most);
	*ret_silent = ret == 0;
	return ret > 0 ? 0 : -1;
}

static int is_over(struct nbd_handle *handle)
{
	return nbd_aio_is_closed(handle) != 0 || nbd_aio_is_dead(handle) != 0;
}

static int is_connected(struct nbd_handle *handle)
{
	return nbd_aio_is_connecting(handle) <= 0;
}

/* Disconnects, and waits until the server has got the message. */
static void disconnect(const struct device *device, struct nbd_handle *handle)
{
	bool silent;

	if (nbd_aio_is_ready(handle) > 0 && nbd_aio_disconnect(handle, 0) == 0)
		go_on(device, handle, is_over, &silent);
}

static void source_close(struct device *device)
{
	struct nbd_source *nbd = device->state;

	if (!nbd)
		return;
	nbd_io_end(nbd->io);
	if (nbd->handle)
		disconnect(device, nbd->handle);
	nbd_close(nbd->handle);
	free(nbd);
	device->state = NULL;
}

static int source_open_write(struct device *device, char *message, size_t size)
{
	return source_may_write(device, message, size);
}

static const struct source_ops source_nbd = {
	.read = source_read,
	.write = source_write,
	.flush = source_flush,
	.may_write = source_may_write,
	.open_write = source_open_write,
	.size = source_size,
	.probe = source_probe,
	.engine = &engine_nbd,
	.cancel = source_cancel,
	.rest = source_rest,
	.retries = RETRIES,
	.gone_why = "the connection to the server is lost, or it answers no more",
	.close = source_close,
};

/* Describes the last error of libnbd, without the name of the call in front. Returns its negative errno. */
static int say_why(const struct device *device, char *message, size_t size)
{
	const char *why = nbd_get_error(), *colon = why ? strstr(why, ": ") : NULL;
	const int error = nbd_get_errno();

	snprintf(message, size, "cannot open %s: %s", device->path, colon ? colon + 2 : why ? why : "unknown reason");
	return error ? -error : -EIO;
}

static int say_silent(const struct device *device, char *message, size_t size)
{
	snprintf(message, size,
		 "cannot open %s: the server has not answered for %u s. -o io_timeout=SECONDS waits longer",
		 device->path, device->watch.limit);
	return -ETIMEDOUT;
}

/* 0, or -1: see nbd_get_error() or *ret_silent. */
static int connect_to(const struct device *device, struct nbd_source *nbd, bool *ret_silent)
{
	nbd->handle = nbd_create();
	if (!nbd->handle)
		return -1;
	/* the user gave the URI, so it may name key files */
	nbd_set_uri_allow_local_file(nbd->handle, true);
	/* buffers of failed reads are zeroed later */
	nbd_set_pread_initialize(nbd->handle, false);
	if (nbd_aio_connect_uri(nbd->handle, device->path))
		return -1;
	return go_on(device, nbd->handle, is_connected, ret_silent);
}

/* Gets the properties of the export, and sets the device's. 0, or -1: see nbd_get_error(). */
static int ask(struct device *device, struct nbd_source *nbd, size_t *ret_most)
{
	const int64_t bytes = nbd_get_size(nbd->handle);
	const int64_t least = nbd_get_block_size(nbd->handle, LIBNBD_SIZE_MINIMUM);
	int64_t most = nbd_get_block_size(nbd->handle, LIBNBD_SIZE_MAXIMUM);

	if (bytes < 0 || least < 0 || most < 0)
		return -1;
	if (!most)
		most = USUAL_MOST;
	nbd->bytes = device->bytes = (uint64_t)bytes;
	nbd->readonly = nbd_is_read_only(nbd->handle) > 0;
	nbd->can_flush = nbd_can_flush(nbd->handle) > 0;
	nbd->can_fua = nbd_can_fua(nbd->handle) > 0;
	device->align = device->sector = SECTOR_SIZE;
	if (least > (int64_t)SECTOR_SIZE)
		device->align = least > UINT32_MAX ? UINT32_MAX : (uint32_t)least;
	*ret_most = (size_t)(most < LARGEST ? most : LARGEST);
	return 0;
}

/* Checks that our requests can satisfy the server's limits. 0, or negative errno with a sentence in message. */
static int check_sizes(const struct device *device, size_t most, char *message, size_t size)
{
	if (device->align > MOST_ALIGN || (device->align & (device->align - 1)) || most < device->align ||
	    most % device->align) {
		snprintf(message, size,
			 "%s: the server takes only requests of %u to %zu bytes, which suit no file system",
			 device->path, device->align, most);
		return -EINVAL;
	}
	if (device->base % device->align) {
		snprintf(message, size, "%s: the server takes only requests at multiples of %u bytes", device->name,
			 device->align);
		return -EINVAL;
	}
	if (!device->bytes) {
		snprintf(message, size, "%s is empty", device->name);
		return -ENODATA;
	}
	return 0;
}

int source_nbd_open(struct device *device, const struct device_options *options, char *message, size_t size)
{
	struct nbd_source *nbd = calloc(1, sizeof(*nbd));
	bool silent = false;
	size_t most = 0;
	int ret;

	device->source = &source_nbd;
	device->state = nbd;
	if (!nbd) {
		snprintf(message, size, "cannot open %s: %s", device->path, strerror(ENOMEM));
		return -ENOMEM;
	}
	if (connect_to(device, nbd, &silent) || ask(device, nbd, &most))
		return silent ? say_silent(device, message, size) : say_why(device, message, size);
	ret = check_sizes(device, most, message, size);
	if (ret)
		return ret;
	ret = nbd_io_begin(nbd->handle, most, &nbd->io);
	if (ret) {
		snprintf(message, size, "cannot open %s: %s", device->path, strerror(-ret));
		return ret;
	}
	ret = part_find(device, options, message, size);
	return ret ? ret : check_sizes(device, most, message, size);
}
#endif
