/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the partitions of a disk, or of its image, that hold XFS, by libblkid.  The kernel makes devices of those of a
 * disk; for those of an image somebody has to ask for a loop device.
 */
#include <blkid/blkid.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "partitions.h"

#define NAMED_MOST 8 /* partitions */

/* Text that is put together; what does not fit is left out. */
struct text {
	char *at;
	size_t room;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->at, text->room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= text->room)
		length = (int)strnlen(text->at, text->room);
	text->at += length;
	text->room -= (size_t)length;
}

/* Put what a partition holds into `type`, in the words of libblkid; "": that is not known. */
static void find_type(int fd, blkid_partition partition, char *type, size_t size)
{
	const blkid_loff_t start = blkid_partition_get_start(partition), sectors = blkid_partition_get_size(partition);
	blkid_probe probe = blkid_new_probe();
	const char *value;

	type[0] = '\0';
	if (probe && !blkid_probe_set_device(probe, fd, start << SECTOR_LOG, sectors << SECTOR_LOG)) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
		if (!blkid_do_safeprobe(probe) && !blkid_probe_lookup_value(probe, "TYPE", &value, NULL))
			snprintf(type, size, "%s", value);
	}
	blkid_free_probe(probe);
}

/* Add the command that checks a partition, by its number. */
static void add_command(struct text *text, const struct device *device, int number)
{
	const size_t length = strlen(device->path);
	/* the kernel's rule for names: behind a digit, a letter goes between */
	const char *between = length && isdigit((unsigned char)device->path[length - 1]) ? "p" : "";

	if (device->file)
		add(text, "xfsck -n ${loop}p%d", number);
	else
		add(text, "xfsck -n %s%s%d", device->path, between, number);
}

/* Add the commands for all partitions that hold XFS; returns their number. */
static unsigned add_commands(struct text *text, const struct device *device, int fd, blkid_partlist list)
{
	const int count = blkid_partlist_numof_partitions(list);
	unsigned found = 0;
	char type[32];

	for (int i = 0; i < count; i++) {
		blkid_partition partition = blkid_partlist_get_partition(list, i);

		find_type(fd, partition, type, sizeof(type));
		if (strcmp(type, "xfs") != 0)
			continue;
		if (!found)
			add(text, "This is a whole disk; %s",
			    device->file ? "to check what is XFS of it: loop=$(losetup -Pf --show "
					 : "this checks what is XFS of it: ");
		if (!found && device->file)
			add(text, "%s), then ", device->path);
		if (found && found < NAMED_MOST)
			add(text, "; ");
		if (found < NAMED_MOST)
			add_command(text, device, blkid_partition_get_partno(partition));
		found++;
	}
	if (found > NAMED_MOST)
		add(text, " ... (%u in all)", found);
	if (found)
		add(text, ".%s",
		    device->file ? " losetup -d $loop ends that." : " If there is no such device, partx -a makes it.");
	return found;
}

/* Add what the partitions hold, none of which is known to hold XFS. */
static void add_contents(struct text *text, int fd, blkid_partlist list)
{
	const int count = blkid_partlist_numof_partitions(list);
	char type[32];

	add(text, "This is a whole disk, and no partition of it begins with XFS");
	for (int i = 0; i < count && i < NAMED_MOST; i++) {
		blkid_partition partition = blkid_partlist_get_partition(list, i);

		find_type(fd, partition, type, sizeof(type));
		add(text, "%s%d: %s", i ? ", " : " (", blkid_partition_get_partno(partition),
		    type[0] ? type : "not known");
	}
	add(text, "%s: name the device that does (lsblk -f).", count > NAMED_MOST ? ", ...)" : count ? ")" : "");
}

void partitions_advise(const struct device *device, int fd, char *advice, size_t size)
{
	struct text text = { advice, size };
	blkid_probe probe = blkid_new_probe();
	blkid_partlist list = NULL;

	if (probe && !blkid_probe_set_device(probe, fd, 0, 0)) {
		blkid_probe_enable_partitions(probe, 1);
		list = blkid_probe_get_partitions(probe);
	}
	if (list && !add_commands(&text, device, fd, list))
		add_contents(&text, fd, list);
	blkid_free_probe(probe);
}
