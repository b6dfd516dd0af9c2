/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells what lies on a device instead of XFS, or its log, according to libblkid: the user may have named the wrong one.
 */
#include <blkid/blkid.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

/* Whether a type is the expected one.  XFS without a superblock may be recognized by its log near the beginning. */
static bool is_expected(const char *value, const char *expected)
{
	return strcmp(value, expected) == 0 || (strcmp(expected, "xfs") == 0 && strcmp(value, "xfs_external_log") == 0);
}

/* The name of the first thing found that is not the expected one; valid as long as the probe. NULL: there is none. */
static const char *first_other(blkid_probe probe, const char *expected, const char **ret_kind)
{
	const char *value;

	while (blkid_do_probe(probe) == 0) {
		*ret_kind = "";
		if (!blkid_probe_lookup_value(probe, "TYPE", &value, NULL) && !is_expected(value, expected))
			return value;
		*ret_kind = " partition table";
		if (!blkid_probe_lookup_value(probe, "PTTYPE", &value, NULL))
			return value;
	}
	return NULL;
}

void device_describe(const struct device *device, const char *expected, char *message, size_t size)
{
	/* a descriptor of its own, since the reads of libblkid are not aligned for direct I/O */
	int fd = open(device->path, O_RDONLY | O_CLOEXEC);
	blkid_probe probe = blkid_new_probe();
	const char *name, *kind;

	message[0] = '\0';
	if (fd >= 0 && probe && blkid_probe_set_device(probe, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
		blkid_probe_enable_partitions(probe, 1);
		name = first_other(probe, expected, &kind);
		if (name)
			snprintf(message, size, "looks like %s%s", name, kind);
	}
	blkid_free_probe(probe);
	if (fd >= 0)
		close(fd);
}
