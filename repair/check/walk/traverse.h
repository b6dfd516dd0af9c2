/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traversal: from the AG headers through btrees, inodes and forks down to names, each block when the sweep has read
 * it.  It checks the block by itself and against its expectation, hands all facts to the sink, and posts the blocks
 * that this one leads to.  traverse.c dispatches; each walk_*.c knows one kind of object.
 */
#ifndef XFSCK_REPAIR_TRAVERSE_H
#define XFSCK_REPAIR_TRAVERSE_H

#include "walker.h"

struct report_work_state;

/* findings: NULL if the scope does not judge. 0 or negative errno. */
int traverse_new(const struct geometry *geo, struct device *device, const uint8_t *primary, const struct scope *scope,
		 const struct sink *sink, struct findings *findings, const struct sweep_options *options,
		 struct traverse **ret_traverse);
void traverse_free(struct traverse *t);

/*
 * Have what another traversal, which outlives this one, has learnt of groups, those of the realtime section among them,
 * all but these, which this one will go into.  Nothing may have been read yet.
 */
void traverse_borrow(struct traverse *t, const struct traverse *from, const agno_t *but, size_t count);

/* Read the headers of all AGs, and the refcount btrees of all groups. 0 or negative errno. */
int traverse_groups(struct traverse *t);
/*
 * The same in two steps: want the btrees of all groups, then sweep.  Of a sweep that was held (sweep_hold()) the second
 * step is to be repeated.
 */
void traverse_trees_post(struct traverse *t);
int traverse_sweep(struct traverse *t);
/* From now on, have each walker take samples of what is read.  0 or -ENOMEM. */
int traverse_take_samples(struct traverse *t);
/* traverse_groups() and traverse_inodes(), one after the other. 0 or negative errno. */
int traverse_all(struct traverse *t);
/*
 * Go into these inodes and nothing else, for a scope that does not claim, or after traverse_borrow().  Their numbers
 * must be valid.  May be called again. 0 or negative errno.
 */
int traverse_these(struct traverse *t, const xino_t *inos, size_t count);
/*
 * Go into the headers and btrees of these groups, but into no inodes, and replace what is known of the groups, which
 * must be zeroed.  As traverse_these(). 0 or negative errno.
 */
int traverse_these_groups(struct traverse *t, const agno_t *groups, size_t count);
/* After traverse_all(): also go into these inode chunks, which no inobt led to. 0 or negative errno. */
int traverse_chunks(struct traverse *t, agno_t agno, const struct inobt_record *chunks, size_t count);
/* For struct report_work: how many groups, or inodes in use, it has come to; ctx: a traversal. */
void traverse_look_groups(const void *ctx, struct report_work_state *state);
void traverse_look_inodes(const void *ctx, struct report_work_state *state);
/* The sum of what all walkers counted. */
struct totals traverse_totals(const struct traverse *t);

#endif
