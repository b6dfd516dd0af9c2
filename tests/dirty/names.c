/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads on names: files of all types, renames, files without a name, directories, inode chunks. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dirty.h"

void creates(uint64_t *seed)
{
	char path[NAME_LEN], other[1024];

	for (unsigned i = 0; i < 300; i++) {
		path_in((char)('a' + i % 3), "new", i, path);
		switch (below(seed, 8)) {
		case 0:
			need(mkdir(path, 0700), path);
			break;
		case 1:
			memset(other, 'x', sizeof(other));
			other[1 + below(seed, 900)] = '\0';
			need(symlink(other, path), path);
			break;
		case 2:
			need(mknod(path, S_IFCHR | 0600, 0x1234), path);
			break;
		case 3:
			path_in('a', "", below(seed, FILES), other);
			need(link(other, path), path);
			break;
		default:
			put(path, below(seed, 20000), seed);
			if (i % 10 == 0)
				force(path);
		}
	}
	force("a");
}

void renames(uint64_t *seed)
{
	char from[NAME_LEN], to[NAME_LEN];

	for (unsigned i = 0; i < 150; i++) {
		path_in((char)('a' + below(seed, 3)), "", below(seed, FILES), from);
		path_in((char)('a' + below(seed, 3)), "", below(seed, FILES), to);
		switch (below(seed, 5)) {
		case 0:
			renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
			break;
		case 1:
			renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_WHITEOUT);
			break;
		case 2:
			snprintf(to, sizeof(to), "%c/%0*u", 'a' + i % 3, 1 + below(seed, 200), i);
			rename(from, to);
			break;
		default:
			rename(from, to);
		}
	}
	need(mkdir("a/sub", 0755), "mkdir");
	need(rename("a/sub", "b/sub"), "rename");
	need(rename("c", "b/sub/c-inside"), "rename");
	force("a");
}

/* Leaves files that are open at the crash, but have no name any more, or never had one. */
void orphans(uint64_t *seed)
{
	char path[NAME_LEN];

	for (unsigned i = 0; i < 80; i++) {
		path_in('a', "", i, path);
		if (open(path, O_RDWR) < 0 || unlink(path) < 0)
			err(1, "%s", path);
	}
	if (open("a/frag0", O_RDWR) < 0 || unlink("a/frag0") < 0)
		err(1, "frag");
	for (unsigned i = 0; i < 40; i++) {
		int fd = open("b", O_TMPFILE | O_RDWR, 0600);

		if (need(fd, "O_TMPFILE") < 0)
			break;
		write_random(fd, 0, 5000, seed);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (i % 4 == 0)
			need(linkat(AT_FDCWD, path, AT_FDCWD, i % 8 ? "c/late" : "b/late", AT_SYMLINK_FOLLOW) < 0 &&
					     errno != EEXIST
				     ? -1
				     : 0,
			     "linkat");
	}
	force("b");
}

/* Grows each directory to a form and shrinks it again, some of them to nothing. */
void directories(uint64_t *seed)
{
	static const unsigned counts[] = { 4, 50, 300, 1500 };
	char path[NAME_LEN];

	for (unsigned d = 0; d < 8; d++) {
		unsigned count = counts[d % 4];

		snprintf(path, sizeof(path), "dir%u", d);
		need(mkdir(path, 0755), path);
		for (unsigned i = 0; i < count; i++) {
			snprintf(path, sizeof(path), "dir%u/%0*u", d, 5 + (int)(i % 40), i);
			need(symlink("x", path), path);
		}
		snprintf(path, sizeof(path), "dir%u", d);
		force(path);
		for (unsigned i = 0; i < count; i++) {
			snprintf(path, sizeof(path), "dir%u/%0*u", d, 5 + (int)(i % 40), i);
			if (d < 4 || below(seed, 5))
				need(unlink(path), path);
		}
	}
	need(rmdir("dir3"), "rmdir");
	force("dir4");
}

/* Allocates and frees inode chunks. */
void inodes(uint64_t *seed)
{
	char path[NAME_LEN];

	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 800; i++) {
			snprintf(path, sizeof(path), "b/inode%u-%u", round, i);
			close(create(path));
		}
		force("b");
		for (unsigned i = 0; i < 800; i++) {
			snprintf(path, sizeof(path), "b/inode%u-%u", round, i);
			if (i / 64 % 3 != round || below(seed, 9) == 0)
				need(unlink(path), path);
		}
	}
	force("b");
}
