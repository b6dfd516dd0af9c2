/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes of files that go on until all bytes are through, whatever interrupts them. */
#ifndef XFSCK_WHOLE_H
#define XFSCK_WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* Write all of len bytes at a byte of the file. 0 or negative errno. */
int whole_write(int fd, uint64_t offset, const void *bytes, size_t len);
/* Read as many; at_end: the negative errno that is returned if the file ends before. 0 or negative errno. */
int whole_read(int fd, uint64_t offset, void *bytes, size_t len, int at_end);

#endif
