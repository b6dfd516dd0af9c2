/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads on extended attributes. */
#include <stdio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "dirty.h"

void xattrs(uint64_t *seed)
{
	static const unsigned sizes[] = { 5, 40, 250, 1500, 5000, 40000 };
	char path[NAME_LEN], name[NAME_LEN], value[40000];

	for (unsigned i = 0; i < 500; i++) {
		path_in('a', "", below(seed, 30), path);
		snprintf(name, sizeof(name), "user.%u", below(seed, 8));
		fill(value, sizeof(value), seed);
		if (below(seed, 4))
			need(setxattr(path, name, value, sizes[below(seed, 6)], 0), "setxattr");
		else
			removexattr(path, name);
		if (i % 60 == 0)
			force(path);
	}
	for (unsigned i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "user.of-a-directory-%u", i);
		need(setxattr("b", name, value, 30, 0), "setxattr");
		if (i % 3 == 0)
			need(removexattr("b", name), "removexattr");
	}
	force("b");
}

/* Fills more than the length of the log, in many small transactions. */
void wrap(uint64_t *seed)
{
	char path[NAME_LEN], value[2500];

	for (unsigned round = 0; round < 12; round++) {
		for (unsigned i = 0; i < 400; i++) {
			path_in('b', "wrap", i, path);
			put(path, below(seed, 300), seed);
			fill(value, sizeof(value), seed);
			need(setxattr(path, "user.round", value, sizeof(value), 0), "setxattr");
		}
		force("b");
		write_back();
		for (unsigned i = 0; i < 400; i += 1 + round % 2) {
			path_in('b', "wrap", i, path);
			need(unlink(path), path);
		}
		force("b");
	}
}
