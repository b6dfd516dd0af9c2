/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes what is on a device instead of XFS, or its log, and what to do about it, since the user may have named the
 * wrong device. libblkid recognizes most; image containers are recognized by their magic.
 */
#define _GNU_SOURCE 1 /* memfd_create() */

#include <blkid/blkid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "partitions.h"
#include "read.h"
#include "source.h"
#include "unreadable.h"
#include "whole.h"

/* True if a type is the expected one. XFS without a superblock may be recognized by its log near the beginning. */
static bool is_expected(const char *value, const char *expected)
{
	return strcmp(value, expected) == 0 || (strcmp(expected, "xfs") == 0 && strcmp(value, "xfs_external_log") == 0);
}

/* Returns the name of the first unexpected type, valid as long as the probe, or NULL. */
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

#define VM_IMAGE                                                                                                       \
	"qemu-nbd -t -k /tmp/nbd.sock exports it, and nbd+unix:///?socket=/tmp/nbd.sock names that here; qemu-img "    \
	"convert -O raw makes a plain image."

/* Advice by the type name of libblkid, or by a name of our own. */
static const struct {
	const char *name, *advice;
} advices[] = {
	{ "LVM2_member", "Name a logical volume: vgchange -ay makes them appear, lvs lists them." },
	{ "crypto_LUKS", "It is encrypted: cryptsetup open it, and name what that makes below /dev/mapper." },
	{ "BitLocker", "It is encrypted: cryptsetup open it, and name what that makes below /dev/mapper." },
	{ "linux_raid_member", "It is part of an array: mdadm --assemble --scan, and name the /dev/md device." },
	{ "isw_raid_member", "It is part of an array: mdadm --assemble --scan, and name the /dev/md device." },
	{ "ddf_raid_member", "It is part of an array: mdadm --assemble --scan, and name the /dev/md device." },
	{ "drbd", "Name the /dev/drbd device on it." },
	{ "bcache", "Name the /dev/bcache device on it." },
	{ "xfs_external_log",
	  "It is the log of an XFS file system: name the device with its data, and this one with -l." },
	{ "xfs_realtime",
	  "It is the realtime section of an XFS file system: name the device with its data, and this one "
	  "with -r." },
	{ "ext2", "e2fsck(8) checks it." },
	{ "ext3", "e2fsck(8) checks it." },
	{ "ext4", "e2fsck(8) checks it." },
	{ "btrfs", "btrfs-check(8) checks it." },
	{ "vfat", "fsck.fat(8) checks it." },
	{ "exfat", "fsck.exfat(8) checks it." },
	{ "ntfs", "ntfsfix(8) or chkdsk checks it." },
	{ "f2fs", "fsck.f2fs(8) checks it." },
	{ "bcachefs", "bcachefs(8) fsck checks it." },
	{ "zfs_member", "It is part of a pool: zpool scrub checks that." },
	{ "iso9660", "It is never written to: get a new copy of damaged files." },
	{ "squashfs", "It is never written to: get a new copy of damaged files." },
	{ "swap", "There is nothing in it to check." },
	{ "a qcow2 image", VM_IMAGE },
	{ "a VMDK image", VM_IMAGE },
	{ "a VHDX image", VM_IMAGE },
	{ "a VHD image", VM_IMAGE },
	{ "a VDI image", VM_IMAGE },
	{ "a metadump of XFS", "xfs_mdrestore(8) makes an image of it, in which files have no contents." },
	{ "a dump of xfsdump", "xfsrestore(8) restores its files." },
	{ "gzip data", "Decompress it first (gzip -d)." },
	{ "xz data", "Decompress it first (xz -d)." },
	{ "zstd data", "Decompress it first (zstd -d)." },
	{ "bzip2 data", "Decompress it first (bzip2 -d)." },
	{ "lz4 data", "Decompress it first (lz4 -d)." },
	{ "an ELF program", "Name the device that holds the file system." },
};

static const char *advice_on(const char *name)
{
	for (size_t i = 0; i < sizeof(advices) / sizeof(advices[0]); i++)
		if (strcmp(name, advices[i].name) == 0)
			return advices[i].advice;
	return "";
}

static const struct {
	const char *name;
	unsigned offset, len; /* bytes */
	const char *magic;
} containers[] = {
	{ "a qcow2 image", 0, 4, "QFI\xfb" },
	{ "a VMDK image", 0, 4, "KDMV" },
	{ "a VMDK image", 0, 21, "# Disk DescriptorFile" },
	{ "a VHDX image", 0, 8, "vhdxfile" },
	{ "a VHD image", 0, 8, "conectix" },
	{ "a VDI image", 64, 4, "\x7f\x10\xda\xbe" },
	{ "a metadump of XFS", 0, 4, "XFSM" },
	{ "a metadump of XFS", 0, 4, "XMD2" },
	{ "a dump of xfsdump", 0, 8, "xFSdump0" },
	{ "gzip data", 0, 3, "\x1f\x8b\x08" },
	{ "xz data", 0, 6,
	  "\xfd"
	  "7zXZ\0" },
	{ "zstd data", 0, 4, "\x28\xb5\x2f\xfd" },
	{ "bzip2 data", 0, 3, "BZh" },
	{ "lz4 data", 0, 4, "\x04\x22\x4d\x18" },
	{ "an ELF program", 0, 4,
	  "\x7f"
	  "ELF" },
};

/* Returns the container whose magic the device begins with, or NULL. */
static const char *container_in(int fd, uint64_t base)
{
	char bytes[128] = { 0 };

	if (pread(fd, bytes, sizeof(bytes), (off_t)base) < 0)
		return NULL;
	for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++)
		if (memcmp(bytes + containers[i].offset, containers[i].magic, containers[i].len) == 0)
			return containers[i].name;
	return NULL;
}

#define LOOKED_AT (1u << 20) /* bytes at each end in which libblkid looks */

/* Copies LOOKED_AT bytes, with zeroes for unreadable ones. */
static bool copy(struct device *device, int fd, uint64_t offset)
{
	const size_t len = device_available(device, offset, LOOKED_AT);
	uint8_t *buf = malloc(LOOKED_AT);
	const bool done = buf && read_below(device, buf, offset, len) != -ENOMEM && !whole_write(fd, offset, buf, len);

	free(buf);
	return done;
}

/*
 * Opens a descriptor for libblkid, as source_ops.probe does. If something is unreadable, it is a copy in memory, since
 * libblkid would give up there, and read it again.
 */
static int open_probe(struct device *device, uint64_t *ret_base)
{
	const uint64_t last = device->bytes > LOOKED_AT ? align_down(device->bytes - LOOKED_AT, device->align) : 0;
	uint64_t at, len;
	int fd;

	if (!unreadable_find(device->unreadable, 0, UINT64_MAX, &at, &len))
		return device->source->probe(device, ret_base);
	fd = memfd_create("xfsck", MFD_CLOEXEC);
	*ret_base = 0;
	if (fd >= 0 && !ftruncate(fd, (off_t)device->bytes) && copy(device, fd, 0) && copy(device, fd, last))
		return fd;
	if (fd >= 0)
		close(fd);
	return -EIO;
}

void device_describe(struct device *device, const char *expected, struct device_contents *ret_contents)
{
	uint64_t base = 0;
	const int fd = open_probe(device, &base);
	blkid_probe probe = blkid_new_probe();
	const char *name = NULL, *kind = "";

	*ret_contents = (struct device_contents){ 0 };
	if (fd >= 0 && probe &&
	    blkid_probe_set_device(probe, fd, (blkid_loff_t)base, base ? (blkid_loff_t)device->bytes : 0) == 0) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
		blkid_probe_enable_partitions(probe, 1);
		name = first_other(probe, expected, &kind);
	}
	if (!name && fd >= 0) {
		name = container_in(fd, base);
		kind = "";
	}
	if (name) {
		snprintf(ret_contents->what, sizeof(ret_contents->what), "looks like %s%s", name, kind);
		snprintf(ret_contents->advice, sizeof(ret_contents->advice), "%s", advice_on(name));
		if (kind[0] && !base)
			partitions_advise(device, fd, ret_contents->advice, sizeof(ret_contents->advice));
	}
	blkid_free_probe(probe);
	if (fd >= 0)
		close(fd);
}
