/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences between two files. */
#ifndef XFSCK_TESTS_ACCOUNT_CONTENT_H
#define XFSCK_TESTS_ACCOUNT_CONTENT_H

#include "told.h"

struct ranges {
	struct range *all;
	size_t count, room;
};

/*
 * Finds the differing parts of two files, in order, in pieces of 512 bytes: other bytes, unreadable ones and, with
 * `holes`, data that is a hole in the second file.  A file descriptor of -1 is an empty file.
 */
struct ranges content_differences(int a, int b, bool holes);
/* True if any of the ranges overlaps this one. */
bool ranges_touch(const struct ranges *ranges, const struct range *range);

#endif
