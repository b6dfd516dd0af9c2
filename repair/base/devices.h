/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log and realtime devices, and how devices are read. */
#ifndef XFSCK_REPAIR_DEVICES_H
#define XFSCK_REPAIR_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "phases.h"

struct device;
struct repair;

/* Opens the device that -l or -r names, as device_open().  -EINVAL: it is open already. */
int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message,
		      size_t size);
/* Closes such a device before the run ends; it can be opened again. */
void other_device_close(const struct repair *rc, struct device *device);
/*
 * Opens such devices early if the sandbox would prevent it later: those reached by a connection, or all of them for a
 * preview.  Returns PHASE_FAILED after reporting the error.
 */
enum phase_result other_devices_connect(const struct repair *rc);
/* Calls device_rest() for all devices that are open before the first phase. */
void other_devices_rest(const struct repair *rc);
/* Closes the devices that were opened early and not used. */
void other_devices_forget(const struct repair *rc);
/* Opens the realtime device as other_device_open(), if the user names one and it isn't open yet. */
int rt_device_open(struct repair *rc, char *message, size_t size);
/* Opens the realtime device if the file system has one, and checks its contents. */
enum phase_result rt_device_examine(struct repair *rc);
/* Returns the size of requests, how many are in flight, and which gaps are read through. */
struct sweep_options sweep_options_of(const struct repair *rc);
/* True if the superblock gives a valid place for the log, and the log device, if any, is open. */
bool log_has_place(const struct repair *rc);

#endif
