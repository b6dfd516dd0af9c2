/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The redo record: all data that a commit is about to write, kept in free space of the device until the commit is
 * complete.  An interrupted commit can then be completed, no matter how far it got.  Offsets and lengths are bytes.
 */
#ifndef XFSCK_REDO_H
#define XFSCK_REDO_H

#include "cache.h"

/* The place of a record on the device, in whole sectors. */
struct redo_place {
	uint64_t offset;
	uint64_t bytes; /* 0: there is none */
	uint32_t crc;	/* of all of it */
};

struct redo_writer;

/*
 * Begins a record at byte `offset` of the device, a multiple of device_align().  device NULL: nothing is written, and
 * redo_finish() returns the length that the record would have.  0 or -ENOMEM.
 */
int redo_create(struct device *device, uint64_t offset, struct redo_writer **ret_redo);
/* Makes fn write the record, in consecutive parts, instead of the device.  fn returns 0 or negative errno. */
typedef int redo_put_fn(void *ctx, uint64_t offset, const void *bytes, size_t len);
void redo_divert(struct redo_writer *redo, redo_put_fn *fn, void *ctx);
/*
 * Adds a range that the commit changes, with its intermediate contents, when only the log replay has been written, and
 * its final contents: change->len bytes each.  change->after is not used.  The same sectors may be added again for
 * another layer.  0 or negative errno.
 */
int redo_add(struct redo_writer *redo, const struct change *change, const uint8_t *between, const uint8_t *final);
/* Writes the rest, and flushes.  0 or negative errno; frees redo in either case. */
int redo_finish(struct redo_writer *redo, struct redo_place *ret_place);
/* Frees redo without completing the record. */
void redo_abandon(struct redo_writer *redo);

/*
 * Verifies a record, and stages the final contents that it holds.  -EBADMSG: the record is damaged.  -ESTALE: another
 * program wrote to the device, since a sector has neither its original, nor its intermediate, nor its final contents;
 * sectors before byte `known` are not compared.  Other errors are -ENOMEM and those of device_stage().  *ret_bytes:
 * number of bytes staged.
 */
int redo_stage(struct device *device, const struct redo_place *place, uint64_t known, enum overlay_layer layer,
	       uint64_t *ret_bytes);

#endif
