/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads that run until something fails, when the file system is shut down: in the middle of operations, in several
 * processes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "dirty.h"

/* Ignores a failure, as when another process was faster. */
static void may_fail(int result)
{
	(void)result;
}

void forcer(uint64_t *seed)
{
	char path[NAME_LEN];

	for (;;) {
		path_in('c', "", below(seed, 3), path);
		put(path, below(seed, 300), seed);
		force(path);
	}
}

/* Long chains of deferred operations: they are interrupted halfway if another process forces the log all the time. */
void chains(uint64_t *seed)
{
	static const char value[30000];
	char path[NAME_LEN];

	for (unsigned round = 0;; round++) {
		for (unsigned i = 0; i < 4; i++) {
			path_in('a', "chain", i, path);
			clone_of(i % 2 ? "a/frag0" : "b/frag0", path);
		}
		for (unsigned i = 0; i < 4; i++) {
			path_in('a', "chain", i, path);
			need(truncate(path, (off_t)below(seed, 30) * BLOCK), path);
			need(setxattr("a/0", "user.chain", value, below(seed, sizeof(value)), 0), "setxattr");
			if (round % 2)
				need(unlink(path), path);
		}
	}
}

/* Operations that change files in steps: their extent maps, and names in attributes. */
void remaps(uint64_t *seed)
{
	char path[NAME_LEN], other[NAME_LEN];
	int fd;

	for (unsigned round = 0;; round++) {
		exchange("a/frag0", "b/frag0", (size_t)BLOCK * (1 + below(seed, FRAG_BLOCKS)));
		path_in('a', "remap", round % 5, path);
		clone_of(round % 2 ? "a/frag0" : "c/frag0", path);
		clone_of(round % 2 ? "c/frag0" : "b/frag0", path);
		fd = open(path, O_RDWR);
		for (unsigned i = 0; i < 10; i++)
			write_random(fd, (off_t)below(seed, FRAG_BLOCKS) * BLOCK, 5000, seed);
		need(fsync(fd), "fsync");
		close(fd);
		for (unsigned i = 0; i < 10; i++) {
			path_in((char)('a' + below(seed, 3)), "", below(seed, FILES), path);
			path_in((char)('a' + below(seed, 3)), "name", below(seed, FILES), other);
			if (i % 3)
				rename(path, other);
			else
				may_fail(link(path, other));
			if (i % 4 == 0)
				unlink(path);
		}
	}
}

/*
 * Names in several directories, and their parent pointers, are added and removed: as many as an inode holds, and more.
 */
void links(uint64_t *seed)
{
	char path[NAME_LEN], other[NAME_LEN], name[160];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (;;) {
		path_in((char)('a' + below(seed, 3)), name + below(seed, 2) * 155, below(seed, 30), path);
		path_in((char)('a' + below(seed, 3)), name + below(seed, 2) * 155, below(seed, 30), other);
		switch (below(seed, 6)) {
		case 0:
			put(path, below(seed, 100), seed);
			break;
		case 1:
			may_fail(link(path, other));
			break;
		case 2:
			unlink(path);
			break;
		case 3:
			renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
			break;
		default:
			rename(path, other);
		}
	}
}

/* All operations; failures because of another process do not matter. */
void mixed(uint64_t *seed)
{
	char path[NAME_LEN], other[NAME_LEN], value[4000];

	for (;;) {
		path_in((char)('a' + below(seed, 3)), "", below(seed, 2 * FILES), path);
		path_in((char)('a' + below(seed, 3)), "", below(seed, 2 * FILES), other);
		switch (below(seed, 10)) {
		case 0:
			rename(path, other);
			break;
		case 1:
			unlink(path);
			break;
		case 2:
			may_fail(link(path, other));
			break;
		case 3:
			fill(value, sizeof(value), seed);
			setxattr(path, "user.mixed", value, below(seed, sizeof(value)), 0);
			break;
		case 4:
			clone_of(path, other);
			break;
		case 5:
			may_fail(truncate(path, below(seed, 50000)));
			break;
		case 6:
			path_in('b', "dir", below(seed, 50), path);
			if (mkdir(path, 0755) < 0)
				rmdir(path);
			break;
		case 7:
			if (access(path, F_OK) == 0)
				force(path);
			break;
		default:
			put(path, below(seed, 30000), seed);
		}
	}
}
