/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where the bytes of a device really lie: those of a loop device lie in a file or another device. */
#ifndef XFSCK_ORIGIN_H
#define XFSCK_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A regular file or a block device, and where in it something begins. */
struct origin {
	bool block;
	dev_t dev;	 /* the block device, or the one that the file is on */
	ino_t ino;	 /* of a file */
	uint64_t offset; /* bytes */
};

#define LOOPS_DEEP 8 /* more loop devices on top of each other than anybody has */

/* The file or device that st describes, without looking below a loop device. */
struct origin origin_itself(const struct stat *st);
/* What the loop device of this name lies on. False: it is no loop device, or the system does not tell. */
bool origin_below(const char *loop, struct origin *ret_origin);
/* The file or device that st describes, or what that lies on if it is a loop device, through any number of these. */
struct origin origin_find(const struct stat *st);
/* Whether both are the same file or device, wherever they begin in it. */
bool origin_shared(const struct origin *a, const struct origin *b);

#endif
