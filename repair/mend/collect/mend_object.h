/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests if bytes are an object of some kind (libxfs/object.h), with the context that this takes. */
#ifndef XFSCK_REPAIR_MEND_OBJECT_H
#define XFSCK_REPAIR_MEND_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "units.h"

struct mend;
struct object_kind;
struct place;

/*
 * True if these bytes are an intact object of that kind, with its magic number, in this place; its LSN and checksum may
 * be wrong.  The place must be one that object_offset() knows.
 */
bool mend_object_is(struct mend *m, const struct object_kind *kind, const struct place *place, const uint8_t *bytes);

/* Likewise, of any kind that findings name like the object in this place. */
bool mend_object_decodes(struct mend *m, const struct place *place, const uint8_t *bytes);

/* True if a block looks like a block of its AG's btrees; in version 5, with its own address in the header. */
bool mend_is_tree_block(struct mend *m, fsbno_t fsbno);

/* Gets the realtime group of a place, or of the realtime metadata file that its inode is. False: none. */
bool mend_rt_group_of(const struct mend *m, const struct place *place, uint32_t *ret_rgno);

#endif
