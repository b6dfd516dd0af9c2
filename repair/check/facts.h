/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Silent traversals, for facts that the check has not kept. */
#ifndef XFSCK_REPAIR_FACTS_H
#define XFSCK_REPAIR_FACTS_H

#include <stddef.h>

#include "units.h"

struct geometry;
struct inobt_record;
struct repair;
struct scope;
struct sink;
struct sink_ops;
struct traverse;

/* Inode chunks of an AG. */
struct facts_chunks {
	const struct inobt_record *v;
	size_t count;
};

/* Posts the facts in the superblock: the blocks of the log, and the inodes that it names. */
void superblock_facts(const struct geometry *geo, const struct sink *sink);
/* Traverses the scope, passes all facts to `ops`, and reports nothing.  Returns 0 or a negative errno. */
int facts_gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		 const struct sink_ops *ops, void *ctx);
/* The same for a sink, with facts of the superblock, and as if waiting operations of the log had been completed. */
int facts_gather_settled(const struct repair *rc, const struct scope *scope, const struct sink *sink);
/* traverse_all() with progress.  Returns 0 or a negative errno. */
int facts_traverse_all(const struct repair *rc, struct traverse *t);
/* facts_traverse_all(), then the inodes of `also`: per AG, chunks that the inobt may lack; or NULL. */
int facts_traverse_also(const struct repair *rc, struct traverse *t, const struct facts_chunks *also);
/* traverse_these() with progress.  Returns 0 or a negative errno. */
int facts_traverse_these(const struct repair *rc, struct traverse *t, const xino_t *inos, size_t count);
/* Makes a silent traversal for a sink, to be run several times.  The caller frees it.  Returns 0 or negative errno. */
int facts_traverse(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		   const struct sink *sink, struct traverse **ret_traverse);
/*
 * As facts_gather(), for these inodes alone.  Their numbers must be valid, and the scope must be without claims.  It
 * reads inode by inode: for more than facts_near_most() inodes, a traversal of everything is faster.
 */
int facts_gather_near(const struct repair *rc, const struct scope *scope, const xino_t *inos, size_t count,
		      const struct sink_ops *ops, void *ctx);
size_t facts_near_most(const struct repair *rc);

#endif
