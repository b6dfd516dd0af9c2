/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A qcow2 file over a device, which holds what differs from it.  qemu-img makes the file, and qemu-nbd reads and writes
 * it.  Of its format nothing is known here but the header, which is checked before qemu-nbd sees the file: it might
 * name other files, or servers.  Offsets and lengths are bytes.  Functions with a message return 0, or a negative errno
 * and in message, of size bytes, a sentence for the user, without newline.
 */
#ifndef XFSCK_QCOW_H
#define XFSCK_QCOW_H

#include "cache.h"
#include "output.h"

struct qcow;

/* Find out early whether this program and this machine can do it; write: also make such files. */
int qcow_possible(bool write, char *message, size_t size);
/* Make a file that is open, and empty, one over the device; file->path is for messages. */
int qcow_create(const struct nameless *file, const struct device *device, char *message, size_t size);
/* Open it for writing.  *ret_qcow: for qcow_close(). */
int qcow_open_new(const struct nameless *file, struct qcow **ret_qcow, char *message, size_t size);
/*
 * Open one that is there, only for reading; the same.  Only what the file itself holds can be read, nothing below it.
 * -EBADMSG: it is no file that qcow_create() makes, or was given snapshots or other features since.
 */
int qcow_open(const char *path, struct qcow **ret_qcow, char *message, size_t size);
/* The bytes of the device that it shows. */
uint64_t qcow_bytes(const struct qcow *qcow);
/* 0 or a negative errno. */
int qcow_write(struct qcow *qcow, const void *buf, uint64_t offset, size_t len);
int qcow_read(struct qcow *qcow, void *buf, uint64_t offset, size_t len);
/* Bring all that was written to the medium.  0 or a negative errno. */
int qcow_flush(struct qcow *qcow);
void qcow_close(struct qcow *qcow);

#endif
