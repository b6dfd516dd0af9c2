/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells if bytes are an object of some kind (libxfs/object.h), with what has to be known of its surroundings for that.
 */
#ifndef XFSCK_REPAIR_MEND_OBJECT_H
#define XFSCK_REPAIR_MEND_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "units.h"

struct mend;
struct object_kind;
struct place;

/*
 * True if these bytes are an object of that kind, with its magic number, in this place, and nothing is wrong with it
 * but perhaps its date (LSN) and checksum.  The place must be one that object_offset() knows.
 */
bool mend_object_is(struct mend *m, const struct object_kind *kind, const struct place *place, const uint8_t *bytes);

/* The same of any kind that findings name as they do the object in this place. */
bool mend_object_decodes(struct mend *m, const struct place *place, const uint8_t *bytes);

/* True if a block is one of its AG's btrees by its contents; in version 5 its header says so, with its address. */
bool mend_is_tree_block(struct mend *m, fsbno_t fsbno);

/* The realtime group that a place is in, by itself, or by the inode of one of the group's own files. False: none. */
bool mend_rt_group_of(const struct mend *m, const struct place *place, uint32_t *ret_rgno);

#endif
