/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where two files differ. */
#ifndef XFSCK_TESTS_ACCOUNT_CONTENT_H
#define XFSCK_TESTS_ACCOUNT_CONTENT_H

#include "told.h"

struct ranges {
	struct range *all;
	size_t count, room;
};

/*
 * The parts of two files that differ, in order, in pieces of 512 bytes: other bytes, with `holes` data that is a hole
 * in the second one, or what can't be read.  A file descriptor of -1 is an empty file.
 */
struct ranges content_differences(int a, int b, bool holes);
/* True if any of the ranges has a byte in common with this one. */
bool ranges_touch(const struct ranges *ranges, const struct range *range);

#endif
