/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The redo record: all that a commit is about to write, kept in free space of the device itself until it is written.  A
 * commit that is cut short can then be brought to its end, whatever it had overwritten by then.  Offsets and lengths
 * are bytes.
 */
#ifndef XFSCK_REDO_H
#define XFSCK_REDO_H

#include "cache.h"

/* Where a record lies on the device, in whole sectors. */
struct redo_place {
	uint64_t offset;
	uint64_t bytes; /* 0: there is none */
	uint32_t crc;	/* of all of it */
};

struct redo_writer;

/* From offset on, a multiple of device_align(). device NULL: to learn how long the record will be. 0 or -ENOMEM. */
int redo_create(struct device *device, uint64_t offset, struct redo_writer **ret_redo);
/*
 * Where a layer of the overlay changes this device (of what it puts there nothing is said here), what will be there in
 * between, if anything else, and what shall be there in the end.  The same sectors may come again, of another layer. 0
 * or a negative errno.
 */
int redo_add(struct redo_writer *redo, const struct change *change, const uint8_t *between, const uint8_t *final);
/* All of it is on the medium when this is 0. Frees redo, whatever comes of it. */
int redo_finish(struct redo_writer *redo, struct redo_place *ret_place);
void redo_abandon(struct redo_writer *redo);

/*
 * Stage what a record says, if it is whole and each sector, but for those before `known`, holds what was there before
 * the commit, in between, or at its end: else the device has been written to since, and -ESTALE.  -EBADMSG: the record
 * is damaged.  Another negative errno: ours.  *ret_bytes: that much was staged.
 */
int redo_stage(struct device *device, const struct redo_place *place, uint64_t known, enum overlay_layer layer,
	       uint64_t *ret_bytes);

#endif
