/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the staged changes to the devices. */
#ifndef XFSCK_REPAIR_COMMIT_H
#define XFSCK_REPAIR_COMMIT_H

#include <stdio.h>

#include "phases.h"
#include "preview_list.h"
#include "redo.h"
#include "report/json_in.h"
#include "undo.h"

struct geometry;
struct options;
struct qcow;
struct repair;

/* The order in which sectors of LAYER_MEND are written; each class is on the medium before the next begins. */
enum commit_class {
	COMMIT_BLOCKS,
	COMMIT_HEADERS, /* of AGs: after the blocks that they point to */
	COMMIT_CLASSES,
};

/* The devices, numbered as in undo.h. */
enum commit_device {
	ON_DATA,
	ON_LOG, /* only with a log device */
	ON_RT,
};
_Static_assert(ON_RT == UNDO_DEVICES - 1, "devices of an undo file");

struct commit {
	struct repair *rc;
	struct device *devices[UNDO_DEVICES];
	bool changes[UNDO_DEVICES]; /* the device has changes to write */
	bool mends;	   /* more than a replay is written, so the kernel must not mount the file system meanwhile */
	bool mends_blocks; /* LAYER_MEND changes blocks, not only headers, each of which is valid by itself */
	bool at_once;	   /* only one sector changes, which needs neither mark nor redo record */
	struct redo_place redo; /* place of the redo record; bytes 0: none */
	uint8_t *superblock;	/* buffer of geo.sector_size bytes, filled by commit_superblock() */
	bool no_room;		/* there is no free space for a redo record */
	char *undo;		/* path of the complete undo file; NULL: none */
};

/*
 * commit.c: writes all staged changes of rc's devices, and marks the log clean if it was replayed.  Returns
 * PHASE_FAILED after reporting the reason.
 */
enum phase_result commit(struct repair *rc);

/* Reports where writing to a device failed, and the outcome, which is a sentence.  Returns PHASE_FAILED. */
enum phase_result commit_say_failed(const struct repair *rc, const struct device *device, int error,
				    const char *outcome);

/*
 * commit_undo.c: opens the place of the undo file before a repair.  Returns PHASE_FAILED, after reporting it, if the
 * file that --undo names can't be created.
 */
enum phase_result commit_may_keep(const struct repair *rc);
/*
 * Writes what will be overwritten to an undo file, if --undo asks for it, and sets c->undo.  Returns PHASE_STOP if the
 * user must consent first (consent.h), and PHASE_FAILED if the file that the user named could not be written, both
 * after reporting that.
 */
enum phase_result commit_keep(struct commit *c);
/*
 * Puts the primary superblock, with the first `layers` layers of the overlay, into c->superblock.  marked: with the
 * mark that prevents mounts, and a pointer to the redo record, if there is one.  Returns 0 or a negative errno.
 */
int commit_superblock(struct commit *c, unsigned layers, bool marked);

/* commit_redo.c: sets c->redo to the place and checksum of the record, before anything is written.  0 or -ENOMEM. */
int commit_redo_plan(struct commit *c);
/* Writes the record by fn() to its place on another medium: see redo_divert().  Returns 0 or a negative errno. */
int commit_redo_put(struct commit *c, redo_put_fn *fn, void *ctx);
/*
 * Writes the record.  Returns 0, or a negative errno: then nothing else may be written.  If it fails and there is an
 * undo file, the commit goes on without a record: returns 0, and sets c->redo.bytes to 0.
 */
int commit_redo_write(struct commit *c);
/*
 * Puts a pointer to a record into a primary superblock of size bytes.  sealed: its checksum is right, and must be
 * updated.
 */
void redo_point(uint8_t *superblock, uint32_t size, bool sealed, const struct redo_place *place);
/* Removes the pointer, if there is one; updates a checksum that is right. */
void redo_unpoint(uint8_t *superblock, uint32_t size);
/* True if a superblock's first sector has a pointer, and has not been changed since the pointer was set. */
bool redo_pointed(const uint8_t *superblock, struct redo_place *ret_place);
/* redo_room.c: finds free space on the data device for a record of `need` bytes.  Returns 0, -ENOSPC or -ENOMEM. */
int redo_room(struct commit *c, uint64_t need, uint64_t *ret_offset);
/*
 * Finds `need` bytes that are free with all staged changes, and before `limit`: either in the first AG or in the
 * others.  (It is for a new log: in the first AG it would move the place where the root directory is expected.)  Same
 * errors.
 */
int redo_room_free(struct device *device, const struct geometry *geo, uint64_t limit, uint64_t need,
		   bool in_first_group, uint64_t *ret_offset);

/* Writes the result of the commit to files over the devices, and leaves the devices unchanged. */
enum phase_result preview_make(struct commit *c);

/* rollback.c: carries out --rollback.  Returns PHASE_DONE, or PHASE_FAILED after reporting the reason. */
enum phase_result rollback(struct repair *rc);

/* Stages the rest of a repair that was interrupted while writing. */
enum phase_result resume(struct repair *rc);

/* Carries out the repair in a preview (--apply). */

/* A preview that was opened, and later staged. */
struct applied {
	struct preview_head head;
	struct qcow *overlays[UNDO_DEVICES]; /* NULL: none */
	struct json_in list;
};

/*
 * Opens the preview that the user names, without reading it, and sets rc->run->applied.  Returns PHASE_DONE, or
 * PHASE_FAILED after reporting the reason.
 */
enum phase_result apply_open(struct repair *rc);
/*
 * Checks that the devices have not changed since the preview was made, and stages its contents, so that a check sees
 * the result, and a commit writes it.  Returns the same.
 */
enum phase_result apply_begin(struct repair *rc);
/* Copies the redo record from the preview to its place.  Returns 0 or a negative errno. */
int apply_redo(struct commit *c);
void apply_end(struct repair *rc);

/*
 * --undos: prints the files in the folder of --undo-dir, with device, age, size and the command that uses each; with
 * --json a line for each.  Reports unusable files to err.  Returns 0, or the negative errno of the last of these.
 */
int undos_list(const struct options *options, FILE *out, FILE *err);

#endif
