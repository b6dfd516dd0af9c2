/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single read requests, and what is done after one has failed.  A range that can't be read as a whole is halved again
 * and again, so that only sectors that are really bad are lost, and a single bad one costs few requests.  Lost bytes
 * are zeroed, and noted in the device's list.  If much is lost, a unit that could be read before is read again now and
 * then: if that fails, too, the device is gone, and nothing is tried there any more.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "direct.h"
#include "fault.h"
#include "kept.h"
#include "overlay.h"
#include "read.h"
#include "source.h"
#include "unreadable.h"

#define BOUNCE_LEN (1u << 20)

ssize_t read_counted(struct device *device, struct read_tally *tally, uint64_t offset, size_t len, ssize_t result)
{
	size_t available = device_available(device, offset, len);

	if (device->fault_count)
		result = fault_result(device, offset, len, result);
	tally->requests++;
	tally->bytes += result > 0 ? (uint64_t)result : 0;
	tally->errors += result < (ssize_t)available;
	if (result > 0)
		atomic_fetch_add_explicit(&device->arrived, (uint64_t)result, memory_order_relaxed);
	return result;
}

void read_tell(struct device *device, const struct read_tally *tally)
{
	atomic_fetch_add_explicit(&device->requests, tally->requests, memory_order_relaxed);
	atomic_fetch_add_explicit(&device->bytes_read, tally->bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&device->errors, tally->errors, memory_order_relaxed);
	atomic_fetch_add_explicit(&device->backward, tally->backward, memory_order_relaxed);
}

ssize_t read_request(struct device *device, void *buf, uint64_t offset, size_t len)
{
	bool maybe_direct = offset < device->bytes; /* behind the end, -EINVAL may be only because of that */

	atomic_store_explicit(&device->at, offset, memory_order_relaxed);
	for (;;) {
		ssize_t n = device->source->read(device, buf, offset, len);
		struct read_tally tally = { 0 };

		n = read_counted(device, &tally, offset, len, n);
		read_tell(device, &tally);
		if (n == -EINVAL && maybe_direct) {
			/* the alignment that direct_setup() found is not accepted here */
			direct_off(device->fd);
			maybe_direct = false;
		} else if (n != -EINTR) {
			return n;
		}
	}
}

/* Zero bytes that can't be read, and note them. Returns the error. */
static int lose(struct device *device, uint8_t *buf, uint64_t offset, size_t len, int error)
{
	memset(buf, 0, len);
	unreadable_add(device->unreadable, offset, offset + len);
	return error;
}

#define LOSSES 64u /* after so many losses, twice as many, four times ..., see whether the device is still there */

/* Count one more unit that can't be read; now and then find out whether the whole device is gone. */
static void note_loss(struct device *device)
{
	const unsigned losses = atomic_fetch_add_explicit(&device->losses, 1, memory_order_relaxed) + 1;
	const uint64_t witness = atomic_load_explicit(&device->witness, memory_order_relaxed);
	uint8_t *unit;

	if (losses < LOSSES || losses & (losses - 1) || !witness)
		return;
	unit = device_buffer(device, device->align);
	if (unit && read_request(device, unit, witness - 1, device->align) <= 0)
		atomic_store(&device->gone, true);
	device_buffer_free(unit);
}

bool device_gone(const struct device *device)
{
	return atomic_load(&device->gone);
}

const char *device_gone_why(const struct device *device)
{
	return device->source->gone_why;
}

/* Read a range that has failed before; it starts aligned and ends before the device does. */
static int read_again(struct device *device, uint8_t *buf, uint64_t offset, size_t len)
{
	unsigned tries = 0;
	size_t half;
	int first, second;

	for (;;) {
		ssize_t n =
			device_gone(device) ? -EIO : read_request(device, buf, offset, align_up(len, device->align));

		if (n >= (ssize_t)len)
			return 0;
		if (n < 0) {
			if (len > device->align && !device_gone(device))
				break;
			if (tries++ < device->source->retries && !device_gone(device))
				continue;
			note_loss(device);
			return lose(device, buf, offset, len, (int)n);
		}
		/* it ended short: go on behind; but if it ended within a unit, the device now ends there */
		if (n < device->align)
			return lose(device, buf + n, offset + n, len - n, -ENODATA);
		n = (ssize_t)align_down((uint64_t)n, device->align);
		buf += n;
		offset += n;
		len -= n;
	}
	half = align_up(len / 2, device->align);
	first = read_again(device, buf, offset, half);
	second = read_again(device, buf + half, offset + half, len - half);
	return first && first != -ENODATA ? first : second;
}

/* As read_finish(), but without what is staged. */
static int finish_below(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result)
{
	size_t available = device_available(device, offset, len);
	size_t done = result < 0 ? 0 : align_down(result, device->align);
	int error = 0;

	if (available && result < (ssize_t)available)
		error = read_again(device, buf + done, offset + done, available - done);
	else if (available && !atomic_load_explicit(&device->witness, memory_order_relaxed))
		atomic_store_explicit(&device->witness, offset + 1, memory_order_relaxed);
	if (available < len) {
		memset(buf + available, 0, len - available);
		error = error ? error : -ENODATA;
	}
	return error;
}

/* Replace what is staged in what was read with this error. Returns the error that remains. */
static int cover(struct device *device, uint8_t *buf, uint64_t offset, size_t len, int error)
{
	size_t available = device_available(device, offset, len);
	int ret = overlay_apply(device->overlay, buf, offset, available);
	uint64_t at, n;

	if (ret)
		return lose(device, buf, offset, len, ret);
	/* a range that could not be read does not matter if something is staged over it */
	if (!error || device_unreadable(device, offset, available, &at, &n))
		return error;
	return available < len ? -ENODATA : 0;
}

int read_finish(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result)
{
	int error = finish_below(device, buf, offset, len, result);

	return overlay_any(device->overlay) ? cover(device, buf, offset, len, error) : error;
}

typedef int finish_fn(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result);

static int read_range(struct device *device, void *buf, uint64_t offset, size_t len, finish_fn *finish)
{
	size_t available = device_available(device, offset, len);
	uint32_t skip = offset & (device->align - 1);
	size_t bounce_len = skip + available < BOUNCE_LEN ? skip + available : BOUNCE_LEN;
	bool ended = available < len, failed = false;
	uint8_t *bounce = device_buffer(device, bounce_len);
	uint8_t *to = buf;

	memset(to + available, 0, len - available);
	if (!bounce) {
		memset(to, 0, available);
		return -ENOMEM;
	}
	while (available) {
		uint64_t start = offset - skip;
		size_t n = available < bounce_len - skip ? available : bounce_len - skip;
		ssize_t got = read_request(device, bounce, start, align_up(skip + n, device->align));
		int error = finish(device, bounce, start, skip + n, got);

		failed |= error && error != -ENODATA;
		ended |= error == -ENODATA;
		memcpy(to, bounce + skip, n);
		to += n;
		offset += n;
		available -= n;
		skip = 0;
	}
	device_buffer_free(bounce);
	return failed ? -EIO : ended ? -ENODATA : 0;
}

int read_staged(struct device *device, void *buf, uint64_t offset, size_t len)
{
	return read_range(device, buf, offset, len, read_finish);
}

#define OFFER_MAX (64u << 10) /* no block is larger, and larger reads are not repeated */

/* Read from the caches. False: they don't have all of it. */
static bool read_kept(struct device *device, void *buf, uint64_t offset, size_t len)
{
	return len <= OFFER_MAX &&
	       (device_kept(device, buf, offset, len) || kept_take(device->ahead, buf, offset, len));
}

int device_read(struct device *device, void *buf, uint64_t offset, size_t len)
{
	int ret;

	if (read_kept(device, buf, offset, len))
		return 0;
	ret = read_staged(device, buf, offset, len);
	if (!ret && len <= OFFER_MAX)
		device_offer(device, buf, offset, len, false);
	return ret;
}

int device_read_once(struct device *device, void *buf, uint64_t offset, size_t len)
{
	return read_kept(device, buf, offset, len) ? 0 : read_staged(device, buf, offset, len);
}

int read_below(struct device *device, void *buf, uint64_t offset, size_t len)
{
	return read_range(device, buf, offset, len, finish_below);
}

int device_cover(struct device *device, void *buf, uint64_t offset, size_t len, unsigned from, unsigned to)
{
	int ret = 0;

	for (unsigned layer = from; layer < to && !ret; layer++)
		ret = overlay_apply_layer(device->overlay, layer, buf, offset, len);
	return ret;
}

int device_read_below(struct device *device, void *buf, uint64_t offset, size_t len, unsigned layers)
{
	int ret = read_below(device, buf, offset, len);

	if (ret != -ENOMEM && device_cover(device, buf, offset, device_available(device, offset, len), 0, layers))
		ret = -ENOMEM;
	return ret;
}
