/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums up usage from leaf directories upwards, each after all its subdirectories, so directories in a loop are never
 * reached.
 */
#include "usage.h"

#include <errno.h>
#include <stdlib.h>

int tree_usage_new(struct tree_usage *tree, const struct path_table *paths)
{
	const size_t count = path_table_count(paths);

	*tree = (struct tree_usage){ .paths = paths, .count = count };
	tree->of = calloc(count + 1, sizeof(*tree->of));
	tree->names = calloc(count + 1, sizeof(*tree->names));
	tree->depth = calloc(count + 1, sizeof(*tree->depth));
	return tree->of && tree->names && tree->depth ? 0 : -ENOMEM;
}

void tree_usage_free(struct tree_usage *tree)
{
	free(tree->of);
	free(tree->names);
	free(tree->depth);
}

/* Lists all directories, each before its parent. Returns how many; those in loops and above are left out. */
static size_t list_upwards(const struct tree_usage *tree, uint32_t *order, uint32_t *below)
{
	size_t listed = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const size_t parent = path_table_parent(tree->paths, i);

		if (parent < tree->count)
			below[parent]++;
	}
	for (size_t i = 0; i < tree->count; i++)
		if (!below[i])
			order[listed++] = (uint32_t)i;
	for (size_t i = 0; i < listed; i++) {
		const size_t parent = path_table_parent(tree->paths, order[i]);

		if (parent < tree->count && !--below[parent])
			order[listed++] = (uint32_t)parent;
	}
	return listed;
}

int tree_usage_settle(struct tree_usage *tree, xino_t root_ino)
{
	const size_t root = path_table_find(tree->paths, root_ino);
	uint32_t *order = calloc(tree->count + 1, sizeof(*order)), *below = calloc(tree->count + 1, sizeof(*below));
	const bool starved = !order || !below;
	const size_t listed = starved ? 0 : list_upwards(tree, order, below);

	for (size_t i = 0; i < listed; i++) {
		const size_t parent = path_table_parent(tree->paths, order[i]);

		if (parent < tree->count)
			usage_add(&tree->of[parent], &tree->of[order[i]]);
	}
	for (size_t i = 0; i < tree->count; i++)
		tree->depth[i] = NO_DEPTH;
	for (size_t i = listed; i-- > 0;) {
		const size_t parent = path_table_parent(tree->paths, order[i]);

		if (order[i] == root)
			tree->depth[root] = 0;
		else if (parent < tree->count && tree->depth[parent] != NO_DEPTH)
			tree->depth[order[i]] = tree->depth[parent] + 1;
	}
	free(order);
	free(below);
	return starved ? -ENOMEM : 0;
}
