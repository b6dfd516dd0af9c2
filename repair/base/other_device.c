/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The devices that -l and -r name.  A device in two roles would be read, and written, as what it is not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "interrupt.h"
#include "options.h"
#include "repair.h"
#include "run.h"

/* True if the device at this path is already open; sets the message. */
static bool is_open(const struct repair *rc, const char *path, char *message, size_t size)
{
	const struct run *run = rc->run;
	const struct device *open[] = { run->device, run->log_device, run->rt_device, run->connected[INNER_LOG],
					run->connected[INNER_RT] };

	for (unsigned i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		if (!open[i] || !device_is_at(open[i], path))
			continue;
		snprintf(
			message, size,
			"%s and %s are the same device: data, log and realtime section have one each if they are apart",
			device_name(open[i]), path);
		return true;
	}
	return false;
}

/* Returns which of the two devices is at that path. */
static enum device_inner inner_at(const struct repair *rc, const char *path)
{
	const char *log = rc->run->options->log_device;

	return log && !strcmp(path, log) ? INNER_LOG : INNER_RT;
}

/* True if the sandbox prevents opening it later: it is reached by a connection, or a preview is made over it. */
static bool opens_early(const struct repair *rc, const char *path)
{
	return device_is_remote(path) || rc->run->options->preview;
}

/* Returns where the device of that path is kept if it was opened early; NULL: it was not. */
static struct device **waiting(const struct repair *rc, const char *path)
{
	const enum device_inner inner = inner_at(rc, path);

	return rc->run->connected[inner] && !strcmp(device_path(rc->run->connected[inner]), path)
		       ? &rc->run->connected[inner]
		       : NULL;
}

int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message, size_t size)
{
	struct device_options options = { .allow_readonly_mounted =
						  rc->run->options->readonly_mounted || rc->run->options->no_modify,
					  .alone = !rc->run->options->no_modify,
					  .engine = rc->run->options->engine,
					  .on_loss = at_once_unreadable,
					  .on_loss_ctx = rc->run->options,
					  .read_rate = rc->run->options->read_rate,
					  .read_requests = rc->run->options->read_requests,
					  .read_share = rc->run->options->read_share,
					  .io_timeout = rc->run->options->io_timeout,
					  .on_silence = interrupt_silence,
					  .on_silence_ctx = rc->run->interrupt };
	const struct device *data = rc->run->device;
	struct device **early = waiting(rc, path);

	if (early) {
		*ret_device = *early;
		*early = NULL;
		return 0;
	}
	if (is_open(rc, path, message, size))
		return -EINVAL;
	for (enum device_inner inner = INNER_LOG; data && inner <= INNER_RT; inner++) {
		const char *name = device_inner(data, inner);

		if (name && !strcmp(name, path)) {
			options.carrier = data;
			options.inner = inner;
		}
	}
	return device_open(path, &options, ret_device, message, size);
}

void other_device_close(const struct repair *rc, struct device *device)
{
	const char *path = device_path(device);

	if (opens_early(rc, path))
		rc->run->connected[inner_at(rc, path)] = device;
	else
		device_close(device);
}

enum phase_result other_devices_connect(const struct repair *rc)
{
	const struct options *o = rc->run->options;
	const char *paths[] = { [INNER_LOG] = o->log_device, [INNER_RT] = o->rt_device };
	char message[512];

	for (enum device_inner inner = INNER_LOG; inner <= INNER_RT; inner++) {
		struct device *device;

		if (!paths[inner] || !opens_early(rc, paths[inner]))
			continue;
		if (other_device_open(rc, paths[inner], &device, message, sizeof(message)))
			return trouble(rc, message);
		rc->run->connected[inner] = device;
	}
	return PHASE_DONE;
}

void other_devices_rest(const struct repair *rc)
{
	struct device *devices[] = { rc->run->device, rc->run->connected[INNER_LOG], rc->run->connected[INNER_RT] };

	for (unsigned i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (devices[i])
			device_rest(devices[i]);
}

void other_devices_forget(const struct repair *rc)
{
	for (enum device_inner inner = INNER_LOG; inner <= INNER_RT; inner++) {
		if (rc->run->connected[inner])
			device_close(rc->run->connected[inner]);
		rc->run->connected[inner] = NULL;
	}
}

bool log_has_place(const struct repair *rc)
{
	return rc->geo.logblocks &&
	       (rc->run->log_device || fsb_range_valid(&rc->geo, rc->geo.logstart, rc->geo.logblocks));
}
