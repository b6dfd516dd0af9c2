/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares entries without types (version 4) with `..` of their target directories (ondisk 06, invariant 7).  The
 * ledger can't compare them, since such an entry does not show whether its target is a directory.  The directories are
 * known only after all inodes have been read; then the entries are read again and compared with the table of
 * directories.
 */
#include "locate.h"

#include <stdatomic.h>

#include "check/facts.h"
#include "repair.h"
#include "check/walk/walker.h"

struct parents {
	const struct dir_table *dirs;
	atomic_bool differ;
};

static void entry_found(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct parents *p = ctx;
	size_t i = e->dot || e->dotdot ? p->dirs->count : dir_table_find(p->dirs, e->target);

	(void)worker;
	if (i < p->dirs->count && dir_table_at(p->dirs, i).parent.v != e->directory.v)
		atomic_store_explicit(&p->differ, true, memory_order_relaxed);
}

int locate_untyped(const struct repair *rc, bool *ret_differ)
{
	const struct scope scope = { .names = true };
	struct parents parents = { .dirs = &rc->dirs };
	static const struct sink_ops ops = { .entry = entry_found };
	int ret = facts_gather(rc, &rc->geo, &scope, &ops, &parents);

	*ret_differ = parents.differ;
	return ret;
}
