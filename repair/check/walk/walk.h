/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry points of walk_*.c, called by the dispatch in traverse.c and by each other. */
#ifndef XFSCK_REPAIR_WALK_H
#define XFSCK_REPAIR_WALK_H

#include "walker.h"

/* walk_ag.c: post the headers of an AG; they have come; post the root of a btree; a block of one has come */
void walk_headers_post(struct walker *w, agno_t agno);
void walk_headers(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_tree_start(struct walker *w, agno_t agno, enum btree_kind kind);
bool walk_tree_exists(const struct geometry *geo, enum btree_kind kind);
void walk_btree(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);

/* walk_btree_post.c: a block of an AG's btree */
struct btree_want {
	struct want want;
	struct btree_expect expect;
};
/* Post a block that is claimed.  A leaf of the inobt is put off while too many inode chunks of its AG wait. */
void walk_btree_wanted(struct walker *w, const struct btree_expect *expect);
/* One more run of inodes of this AG waits to be read. */
void walk_inobt_wait(struct walker *w, agno_t agno);
/* So many runs of inodes have been read, or none, but a leaf: post one leaf that was put off, if it is time. */
void walk_inobt_more(struct walker *w, agno_t agno, unsigned chunks);

/* walk_chunk.c: claim and post the inodes of a record of the inobt */
void walk_chunk_found(struct walker *w, agno_t agno, const struct inobt_record *record);
/* Post one inode, whose number must be valid; it counts as allocated, whatever the inobt says. */
void walk_chunk_one(struct walker *w, xino_t ino);
/* Inodes have come: decode them, and walk those in use. */
void walk_chunk(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

/* What is posted for them, of a sweep that was held: save it; post it again as it was saved. */
struct loader;
struct saver;
void walk_chunk_save(const struct walker *w, const struct want *want, struct saver *s);
void walk_chunk_load(struct walker *w, agno_t agno, struct loader *l);

/* walk_inode.c: an inode in use */
void walk_inode(struct walker *w, const struct dinode *inode);

/* walk_fork.c: a block of a fork's btree has come; blocks of a fork have; part of a directory block has */
void walk_bmbt(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_fork_blocks(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len,
		      bool last);
/* One of these will come soon: fetch what it needs into the processor's cache (sweep_ops.ahead). */
void walk_fork_ahead(const struct want *want, bool sooner);
void walk_part(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

#endif
