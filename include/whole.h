/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes of files that go on until all bytes are through, whatever interrupts them. */
#ifndef XFSCK_WHOLE_H
#define XFSCK_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Write all of len bytes at a byte of the file. 0 or negative errno. */
int whole_write(int fd, uint64_t offset, const void *bytes, size_t len);
/* Read as many; at_end: the negative errno that is returned if the file ends before. 0 or negative errno. */
int whole_read(int fd, uint64_t offset, void *bytes, size_t len, int at_end);

/* Temporary files without a name, which nobody else can open, and which are gone however the program ends. */

/* The folder that they are created in; *ret_unnamed: its file system knows files without a name. */
const char *temporary_folder(bool *ret_unnamed);
/* Create one in the folder TMPDIR, else /var/tmp, for what is too large for memory. A descriptor or negative errno. */
int temporary_open(void);
/* The bytes that are free where one lies; UINT64_MAX: that is not known. */
uint64_t temporary_room(int fd);

#endif
