/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads metadumps (ondisk 13): one pass over the headers finds where in the dump each block of the devices is. The dump
 * is not trusted.
 */
#include "metadump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk/metadump.h"
#include "disk/sb.h"
#include "whole.h"
#include "units.h"

#define MOST_SECTORS ((uint64_t)INT64_MAX >> SECTOR_LOG) /* no device is larger */

/* A pass over the headers of a dump. */
struct scan {
	struct metadump *dump;
	uint64_t at, end; /* bytes in the dump */
	uint64_t guarded; /* sectors of the data device that only the first extent may provide */
	char *why;
	size_t size;
};

static int refuse(const struct scan *scan, const char *what)
{
	snprintf(scan->why, scan->size, "at byte %llu of the metadump, %s", (unsigned long long)scan->at, what);
	return -EBADMSG;
}

static int say_error(const struct scan *scan, int error)
{
	snprintf(scan->why, scan->size, "the metadump can't be read: %s", strerror(-error));
	return error;
}

static int say_unkept(const struct scan *scan, int error)
{
	snprintf(scan->why, scan->size, "the list of its extents can't be kept in memory or in TMPDIR: %s",
		 strerror(-error));
	return error;
}

/* Reads the next bytes of the dump, and advances. */
static int read_next(struct scan *scan, void *buf, size_t len)
{
	int ret;

	if (len > scan->end - scan->at)
		return refuse(scan, "it is cut short: its end is missing");
	ret = whole_read(scan->dump->fd, scan->at, buf, len, -EIO);
	if (ret)
		return say_error(scan, ret);
	scan->at += len;
	return 0;
}

/* Adds an extent of a device, whose contents are next in the dump, and skips them. */
static int add_extent(struct scan *scan, unsigned role, uint64_t addr, uint64_t len)
{
	uint64_t skip;
	int ret = 0;

	if (!len || addr > MOST_SECTORS || len > MOST_SECTORS - addr)
		return refuse(scan, "there is an impossible address or length");
	if (len > (scan->end - scan->at) >> SECTOR_LOG)
		return refuse(scan, "it is cut short: its end is missing");
	/*
	 * Some versions of xfs_metadump also put blocks of other devices here. xfs_mdrestore writes the superblock
	 * last, so its extent wins.
	 */
	skip = role == METADUMP_DATA && addr < scan->guarded ? scan->guarded - addr : 0;
	skip = skip < len ? skip : len;
	if (role == METADUMP_DATA && !addr && !scan->guarded)
		scan->guarded = len;
	if (skip < len)
		ret = extent_map_add(&scan->dump->maps[role],
				     &(struct map_extent){ addr + skip, len - skip, scan->at + (skip << SECTOR_LOG) });
	if (ret)
		return say_unkept(scan, ret);
	scan->at += len << SECTOR_LOG;
	return 0;
}

/* Scans a dump of version 1: each index block has the number of blocks after it; the last one isn't full. */
static int scan_version_1(struct scan *scan)
{
	struct metadump1_disk head;
	unsigned count = METADUMP1_MOST;
	int ret = 0;

	for (bool first = true; !ret && count == METADUMP1_MOST; first = false) {
		ret = read_next(scan, &head, sizeof(head));
		if (ret)
			return ret;
		count = be16_get(head.count);
		if (be32_get(head.magic) != METADUMP1_MAGIC || head.block_log != METADUMP1_BLOCK_LOG ||
		    count > METADUMP1_MOST)
			return refuse(scan, "there is no list of blocks in front of this");
		if (first && head.info & METADUMP1_FLAGS) {
			scan->dump->obfuscated = head.info & METADUMP1_OBFUSCATED;
			scan->dump->full_blocks = head.info & METADUMP1_FULLBLOCKS;
		}
		for (unsigned i = 0; !ret && i < count; i++)
			ret = add_extent(scan, METADUMP_DATA, be64_get(head.daddr[i]), 1);
	}
	return ret;
}

/* Scans a dump of version 2: a header, and extents up to its end. */
static int scan_version_2(struct scan *scan)
{
	struct metadump2_disk head;
	struct metadump2_extent_disk extent;
	int ret = read_next(scan, &head, sizeof(head));

	if (ret)
		return ret;
	if (be32_get(head.version) != METADUMP2_VERSION || be32_get(head.incompat) & ~METADUMP2_INCOMPAT) {
		snprintf(scan->why, scan->size, "the metadump is of a version that is newer than this program");
		return -EOPNOTSUPP;
	}
	scan->dump->obfuscated = be32_get(head.compat) & METADUMP2_OBFUSCATED;
	scan->dump->full_blocks = be32_get(head.compat) & METADUMP2_FULLBLOCKS;
	while (!ret && scan->at < scan->end) {
		uint64_t addr;
		unsigned role;

		ret = read_next(scan, &extent, sizeof(extent));
		if (ret)
			return ret;
		addr = be64_get(extent.addr);
		role = addr >> METADUMP2_DEVICE_LOG & METADUMP2_DEVICE_MASK;
		if (role >= METADUMP_ROLES || addr >> METADUMP2_DEVICE_LOG >> 2)
			return refuse(scan, "there is an extent of an unknown device");
		addr &= (1ull << METADUMP2_DEVICE_LOG) - 1;
		ret = add_extent(scan, role, addr, be32_get(extent.len));
	}
	return ret;
}

/* Converts blocks to bytes; 0: too many. */
static uint64_t bytes_of(be64_t blocks, unsigned block_log)
{
	return be64_get(blocks) <= (uint64_t)INT64_MAX >> block_log ? be64_get(blocks) << block_log : 0;
}

/* Gets the sizes of devices from the superblock. False: it is unusable. */
static bool state_sizes(const struct sb_disk *sb, uint64_t ret_stated[static METADUMP_ROLES])
{
	if (be32_get(sb->magicnum) != SB_MAGIC || sb->blocklog < SECTOR_LOG || sb->blocklog > SB_MAX_BLOCK_LOG)
		return false;
	ret_stated[METADUMP_DATA] = bytes_of(sb->dblocks, sb->blocklog);
	ret_stated[METADUMP_LOG] = (uint64_t)be32_get(sb->logblocks) << sb->blocklog;
	ret_stated[METADUMP_RT] = bytes_of(sb->rblocks, sb->blocklog);
	return true;
}

/* Finds the sizes of devices: those in the superblock, but no less than what the dump contains of them. */
static int find_sizes(struct metadump *dump)
{
	uint64_t stated[METADUMP_ROLES];
	struct sb_disk sb;
	const int ret = metadump_read(dump, METADUMP_DATA, &sb, 0, sizeof(sb));
	const bool usable = !ret && state_sizes(&sb, stated);

	for (unsigned role = 0; role < METADUMP_ROLES; role++) {
		dump->bytes[role] = dump->maps[role].end << SECTOR_LOG;
		if (usable && dump->bytes[role] && dump->bytes[role] < stated[role])
			dump->bytes[role] = stated[role];
	}
	return ret;
}

uint64_t metadump_most(const uint8_t beginning[static METADUMP_BEGINNING])
{
	uint64_t stated[METADUMP_ROLES], sum = 0;
	struct sb_disk sb;
	be32_t magic;

	memcpy(&magic, beginning, sizeof(magic));
	memcpy(&sb,
	       beginning + (be32_get(magic) == METADUMP1_MAGIC
				    ? sizeof(struct metadump1_disk)
				    : sizeof(struct metadump2_disk) + sizeof(struct metadump2_extent_disk)),
	       sizeof(sb));
	if (!state_sizes(&sb, stated))
		return UINT64_MAX;
	for (unsigned role = 0; role < METADUMP_ROLES; role++)
		sum += stated[role] < UINT64_MAX / 8 ? stated[role] : UINT64_MAX / 8;
	/* for index blocks, and blocks that are dumped twice */
	return sum * 2;
}

/* Returns how many extents may be in memory; sorting and merging needs four times their size. */
static size_t memory_extents(uint64_t memory)
{
	const uint64_t most = memory / 4 / sizeof(struct map_extent);

	return most > MAP_BLOCK ? (size_t)most : MAP_BLOCK;
}

bool metadump_is(const uint8_t *bytes)
{
	be32_t magic;

	memcpy(&magic, bytes, sizeof(magic));
	return be32_get(magic) == METADUMP1_MAGIC || be32_get(magic) == METADUMP2_MAGIC;
}

int metadump_open(struct metadump *dump, int fd, uint64_t memory, char *why, size_t size)
{
	struct scan scan = { .dump = dump, .why = why, .size = size };
	be32_t magic = { 0 };
	struct stat st;
	int ret;

	*dump = (struct metadump){ .fd = fd };
	for (unsigned role = 0; role < METADUMP_ROLES; role++)
		dump->maps[role].most = memory_extents(memory);
	if (fstat(fd, &st))
		return say_error(&scan, -errno);
	scan.end = (uint64_t)st.st_size;
	ret = read_next(&scan, &magic, sizeof(magic));
	if (ret)
		return ret;
	scan.at = 0;
	dump->version = be32_get(magic) == METADUMP2_MAGIC ? 2 : 1;
	ret = dump->version == 2 ? scan_version_2(&scan) : scan_version_1(&scan);
	for (unsigned role = 0; !ret && role < METADUMP_ROLES; role++) {
		ret = extent_map_settle(&dump->maps[role]);
		if (ret)
			say_unkept(&scan, ret);
	}
	if (!ret && !dump->maps[METADUMP_DATA].end)
		ret = refuse(&scan, "it ends, and nothing of a data device was in it");
	if (!ret) {
		ret = find_sizes(dump);
		if (ret)
			say_error(&scan, ret);
	}
	return ret;
}

void metadump_close(struct metadump *dump)
{
	for (unsigned role = 0; role < METADUMP_ROLES; role++)
		extent_map_free(&dump->maps[role]);
	if (dump->fd >= 0)
		close(dump->fd);
	dump->fd = -1;
}

int metadump_read(const struct metadump *dump, enum metadump_role role, void *buf, uint64_t offset, size_t len)
{
	const uint64_t end = offset + len;
	struct map_extent extent;
	struct map_walk walk;
	uint8_t *to = buf;
	int ret = 0;

	memset(buf, 0, len);
	extent_map_from(&dump->maps[role], offset >> SECTOR_LOG, &walk);
	while (!ret && extent_map_next(&walk, &extent)) {
		const uint64_t first = extent.addr << SECTOR_LOG, last = first + (extent.len << SECTOR_LOG);
		const uint64_t from = first > offset ? first : offset, until = last < end ? last : end;

		if (first >= end)
			break;
		ret = whole_read(dump->fd, extent.at + (from - first), to + (from - offset), until - from, -EIO);
	}
	return ret ? ret : walk.error;
}

int metadump_find(const struct metadump *dump, enum metadump_role role, uint64_t offset, uint64_t *ret_data,
		  uint64_t *ret_hole)
{
	struct map_extent extent;
	struct map_walk walk;

	extent_map_from(&dump->maps[role], offset >> SECTOR_LOG, &walk);
	if (!extent_map_next(&walk, &extent))
		return walk.error ? walk.error : -ENXIO;
	*ret_data = extent.addr << SECTOR_LOG > offset ? extent.addr << SECTOR_LOG : offset;
	do
		*ret_hole = (extent.addr + extent.len) << SECTOR_LOG;
	while (extent_map_next(&walk, &extent) && extent.addr << SECTOR_LOG == *ret_hole);
	return walk.error;
}
