/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What files take up, in all and for each of many ids: users, groups, projects. */
#ifndef XFSCK_REPAIR_USAGE_H
#define XFSCK_REPAIR_USAGE_H

#include <stddef.h>
#include <stdint.h>

#include "ask/path_table.h"

/* As `du` counts: a file with several names is one, ... */
struct usage {
	uint64_t files;	   /* of all types */
	uint64_t apparent; /* bytes: sizes of regular files and symbolic links */
	uint64_t used;	   /* bytes on the device, of files of all types */
};

static inline void usage_add(struct usage *usage, const struct usage *other)
{
	usage->files += other->files;
	usage->apparent += other->apparent;
	usage->used += other->used;
}

/* Begin with { 0 }. */
struct usage_table {
	struct usage_of {
		uint32_t id;
		struct usage usage;
	} * v; /* by id, once it is settled */
	size_t count, room;
	size_t tidy; /* when there are so many, those of the same id are joined */
};

/* Add to what an id takes up. 0 or -ENOMEM. */
int usage_table_add(struct usage_table *table, uint32_t id, const struct usage *usage);
/* When all has been added: each id is there once, in ascending order. */
void usage_table_settle(struct usage_table *table);
void usage_table_free(struct usage_table *table);

/* What directories hold, by themselves and with all that is below them: 36 bytes for each directory. */

#define NO_DEPTH UINT32_MAX

/* Directories have the numbers of the path table. */
struct tree_usage {
	const struct path_table *paths;
	size_t count;
	struct usage *of; /* itself, and files in it; after tree_usage_settle() with all that is below */
	uint64_t *names;  /* in it */
	uint32_t *depth;  /* after tree_usage_settle(): of the root 0; NO_DEPTH: it is not below the root */
};

/* paths must live as long. 0 or -ENOMEM; free it in any case. */
int tree_usage_new(struct tree_usage *tree, const struct path_table *paths);
void tree_usage_free(struct tree_usage *tree);
/* Add what is in directories to those that these are in, up to the root, which is this inode. 0 or -ENOMEM. */
int tree_usage_settle(struct tree_usage *tree, xino_t root);

#endif
