/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traversal: from the AG headers through btrees, inodes and forks down to directory entries, each block when the
 * sweep has read it.  It checks the block by itself and against its expectation, passes all facts to the sink, and
 * posts the blocks that it points to.  traverse.c dispatches; each walk_*.c handles one kind of object.
 */
#ifndef XFSCK_REPAIR_TRAVERSE_H
#define XFSCK_REPAIR_TRAVERSE_H

#include "walker.h"

struct report_work_state;

/* Makes a traversal.  findings: NULL if the scope does not judge.  The caller frees it.  0 or a negative errno. */
int traverse_new(const struct geometry *geo, struct device *device, const uint8_t *primary, const struct scope *scope,
		 const struct sink *sink, struct findings *findings, const struct sweep_options *options,
		 struct traverse **ret_traverse);
void traverse_free(struct traverse *t);

/*
 * Copies the states of all groups, including realtime groups, from another traversal, except those of the groups in
 * `but`, which this traversal will read.  `from` must outlive `t`, which must not have read anything yet.
 */
void traverse_borrow(struct traverse *t, const struct traverse *from, const agno_t *but, size_t count);

/* Reads the headers of all AGs and the refcount btrees of all groups.  Returns 0 or a negative errno. */
int traverse_groups(struct traverse *t);
/*
 * Walk the rest in two steps: post the btrees of all AGs, then sweep.  After a held sweep (sweep_hold()), repeat the
 * second step.
 */
void traverse_trees_post(struct traverse *t);
int traverse_sweep(struct traverse *t);
/* Makes each walker take samples of the data read from now on.  Returns 0 or -ENOMEM. */
int traverse_take_samples(struct traverse *t);
/* Walks everything: traverse_groups(), then the rest.  Returns 0 or a negative errno. */
int traverse_all(struct traverse *t);
/*
 * Walks only these inodes, for a scope without claims, or after traverse_borrow().  Their numbers must be valid.  May
 * be called again.  Returns 0 or a negative errno.
 */
int traverse_these(struct traverse *t, const xino_t *inos, size_t count);
/*
 * Walks the headers and btrees of these AGs, without inodes, and fills in their states, which must be zeroed.  May be
 * called again.  Returns 0 or a negative errno.
 */
int traverse_these_groups(struct traverse *t, const agno_t *groups, size_t count);
/* Walks inode chunks that are in no inobt, after traverse_all().  Returns 0 or a negative errno. */
int traverse_chunks(struct traverse *t, agno_t agno, const struct inobt_record *chunks, size_t count);
/* For struct report_work: set the AGs, or inodes in use, that are done.  ctx: a traversal. */
void traverse_look_groups(const void *ctx, struct report_work_state *state);
void traverse_look_inodes(const void *ctx, struct report_work_state *state);
/* Returns the sum of all walkers' counts. */
struct totals traverse_totals(const struct traverse *t);

#endif
