/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing what is staged to the devices. */
#ifndef XFSCK_REPAIR_COMMIT_H
#define XFSCK_REPAIR_COMMIT_H

#include "phases.h"
#include "preview_list.h"
#include "redo.h"
#include "report/json_in.h"
#include "undo.h"

struct geometry;
struct qcow;
struct repair;

/* The order in which sectors of LAYER_MEND are written; each class is on the medium before the next begins. */
enum commit_class {
	COMMIT_BLOCKS,
	COMMIT_HEADERS, /* of allocation groups: after the blocks that they lead to */
	COMMIT_CLASSES,
};

/* The devices as undo.h numbers them. */
enum commit_device {
	ON_DATA,
	ON_LOG, /* only if the log has a device of its own */
	ON_RT,
};
_Static_assert(ON_RT == UNDO_DEVICES - 1, "devices of an undo file");

struct commit {
	struct repair *rc;
	struct device *devices[UNDO_DEVICES];
	bool changes[UNDO_DEVICES]; /* something is to be written there */
	bool mends;		    /* more than a replay is written, so the kernel must not mount it meanwhile */
	bool mends_blocks;	    /* LAYER_MEND changes blocks, not only headers, each of which is valid by itself */
	bool at_once;		    /* of these only one sector, which needs neither mark nor redo record */
	struct redo_place redo;	    /* of the redo record; bytes 0: there is none */
	uint8_t *superblock;	    /* buffer of geo.sector_size bytes, filled by commit_superblock() */
	bool no_room;		    /* there is no free space for a redo record */
	char *undo;		    /* path of the undo file, complete; NULL: there is none */
};

/*
 * commit.c: write all that is staged in rc's devices, and mark the log clean if it was replayed.  PHASE_FAILED: the
 * user has been told why.
 */
enum phase_result commit(struct repair *rc);

/* Tell the user where writing to a device failed, and the outcome, which is a sentence. Always PHASE_FAILED. */
enum phase_result commit_say_failed(const struct repair *rc, const struct device *device, int error,
				    const char *outcome);

/*
 * commit_undo.c: before a repair, open the place of its undo file.  PHASE_FAILED: the file that --undo names can't be
 * created, and the user has been told.
 */
enum phase_result commit_may_keep(const struct repair *rc);
/*
 * Write what will be overwritten to an undo file, if --undo wants that, and set c->undo.  PHASE_STOP: the user must
 * consent first (consent.h), and has been told why.  PHASE_FAILED: the file that the user named could not be written,
 * likewise.
 */
enum phase_result commit_keep(struct commit *c);
/*
 * Put the primary superblock, as it is with the first `layers` layers of the overlay, into c->superblock; marked: with
 * the mark that keeps the kernel from mounting, and a pointer to the redo record, if there is one. 0 or negative errno.
 */
int commit_superblock(struct commit *c, unsigned layers, bool marked);

/* commit_redo.c: before anything is written, set c->redo to the place and checksum of the record. 0 or -ENOMEM. */
int commit_redo_plan(struct commit *c);
/* Have fn() write the record to its place on another medium: see redo_divert(). 0 or negative errno. */
int commit_redo_put(struct commit *c, redo_put_fn *fn, void *ctx);
/*
 * Write the record.  0, or a negative errno if that failed: then nothing else may be written.  But if there is an undo
 * file, the commit goes on without a record: 0, and c->redo.bytes is 0.
 */
int commit_redo_write(struct commit *c);
/*
 * Put a pointer to a record into a primary superblock of size bytes; sealed: its checksum is right, and
 * must be made right again.
 */
void redo_point(uint8_t *superblock, uint32_t size, bool sealed, const struct redo_place *place);
/* Remove the pointer, if there is one; a checksum that is right is made right again. */
void redo_unpoint(uint8_t *superblock, uint32_t size);
/* Whether a superblock's first sector has a pointer, and has not been changed since the pointer was set. */
bool redo_pointed(const uint8_t *superblock, struct redo_place *ret_place);
/* redo_room.c: find free space on the data device for a record of `need` bytes. 0, -ENOSPC or -ENOMEM. */
int redo_room(struct commit *c, uint64_t need, uint64_t *ret_offset);
/*
 * Find `need` bytes that are free with all that is staged, and lie before `limit`: either in the first group or in the
 * others.  (It is for a new log: in the first group it would move the place where others expect the root directory.)
 */
int redo_room_free(struct device *device, const struct geometry *geo, uint64_t limit, uint64_t need,
		   bool in_first_group, uint64_t *ret_offset);

/* Write what the commit would write to files over the devices, which themselves stay as they are. The same. */
enum phase_result preview_make(struct commit *c);

/* rollback.c: carry out --rollback. PHASE_DONE, or PHASE_FAILED after the user has been told why. */
enum phase_result rollback(struct repair *rc);

/* If a repair was cut short, stage what it had yet to write */
enum phase_result resume(struct repair *rc);

/* Making the repair that a preview holds (--apply). */

/* A preview that is open, and then staged. */
struct applied {
	struct preview_head head;
	struct qcow *overlays[UNDO_DEVICES]; /* NULL: there is none */
	struct json_in list;
};

/*
 * Open the preview that the user names, without looking at what is in it, and set rc->run->applied.  PHASE_DONE, or
 * PHASE_FAILED after the user has been told why.
 */
enum phase_result apply_open(struct repair *rc);
/*
 * Find out whether the devices are what they were when the preview was made, and stage what it holds, so that a check
 * sees the result, and a commit writes it.  The same.
 */
enum phase_result apply_begin(struct repair *rc);
/* Copy the redo record from the preview to its place. 0 or negative errno. */
int apply_redo(struct commit *c);
void apply_end(struct repair *rc);

#endif
