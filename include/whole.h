/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Complete reads and writes of files, and temporary files. */
#ifndef XFSCK_WHOLE_H
#define XFSCK_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes all len bytes at byte `offset` of the file.  0 or negative errno. */
int whole_write(int fd, uint64_t offset, const void *bytes, size_t len);
/* Reads as many; at_end: the negative errno to return if the file ends before.  0 or negative errno. */
int whole_read(int fd, uint64_t offset, void *bytes, size_t len, int at_end);

/* Temporary files are unnamed: other users can't open them, and they vanish when the program ends. */

/* The folder for temporary files; *ret_unnamed: its file system has O_TMPFILE. */
const char *temporary_folder(bool *ret_unnamed);
/*
 * Creates one in TMPDIR, else /var/tmp, for data that is too large for memory.  Returns a descriptor or negative errno.
 */
int temporary_open(void);
/* Free bytes on the file system of a temporary file; UINT64_MAX: unknown. */
uint64_t temporary_room(int fd);

#endif
