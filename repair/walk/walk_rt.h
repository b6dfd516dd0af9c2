/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The realtime section's own files, and the names of those (ondisk 09). */
#ifndef XFSCK_REPAIR_WALK_RT_H
#define XFSCK_REPAIR_WALK_RT_H

#include "inflight.h"
#include "libxfs/rt.h"

/* One of the section's own files, while in flight. */
struct rt_file_state {
	uint16_t metatype;
	uint32_t rgno;
	uint64_t blocks;      /* of the bitmap or summary that have come */
	uint64_t mapped;      /* blocks of the group in its rtrmapbt */
	uint32_t used_blocks; /* ZONED: that the inode says */
};

/* An inode that is one is begun. */
void walk_rt_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode);
/* What a block of its bitmap or summary is. */
enum object walk_rt_object(const struct inflight *inflight);
/* Blocks of the file, from the first, that hold its words. */
uint64_t walk_rt_words_end(const struct walker *w, const struct inflight *inflight);
/* One of these has come. */
void walk_rt_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr, uint64_t fileoff);
/* One that can't be read or made sense of. */
void walk_rt_block_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff);
/* A record of a realtime btree; returns how many blocks it maps. */
uint64_t walk_rt_record(struct walker *w, const struct inflight *inflight, enum btree_kind kind,
			const union btree_record *record);
/* What only the whole file can tell. */
void walk_rt_settle(struct walker *w, struct inflight *inflight);
/* A name in a metadata directory. */
void walk_rt_name(struct walker *w, const struct entry_fact *entry);

#endif
