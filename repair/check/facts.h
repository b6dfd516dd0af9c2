/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Silent traversals, for those who want facts that the check has not kept. */
#ifndef XFSCK_REPAIR_FACTS_H
#define XFSCK_REPAIR_FACTS_H

#include <stddef.h>

#include "units.h"

struct geometry;
struct repair;
struct scope;
struct sink;
struct sink_ops;
struct traverse;

/* Post the facts that only the superblock has: the blocks of the log, and the inodes that it names */
void superblock_facts(const struct geometry *geo, const struct sink *sink);
/* Traverse what the scope names, hand all facts to `ops`, and report nothing. 0 or negative errno. */
int facts_gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		 const struct sink_ops *ops, void *ctx);
/* The same with a sink, and as it will be when what waits in the log is completed; with facts of the superblock. */
int facts_gather_settled(const struct repair *rc, const struct scope *scope, const struct sink *sink);
/* traverse_all(), and meanwhile its progress is shown. 0 or negative errno. */
int facts_traverse_all(const struct repair *rc, struct traverse *t);
/* traverse_these() likewise. */
int facts_traverse_these(const struct repair *rc, struct traverse *t, const xino_t *inos, size_t count);
/* For more than one traversal with the same sink: it reports nothing, and is not begun. 0 or negative errno. */
int facts_traverse(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		   const struct sink *sink, struct traverse **ret_traverse);
/*
 * As facts_gather() for these inodes alone, whose numbers must be valid; the scope must be without claims.  This reads
 * inode by inode: for more than facts_near_most() inodes, a whole traversal takes less time.
 */
int facts_gather_near(const struct repair *rc, const struct scope *scope, const xino_t *inos, size_t count,
		      const struct sink_ops *ops, void *ctx);
size_t facts_near_most(const struct repair *rc);

#endif
