/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs other programs. */
#ifndef XFSCK_TOOL_H
#define XFSCK_TOOL_H

#include <stddef.h>

/*
 * Runs a program, found by PATH, to its end; argv ends with NULL.  Its standard input is empty; its output is dropped,
 * except for the last line of its errors.  It has its own process group and no blocked signals: a signal for the group
 * of this run, as from the terminal or timeout(1), does not end it.  Returns 0; -ENOENT: there is no such program;
 * -EIO: it failed; or another negative errno.  Then message, of size bytes, is a sentence for the user.
 */
int tool_run(const char *const argv[], char *message, size_t size);
/* Like tool_run(), but stores the beginning of its output as a string of at most room bytes. */
int tool_read(const char *const argv[], char *output, size_t room, char *message, size_t size);
/* Like tool_run(), but with a text of length bytes as standard input. */
int tool_feed(const char *const argv[], const char *text, size_t length, char *message, size_t size);

#endif
