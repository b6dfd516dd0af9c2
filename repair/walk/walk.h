/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the walk of each kind of object begins: called by the dispatch in traverse.c, and by each other. */
#ifndef XFSCK_REPAIR_WALK_H
#define XFSCK_REPAIR_WALK_H

#include "walker.h"

/* walk_ag.c */
void walk_headers_post(struct walker *w, agno_t agno);
void walk_headers(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_tree_start(struct walker *w, agno_t agno, enum btree_kind kind);
void walk_btree(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);

/* walk_btree_post.c: a block of an AG's btree */
struct btree_want {
	struct want want;
	struct btree_expect expect;
};
/* Have it read: at once, or, a leaf of the inobt, when fewer chunks wait. */
void walk_btree_post(struct walker *w, struct btree_want *want);
/* One more chunk of an AG waits to be read. */
void walk_inobt_wait(struct walker *w, agno_t agno);
/* So many wait no longer: the next leaf of the inobt may be read. */
void walk_inobt_more(struct walker *w, agno_t agno, unsigned chunks);

/* walk_chunk.c */
void walk_chunk_found(struct walker *w, agno_t agno, const struct inobt_record *record);
/* One inode, whose number can be; whether it is in use is taken from itself. */
void walk_chunk_one(struct walker *w, xino_t ino);
void walk_chunk(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

/* walk_inode.c */
void walk_inode(struct walker *w, const struct dinode *inode);

/* walk_fork.c */
void walk_bmbt(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_fork_blocks(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len,
		      bool last);
/* Blocks or a part are about to come: see struct sweep_ops. */
void walk_fork_ahead(const struct want *want, bool sooner);
void walk_part(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

#endif
