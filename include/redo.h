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

/*
 * Begin a record at byte `offset` of the device, a multiple of device_align().  device NULL: nothing is written, and
 * redo_finish() tells how long the record would be.  0 or -ENOMEM.
 */
int redo_create(struct device *device, uint64_t offset, struct redo_writer **ret_redo);
/* Have the record written by fn, in pieces one after the other, in place of to the device.  fn: 0 or negative errno. */
typedef int redo_put_fn(void *ctx, uint64_t offset, const void *bytes, size_t len);
void redo_divert(struct redo_writer *redo, redo_put_fn *fn, void *ctx);
/*
 * Add a range that the commit changes, with the contents that it will have in between, when only the replay of the log
 * has been written, and in the end: change->len bytes each.  Of change, `after` is not used.  The same sectors may be
 * added again for another layer.  0 or negative errno.
 */
int redo_add(struct redo_writer *redo, const struct change *change, const uint8_t *between, const uint8_t *final);
/* Write the rest, and flush.  0 or negative errno; redo is freed in either case. */
int redo_finish(struct redo_writer *redo, struct redo_place *ret_place);
/* Free redo without finishing the record. */
void redo_abandon(struct redo_writer *redo);

/*
 * Stage the final contents that a record holds.  First it is verified.  -EBADMSG: the record is damaged.  -ESTALE: the
 * device was written to by others, since a sector holds neither what was there before the commit, nor in between, nor
 * in the end; sectors before byte `known` are not compared.  Other errors are -ENOMEM and those of device_stage().
 * *ret_bytes: how many bytes were staged.
 */
int redo_stage(struct device *device, const struct redo_place *place, uint64_t known, enum overlay_layer layer,
	       uint64_t *ret_bytes);

#endif
