/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single read requests, and retries after failures. A disk may try for seconds to read a bad sector, and each try wears
 * it out, so failing requests are kept few, at the expense of more successful ones. A range that fails is read unit by
 * unit up to the first bad one, and then in one request again. A bad unit fails twice: with its neighbours, and alone.
 * It is zeroed, recorded as unreadable, and not read again. A unit is a physical sector, of which no logical sector can
 * be read if it is bad. After a loss, a unit that could be read before is read again, or several places if none could;
 * if that fails too, the device is gone, and nothing more is tried.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
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
	bool maybe_direct = offset < device->bytes; /* beyond the end, -EINVAL may have that reason */
	uint64_t began;

	if (atomic_load(&device->gone))
		return -EIO;
	began = pace_begin(&device->pace, len);
	atomic_store_explicit(&device->at, offset, memory_order_relaxed);
	for (;;) {
		struct read_tally tally = { 0 };
		ssize_t n;

		watch_wait(device, WATCH_READ);
		n = device->source->read(device, buf, offset, len);
		n = read_counted(device, &tally, offset, len, n);
		watch_answered(device, WATCH_READ);
		read_tell(device, &tally);
		if (n == -EINVAL && maybe_direct) {
			/* direct_setup() found an alignment that is not accepted here */
			direct_off(device->fd);
			maybe_direct = false;
		} else if (n != -EINTR) {
			pace_end(&device->pace, began);
			return n;
		}
	}
}

/* Zeroes unreadable bytes and records them. Returns the error. */
static int lose(struct device *device, uint8_t *buf, uint64_t offset, size_t len, int error)
{
	memset(buf, 0, len);
	unreadable_add(device->unreadable, offset, offset + len);
	return error;
}

#define PLACES 8u

/* Reads a unit at several places of a device of which nothing could be read yet. Returns the last result. */
static ssize_t read_anything(struct device *device, uint8_t *unit)
{
	ssize_t n = 0;

	for (unsigned i = 1; i <= PLACES && n <= 0; i++) {
		const uint64_t at = align_down(device->bytes / (PLACES + 1) * i, device->align);

		n = read_request(device, unit, at, device->align);
		if (n > 0)
			atomic_store_explicit(&device->witness, at + 1, memory_order_relaxed);
	}
	return n;
}

/* Finds out after a loss whether the whole device is gone. */
static void look_for_device(struct device *device)
{
	const uint64_t witness = atomic_load_explicit(&device->witness, memory_order_relaxed);
	uint8_t *unit;
	ssize_t n;

	if (device_gone(device))
		return;
	unit = device_buffer(device, device->align);
	if (!unit)
		n = 1;
	else if (witness)
		n = read_request(device, unit, witness - 1, device->align);
	else
		n = read_anything(device, unit);
	if (n <= 0 && !device_gone(device)) { /* the source may have noticed by now */
		atomic_store(&device->gone_error, (int)-n);
		atomic_store(&device->gone, true);
	}
	device_buffer_free(unit);
}

void read_lost(struct device *device, uint64_t offset, uint64_t len, int error)
{
	unreadable_add(device->unreadable, offset, offset + len);
	if (!atomic_exchange(&device->any_unreadable, true) && device->on_loss)
		device->on_loss(device->on_loss_ctx, device->name, offset, error);
}

bool device_any_unreadable(const struct device *device)
{
	return atomic_load(&device->any_unreadable);
}

bool device_gone(const struct device *device)
{
	return atomic_load(&device->gone);
}

void device_gone_why(const struct device *device, char *message, size_t size)
{
	const int error = atomic_load(&device->gone_error);

	if (error && !atomic_load_explicit(&device->witness, memory_order_relaxed))
		snprintf(message, size, "nothing of it can be read, neither at byte 0 nor at %u places behind: %s",
			 PLACES, strerror(error));
	else if (error)
		snprintf(message, size, "what could be read of it before can't be any more: %s", strerror(error));
	else
		snprintf(message, size, "%s", device->source->gone_why);
}

/* Finds the first whole units in [start, end) that are known to be unreadable. */
static bool find_known(const struct device *device, uint64_t start, uint64_t end, uint64_t *ret_start,
		       uint64_t *ret_end)
{
	uint64_t at, len;

	for (; unreadable_find(device->unreadable, start, end, &at, &len); start = at + len) {
		*ret_start = align_up(at, device->align);
		*ret_end = at + len == end ? end : align_down(at + len, device->align);
		if (*ret_start < *ret_end)
			return true;
	}
	return false;
}

bool read_is_known(const struct device *device, uint64_t offset, size_t len)
{
	uint64_t start, end;

	return offset < device->doubtful ||
	       find_known(device, offset, offset + device_available(device, offset, len), &start, &end);
}

/* A range with missing bytes; it starts aligned and ends before the device does. */
struct missing {
	struct device *device;
	uint8_t *buf;
	uint64_t offset;
	size_t len;
	bool apart;	      /* read single units: a larger request has failed */
	bool unreadable_last; /* the last unit was lost */
	bool looked;	      /* look_for_device() was called */
	unsigned tries;	      /* failed reads of the next unit */
	int error;	      /* of the first loss */
};

static void go_on_behind(struct missing *m, size_t len)
{
	m->buf += len;
	m->offset += len;
	m->len -= len;
	m->tries = 0;
}

static void note_error(struct missing *m, int error)
{
	m->error = m->error && m->error != -ENODATA ? m->error : error;
}

/* Gives up len bytes, and checks once whether the device is gone. */
static void give_up(struct missing *m, size_t len, int error)
{
	const uint64_t offset = m->offset;

	note_error(m, lose(m->device, m->buf, offset, len, error));
	go_on_behind(m, len);
	m->unreadable_last = true;
	if (error == -ENODATA)
		return;
	if (!m->looked)
		look_for_device(m->device);
	m->looked = true;
	if (!device_gone(m->device))
		read_lost(m->device, offset, len, error);
}

#define PASSING_TRIES 4u

/* Returns how often to retry after an error; errors unrelated to the medium may pass. */
static unsigned tries_of(const struct device *device, int error)
{
	const bool passes = error == -EAGAIN || error == -ENOMEM || error == -EBUSY;

	return passes && device->source->retries < PASSING_TRIES ? PASSING_TRIES : device->source->retries;
}

/* Decides what to do after a failed request of len bytes. */
static void after_failure(struct missing *m, size_t len, int error)
{
	const uint32_t unit = m->device->bad_unit;
	const uint64_t start = align_down(m->offset, unit), end = align_up(m->offset + len, unit);
	const bool alone = m->apart && end - start <= unit;

	m->apart = true;
	m->unreadable_last = false;
	if (!alone || m->tries++ < tries_of(m->device, error))
		return;
	unreadable_add(m->device->unreadable, start, end < m->device->bytes ? end : m->device->bytes);
	give_up(m, len, error);
}

static void read_unit(struct missing *m, size_t len)
{
	const uint32_t align = m->device->align, unit = m->device->bad_unit;
	const uint64_t unit_end = align_down(m->offset, unit) + unit;
	ssize_t n;

	if (m->apart && len > unit_end - m->offset)
		len = unit_end - m->offset;
	n = read_request(m->device, m->buf, m->offset, align_up(len, align));
	if (n < 0) {
		after_failure(m, len, (int)n);
	} else if (n < (ssize_t)len && n < align) {
		/* the device now ends within this unit */
		go_on_behind(m, (size_t)n);
		give_up(m, m->len, -ENODATA);
	} else {
		m->apart &= !m->unreadable_last;
		m->unreadable_last = false;
		go_on_behind(m, n < (ssize_t)len ? align_down((uint64_t)n, align) : len);
	}
}

/* Reads the missing bytes, except those known to be unreadable. Returns as read_finish(). */
static int read_missing(struct missing *m)
{
	uint64_t start, end;

	while (m->len) {
		const bool any = find_known(m->device, m->offset, m->offset + m->len, &start, &end);

		if (device_gone(m->device)) {
			give_up(m, m->len, -EIO);
		} else if (any && start == m->offset) {
			memset(m->buf, 0, end - start);
			note_error(m, -EIO);
			go_on_behind(m, end - start);
		} else {
			read_unit(m, any ? start - m->offset : m->len);
		}
	}
	return m->error;
}

/* Like read_finish(), but without the overlay. */
static int finish_below(struct device *device, uint8_t *buf, uint64_t offset, size_t len, ssize_t result)
{
	size_t available = device_available(device, offset, len);
	size_t done = result < 0 ? 0 : align_down(result, device->align);
	struct missing missing = { .device = device,
				   .buf = buf + done,
				   .offset = offset + done,
				   .len = available - done,
				   .apart = (result < 0 && result != READ_KNOWN) || offset < device->doubtful };
	int error = 0;

	if (offset < device->doubtful)
		device->doubtful = 0; /* only one thread runs now */

	if (available && result < (ssize_t)available)
		error = read_missing(&missing);
	else if (available && !atomic_load_explicit(&device->witness, memory_order_relaxed))
		atomic_store_explicit(&device->witness, offset + 1, memory_order_relaxed);
	if (available < len) {
		memset(buf + available, 0, len - available);
		error = error ? error : -ENODATA;
	}
	return error;
}

/* Applies the overlay to bytes that were read with this error. Returns the error that remains. */
static int cover(struct device *device, uint8_t *buf, uint64_t offset, size_t len, int error)
{
	size_t available = device_available(device, offset, len);
	int ret = overlay_apply(device->overlay, buf, offset, available);
	uint64_t at, n;

	if (ret)
		return lose(device, buf, offset, len, ret);
	/* unreadable bytes don't matter where something is staged */
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
		ssize_t got = read_is_known(device, start, skip + n)
				      ? READ_KNOWN
				      : read_request(device, bounce, start, align_up(skip + n, device->align));
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

/* Reads a range that is staged as a whole, without asking the device.  False: it is not. */
static bool read_overlay(struct device *device, void *buf, uint64_t offset, size_t len)
{
	uint64_t start, end;

	return overlay_any(device->overlay) && offset % SECTOR_SIZE == 0 &&
	       device_available(device, offset, len) == len &&
	       !overlay_gap(device->overlay, offset, offset + len, &start, &end) &&
	       overlay_apply(device->overlay, buf, offset, len) == 0;
}

int read_staged(struct device *device, void *buf, uint64_t offset, size_t len)
{
	return read_overlay(device, buf, offset, len) ? 0 : read_range(device, buf, offset, len, read_finish);
}

#define OFFER_MAX (64u << 10) /* no block is larger, and larger reads are not repeated */

/* Reads from the caches. False: they lack part of the range. */
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
	int ret;

	if (len <= OFFER_MAX && overlay_is_below(device->overlay, layers, offset, len) &&
	    device_kept(device, buf, offset, len))
		return 0;
	ret = read_below(device, buf, offset, len);
	if (ret != -ENOMEM && device_cover(device, buf, offset, device_available(device, offset, len), 0, layers))
		ret = -ENOMEM;
	return ret;
}
