/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of volumes that are in use: one interface, one file for each kind.  Whoever makes one removes it, whatever
 * happens; what a killed run has left behind is removed by the next audit of the same volume, which finds it by its
 * name.
 */
#ifndef XFSCK_REPAIR_AUDIT_SNAPSHOT_H
#define XFSCK_REPAIR_AUDIT_SNAPSHOT_H

#include "volume.h"

struct snapshot {
	const struct snapshot_kind *kind; /* NULL: there is none, the volume itself is read */
	const struct volume *of;
	const char *hooks;
	int fd;			/* of a file without a name; negative: none */
	uint64_t offset, bytes; /* the part of it that holds the file system; bytes 0: to its end */
	char device[PATH_MAX];	/* what is read in place of the volume */
	char name[PATH_MAX];	/* what the kind removes it by */
};

/* Messages are sentences for the user, and have room for size bytes.  All return 0 or a negative errno. */
struct snapshot_kind {
	const char *name;
	/* Remove what was left behind of such a volume, and make one; -ENODEV: the volume is none that it is for. */
	int (*make)(const struct volume *volume, struct snapshot *snapshot, char *message, size_t size);
	/* Whether all that was read from it so far was right, and it does no harm to go on.  NULL: it always is. */
	int (*look)(const struct snapshot *snapshot, char *message, size_t size);
	int (*remove)(struct snapshot *snapshot, char *message, size_t size); /* may be called again if it fails */
};

extern const struct snapshot_kind snapshot_hook, snapshot_lvm, snapshot_reflink, snapshot_zfs, snapshot_rbd;

/* True if a volume is in use: it changes while it is read. */
bool snapshot_needed(const struct volume *volume);
/*
 * Make a snapshot of a volume, of the first kind that fits; hooks: the folder of programs that make other kinds.  If it
 * is in use, and there is none that does, or a part of it lies on another device, that is an error.  If nobody uses it,
 * it is read as it is.
 */
int snapshot_make(const struct volume *volume, const char *hooks, struct snapshot *ret_snapshot, char *message,
		  size_t size);
/* See struct snapshot_kind; of a volume that is read as it is, always 0. */
int snapshot_look(const struct snapshot *snapshot, char *message, size_t size);
/*
 * For kinds: run a program that takes a device away, again every 0.2 seconds, so many times, while it fails: others,
 * such as udev, may have the device open for a moment.  As tool_run() returns.
 */
int snapshot_try(const char *const argv[], unsigned tries, char *message, size_t size);
/* Does nothing if there is none. */
int snapshot_remove(struct snapshot *snapshot, char *message, size_t size);

#endif
