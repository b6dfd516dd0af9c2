/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an audit is told to look at: a file system, where it is mounted, and what its device lies on. */
#ifndef XFSCK_REPAIR_AUDIT_VOLUME_H
#define XFSCK_REPAIR_AUDIT_VOLUME_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define VOLUME_DISKS 32u /* disks that one device lies on; of more, the rest are not known */
/* What names of snapshots of ours begin with: what a killed run leaves behind is known by it. */
#define VOLUME_OURS "xfsck-audit-"
#define VOLUME_LV   128 /* bytes of the name of a volume group or logical volume, with its NUL: lvm(8) */

/* Names that do not fit are never cut off: the volume is refused. */
struct volume {
	char *device;		/* path of the device or image */
	char *mount;		/* where it is mounted; NULL: nowhere */
	dev_t dev;		/* of a block device; 0: it is a regular file */
	char *backing;		/* of a loop device: the file that it lies on; of a regular file: itself; else NULL */
	uint64_t offset, limit; /* the part of that file, bytes; limit 0: to its end */
	char vg[VOLUME_LV], lv[VOLUME_LV]; /* of a logical volume of LVM; else "" */
	bool other_device;		   /* its log or its realtime section is on another device */
	dev_t disks[VOLUME_DISKS];	   /* that it lies on in the end */
	unsigned ndisks;
};

/* All that audits are to look at, in the order in which it was named; what is named twice is there once. */
struct volumes {
	struct volume *all;
	unsigned count;
};

/*
 * Find the volumes that targets name: mount points, devices, images, or "all": every XFS that is mounted, and every
 * other one on a block device.  0, or a negative errno with a sentence in message, which has room for size bytes.
 * The caller frees them whatever is returned.
 */
int volumes_find(const char *const targets[], unsigned count, struct volumes *ret_volumes, char *message, size_t size);
void volumes_free(struct volumes *volumes);

/* Whether two volumes lie on a common disk: then they are read one after the other. */
bool volumes_share_disk(const struct volume *a, const struct volume *b);

#endif
