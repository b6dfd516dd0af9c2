/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of volumes in use: one interface, one file per kind. Whoever makes a snapshot removes it; those left behind
 * by a killed run are removed by the next audit of the same volume, which finds them by name.
 */
#ifndef XFSCK_REPAIR_AUDIT_SNAPSHOT_H
#define XFSCK_REPAIR_AUDIT_SNAPSHOT_H

#include "volume.h"

struct snapshot {
	const struct snapshot_kind *kind; /* NULL: no snapshot, the volume itself is read */
	const struct volume *of;
	const char *hooks;
	int fd;			/* of an unnamed file; negative: none */
	uint64_t offset, bytes; /* the part with the file system; bytes 0: to the end */
	char device[PATH_MAX];	/* read instead of the volume */
	char name[PATH_MAX];	/* for the kind's remove() */
};

/* Messages are sentences for the user, and have room for size bytes. All functions return 0 or a negative errno. */
struct snapshot_kind {
	const char *name;
	/* Removes old snapshots of the volume, and makes one; -ENODEV: not a volume of this kind. */
	int (*make)(const struct volume *volume, struct snapshot *snapshot, char *message, size_t size);
	/* Checks that everything read so far is valid, and that continuing does no harm. NULL: always. */
	int (*look)(const struct snapshot *snapshot, char *message, size_t size);
	int (*remove)(struct snapshot *snapshot, char *message, size_t size); /* may be called again after an error */
};

extern const struct snapshot_kind snapshot_hook, snapshot_lvm, snapshot_reflink, snapshot_zfs, snapshot_rbd;

/* True if a volume is in use, so that it changes while it is read. */
bool snapshot_needed(const struct volume *volume);
/*
 * Makes a snapshot of the first kind that fits; hooks: the directory of programs for other kinds. A volume in use
 * without a fitting kind, or with a part on another device, is an error. A volume not in use is read directly.
 */
int snapshot_make(const struct volume *volume, const char *hooks, struct snapshot *ret_snapshot, char *message,
		  size_t size);
/* See struct snapshot_kind; 0 for a volume that is read directly. */
int snapshot_look(const struct snapshot *snapshot, char *message, size_t size);
/*
 * For kinds: runs a program that removes a device, at most `tries` times, 0.2 seconds apart, since others, such as
 * udev, may have the device open for a moment. Returns as tool_run().
 */
int snapshot_try(const char *const argv[], unsigned tries, char *message, size_t size);
/* Removes the snapshot, if there is one. */
int snapshot_remove(struct snapshot *snapshot, char *message, size_t size);

#endif
