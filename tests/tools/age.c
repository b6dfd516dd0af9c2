/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * age DIR COUNT SEED: fills the mounted file system at DIR with about COUNT inodes and ages it: names of all lengths,
 * directories, attributes and symlinks of every format, extents of every kind, hard links, clones, removals and
 * renames.  Skips what the file system has no feature for.  Data are zeroes, so that images compress well.
 */
#define _GNU_SOURCE
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "workload.h"

static const char zeroes[16 * BLOCK];

static void write_zeroes(int fd, size_t len, off_t offset)
{
	if (pwrite(fd, zeroes, len, offset) != (ssize_t)len)
		err(1, "write");
}

/* ---- contents of one file ---- */

/* Fills a file with that many extents of one block each, with holes between them; leaves random ones unwritten. */
static void fill_fragmented(int fd, unsigned extents, uint64_t *seed)
{
	for (unsigned i = 0; i < extents; i++) {
		off_t offset = (off_t)i * 2 * BLOCK;

		if (below(seed, 3))
			need(fallocate(fd, 0, offset, BLOCK), "fallocate");
		else
			write_zeroes(fd, BLOCK, offset);
	}
}

static void fill(int fd, uint64_t *seed)
{
	switch (below(seed, 12)) {
	case 0:
	case 1:
		write_zeroes(fd, 1 + below(seed, sizeof(zeroes)), 0);
		break;
	case 2:
		need(fallocate(fd, 0, 0, (1 + below(seed, 20)) * BLOCK), "fallocate");
		break;
	case 3:
		need(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (1 + below(seed, 20)) * BLOCK), "fallocate");
		break;
	case 4:
		need(ftruncate(fd, (off_t)below(seed, 1 << 30) << 10), "truncate");
		break;
	case 5:
		fill_fragmented(fd, 2 + below(seed, 30), seed);
		break;
	default:
		break; /* most files are empty, to keep images small */
	}
}

/* Adds `count` attributes with values of up to value_max bytes. */
static void add_attributes(int fd, unsigned count, unsigned value_max, uint64_t *seed)
{
	static const char *const namespaces[] = { "user", "trusted", "security" };

	for (unsigned i = 0; i < count; i++) {
		char name[NAME_LEN];

		snprintf(name, sizeof(name), "%s.%0*u", namespaces[below(seed, 3)], 1 + (int)below(seed, 40), i);
		need(fsetxattr(fd, name, zeroes, below(seed, value_max + 1), 0), "setxattr");
	}
}

static void set_project_and_flags(int fd, uint32_t flags, uint64_t *seed)
{
	struct fsxattr attr;

	if (need(ioctl(fd, FS_IOC_FSGETXATTR, &attr), "FSGETXATTR") < 0)
		return;
	attr.fsx_projid = below(seed, 5);
	attr.fsx_xflags |= flags;
	if (flags & FS_XFLAG_EXTSIZE)
		attr.fsx_extsize = 4 * BLOCK;
	if (flags & FS_XFLAG_COWEXTSIZE)
		attr.fsx_cowextsize = 8 * BLOCK;
	need(ioctl(fd, FS_IOC_FSSETXATTR, &attr), "FSSETXATTR");
}

/* Opens a regular file, or returns -1: a path may also be a device or a link, which must not be opened or followed. */
static int open_regular(const char *path, int flags)
{
	int fd = open(path, flags | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Makes a file share the blocks of another, then unshares some of them by writing. */
static void clone(const char *path, const char *other, uint64_t *seed)
{
	struct file_clone_range range = { .src_fd = open_regular(path, O_RDONLY) };
	int to;

	if (range.src_fd < 0)
		return;
	to = open_regular(other, O_RDWR);
	if (to >= 0) {
		if (need(ioctl(to, FICLONERANGE, &range), "clone") == 0 && below(seed, 2))
			write_zeroes(to, BLOCK, (off_t)below(seed, 8) * BLOCK);
		close(to);
	}
	close((int)range.src_fd);
}

/* ---- many of them ---- */

/* Name number i: short ones, long ones, and bytes that are no text.  The last byte excludes '/' and NUL. */
static void name_of(unsigned i, char name[NAME_LEN])
{
	static const unsigned lengths[] = { 0, 0, 0, 3, 11, 20, 40, 90, 200, 246 };
	unsigned len = lengths[i * 7 % 10];
	int n = snprintf(name, NAME_LEN, "%x", i);

	for (unsigned k = 0; k < len && n < NAME_LEN - 1; k++)
		name[n++] = (char)(i % 13 == 0 ? 0x80 + (i + k) % 100 : 'a' + (i + k) % 26);
	name[n] = '\0';
}

static void path_of(unsigned i, unsigned per_dir, char *path, size_t size)
{
	char name[NAME_LEN];

	name_of(i, name);
	snprintf(path, size, "d%u/%s", i / per_dir, name);
}

static void make_node(const char *path, unsigned i, uint64_t *seed)
{
	char target[1024];
	int fd;

	switch (below(seed, 40)) {
	case 0:
		memset(target, 'x', sizeof(target));
		target[below(seed, 5) ? 1 + below(seed, 60) : 400 + below(seed, 600)] = '\0';
		need(symlink(target, path), path);
		return;
	case 1:
		/* the largest minor numbers of the format */
		need(mknod(path, (i % 2 ? S_IFCHR : S_IFBLK) | 0600, makedev(i % 300, i % (1u << 18))), path);
		return;
	case 2:
		need(mknod(path, (i % 2 ? S_IFIFO : S_IFSOCK) | 0600, 0), path);
		return;
	case 3:
		need(mkdir(path, 0755), path);
		return;
	default:
		break;
	}
	fd = create(path);
	fill(fd, seed);
	switch (below(seed, 20)) {
	case 0:
		add_attributes(fd, 1 + below(seed, 4), 60, seed);
		break;
	case 1:
		add_attributes(fd, 1 + below(seed, 10), 600, seed);
		break;
	case 2:
		set_project_and_flags(fd, below(seed, 2) ? FS_XFLAG_NODUMP : FS_XFLAG_EXTSIZE, seed);
		break;
	default:
		break;
	}
	close(fd);
}

static void make_many(unsigned count, unsigned per_dir, uint64_t *seed)
{
	char path[2 * NAME_LEN], other[2 * NAME_LEN];

	for (unsigned i = 0; i < count; i++) {
		if (i % per_dir == 0) {
			snprintf(path, sizeof(path), "d%u", i / per_dir);
			need(mkdir(path, 0755), path);
		}
		path_of(i, per_dir, path, sizeof(path));
		make_node(path, i, seed);
		if (below(seed, 25) == 0) {
			snprintf(other, sizeof(other), "d%u/link%u", below(seed, i / per_dir + 1), i);
			need(link(path, other), other);
		}
	}
}

/* Removes, renames, recreates and clones files. */
static void age_many(unsigned count, unsigned per_dir, uint64_t *seed)
{
	char path[2 * NAME_LEN], other[2 * NAME_LEN];

	for (unsigned n = 0; n < count; n++) {
		unsigned i = below(seed, count), j = below(seed, count);

		path_of(i, per_dir, path, sizeof(path));
		path_of(j, per_dir, other, sizeof(other));
		switch (below(seed, 8)) {
		case 0:
		case 1:
		case 2:
			if (remove(path) < 0 && errno != ENOENT)
				err(1, "%s", path);
			break;
		case 3:
			snprintf(other, sizeof(other), "d%u/moved%u", j / per_dir, n);
			if (rename(path, other) < 0 && errno != ENOENT && errno != EINVAL)
				err(1, "%s", path);
			break;
		case 4:
			if (i != j)
				clone(path, other, seed);
			break;
		case 5:
			if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
				make_node(path, n, seed);
			break;
		default:
			break;
		}
	}
}

/* ---- one of each rare kind ---- */

/* Creates a directory of count names.  In every hundredth pair both names have the same hash. */
static void make_directory(const char *path, unsigned count)
{
	char name[2 * NAME_LEN];
	int dir;

	need(mkdir(path, 0755), path);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	if (dir < 0)
		err(1, "%s", path);
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "name-%u-aa", i);
		if (need(mknodat(dir, name, S_IFREG | 0644, 0), name) == 0 && i % 100 == 0) {
			char *end = name + strlen(name);

			/* the hash shifts by 7 for each byte, so these two changes cancel out: ondisk 06 */
			end[-2] = (char)(end[-2] ^ 1);
			end[-1] = (char)(end[-1] ^ 0x80);
			need(mknodat(dir, name, S_IFREG | 0644, 0), name);
		}
	}
	close(dir);
}

static void make_rare(unsigned names, uint64_t *seed)
{
	static const uint32_t flags[] = { FS_XFLAG_APPEND,    FS_XFLAG_SYNC,	FS_XFLAG_NOATIME,    FS_XFLAG_NODEFRAG,
					  FS_XFLAG_IMMUTABLE, FS_XFLAG_EXTSIZE, FS_XFLAG_COWEXTSIZE, FS_XFLAG_DAX };
	const struct timespec times[2] = { { .tv_sec = -2000000000 }, { .tv_sec = 2147483647, .tv_nsec = 999999999 } };
	const struct timespec late_times[2] = { { .tv_sec = 5000000000 }, { .tv_sec = 16000000000 } };
	char path[NAME_LEN];
	int fd;

	make_directory("shortform", 3);
	make_directory("block", 40);
	make_directory("leaf", 250);
	make_directory("node", names);

	fd = create("many-extents");
	fill_fragmented(fd, names, seed);
	close(fd);

	/* free space in `names` pieces */
	fd = create("punched");
	if (need(fallocate(fd, 0, 0, (off_t)names * 2 * BLOCK), "fallocate") == 0) {
		for (unsigned i = 0; i < names; i++)
			need(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)i * 2 * BLOCK, BLOCK),
			     "punch");
	}
	close(fd);

	fd = create("far");
	write_zeroes(fd, BLOCK, (off_t)1 << 40);
	close(fd);

	fd = create("attributes");
	add_attributes(fd, names / 4, 300, seed);
	need(fsetxattr(fd, "user.remote", zeroes, 5000, 0), "setxattr");
	need(fsetxattr(fd, "user.long", zeroes, 16 * BLOCK, 0), "setxattr");
	close(fd);

	fd = create("times");
	need(futimens(fd, times), "utimens");
	close(fd);
	fd = create("late-times");
	need(futimens(fd, late_times), "utimens");
	close(fd);

	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		snprintf(path, sizeof(path), "flags%u", i);
		fd = create(path);
		set_project_and_flags(fd, flags[i], seed);
		close(fd);
	}

	/* a file that never has a name, and one that gets its name later */
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		need(linkat(AT_FDCWD, path, AT_FDCWD, "linked-late", AT_SYMLINK_FOLLOW), "linkat");
		close(fd);
	}
}

int main(int argc, char **argv)
{
	unsigned count, per_dir;
	uint64_t seed;

	if (argc != 4)
		errx(2, "usage: age DIR COUNT SEED");
	if (chdir(argv[1]) < 0)
		err(1, "%s", argv[1]);
	count = (unsigned)strtoul(argv[2], NULL, 10);
	seed = seed_of(argv[3]);
	per_dir = count < 4000 ? 130 : 1000;

	make_rare(count < 4000 ? 1100 : 6000, &seed);
	make_many(count, per_dir, &seed);
	age_many(count, per_dir, &seed);
	return 0;
}
