/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The undo file: what a commit overwrites, kept so that it can be taken back.  It is complete and on its medium before
 * the first write to a device.  Messages (of size bytes) are sentences for the user, without newline, that name the
 * file.
 */
#ifndef XFSCK_UNDO_H
#define XFSCK_UNDO_H

#include "cache.h"

#define UNDO_DEVICES 3 /* data, log, realtime: the places that structs undo_... and arrays here have for them */

/* ---- writing one ---- */

struct undo_writer;

/* Whether the file could be created; it is not there afterwards. 0 or a negative errno. */
int undo_may_create(const char *path, char *message, size_t size);
/*
 * Create the file, which may not exist yet nor lie on one of the devices (NULL: there is no such device). uuid: of the
 * file system.
 */
int undo_create(const char *path, const uint8_t uuid[16], struct device *const devices[UNDO_DEVICES],
		struct undo_writer **ret_undo, char *message, size_t size);
/*
 * Keep what is there before a change to a device; the same sectors may come again with another `after`: the states that
 * they go through. 0 or a negative errno.
 */
int undo_add(struct undo_writer *undo, unsigned device, const struct change *change);
/* All of it is on the medium when this is 0. Frees undo. Bytes of the file go to *ret_bytes. */
int undo_finish(struct undo_writer *undo, uint64_t *ret_bytes, char *message, size_t size);
/* Remove the file: nothing was written, or it could not be. Frees undo. */
void undo_abandon(struct undo_writer *undo);

/* ---- rolling back ---- */

struct undo;

/* Read a file and verify all of it. */
int undo_open(const char *path, struct undo **ret_undo, char *message, size_t size);
void undo_close(struct undo *undo);

/* Whether something of this device is in it. */
bool undo_has(const struct undo *undo, unsigned device);
/*
 * The first range, or part of one, of this device in [start, end) that the commit overwrote although it could not be
 * read, so that it can't be put back; all in bytes. False: there is none.
 */
bool undo_lost(const struct undo *undo, unsigned device, uint64_t start, uint64_t end, uint64_t *ret_start,
	       uint64_t *ret_len);

/*
 * 0 if the devices are those that it was made from and hold, in each sector, what the commit or a rollback leaves or
 * left there at any time; else -ESTALE and in message why not, or an error of ours.
 */
int undo_check(struct undo *undo, struct device *const devices[UNDO_DEVICES], char *message, size_t size);
/*
 * Write everything back, but for the sector at 0 of the first device, which comes last; flushed.  0 or the negative
 * errno of a write: device_write_failed() of *ret_device says where.
 */
int undo_restore(struct undo *undo, struct device *const devices[UNDO_DEVICES], unsigned *ret_device);

#endif
