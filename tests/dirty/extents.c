/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads on extents: shared and exchanged ones, file sizes, and growing the file system. */
#define _GNU_SOURCE
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <xfs/xfs.h>

#include "dirty.h"

#ifndef XFS_IOC_EXCHANGE_RANGE
struct xfs_exchange_range {
	__s32 file1_fd;
	__u32 pad;
	__u64 file1_offset;
	__u64 file2_offset;
	__u64 length;
	__u64 flags;
};
#define XFS_IOC_EXCHANGE_RANGE _IOW('X', 129, struct xfs_exchange_range)
#endif

void reflinks(uint64_t *seed)
{
	char path[NAME_LEN];

	for (unsigned i = 0; i < 40; i++) {
		int fd;

		path_in('c', "clone", i, path);
		clone_of(i % 3 ? "a/frag0" : "b/frag0", path);
		fd = open(path, O_RDWR);
		for (unsigned k = 0; k < 12; k++)
			write_random(fd, (off_t)below(seed, FRAG_BLOCKS) * BLOCK, 5000, seed);
		if (i % 5 == 0)
			need(fallocate(fd, FALLOC_FL_UNSHARE_RANGE, 0, 100 * BLOCK), "unshare");
		if (i % 7 == 0)
			need(fsync(fd), "fsync");
		close(fd);
		if (i % 4 == 3)
			need(unlink(path), path);
	}
	need(unlink("a/frag0"), "unlink");
	force("c");
}

void truncates(uint64_t *seed)
{
	static const int modes[] = { FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				     FALLOC_FL_COLLAPSE_RANGE,
				     FALLOC_FL_INSERT_RANGE,
				     FALLOC_FL_ZERO_RANGE,
				     FALLOC_FL_KEEP_SIZE,
				     0 };
	char path[NAME_LEN];
	int fd;

	for (unsigned i = 0; i < FILES; i++) {
		path_in('a', "", i, path);
		need(truncate(path, below(seed, 3) ? below(seed, 60000) : 0), path);
	}
	fd = open("b/frag0", O_RDWR);
	for (unsigned i = 0; i < 60; i++)
		need(fallocate(fd, modes[below(seed, 6)], (off_t)below(seed, 200) * BLOCK,
			       (off_t)(1 + below(seed, 30)) * BLOCK),
		     "fallocate");
	need(fsync(fd), "fsync");
	close(fd);
	need(truncate("a/frag0", 5000), "truncate");
	need(truncate("a/frag0", 1 << 20), "truncate");
	force("a");
}

void exchange(const char *path, const char *other, size_t len)
{
	struct xfs_exchange_range range = { .length = len };
	int fd = open(other, O_RDWR);

	range.file1_fd = open(path, O_RDWR);
	need(ioctl(fd, XFS_IOC_EXCHANGE_RANGE, &range), "exchange");
	close(fd);
	close(range.file1_fd);
}

void exchanges(uint64_t *seed)
{
	char path[NAME_LEN], other[NAME_LEN];

	for (unsigned i = 0; i < 60; i++) {
		size_t len = BLOCK * (1 + below(seed, 4));

		path_in('a', i % 10 ? "" : "frag", i % 10 ? i : 0, path);
		path_in('b', i % 10 ? "" : "frag", i % 10 ? i : 0, other);
		if (i % 10 == 0)
			len = (size_t)BLOCK * FRAG_BLOCKS;
		else if (truncate(path, 4 * BLOCK) < 0 || truncate(other, 4 * BLOCK) < 0)
			err(1, "truncate");
		exchange(path, other, len);
		if (i % 7 == 0)
			force(other);
	}
	force("a");
}

void grow(uint64_t *seed)
{
	struct xfs_fsop_geom geometry;
	struct xfs_growfs_data growth = { 0 };
	int fd = open(".", O_RDONLY);

	creates(seed);
	if (ioctl(fd, XFS_IOC_FSGEOMETRY, &geometry) < 0)
		err(1, "geometry");
	growth.newblocks = geometry.datablocks + geometry.agblocks / 2;
	growth.imaxpct = geometry.imaxpct;
	if (ioctl(fd, XFS_IOC_FSGROWFSDATA, &growth) < 0)
		err(1, "growing");
	close(fd);
	directories(seed);
}
