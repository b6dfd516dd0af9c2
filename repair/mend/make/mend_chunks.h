/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the inodes of an AG are, by all witnesses: the inobt, the finobt, the rmapbt, and where the inobt could not be
 * read whole and there is no rmapbt, what looks like inodes.  The inodes themselves say whether they are there, and
 * which are in use.
 */
#ifndef XFSCK_REPAIR_MEND_CHUNKS_H
#define XFSCK_REPAIR_MEND_CHUNKS_H

#include "mend/collect/mend_survey.h"

struct found;

/* How far the inobt of an AG is believed when its chunks are looked for, from least to most. */
enum inobt_trust {
	INOBT_LOSSY,	 /* it may lack chunks, even if it could be walked whole */
	INOBT_WHOLE,	 /* it lacks none, if it could be walked whole */
	INOBT_BUT_USAGE, /* the same, and its records are right but for inodes of mend_chunks_doubt_usage() */
};

/*
 * The chunks of an AG, by start, none overlapping another, with masks and counts as they shall be; the caller frees
 * *ret_chunks.  0 or a negative errno.
 */
int mend_chunks_find(struct mend *m, const struct mend_survey *survey, agno_t agno, enum inobt_trust trust,
		     struct inobt_record **ret_chunks, size_t *ret_count);
/* Note, until the end of the round, that the inobt may be wrong about whether this inode is in use. 0 or -ENOMEM. */
int mend_chunks_doubt_usage(struct mend *m, xino_t ino);
/* Whether these bytes are an inode, in use or not; on version 5 with this number, and with a right checksum. */
bool mend_chunks_is_inode(const struct geometry *geo, xino_t ino, const uint8_t *bytes);
/* Whether they are such an inode in use, as far as its core tells: it has a type and links. */
bool mend_chunks_in_use(const struct geometry *geo, xino_t ino, const uint8_t *bytes);
/* Read an inode, which has a possible number. Whether it is such an inode in use; bytes: DINODE_SIZE_MAX. */
bool mend_chunks_read_in_use(struct mend *m, xino_t ino, uint8_t *bytes);
/* The type of a sound inode in use that lies in its place; FT_UNKNOWN: there is none. ino: a possible number. */
enum ftype mend_chunks_type_there(struct mend *m, xino_t ino);
/* Add a chunk; or if there is one at its start, the inodes that are holes in that one. 0 or -ENOMEM. */
int mend_chunks_add(struct inobt_record **chunks, size_t *count, const struct inobt_record *more);
/* Set or clear in the map the blocks of a chunk; not those that are holes. */
void mend_chunks_mark(const struct geometry *geo, const struct inobt_record *chunk, struct block_map *map, bool value);

/*
 * mend_chunk_named.c: the inode that a finding says something leads to in vain; NULL_INO: it says nothing like that.
 */
xino_t mend_chunks_missing(const struct found *found);
/*
 * The same: look whether inodes in use, sound ones, lie where these findings say that something leads in vain, and if
 * these are directories, or those that inobts have as free, where their names lead, if no inobt has a chunk there.  All
 * such inodes are noted, until the end of the round, in m->round.named: the inobts lack their chunks.  0 or negative
 * errno.
 */
int mend_chunks_find_named(struct mend *m, const struct found *found, size_t count);
/*
 * Drop those that are out of date: the headers of their group are later, and sound trees have their blocks as free.
 * survey: of their groups; of others nothing is known, and they stay.  0 or -ENOMEM.
 */
int mend_chunks_drop_given_up(struct mend *m, const struct mend_survey *survey);

/*
 * mend_chunk_gone.c: whether a finding may mean that a chunk of the inobt was given up long ago: somebody else has its
 * blocks, or there are no inodes in them.
 */
bool mend_chunks_may_be_gone(const struct found *found);
/*
 * The same: look for such chunks in the groups that are set, and note in m->round.gone, until the end of the round,
 * where those begin to which no name leads.  After mend_chunks_find_named().  0 or negative errno.
 */
int mend_chunks_find_gone(struct mend *m, const struct mend_survey *survey, const bool *groups);

/* Rebuild the inode btrees of the group of such a finding, from all inodes that are there. 0 or negative errno. */
int mend_ag_inodes_anew(struct mend *m, const struct found *found);
/*
 * Rebuild the inode btrees of an AG, whose inobt is whole, with these chunks as well.  0; -ENOSPC: there are too few
 * blocks for them, or too little memory to tell which are free; or another negative errno.
 */
int mend_ag_inodes_add(struct mend *m, agno_t agno, const struct inobt_record *more, size_t count);

#endif
