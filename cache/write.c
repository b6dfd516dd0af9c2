/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes to a device, for a commit or a rollback; before that it is open only for reading. Writes are direct if reads
 * are, in whole units of device_align(), so that errors are reported for the write that caused them.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "device.h"
#include "fault.h"
#include "kept.h"
#include "read.h"
#include "source.h"
#include "unreadable.h"

int device_may_write(const struct device *device, char *message, size_t size)
{
	return device->source->may_write(device, message, size);
}

int device_open_write(struct device *device, char *message, size_t size)
{
	int ret;

	if (device->writable)
		return 0;
	ret = device->source->open_write(device, message, size);
	device->writable = ret == 0;
	return ret;
}

bool device_write_failed(const struct device *device, uint64_t *ret_offset, uint64_t *ret_len)
{
	*ret_offset = device->failed_offset;
	*ret_len = device->failed_len;
	return device->failed_len > 0;
}

uint64_t device_written(const struct device *device)
{
	return device->written;
}

int write_failed(struct device *device, uint64_t offset, size_t len, int error)
{
	pthread_mutex_lock(&device->failed_lock);
	/* of concurrent failed writes, keep the one with the lowest offset */
	if (!device->failed_len || (len && offset < device->failed_offset)) {
		device->failed_offset = offset;
		device->failed_len = len;
	}
	pthread_mutex_unlock(&device->failed_lock);
	return error;
}

static ssize_t write_some(struct device *device, const uint8_t *bytes, uint64_t offset, size_t len)
{
	ssize_t n;

	atomic_store_explicit(&device->at, offset, memory_order_relaxed);
	if (device->fault_count) {
		n = fault_write(device, offset, len);
		if (n < 0)
			return n;
		len = (size_t)n;
	}
	return device->source->write(device, bytes, offset, len);
}

/* Makes one request: bytes written or negative errno. */
static ssize_t write_request(struct device *device, const uint8_t *bytes, uint64_t offset, size_t len)
{
	ssize_t n;

	watch_wait(device, WATCH_WRITE);
	n = write_some(device, bytes, offset, len);
	watch_answered(device, WATCH_WRITE);
	return n;
}

int write_units(struct device *device, const uint8_t *bytes, uint64_t offset, size_t len)
{
	/* an image may end within a unit; a direct write would extend it */
	bool maybe_direct = device->write_fd >= 0 && fcntl(device->write_fd, F_GETFL) & O_DIRECT;

	if (maybe_direct && len % device->align) {
		direct_off(device->write_fd);
		maybe_direct = false;
	}
	while (len) {
		ssize_t n = write_request(device, bytes, offset, len);

		if (n == -EINTR)
			continue;
		if (n == -EINVAL && maybe_direct) {
			direct_off(device->write_fd);
			maybe_direct = false;
			continue;
		}
		if (n > 0 && (size_t)n < len)
			/* repeat the incomplete unit */
			n = maybe_direct ? (ssize_t)align_down((uint64_t)n, device->align) : n;
		if (n <= 0)
			return write_failed(device, offset, len, n < 0 ? (int)n : -EIO);
		atomic_fetch_add_explicit(&device->written, (uint64_t)n, memory_order_relaxed);
		unreadable_remove(device->unreadable, offset, offset + (uint64_t)n);
		bytes += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

int device_write(struct device *device, const void *bytes, uint64_t offset, size_t len)
{
	uint64_t start = align_down(offset, device->align);
	uint64_t end = align_up(offset + len, device->align);
	uint64_t at, n;
	uint8_t *buf;
	int ret = 0;

	if (offset > device->bytes || len > device->bytes - offset)
		return -ERANGE;
	if (!len)
		return 0;
	end = end < device->bytes ? end : device->bytes;
	buf = device_buffer(device, end - start);
	if (!buf)
		return -ENOMEM;
	if (start != offset || end != offset + len) {
		ret = read_below(device, buf, start, end - start);
		/* unreadable bytes around the range would be overwritten with zeroes */
		if (ret && (unreadable_find(device->unreadable, start, offset, &at, &n) ||
			    unreadable_find(device->unreadable, offset + len, end, &at, &n)))
			ret = write_failed(device, start, end - start, -EIO);
		else if (ret != -ENOMEM)
			ret = 0;
	}
	if (!ret) {
		memcpy(buf + (offset - start), bytes, len);
		ret = write_units(device, buf, start, end - start);
		kept_forget(device->kept, start, end - start);
		kept_forget(device->below, start, end - start);
		kept_forget(device->ahead, start, end - start);
	}
	device_buffer_free(buf);
	return ret;
}

int device_flush(struct device *device)
{
	/* after an error the kernel drops the data and the error, so a retry would only seem to succeed */
	int ret;

	watch_wait(device, WATCH_FLUSH);
	ret = device->source->flush(device);
	watch_answered(device, WATCH_FLUSH);
	return ret ? write_failed(device, 0, 0, ret) : 0;
}
