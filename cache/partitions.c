/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the partitions of a disk, or of its image, through libblkid, and which of them hold XFS. A partition of a disk
 * has a device of its own; one of an image is chosen by number.
 */
#define _GNU_SOURCE 1

#include "partitions.h"

#include <blkid/blkid.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "source.h"

/* Finds the part of a device or image that the user means: a partition, or bytes from an offset. */

bool part_wanted(const struct device_options *options)
{
	return options->partition || options->offset || options->size;
}

static int cannot_use_part(const struct device *device, const char *why, char *message, size_t size)
{
	snprintf(message, size, "%s: %s", device->path, why);
	return -EINVAL;
}

/* Names the part for messages. 0 or -ENOMEM. */
static int name_part(struct device *device, unsigned partition)
{
	char *name = NULL;
	const int length =
		partition ? asprintf(&name, "partition %u of %s", partition, device->path)
			  : asprintf(&name, "%s from byte %llu on", device->path, (unsigned long long)device->base);

	if (length < 0)
		return -ENOMEM;
	free(device->name);
	device->name = name;
	return 0;
}

/*
 * Finds a partition by number, and its offset and size in bytes. fd reads the disk. 0, or -ENOENT with the rest of a
 * sentence in why, of size bytes.
 */
static int partitions_find(int fd, unsigned number, uint64_t *ret_offset, uint64_t *ret_bytes, char *why, size_t size);

static int find_partition(struct device *device, unsigned number, char *why, size_t size)
{
	uint64_t base;
	const int fd = device->source->probe(device, &base);
	const int ret = fd < 0 ? fd : partitions_find(fd, number, &device->base, &device->bytes, why, size);

	if (fd < 0)
		snprintf(why, size, "its table of partitions can't be read: %s", strerror(-fd));
	else
		close(fd);
	return ret;
}

int part_find(struct device *device, const struct device_options *options, char *message, size_t size)
{
	const uint64_t whole = device->bytes;
	char why[640];

	if (!part_wanted(options))
		return 0;
	if (options->partition && find_partition(device, options->partition, why, sizeof(why)))
		return cannot_use_part(device, why, message, size);
	if (!options->partition) {
		device->base = options->offset;
		device->bytes = options->size;
	}
	if (device->base >= whole) {
		snprintf(why, sizeof(why), "it ends at byte %llu, so there is nothing at byte %llu",
			 (unsigned long long)whole, (unsigned long long)device->base);
		return cannot_use_part(device, why, message, size);
	}
	device->is_range = device->bytes != 0;
	if (!device->bytes)
		device->bytes = whole - device->base;
	if (device->bytes > whole - device->base && !options->partition) {
		snprintf(why, sizeof(why), "from byte %llu to its end it has only %llu bytes",
			 (unsigned long long)device->base, (unsigned long long)(whole - device->base));
		return cannot_use_part(device, why, message, size);
	}
	/* the last partition of a truncated disk or image is checked like any device that is too short */
	if (device->bytes > whole - device->base)
		device->bytes = whole - device->base;
	return name_part(device, options->partition);
}

#define NAMED_MOST 8 /* partitions */

/* A text buffer; text that does not fit is left out. */
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

/* Sets `type` to the contents of a partition, as libblkid calls them; "": unknown. */
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

#define LARGE_SECTOR 4096 /* bytes; of disks without smaller ones, and their images */

/*
 * Reads the partition table, with a new probe that the caller frees; NULL: none. Numbers in the table count sectors,
 * whose size is unknown for an image.
 */
static blkid_partlist find_table(int fd, blkid_probe *ret_probe)
{
	static const unsigned sectors[] = { 0, LARGE_SECTOR };
	blkid_partlist list = NULL;

	*ret_probe = NULL;
	for (size_t i = 0; i < sizeof(sectors) / sizeof(sectors[0]) && !list; i++) {
		blkid_free_probe(*ret_probe);
		*ret_probe = blkid_new_probe();
		if (!*ret_probe || blkid_probe_set_device(*ret_probe, fd, 0, 0))
			continue;
		if (sectors[i])
			blkid_probe_set_sectorsize(*ret_probe, sectors[i]);
		blkid_probe_enable_partitions(*ret_probe, 1);
		list = blkid_probe_get_partitions(*ret_probe);
		/* with the wrong size, only the protective MBR is found */
		if (list && !blkid_partlist_numof_partitions(list) && !sectors[i])
			list = NULL;
	}
	return list;
}

/* Adds the command that checks a partition. */
static void add_command(struct text *text, const struct device *device, int number)
{
	const size_t length = strlen(device->path);
	/* the kernel's naming rule: a letter between digits */
	const char *between = length && isdigit((unsigned char)device->path[length - 1]) ? "p" : "";

	if (device->block)
		add(text, "xfsck -n %s%s%d", device->path, between, number);
	else
		add(text, "xfsck -n --partition=%d %s", number, device->path);
}

/* Adds commands for all partitions with XFS; returns their number. */
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
			add(text, "This is a whole disk; this checks what is XFS of it: ");
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
		    device->block ? " If there is no such device, --partition=N of the disk does it." : "");
	return found;
}

/* Adds the contents of partitions, in brackets. */
static void add_list(struct text *text, int fd, blkid_partlist list)
{
	const int count = blkid_partlist_numof_partitions(list);
	char type[32];

	for (int i = 0; i < count && i < NAMED_MOST; i++) {
		blkid_partition partition = blkid_partlist_get_partition(list, i);

		find_type(fd, partition, type, sizeof(type));
		add(text, "%s%d: %s", i ? ", " : " (", blkid_partition_get_partno(partition),
		    type[0] ? type : "not known");
	}
	add(text, "%s", count > NAMED_MOST ? ", ...)" : count ? ")" : "");
}

/* Adds the contents of partitions, none of which is known to hold XFS. */
static void add_contents(struct text *text, int fd, blkid_partlist list)
{
	add(text, "This is a whole disk, and no partition of it begins with XFS");
	add_list(text, fd, list);
	add(text, ": name the device that does (lsblk -f).");
}

void partitions_advise(const struct device *device, int fd, char *advice, size_t size)
{
	struct text text = { advice, size };
	blkid_probe probe;
	blkid_partlist list = find_table(fd, &probe);

	if (list && !add_commands(&text, device, fd, list))
		add_contents(&text, fd, list);
	blkid_free_probe(probe);
}

/* Gets offset and size of a partition in bytes. False: they are impossible. */
static bool get_place(blkid_partition partition, uint64_t *ret_offset, uint64_t *ret_bytes)
{
	const blkid_loff_t start = blkid_partition_get_start(partition), sectors = blkid_partition_get_size(partition);

	if (start < 0 || sectors <= 0 || start > INT64_MAX >> SECTOR_LOG || sectors > INT64_MAX >> SECTOR_LOG)
		return false;
	*ret_offset = (uint64_t)start << SECTOR_LOG;
	*ret_bytes = (uint64_t)sectors << SECTOR_LOG;
	return true;
}

void partitions_each(int fd, void (*fn)(void *ctx, uint64_t offset, uint64_t bytes), void *ctx)
{
	blkid_probe probe;
	blkid_partlist list = find_table(fd, &probe);
	const int count = list ? blkid_partlist_numof_partitions(list) : 0;
	uint64_t offset, bytes;

	for (int i = 0; i < count; i++)
		if (get_place(blkid_partlist_get_partition(list, i), &offset, &bytes))
			fn(ctx, offset, bytes);
	blkid_free_probe(probe);
}

static int partitions_find(int fd, unsigned number, uint64_t *ret_offset, uint64_t *ret_bytes, char *why, size_t size)
{
	struct text text = { why, size };
	blkid_probe probe;
	blkid_partlist list = find_table(fd, &probe);
	blkid_partition partition = list ? blkid_partlist_get_partition_by_partno(list, (int)number) : NULL;
	const int ret = partition && get_place(partition, ret_offset, ret_bytes) ? 0 : -ENOENT;

	if (!list) {
		add(&text, "no table of partitions is found there, so there is no partition %u", number);
	} else if (!partition) {
		add(&text, "there is no partition %u", number);
		add_list(&text, fd, list);
	} else if (ret) {
		add(&text, "the table has no possible place for partition %u", number);
	}
	blkid_free_probe(probe);
	return ret;
}
