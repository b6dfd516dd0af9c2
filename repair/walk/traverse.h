/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traversal: from the AG headers through btrees, inodes and forks down to
 * names, each block when the sweep brings it.  It checks what a block and its
 * expectation can tell, tells the sink all facts, and posts what the block leads to.
 * traverse.c dispatches; walk_*.c know one kind of object each.
 */
#ifndef XFSCK_REPAIR_TRAVERSE_H
#define XFSCK_REPAIR_TRAVERSE_H

#include "walker.h"

/* findings: NULL if the scope says not to judge */
int traverse_new(const struct geometry *geo, struct device *device, const uint8_t *primary, const struct scope *scope,
		 const struct sink *sink, struct findings *findings, const struct sweep_options *options,
		 struct traverse **ret_traverse);
void traverse_free(struct traverse *t);

/* Read the headers of all AGs and their refcount btrees. 0 or negative errno. */
int traverse_groups(struct traverse *t);
/* Sweep everything else. 0 or negative errno. */
int traverse_inodes(struct traverse *t);
/* Both, one after the other. 0 or negative errno. */
int traverse_all(struct traverse *t);
/*
 * Go into these inodes and nothing else, for a scope that neither judges nor claims; their numbers are such as can be.
 * Needs none of the above, and may be called again. 0 or negative errno.
 */
int traverse_these(struct traverse *t, const xino_t *inos, size_t count);
/*
 * After traverse_all(): go into these chunks of inodes as well, which no inobt led to. 0 or negative errno.
 */
int traverse_chunks(struct traverse *t, agno_t agno, const struct inobt_record *chunks, size_t count);
/* Sum of what the walkers counted. */
struct totals traverse_totals(const struct traverse *t);

#endif
