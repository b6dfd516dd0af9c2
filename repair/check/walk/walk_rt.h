/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metadata files of the realtime section, and their names (ondisk 09). */
#ifndef XFSCK_REPAIR_WALK_RT_H
#define XFSCK_REPAIR_WALK_RT_H

#include "libxfs/btree.h"

struct dinode;
struct entry_fact;
struct inflight;
struct walker;

/* One of these files, while in flight. */
struct rt_file_state {
	uint16_t metatype;
	uint32_t rgno;
	uint64_t blocks;      /* how many blocks of the bitmap or summary have come */
	uint64_t mapped;      /* blocks that the records of the group's rtrmapbt map */
	uint32_t used_blocks; /* zoned: used blocks that the inode counts */
};

/* Note that this inode is a metadata file of the realtime section, and which. */
void walk_rt_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode);
/* The object that findings about a block of a bitmap or summary name. */
enum object walk_rt_object(const struct inflight *inflight);
/* How many blocks of a bitmap or summary file hold words, from the first on; 0 for any other file. */
uint64_t walk_rt_words_end(const struct walker *w, const struct inflight *inflight);
/* One of these blocks has come. */
void walk_rt_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr, uint64_t fileoff);
/* One of these blocks can't be read or decoded: what it says is not known. */
void walk_rt_block_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff);
/* Hand a record of a realtime btree to the sink; returns how many blocks it maps, 0 for an rtrefcountbt. */
uint64_t walk_rt_record(struct walker *w, const struct inflight *inflight, enum btree_kind kind,
			const union btree_record *record);
/* When the whole file has been seen: make the checks that need all of it. */
void walk_rt_settle(struct walker *w, struct inflight *inflight);
/* Note a name in a metadata directory, if it is one of the realtime section's. */
void walk_rt_name(struct walker *w, const struct entry_fact *entry);

#endif
