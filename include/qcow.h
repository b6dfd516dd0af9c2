/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A qcow2 overlay file over a device, which holds the differences from it.  qemu-img creates the file, and qemu-nbd
 * reads and writes it.  This program parses only the header, and checks it before qemu-nbd opens the file, which might
 * refer to other files or servers.  Offsets and lengths are bytes.  Functions with a message return 0, or a negative
 * errno and in message, of size bytes, a sentence for the user, without newline.
 */
#ifndef XFSCK_QCOW_H
#define XFSCK_QCOW_H

#include "cache.h"
#include "output.h"

struct qcow;

/* Checks early whether this program and this machine support it; write: also creating such files. */
int qcow_possible(bool write, char *message, size_t size);
/* Makes an open and empty file an overlay over the device; file->path is for messages. */
int qcow_create(const struct nameless *file, const struct device *device, char *message, size_t size);
/* Opens it for writing.  The caller passes *ret_qcow to qcow_close(). */
int qcow_open_new(const struct nameless *file, struct qcow **ret_qcow, char *message, size_t size);
/*
 * Opens an existing one for reading; the same.  Only data in the file itself can be read, nothing below it.  -EBADMSG:
 * qcow_create() did not create it, or it has snapshots or other features.
 */
int qcow_open(const char *path, struct qcow **ret_qcow, char *message, size_t size);
/* Size of the device that it shows, in bytes. */
uint64_t qcow_bytes(const struct qcow *qcow);
/* Write or read bytes.  0 or a negative errno. */
int qcow_write(struct qcow *qcow, const void *buf, uint64_t offset, size_t len);
int qcow_read(struct qcow *qcow, void *buf, uint64_t offset, size_t len);
/* Flushes all writes to the medium.  0 or a negative errno. */
int qcow_flush(struct qcow *qcow);
void qcow_close(struct qcow *qcow);

#endif
