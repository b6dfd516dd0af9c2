/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subject of an audit: a file system, its mount point, and the devices below it. */
#ifndef XFSCK_REPAIR_AUDIT_VOLUME_H
#define XFSCK_REPAIR_AUDIT_VOLUME_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define VOLUME_DISKS 32u /* the most disks below a device that are recorded */
/* The prefix of our snapshots' names, by which leftovers of killed runs are recognized. */
#define VOLUME_OURS "xfsck-audit-"
#define VOLUME_LV   128 /* the longest name of a volume group or logical volume, including the NUL: lvm(8) */

/* Longer names are never truncated: the volume is refused. */
struct volume {
	char *device;			   /* path of the device or image */
	char *mount;			   /* mount point; NULL: none */
	dev_t dev;			   /* of a block device; 0: regular file */
	char *backing;			   /* loop device: its file; regular file: itself; else NULL */
	uint64_t offset, limit;		   /* the part of that file in bytes; limit 0: to its end */
	char vg[VOLUME_LV], lv[VOLUME_LV]; /* of an LVM logical volume; else "" */
	bool other_device;		   /* has its log or realtime section on another device */
	dev_t disks[VOLUME_DISKS];	   /* the physical disks below it */
	unsigned ndisks;
};

/* Volumes to audit, in the order given, without duplicates. */
struct volumes {
	struct volume *all;
	unsigned count;
};

/*
 * Finds the volumes for targets: mount points, devices, images, or "all": every mounted XFS, and all others on block
 * devices. 0, or a negative errno with a sentence in message, of size bytes. Call volumes_free() in any case.
 */
int volumes_find(const char *const targets[], unsigned count, struct volumes *ret_volumes, char *message, size_t size);
void volumes_free(struct volumes *volumes);

/* True if two volumes share a disk, so that they are read one after the other. */
bool volumes_share_disk(const struct volume *a, const struct volume *b);

#endif
