/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds names of orphans in the log.  What the last mount logged of directories shows their entries at its end
 * (log/log_history.h); a name that a directory no longer has was lost.
 */
#include "mend_logged.h"

#include <errno.h>
#include <stdlib.h>

#include "log/log_history.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "sets/ordered.h"

struct collecting {
	struct mend *m;
	const struct ino_set *children;
	struct logged_names *names;
};

static int add_entry_of(void *ctx, xino_t directory, const struct dir_entry *entry)
{
	struct collecting *c = ctx;
	struct logged_names *names = c->names;
	const struct pptr_name name = {
		.parent = directory, .child = entry->target, .ftype = entry->ftype, .namelen = entry->namelen
	};

	if (!ino_set_has(c->children, entry->target) || entry->target.v == directory.v)
		return 0;
	return pptr_names_add(&names->names, &names->room, &names->count, &name, entry->name);
}

static int by_child(const void *a, const void *b)
{
	const struct pptr_name *x = a, *y = b;

	if (x->child.v != y->child.v)
		return x->child.v < y->child.v ? -1 : 1;
	return pptr_name_order(x, y);
}

/* Sets *ret_may if the name's directory exists, and the child has the type of the entry. 0 or negative errno. */
static int may_have(struct mend *m, const struct pptr_name *name, bool *ret_may)
{
	struct mend_inode parent, child;
	int ret = pptr_name_parent(m, name, NULL, &parent);

	*ret_may = false;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = mend_inode_decode(m, name->child, &child);
	if (!ret) {
		*ret_may = (!m->now->geo.ftype || (uint8_t)child.inode.ftype == name->ftype) &&
			   child.inode.metadata == parent.inode.metadata;
		mend_inode_free(&child);
	}
	mend_inode_free(&parent);
	return ret == -ENOENT ? 0 : ret;
}

int logged_names_collect(struct mend *m, const struct ino_set *children, struct logged_names *ret_names)
{
	struct log_history history = { .geo = &m->now->geo, .limit = log_history_limit(m->now), .names = true };
	struct collecting c = { m, children, ret_names };
	size_t kept = 0;
	bool more = true;
	int ret = 0;

	*ret_names = (struct logged_names){ 0 };
	if (!log_history_there(m->rc))
		return 0;
	while (more && !ret) {
		ret = log_history_read(&history, m->rc);
		if (!ret)
			ret = log_history_names(&history, add_entry_of, &c);
		if (!ret)
			ret = log_history_next(&history, &more);
	}
	log_history_free(&history);
	if (ret_names->count)
		qsort(ret_names->names, ret_names->count, sizeof(*ret_names->names), by_child);
	for (size_t i = 0; i < ret_names->count; i++) {
		bool may = false;

		if (!ret)
			ret = may_have(m, &ret_names->names[i], &may);
		if (may)
			ret_names->names[kept++] = ret_names->names[i];
		else
			free(ret_names->names[i].name);
	}
	ret_names->count = kept;
	return ret;
}

size_t logged_names_of(const struct logged_names *names, xino_t child, const struct pptr_name **ret_first)
{
	const size_t at = ordered_from(names->names, names->count, MEMBER(names->names, child), child.v);
	size_t n = 0;

	while (at + n < names->count && names->names[at + n].child.v == child.v)
		n++;
	*ret_first = n ? &names->names[at] : NULL;
	return n;
}

void logged_names_free(struct logged_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i].name);
	free(names->names);
	*names = (struct logged_names){ 0 };
}
