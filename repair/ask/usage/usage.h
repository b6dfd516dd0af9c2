/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Space used by files, in total and by id: user, group, project. */
#ifndef XFSCK_REPAIR_USAGE_H
#define XFSCK_REPAIR_USAGE_H

#include <stddef.h>
#include <stdint.h>

#include "ask/path_table.h"

/* Like `du`: a file with several names counts once. */
struct usage {
	uint64_t files;	   /* of all types */
	uint64_t apparent; /* bytes: sizes of regular files and symlinks */
	uint64_t used;	   /* bytes on the device, of all types */
};

static inline void usage_add(struct usage *usage, const struct usage *other)
{
	usage->files += other->files;
	usage->apparent += other->apparent;
	usage->used += other->used;
}

/* Start with { 0 }. */
struct usage_table {
	struct usage_of {
		uint32_t id;
		struct usage usage;
	} * v; /* by id after usage_table_settle() */
	size_t count, room;
	size_t tidy; /* number of entries at which equal ids are merged */
};

/* Adds usage to an id. 0 or -ENOMEM. */
int usage_table_add(struct usage_table *table, uint32_t id, const struct usage *usage);
/* Merges equal ids, and sorts by id, after all was added. */
void usage_table_settle(struct usage_table *table);
void usage_table_free(struct usage_table *table);

/* Usage of directories, alone and including subdirectories; 36 bytes per directory. */

#define NO_DEPTH UINT32_MAX

/* Directories have the numbers of the path table. */
struct tree_usage {
	const struct path_table *paths;
	size_t count;
	struct usage *of; /* the directory and its files; after tree_usage_settle() with all subdirectories */
	uint64_t *names;  /* number of its entries */
	uint32_t *depth;  /* after tree_usage_settle(): 0 for the root; NO_DEPTH: not below the root */
};

/* paths must live as long. 0 or -ENOMEM; call tree_usage_free() in any case. */
int tree_usage_new(struct tree_usage *tree, const struct path_table *paths);
void tree_usage_free(struct tree_usage *tree);
/* Adds the usage of directories to their parents, up to this root. 0 or -ENOMEM. */
int tree_usage_settle(struct tree_usage *tree, xino_t root);

#endif
