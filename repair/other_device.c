/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The devices that -l and -r name.  A device in two roles would be read, and written, as what it is not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "options.h"
#include "repair.h"
#include "run.h"

int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message, size_t size)
{
	struct device_options options = { .allow_readonly_mounted =
						  rc->run->options->readonly_mounted || rc->run->options->no_modify,
					  .alone = !rc->run->options->no_modify,
					  .engine = rc->run->options->engine };
	const struct device *data = rc->run->device;
	const struct device *open[] = { rc->run->device, rc->run->log_device, rc->run->rt_device };

	for (unsigned i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		if (!open[i] || !device_is_at(open[i], path))
			continue;
		snprintf(
			message, size,
			"%s and %s are the same device: data, log and realtime section have one each if they are apart",
			device_name(open[i]), path);
		return -EINVAL;
	}
	for (enum device_inner inner = INNER_LOG; data && inner <= INNER_RT; inner++) {
		const char *name = device_inner(data, inner);

		if (name && !strcmp(name, path)) {
			options.carrier = data;
			options.inner = inner;
		}
	}
	return device_open(path, &options, ret_device, message, size);
}

bool log_has_place(const struct repair *rc)
{
	return rc->geo.logblocks &&
	       (rc->run->log_device || fsb_range_valid(&rc->geo, rc->geo.logstart, rc->geo.logblocks));
}
