/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xfsck for computed file systems, linked with --wrap=source_file_open.  A path "computed:inodes=1000000000,groups=256"
 * names one (computed.h lists the options); any other is opened normally.  Reading threads compute the data, without a
 * copy.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "computed.h"
#include "../../cache/engine.h"
#include "../../cache/read.h"
#include "../../cache/source.h"

int __real_source_file_open(struct device *device, const struct device_options *options, char *message, size_t size);
int __wrap_source_file_open(struct device *device, const struct device_options *options, char *message, size_t size);

/* ---- reads in flight ---- */

struct queue {
	struct device *device;
	unsigned depth, first, count;
	struct read_tally tally;
	struct io *waiting[];
};

static int queue_create(struct device *device, unsigned depth, void **ret_engine)
{
	struct queue *queue = calloc(1, sizeof(*queue) + depth * sizeof(struct io *));

	if (!queue)
		return -ENOMEM;
	queue->device = device;
	queue->depth = depth;
	*ret_engine = queue;
	return 0;
}

static void queue_destroy(void *engine)
{
	struct queue *queue = engine;

	read_tell(queue->device, &queue->tally);
	free(queue);
}

static int queue_submit(void *engine, struct io *io)
{
	struct queue *queue = engine;

	queue->waiting[(queue->first + queue->count++) % queue->depth] = io;
	return 0;
}

static struct io *queue_wait(void *engine, ssize_t *ret_result)
{
	struct queue *queue = engine;
	struct io *io = queue->waiting[queue->first];
	const size_t len = device_available(queue->device, io->offset, io->len);

	queue->first = (queue->first + 1) % queue->depth;
	queue->count--;
	computed_read(queue->device->state, io->buf, io->offset, len);
	*ret_result = read_counted(queue->device, &queue->tally, io->offset, io->len, (ssize_t)len);
	return io;
}

static bool queue_ready(const void *engine)
{
	return ((const struct queue *)engine)->count;
}

static const struct engine_ops engine_computed = {
	.create = queue_create,
	.destroy = queue_destroy,
	.submit = queue_submit,
	.wait = queue_wait,
	.ready = queue_ready,
};

/* ---- the device ---- */

static ssize_t read_some(struct device *device, void *buf, uint64_t offset, size_t len)
{
	const size_t n = device_available(device, offset, len);

	computed_read(device->state, buf, offset, n);
	return (ssize_t)n;
}

static int may_write(const struct device *device, char *message, size_t size)
{
	snprintf(message, size, "%s is computed, and can't be written", device->name);
	return -EROFS;
}

static int open_write(struct device *device, char *message, size_t size)
{
	return may_write(device, message, size);
}

static int size_of(const struct device *device, uint64_t *ret_bytes)
{
	*ret_bytes = device->bytes;
	return 0;
}

static int probe(const struct device *device, uint64_t *ret_base)
{
	(void)device;
	(void)ret_base;
	return -EOPNOTSUPP;
}

static void close_it(struct device *device)
{
	if (device->state)
		computed_destroy(device->state);
}

static const struct source_ops source_computed = {
	.read = read_some,
	.may_write = may_write,
	.open_write = open_write,
	.size = size_of,
	.probe = probe,
	.engine = &engine_computed,
	.gone_why = "it can't be computed any more",
	.close = close_it,
};

int __wrap_source_file_open(struct device *device, const struct device_options *options, char *message, size_t size)
{
	const size_t prefix = strlen(COMPUTED_PREFIX);
	struct computed_options what;

	if (strncmp(device->path, COMPUTED_PREFIX, prefix) != 0)
		return __real_source_file_open(device, options, message, size);
	device->source = &source_computed;
	if (!computed_parse(device->path + prefix, &what, message, size))
		return -EINVAL;
	device->state = computed_create(&what, message, size);
	if (!device->state)
		return -EINVAL;
	device->bytes = computed_bytes(device->state);
	device->align = device->sector = SECTOR_SIZE;
	device->medium = MEDIUM_FLASH;
	return 0;
}
