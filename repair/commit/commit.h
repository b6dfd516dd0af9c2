/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing what is staged to the devices. */
#ifndef XFSCK_REPAIR_COMMIT_H
#define XFSCK_REPAIR_COMMIT_H

#include "redo.h"
#include "repair.h"
#include "undo.h"

/* The order in which sectors of LAYER_MEND are written; each class is on the medium before the next begins. */
enum commit_class {
	COMMIT_BLOCKS,
	COMMIT_HEADERS, /* of allocation groups: now that what they lead to is there */
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
	bool mends;		    /* what is there meanwhile is not to be mounted */
	bool mends_blocks;	    /* LAYER_MEND changes blocks, not headers alone, each of which stands for itself */
	struct redo_place redo;	    /* bytes 0: there is none */
	uint8_t *superblock;	    /* geo.sector_size bytes */
	uint64_t undo_bytes;	    /* of the undo file; 0: there is none */
};

/* commit.c: write all that is staged in rc's devices, and end the log if it was replayed.  Trouble has been said. */
enum phase_result commit(struct repair *rc);

/* Where writing to a device failed, as trouble, and what follows from that. */
enum phase_result commit_say_failed(const struct repair *rc, const struct device *device, int error,
				    const char *outcome);

/* commit_undo.c: whether the file of --undo could be made. 0 or, said, a negative errno. */
int commit_may_keep(const struct repair *rc);
/* Keep what will be overwritten in it. 0 or, said, a negative errno. */
int commit_keep(struct commit *c);
/* The primary superblock with the first `layers` of the overlay, marked or not, into c->superblock; marked, it points
 * to the redo record. 0 or negative errno. */
int commit_superblock(struct commit *c, unsigned layers, bool marked);

/* commit_redo.c: settle c->redo, before anything is written: where and what it will be. 0 or -ENOMEM. */
int commit_redo_plan(struct commit *c);
/*
 * Write it.  0, or a negative errno if it could not be: then nothing else is to be written.  Where there is an undo
 * file the commit does without, and c->redo.bytes is 0.
 */
int commit_redo_write(struct commit *c);
/* redo_pointer.c: put a pointer to a record into a primary superblock of size bytes; sealed: its checksum is right, and
 * shall be. */
void redo_point(uint8_t *superblock, uint32_t size, bool sealed, const struct redo_place *place);
/* Take it away, if there is one; a checksum that is right stays so. */
void redo_unpoint(uint8_t *superblock, uint32_t size);
/* Whether there is one in its first sector, and nothing of that has changed since. */
bool redo_pointed(const uint8_t *superblock, struct redo_place *ret_place);
/* redo_room.c: free space of the data device where so many bytes fit. 0, -ENOSPC or -ENOMEM. */
int redo_room(struct commit *c, uint64_t need, uint64_t *ret_offset);
/*
 * The same of what is free with all that is staged, and lies before `limit`: in the first group, where a log moves the
 * place at which others expect the root directory, or in the others.
 */
int redo_room_free(struct device *device, const struct geometry *geo, uint64_t limit, uint64_t need,
		   bool in_first_group, uint64_t *ret_offset);

/* rollback.c: --rollback; the exit status is main()'s to find: PHASE_DONE or, said, PHASE_FAILED */
enum phase_result rollback(struct repair *rc);

#endif
