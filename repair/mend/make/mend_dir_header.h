/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose a directory's data block is, and what its contents say of that if its header is damaged. */
#ifndef XFSCK_REPAIR_MEND_DIR_HEADER_H
#define XFSCK_REPAIR_MEND_DIR_HEADER_H

#include "libxfs/da.h"
#include "mend_dir_index.h"

/* Whether a block begins with the entry `.`, whatever its header says; *ret_ino: the number in its first entry. */
bool dir_header_dot(const struct geometry *geo, const uint8_t *block, xino_t *ret_ino);

/*
 * Whether a data block, to which the map of a directory leads, holds names of that directory (expect->owner).  If its
 * header says neither that nor whose else it is, its contents decide, and the header is set right in memory, so that
 * the block can be decoded.  index: of the directory; it may be empty.
 */
bool dir_header_settle(const struct mend *m, uint8_t *block, const struct da_expect *expect,
		       const struct dir_index *index);

#endif
