/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What directories hold, by themselves and with all that is below them: 36 bytes for each directory. */
#ifndef XFSCK_REPAIR_TREE_USAGE_H
#define XFSCK_REPAIR_TREE_USAGE_H

#include "ask/path_table.h"
#include "usage.h"

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
