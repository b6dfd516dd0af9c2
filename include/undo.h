/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The undo file keeps the data that a commit overwrites, so that the commit can be rolled back.  It is complete and on
 * its medium before the first write to a device.  Functions that return int return 0 or a negative errno; then message,
 * of size bytes, is a sentence for the user, without newline.
 */
#ifndef XFSCK_UNDO_H
#define XFSCK_UNDO_H

#include "cache.h"

#define UNDO_DEVICES 3 /* in this order: data, log, realtime device */

/* ---- writing one ---- */

struct undo_writer;

/*
 * The place of an undo file, opened before the sandbox forbids it: the folder and, if its file system has O_TMPFILE,
 * the file itself, which gets its name when it is complete.
 */
struct undo_place {
	char *path; /* of the folder; NULL: none was opened */
	int folder; /* descriptor, or the negative errno of opening it */
	int file;   /* descriptor; negative: none, the file will be created by name */
	bool made;  /* the folder was created for this run */
};

/*
 * Opens a place; make: creates the folder if only the last one is missing.  Errors are reported when the file is
 * created.
 */
void undo_place_open(const char *folder, bool make, struct undo_place *ret_place);
/* Closes a place, and removes a folder that it created and that is empty, unless another run uses it. */
void undo_place_close(struct undo_place *place);

/* Checks early whether the file can be created; it is removed again. */
int undo_may_create(const struct undo_place *place, const char *path, char *message, size_t size);
/*
 * Chooses the name of a new file in a folder: the name of the first device, the time, and a number from 1 on for files
 * of the same second.  Creates the folder if only the last one is missing.  The caller frees *ret_path.  -ENOSPC:
 * keeping `bytes` would leave less than as many free there.
 */
int undo_choose(const char *folder, struct device *const devices[UNDO_DEVICES], uint64_t bytes, unsigned number,
		char **ret_path, char *message, size_t size);
/*
 * Creates the file.  It must not exist, nor lie on a file system that is on one of the devices (NULL: there is no such
 * device).  uuid: of the file system.  place: that of the folder in path; must outlive undo.
 */
int undo_create(const char *path, const uint8_t uuid[16], struct device *const devices[UNDO_DEVICES],
		struct undo_place *place, struct undo_writer **ret_undo, char *message, size_t size);
/*
 * Stores the data that a change overwrites, and checksums of the data that it writes.  The same sectors may be added
 * again with another `after`, if a commit writes them more than once.
 */
int undo_add(struct undo_writer *undo, unsigned device, const struct change *change);
/*
 * Writes the rest, flushes, marks the file complete, and gives it its name if it has none.  Always frees undo.
 * *ret_bytes: size of the file.  -EEXIST: another file has the name by now.
 */
int undo_finish(struct undo_writer *undo, uint64_t *ret_bytes, char *message, size_t size);
/* Removes the file, if the commit does not take place; an unnamed file returns to its place.  Frees undo. */
void undo_abandon(struct undo_writer *undo);

/* ---- rolling back ---- */

struct undo;

/* The header of a complete undo file. */
struct undo_summary {
	uint8_t uuid[16];		/* of the file system */
	int64_t time;			/* of the repair: seconds since 1970 */
	uint64_t bytes;			/* of the file */
	char device[UNDO_DEVICES][256]; /* paths, as passed to the repair; "": there was no such device */
};

/* Reads only the header of a file. */
int undo_summary(const char *path, struct undo_summary *ret_summary, char *message, size_t size);
/* Opens a file, and verifies all of it. */
int undo_open(const char *path, struct undo **ret_undo, char *message, size_t size);
void undo_close(struct undo *undo);

/* True if it holds data of this device. */
bool undo_has(const struct undo *undo, unsigned device);
/*
 * Finds the first bytes in [start, end) of this device that were unreadable when the commit overwrote them, and can't
 * be restored.  False: there are none.
 */
bool undo_unreadable(const struct undo *undo, unsigned device, uint64_t start, uint64_t end, uint64_t *ret_start,
		     uint64_t *ret_len);

/*
 * Checks that the devices have the sizes that the file records, and that each of their sectors in the file holds either
 * the original data or the data that the commit wrote; free space and unreadable sectors are not compared.  -ESTALE: it
 * is another file system, or was written to since, so old data would damage it; -ENODEV: a device is missing.
 */
int undo_check(struct undo *undo, struct device *const devices[UNDO_DEVICES], char *message, size_t size);
/*
 * Restores all data, and flushes; then the first sector of the data device, and flushes.  If a write fails, *ret_device
 * is its device, and device_write_failed() says where.
 */
int undo_restore(struct undo *undo, struct device *const devices[UNDO_DEVICES], unsigned *ret_device);

#endif
