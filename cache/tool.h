/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program. */
#ifndef XFSCK_CACHE_TOOL_H
#define XFSCK_CACHE_TOOL_H

#include <stddef.h>

/*
 * Run a program, found by PATH, to its end; argv ends with NULL.  It gets nothing to read, and what it prints is
 * dropped, but for the last line of its errors.  0; -ENOENT: there is no such program; -EIO: it failed; or another
 * negative errno.  Then message, of size bytes, is a sentence for the user.
 */
int tool_run(const char *const argv[], char *message, size_t size);

#endif
