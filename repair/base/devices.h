/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The devices besides the one that the user names first, and how they are read. */
#ifndef XFSCK_REPAIR_DEVICES_H
#define XFSCK_REPAIR_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "phases.h"

struct device;
struct repair;

/* Device_open() for the path that -l or -r gives; -EINVAL if that device is open already */
int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message,
		      size_t size);
/* Close one before the run ends: it can be opened again. */
void other_device_close(const struct repair *rc, struct device *device);
/*
 * Open those early that can't be opened any more in the sandbox, as they are reached by connections that are made
 * before, or that a preview is made over.  PHASE_FAILED: the user has been told why not.
 */
enum phase_result other_devices_connect(const struct repair *rc);
/* device_rest() of all devices that are open before the first phase. */
void other_devices_rest(const struct repair *rc);
/* Close those that were opened early, and not needed. */
void other_devices_forget(const struct repair *rc);
/* other_device_open() for the realtime device, if the user names one and it isn't open yet */
int rt_device_open(struct repair *rc, char *message, size_t size);
/* Open the realtime device if the file system has one, and check what is on it. */
enum phase_result rt_device_examine(struct repair *rc);
/* How large requests are, how many are in flight, and what is read rather than skipped */
struct sweep_options sweep_options_of(const struct repair *rc);
/* True if the place of the log that the superblock gives is possible, and its device open. */
bool log_has_place(const struct repair *rc);

#endif
