/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory has one name (ondisk 12, L2).  Where several entries lead to one, that stays which its parent pointer
 * knows, else that of the directory which its `..` names, else the first.
 */
#include "mend_dir_links.h"

#include <errno.h>
#include <stdlib.h>

static int link_order(const void *a, const void *b)
{
	const struct dir_link *x = a, *y = b;

	if (x->found->problem.got != y->found->problem.got)
		return x->found->problem.got < y->found->problem.got ? -1 : 1;
	if (x->doubt != y->doubt)
		return x->doubt < y->doubt ? -1 : 1;
	return (x->found > y->found) - (x->found < y->found);
}

static unsigned doubt_of(const struct mend *m, const struct mend_pptrs *pptrs, const struct found *found)
{
	const struct dir_table *dirs = &m->now->dirs;
	const struct name_view *view = &found->place.name;
	const struct dir_name name = { .ino = { found->problem.got }, .name = view->bytes, .namelen = view->len };
	size_t at = dir_table_find(dirs, name.ino);
	bool says = at < dirs->count && dirs->dirs[at].parent.v == found->place.ino.v;

	return (mend_pptrs_confirm(pptrs, found->place.ino, &name) ? 0 : 2) + (says ? 0 : 1);
}

int dir_links_settle(struct mend *m, struct mend_pptrs *pptrs, const struct found *found, size_t count,
		     struct dir_links *ret_links)
{
	struct dir_links links = { 0 };
	int ret = 0;

	links.v = calloc(count, sizeof(*links.v));
	if (!links.v)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (found[i].problem.finding == F_DIR_LINKED_AGAIN)
			links.v[links.count++].found = &found[i];
	if (links.count)
		ret = mend_pptrs_know(pptrs);
	for (size_t i = 0; i < links.count; i++)
		links.v[i].doubt = doubt_of(m, pptrs, links.v[i].found);
	qsort(links.v, links.count, sizeof(*links.v), link_order);
	if (ret)
		dir_links_free(&links);
	else
		*ret_links = links;
	return ret;
}

void dir_links_free(struct dir_links *links)
{
	free(links->v);
}

bool dir_links_stays(const struct dir_links *links, const struct found *found)
{
	size_t low = 0, high = links->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (links->v[mid].found->problem.got < found->problem.got)
			low = mid + 1;
		else
			high = mid;
	}
	return low < links->count && links->v[low].found == found;
}
