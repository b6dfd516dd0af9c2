/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device in a metadump; a compressed dump is unpacked to a temporary file first. Blocks missing in the dump read as
 * zeroes, as in an image by xfs_mdrestore(8). An external log and a realtime section in it are separate devices that
 * share the dump.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "source.h"
#include "metadump.h"
#include "partitions.h"
#include "whole.h"
#include "zeroes.h"

#define HOLE 4096u /* bytes; runs of zeroes of this size are holes in the temporary file */

/* A dump shared by devices, which one thread opens and closes. */
struct shared_dump {
	struct metadump dump;
	unsigned users;
};

struct dump_source {
	struct shared_dump *shared;
	enum metadump_role role;
	char *inner[METADUMP_ROLES]; /* names of the other devices in it */
};

static const struct metadump *dump_of(const struct device *device)
{
	const struct dump_source *source = device->state;

	return &source->shared->dump;
}

static enum metadump_role part_of(const struct device *device)
{
	const struct dump_source *source = device->state;

	return source->role;
}

static ssize_t dump_read(struct device *device, void *buf, uint64_t offset, size_t len)
{
	const size_t available = device_available(device, offset, len);
	const int ret = metadump_read(dump_of(device), part_of(device), buf, offset, available);

	return ret ? ret : (ssize_t)available;
}

static int dump_may_write(const struct device *device, char *message, size_t size)
{
	snprintf(message, size,
		 "%s is a metadump, which holds no files: it can be checked (-n), but not repaired; xfs_mdrestore(8) "
		 "makes an image of it to try a repair on",
		 device->name);
	return -EROFS;
}

static int dump_open_write(struct device *device, char *message, size_t size)
{
	return dump_may_write(device, message, size);
}

static int dump_size(const struct device *device, uint64_t *ret_bytes)
{
	*ret_bytes = device->bytes;
	return 0;
}

static int dump_extent(const struct device *device, uint64_t offset, uint64_t *ret_data, uint64_t *ret_hole)
{
	return metadump_find(dump_of(device), part_of(device), offset, ret_data, ret_hole);
}

static const char *dump_inner(const struct device *device, enum device_inner inner)
{
	const struct dump_source *source = device->state;

	return source->inner[inner == INNER_LOG ? METADUMP_LOG : METADUMP_RT];
}

static struct device_dump dump_dump(const struct device *device)
{
	const struct metadump *dump = dump_of(device);

	return (struct device_dump){ .version = dump->version, .obfuscated = dump->obfuscated };
}

/* Fails, since a metadump need not be identified by libblkid. */
static int dump_probe(const struct device *device, uint64_t *ret_base)
{
	(void)device;
	(void)ret_base;
	return -EOPNOTSUPP;
}

static void dump_close(struct device *device)
{
	struct dump_source *source = device->state;

	if (source && source->shared && --source->shared->users == 0) {
		metadump_close(&source->shared->dump);
		free(source->shared);
	}
	for (unsigned role = 0; source && role < METADUMP_ROLES; role++)
		free(source->inner[role]);
	free(source);
	device->state = NULL;
	if (device->fd >= 0)
		close(device->fd);
}

static const struct source_ops source_metadump = {
	.read = dump_read,
	.may_write = dump_may_write,
	.open_write = dump_open_write,
	.size = dump_size,
	.extent = dump_extent,
	.probe = dump_probe,
	.engine = &engine_threads,
	.inner = dump_inner,
	.dump = dump_dump,
	.gone_why = "the metadump can't be read any more",
	.close = dump_close,
};

/* ---- detection ---- */

struct beginning {
	uint8_t bytes[METADUMP_MAGIC_LEN];
	size_t len;
};

static int keep_beginning(void *ctx, const uint8_t *bytes, size_t len)
{
	struct beginning *beginning = ctx;

	for (size_t i = 0; i < len && beginning->len < METADUMP_MAGIC_LEN; i++)
		beginning->bytes[beginning->len++] = bytes[i];
	return beginning->len == METADUMP_MAGIC_LEN;
}

/* 1 if a file is a metadump, 0 if not, or -EIO. */
static int begins_as_dump(int fd, enum packing *ret_packing)
{
	uint8_t bytes[PACKING_MAGIC_LEN] = { 0 };
	struct beginning beginning = { 0 };

	*ret_packing = PACKING_NONE;
	if (pread(fd, bytes, sizeof(bytes), 0) < 0)
		return -EIO;
	if (metadump_is(bytes))
		return 1;
	*ret_packing = packing_of(bytes);
	/*
	 * If it cannot be unpacked, device_describe() tells the user what it is. The library may ask for much memory,
	 * but so few bytes use next to none.
	 */
	return *ret_packing != PACKING_NONE &&
	       unpack(fd, *ret_packing, UNPACK_MEMORY, keep_beginning, &beginning) >= 0 &&
	       beginning.len == METADUMP_MAGIC_LEN && metadump_is(beginning.bytes);
}

int source_metadump_find(const char *path, enum packing *ret_packing)
{
	struct stat st;
	int fd, is = 0;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		is = begins_as_dump(fd, ret_packing);
	if (is > 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return is < 0 ? is : -ENOENT;
}

/* ---- opening ---- */

/* Limits for unpacking. The superblock's size limits only large dumps, since it may be corrupt. */
#define UNBOUND	   (UINT64_C(256) << 20) /* bytes that any dump may have */
#define ROOM_SPARE 8u			 /* 1 / ROOM_SPARE of the free space stays free */

struct unpacked {
	int fd;
	uint64_t bytes, written; /* with and without holes */
	uint64_t room;		 /* bytes that may be written */
	uint64_t most;		 /* the most bytes the dump can have */
	uint64_t memory;	 /* bytes of memory for unpacking */
	uint8_t beginning[METADUMP_BEGINNING];
};

static int keep_output(struct unpacked *unpacked, const uint8_t *bytes, size_t len)
{
	if (all_zero(bytes, len))
		return 0;
	unpacked->written += len;
	return unpacked->written > unpacked->room ? -ENOSPC : whole_write(unpacked->fd, unpacked->bytes, bytes, len);
}

/* Collects the beginning, whose superblock has the size of the file system. */
static void look_at_beginning(struct unpacked *unpacked, const uint8_t *bytes, size_t len)
{
	const uint64_t has = unpacked->bytes;

	if (has >= METADUMP_BEGINNING)
		return;
	if (len > METADUMP_BEGINNING - has)
		len = METADUMP_BEGINNING - has;
	memcpy(unpacked->beginning + has, bytes, len);
	if (has + len < METADUMP_BEGINNING)
		return;
	unpacked->most = metadump_most(unpacked->beginning);
	if (unpacked->most < UNBOUND)
		unpacked->most = UNBOUND;
}

static int keep(void *ctx, const uint8_t *bytes, size_t len)
{
	struct unpacked *unpacked = ctx;
	int ret = 0;

	look_at_beginning(unpacked, bytes, len);
	while (len && !ret) {
		const size_t n = len < HOLE ? len : HOLE;

		ret = unpacked->bytes + n > unpacked->most ? -E2BIG : keep_output(unpacked, bytes, n);
		unpacked->bytes += n;
		bytes += n;
		len -= n;
	}
	return ret;
}

/* Reports the unpacking through options->on_unpack. Returns the bytes that may be written. */
static uint64_t tell_unpacking(const struct device *device, enum packing packing, const struct device_options *options,
			       int to)
{
	const uint64_t room = temporary_room(to);
	struct device_unpacking unpacking = { .packing = packing_name(packing), .room = room };
	struct stat st;
	bool unnamed;

	if (options->on_unpack && !fstat(device->fd, &st)) {
		unpacking.packed = (uint64_t)st.st_size;
		unpacking.bytes = unpack_stated_size(device->fd, packing, unpacking.packed);
		unpacking.folder = temporary_folder(&unnamed);
		options->on_unpack(options->on_unpack_ctx, &unpacking);
	}
	return room == UINT64_MAX ? room : room - room / ROOM_SPARE;
}

/* Writes why it was not unpacked: the rest of a sentence. */
static void say_not_unpacked(const struct unpacked *unpacked, const char *name, int error, char *why, size_t size)
{
	bool unnamed;

	if (error == -EBADMSG)
		snprintf(why, size, "the %s data is damaged or cut short", name);
	else if (error == -E2BIG)
		snprintf(why, size,
			 "unpacking the %s data was stopped after %llu MiB: that is more than a metadump of this file "
			 "system can have, by the superblock in it",
			 name, (unsigned long long)unpacked->most >> 20);
	else if (error == -ENOSPC)
		snprintf(why, size,
			 "unpacking the %s data was stopped after %llu MiB: the folder for temporary files, %s, has "
			 "too little free space; TMPDIR names another one",
			 name, (unsigned long long)unpacked->written >> 20, temporary_folder(&unnamed));
	else if (error == -ENOBUFS)
		snprintf(why, size,
			 "unpacking the %s data takes more than the %llu MiB of memory that it may take (of -m): allow "
			 "more, or unpack it first",
			 name, (unsigned long long)unpacked->memory >> 20);
	else
		snprintf(why, size, "unpacking the %s data into a temporary file (TMPDIR, /var/tmp) failed: %s", name,
			 strerror(-error));
}

/* Unpacks into a temporary file. Returns its descriptor, or negative errno with the rest of a sentence in why. */
static int unpack_to_temporary(const struct device *device, enum packing packing, const struct device_options *options,
			       char *why, size_t size)
{
	struct unpacked unpacked = { .fd = temporary_open(),
				     .most = UINT64_MAX,
				     .memory = options->unpack_bytes && options->unpack_bytes < UNPACK_MEMORY
						       ? options->unpack_bytes
						       : UNPACK_MEMORY };
	int ret = unpacked.fd < 0 ? unpacked.fd : 0;

	if (!ret) {
		unpacked.room = tell_unpacking(device, packing, options, unpacked.fd);
		ret = unpack(device->fd, packing, unpacked.memory, keep, &unpacked);
	}
	if (!ret && ftruncate(unpacked.fd, (off_t)unpacked.bytes))
		ret = -errno;
	if (!ret)
		return unpacked.fd;
	if (unpacked.fd >= 0)
		close(unpacked.fd);
	say_not_unpacked(&unpacked, packing_name(packing), ret, why, size);
	return ret;
}

/* Makes the device a part of a dump. 0 or -ENOMEM. */
static int use_dump(struct device *device, struct shared_dump *shared, enum metadump_role role)
{
	struct dump_source *source = calloc(1, sizeof(*source));

	if (!source)
		return -ENOMEM;
	device->source = &source_metadump;
	device->state = source;
	device->bytes = shared->dump.bytes[role];
	device->align = device->sector = SECTOR_SIZE;
	device->medium = MEDIUM_UNKNOWN;
	source->role = role;
	source->shared = shared;
	shared->users++;
	return 0;
}

/* Names the other devices in the dump. 0 or -ENOMEM. */
static int name_inner(const struct device *device)
{
	static const char *const words[METADUMP_ROLES] = { [METADUMP_LOG] = "log", [METADUMP_RT] = "realtime section" };
	struct dump_source *source = device->state;

	for (unsigned role = METADUMP_LOG; role < METADUMP_ROLES; role++)
		if (dump_of(device)->bytes[role] &&
		    asprintf(&source->inner[role], "the %s in %s", words[role], device->path) < 0) {
			source->inner[role] = NULL;
			return -ENOMEM;
		}
	return 0;
}

/* Opens a dump for use_dump(). 0, or negative errno with a sentence in message. */
static int open_dump(struct device *device, enum packing packing, const struct device_options *options,
		     struct shared_dump **ret_shared, char *message, size_t size)
{
	struct shared_dump *shared = calloc(1, sizeof(*shared));
	char why[512];
	int fd, ret = -ENOMEM;

	snprintf(why, sizeof(why), "%s", strerror(ENOMEM));
	fd = packing == PACKING_NONE ? dup(device->fd)
				     : unpack_to_temporary(device, packing, options, why, sizeof(why));
	if (fd >= 0 && shared) {
		ret = metadump_open(&shared->dump, fd, options->map_bytes ? options->map_bytes : MAP_BYTES, why,
				    sizeof(why));
		if (!ret) {
			*ret_shared = shared;
			return 0;
		}
		metadump_close(&shared->dump);
	} else if (fd >= 0) {
		close(fd);
	} else if (packing == PACKING_NONE) {
		ret = -EMFILE; /* dup() has no other reason to fail */
		snprintf(why, sizeof(why), "%s", strerror(EMFILE));
	} else {
		ret = fd;
	}
	free(shared);
	snprintf(message, size, "%s: %s", device->path, why);
	return ret;
}

int source_metadump_open(struct device *device, int fd, enum packing packing, const struct device_options *options,
			 char *message, size_t size)
{
	struct shared_dump *shared = NULL;
	int ret;

	device->source = &source_metadump;
	device->fd = fd;
	device->file = true;
	if (part_wanted(options)) {
		snprintf(message, size, "%s is a metadump, which has no parts: give neither --partition nor --offset",
			 device->path);
		return -EINVAL;
	}
	if (options->alone)
		return dump_may_write(device, message, size);
	if (in_use_lock(fd, false)) {
		snprintf(message, size, "%s is in use by another program", device->path);
		return -EBUSY;
	}
	ret = open_dump(device, packing, options, &shared, message, size);
	if (ret)
		return ret;
	ret = use_dump(device, shared, METADUMP_DATA);
	if (ret) {
		metadump_close(&shared->dump);
		free(shared);
	} else {
		ret = name_inner(device);
	}
	if (ret)
		snprintf(message, size, "cannot open %s: %s", device->path, strerror(ENOMEM));
	return ret;
}

int source_metadump_open_inner(struct device *device, const struct device_options *options, char *message, size_t size)
{
	const struct dump_source *carrier = options->carrier->state;
	const int ret = use_dump(device, carrier->shared, options->inner == INNER_LOG ? METADUMP_LOG : METADUMP_RT);

	if (ret)
		snprintf(message, size, "cannot open %s: %s", device->path, strerror(ENOMEM));
	return ret;
}
