/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of reconnected inodes. */
#include "reattached.h"

#include "array.h"

int reattached_add(struct reattachments *list, const struct reattached *one)
{
	return array_add(list->all, list->room, list->count, *one);
}

void reattached_free(struct reattachments *list)
{
	free(list->all);
	*list = (struct reattachments){ 0 };
}

static int inode_order(const void *a, const void *b)
{
	const struct reattached *x = a, *y = b;

	if (x->ino.v != y->ino.v)
		return x->ino.v < y->ino.v ? -1 : 1;
	return (int)y->by - (int)x->by;
}

void reattached_settle(struct reattachments *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->all, list->count, sizeof(*list->all), inode_order);
	for (size_t i = 0; i < list->count; i++)
		if (!i || list->all[i].ino.v != list->all[kept - 1].ino.v)
			list->all[kept++] = list->all[i];
	list->count = kept;
}

const char *reattached_why(const struct reattached *reattached, const struct path *before)
{
	if (reattached->by == BY_PARENT_POINTER)
		return "from its parent pointer";
	if (reattached->by == BY_LOG)
		return "from the log";
	return before->kind == PATH_FORMER ? "its directory is gone or full" : "original location unknown";
}
