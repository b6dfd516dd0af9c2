/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program. */
#ifndef XFSCK_TOOL_H
#define XFSCK_TOOL_H

#include <stddef.h>

/*
 * Run a program, found by PATH, to its end; argv ends with NULL.  It gets nothing to read, and what it prints is
 * dropped, but for the last line of its errors.  0; -ENOENT: there is no such program; -EIO: it failed; or another
 * negative errno.  Then message, of size bytes, is a sentence for the user.
 */
int tool_run(const char *const argv[], char *message, size_t size);
/*
 * The same, and keep the beginning of what it prints: a string in output, which has room for room bytes.  The program
 * is in a process group of its own and no signal is blocked for it: what ends this run from a terminal does not end it.
 */
int tool_read(const char *const argv[], char *output, size_t room, char *message, size_t size);
/* As tool_run(), but it gets a text of length bytes to read. */
int tool_feed(const char *const argv[], const char *text, size_t length, char *message, size_t size);

#endif
