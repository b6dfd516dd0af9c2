/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The undo file keeps what a commit overwrites, so that the commit can be rolled back.  It is complete and on its
 * medium before the first write to a device.  Functions of type int return 0 or a negative errno; then message, of size
 * bytes, is a sentence for the user, without newline.
 */
#ifndef XFSCK_UNDO_H
#define XFSCK_UNDO_H

#include "cache.h"

#define UNDO_DEVICES 3 /* in this order: data, log, realtime device */

/* ---- writing one ---- */

struct undo_writer;

/*
 * Where an undo file will be, opened before the program gives up the right to open more: the folder, and if its file
 * system allows that, the file itself, which has no name before it is complete.
 */
struct undo_place {
	char *path; /* of the folder; NULL: none was opened */
	int folder; /* descriptor, or the negative errno of opening it */
	int file;   /* descriptor; negative: none, so the file is created by its name */
	bool made;  /* the folder was created for this run */
};

/* Open a place; make: the folder is created if only it is missing.  What fails here is told when the file is to be
 * created.
 */
void undo_place_open(const char *folder, bool make, struct undo_place *ret_place);
/* Close a place; a folder that was created in vain is removed, unless it is another run's place, too. */
void undo_place_close(struct undo_place *place);

/* Try early whether the file can be created; it is removed again. */
int undo_may_create(const struct undo_place *place, const char *path, char *message, size_t size);
/*
 * Choose the name of a new file in a folder, by the name of the first device, the time, and a number from 1 on that
 * tells those of a second apart; the folder is created if only it is missing.  *ret_path is the caller's to free.
 * -ENOSPC: to keep `bytes` would leave less than as many free there.
 */
int undo_choose(const char *folder, struct device *const devices[UNDO_DEVICES], uint64_t bytes, unsigned number,
		char **ret_path, char *message, size_t size);
/*
 * Create the file.  It must not exist, nor lie on a file system that is on one of the devices (NULL: there is no such
 * device).  uuid: of the file system.  place: that of the folder in path; it must live as long as undo.
 */
int undo_create(const char *path, const uint8_t uuid[16], struct device *const devices[UNDO_DEVICES],
		struct undo_place *place, struct undo_writer **ret_undo, char *message, size_t size);
/*
 * Keep what a change to a device overwrites, and checksums of what it writes.  The same sectors may come again with
 * another `after`, if a commit writes them more than once.
 */
int undo_add(struct undo_writer *undo, unsigned device, const struct change *change);
/*
 * Write the rest, flush, mark the file complete, and give it its name if it has none.  Frees undo in any case.
 * *ret_bytes: size of the file.  -EEXIST: meanwhile the name is another's.
 */
int undo_finish(struct undo_writer *undo, uint64_t *ret_bytes, char *message, size_t size);
/* Remove the file, if the commit does not take place; what has no name goes back to its place.  Frees undo. */
void undo_abandon(struct undo_writer *undo);

/* ---- rolling back ---- */

struct undo;

/* What the header of a complete undo file tells. */
struct undo_summary {
	uint8_t uuid[16];		/* of the file system */
	int64_t time;			/* of the repair: seconds since 1970 */
	uint64_t bytes;			/* of the file */
	char device[UNDO_DEVICES][256]; /* paths, as the repair was given them; "": there was no such device */
};

/* Read the header of a file alone. */
int undo_summary(const char *path, struct undo_summary *ret_summary, char *message, size_t size);
/* Open a file, and verify all of it. */
int undo_open(const char *path, struct undo **ret_undo, char *message, size_t size);
void undo_close(struct undo *undo);

/* Whether it keeps anything of this device. */
bool undo_has(const struct undo *undo, unsigned device);
/*
 * Find the first bytes in [start, end) of this device that could not be read when the commit overwrote them, so that
 * they can't be put back.  False: there are none.
 */
bool undo_lost(const struct undo *undo, unsigned device, uint64_t start, uint64_t end, uint64_t *ret_start,
	       uint64_t *ret_len);

/*
 * Check that the devices have the sizes that are noted in the file, and that each of their sectors in the file holds
 * either what was there before or what the commit wrote; free space and what could not be read are not compared.
 * -ESTALE: it is another file system, or was written to since, so old contents would damage it; -ENODEV: a device is
 * missing.
 */
int undo_check(struct undo *undo, struct device *const devices[UNDO_DEVICES], char *message, size_t size);
/*
 * Write everything back, and flush; then the first sector of the data device, and flush.  If a write fails,
 * *ret_device is the device on which it did, and device_write_failed() says where.
 */
int undo_restore(struct undo *undo, struct device *const devices[UNDO_DEVICES], unsigned *ret_device);

#endif
