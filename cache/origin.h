/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the bytes of a device lie in the end: loop devices have theirs elsewhere. */
#ifndef XFSCK_ORIGIN_H
#define XFSCK_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A regular file, or a block device that is not a loop device, and where in it that begins. */
struct origin {
	bool block;
	dev_t dev;	 /* the block device, or the one that the file is on */
	ino_t ino;	 /* of a file */
	uint64_t offset; /* bytes */
};

#define LOOPS_DEEP 8 /* more of them on top of each other than anybody has */

/* What st describes, itself. */
struct origin origin_itself(const struct stat *st);
/* What the loop device of this name lies on. False: it is none, or the system does not tell. */
bool origin_below(const char *loop, struct origin *ret_origin);
/* What st describes, or what that lies on if it is a loop device, however many of them. */
struct origin origin_find(const struct stat *st);
/* Whether that is the same file or device, wherever in it they begin. */
bool origin_shared(const struct origin *a, const struct origin *b);

#endif
