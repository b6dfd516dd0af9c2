/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the inodes of an AG are, by all witnesses: the inobt, the finobt, the rmapbt, and where the inobt could not be
 * read whole and there is no rmapbt, what looks like inodes.  The inodes themselves say whether they are there, and
 * which are in use.
 */
#ifndef XFSCK_REPAIR_MEND_CHUNKS_H
#define XFSCK_REPAIR_MEND_CHUNKS_H

#include "block_map.h"
#include "mend.h"
#include "mend_evidence.h"

/*
 * The chunks of an AG, by start, none overlapping another, with masks and counts as they shall be; to be freed.
 * lossy: the inobt may lack some, even if it could be walked whole.  0 or a negative errno.
 */
int mend_chunks_find(struct mend *m, const struct mend_evidence *evidence, agno_t agno, bool lossy,
		     struct inobt_record **ret_chunks, size_t *ret_count);
/* Blocks of a chunk that exist: marked in the map. */
void mend_chunks_mark(const struct geometry *geo, const struct inobt_record *chunk, struct block_map *map, bool value);

#endif
