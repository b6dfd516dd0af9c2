/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The devices besides the one that the user names first, and how they are read. */
#ifndef XFSCK_REPAIR_DEVICES_H
#define XFSCK_REPAIR_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

struct device;
struct repair;

/* Device_open() for the path that -l or -r gives; -EINVAL if that device is open already */
int other_device_open(const struct repair *rc, const char *path, struct device **ret_device, char *message,
		      size_t size);
/* The same for the realtime device, if the user names one and it isn't open yet */
int rt_device_open(struct repair *rc, char *message, size_t size);
/* Open the realtime device if the file system has one, and check what is on it. */
enum phase_result rt_device_examine(struct repair *rc);
/* How large requests are, how many are in flight, and what is read rather than skipped */
struct sweep_options sweep_options_of(const struct repair *rc);
/* True if the place of the log that the superblock gives is possible, and its device open. */
bool log_has_place(const struct repair *rc);

#endif
