/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the inode chunks of an AG from all sources: inobt, finobt and rmapbt; and blocks that look like inodes, if the
 * inobt is not whole and there is no rmapbt.  The inodes themselves show if they exist and which are in use.
 */
#ifndef XFSCK_REPAIR_MEND_CHUNKS_H
#define XFSCK_REPAIR_MEND_CHUNKS_H

#include "mend/collect/mend_survey.h"

struct found;

/* How far the inobt of an AG is trusted in a search for chunks, in ascending order. */
enum inobt_trust {
	INOBT_LOSSY,	 /* it may lack chunks, even if it is whole */
	INOBT_WHOLE,	 /* if it is whole, it lacks no chunks */
	INOBT_BUT_USAGE, /* and its records are right, except for the inodes of mend_chunks_doubt_usage() */
};

/*
 * Finds the chunks of an AG, by start, without overlaps, with their correct masks and counts.  The caller frees
 * *ret_chunks.  0 or negative errno.
 */
int mend_chunks_find(struct mend *m, const struct mend_survey *survey, agno_t agno, enum inobt_trust trust,
		     struct inobt_record **ret_chunks, size_t *ret_count);
/* Notes, until the end of the round, that the inobt may be wrong about this inode being in use. 0 or -ENOMEM. */
int mend_chunks_doubt_usage(struct mend *m, xino_t ino);
/* True if these bytes are an inode, in use or free; in version 5, with this number and a right checksum. */
bool mend_chunks_is_inode(const struct geometry *geo, xino_t ino, const uint8_t *bytes);
/* True if they are such an inode in use, as far as its core shows: it has a type and links. */
bool mend_chunks_in_use(const struct geometry *geo, xino_t ino, const uint8_t *bytes);
/* Reads an inode with a valid number. True if it is such an inode in use. bytes: DINODE_SIZE_MAX. */
bool mend_chunks_read_in_use(struct mend *m, xino_t ino, uint8_t *bytes);
/* Returns the type of an intact inode in use with this (valid) number; FT_UNKNOWN: there is none. */
enum ftype mend_chunks_type_there(struct mend *m, xino_t ino);
/* Adds a chunk or, if there is one with the same start, the inodes that are holes in that one. 0 or -ENOMEM. */
int mend_chunks_add(struct inobt_record **chunks, size_t *count, const struct inobt_record *more);
/* Sets or clears the bits of a chunk's blocks, except holes. */
void mend_chunks_mark(const struct geometry *geo, const struct inobt_record *chunk, struct block_map *map, bool value);

/* mend_chunk_named.c: returns the inode that is missing by this finding about a reference; NULL_INO: other finding. */
xino_t mend_chunks_missing(const struct found *found);
/*
 * mend_chunk_named.c: notes in m->round.named, until the end of the round, intact inodes in use whose chunks the inobts
 * lack: those that findings report as missing and, if these or inodes free in the inobt are directories, those that
 * their entries point to.  0 or negative errno.
 */
int mend_chunks_find_named(struct mend *m, const struct found *found, size_t count);
/*
 * Drops those of the inodes that are out of date: the AG headers are newer, and intact btrees list their blocks as
 * free.  survey: of their AGs; inodes in other AGs stay.  0 or -ENOMEM.
 */
int mend_chunks_drop_given_up(struct mend *m, const struct mend_survey *survey);

/*
 * mend_chunk_gone.c: true if the finding may mean that a chunk in the inobt was freed long ago: its blocks have another
 * owner, or hold no inodes.
 */
bool mend_chunks_may_be_gone(const struct found *found);
/*
 * mend_chunk_gone.c: searches the AGs set in groups[] for such chunks.  Notes in m->round.gone, until the end of the
 * round, the starts of those that no directory entry points into.  After mend_chunks_find_named().  0 or negative
 * errno.
 */
int mend_chunks_find_gone(struct mend *m, const struct mend_survey *survey, const bool *groups);

/* Rebuilds the inode btrees of the AG of such a finding, from all existing inodes. 0 or negative errno. */
int mend_ag_inodes_anew(struct mend *m, const struct found *found);
/*
 * Adds these chunks to the inode btrees of an AG, whose inobt is whole, by rebuilding them.  0; -ENOSPC: too few free
 * blocks, or too little memory to find them; or another negative errno.
 */
int mend_ag_inodes_add(struct mend *m, agno_t agno, const struct inobt_record *more, size_t count);

#endif
