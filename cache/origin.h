/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where the bytes of a device are stored: those of a loop device are in a file or another device. */
#ifndef XFSCK_ORIGIN_H
#define XFSCK_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A regular file or a block device, and an offset in it. */
struct origin {
	bool block;
	dev_t dev;	 /* the block device, or the device that holds the file */
	ino_t ino;	 /* of the file; else 0 */
	uint64_t offset; /* bytes */
};

#define LOOPS_DEEP 8 /* nested loop devices: more than anybody has */

/* Returns the file or device of st, without following loop devices. */
struct origin origin_itself(const struct stat *st);
/* Finds the file or device below a loop device. False: not a loop device, or the system doesn't tell. */
bool origin_below(const char *loop, struct origin *ret_origin);
/* Returns the file or device of st, or what is below it, following nested loop devices. */
struct origin origin_find(const struct stat *st);
/* True if both are the same file or device, whatever their offsets. */
bool origin_shared(const struct origin *a, const struct origin *b);

#endif
