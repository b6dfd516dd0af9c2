/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes interrupted operations on files: all are done in memory, then the files are staged. */
#include "mend_intents.h"

#include <errno.h>
#include <stdlib.h>

#include "mend/blocks/mend_space.h"
#include "repair.h"

static void file_free(struct finish_file *file)
{
	mend_inode_free(&file->inode);
	free(file->map[DATA_FORK].v);
	free(file->map[ATTR_FORK].v);
	attr_items_free(&file->attrs);
	free(file);
}

static int finish_op(struct finish *f, const struct intent_op *op)
{
	switch (op->type) {
	case LI_ATTRI:
		return finish_attri(f, &op->attri);
	case LI_XMI:
		return finish_xmi(f, &op->xmi);
	default:
		return finish_bui(f, &op->extent);
	}
}

static void want_group(struct finish *f, fsbno_t block)
{
	f->groups[agno_of_fsbno(&f->m->now->geo, block).v] = true;
}

/* Marks the AGs that lose blocks: those with the file's old bmbts or attributes. */
static void want_old_groups(struct finish *f, const struct finish_file *file)
{
	for (unsigned fork = DATA_FORK; fork <= ATTR_FORK; fork++) {
		const struct mend_fork *old = &file->inode.fork[fork];
		bool attrs = fork == ATTR_FORK && file->have_attrs;

		for (size_t i = 0; i < old->ntree && (attrs || file->remapped[fork]); i++)
			f->groups[old->tree[i].agno.v] = true;
		for (size_t i = 0; i < old->count && attrs; i++)
			want_group(f, old->extents[i].start);
	}
}

/* Stages a file. Attributes come first, because they need the data fork as read. 0 or negative errno. */
static int store_file(struct mend *m, struct finish_file *file)
{
	int ret = 0;

	if (file->have_attrs)
		ret = attr_write(m, &file->inode, &file->attrs);
	for (unsigned fork = DATA_FORK; fork <= ATTR_FORK && !ret; fork++) {
		if (!file->remapped[fork])
			continue;
		mend_map_join(&file->map[fork]);
		ret = mend_fork_store(m, &file->inode, fork, file->map[fork].v, file->map[fork].count);
	}
	return ret ? ret : mend_inode_store(m, &file->inode);
}

static int store_all(struct finish *f)
{
	size_t taken = f->m->taken.count;
	int ret = 0;

	for (size_t i = 0; i < f->count && !ret; i++) {
		struct finish_file *file = f->files[i];

		if (file->have_attrs && file->remapped[ATTR_FORK])
			ret = FINISH_IMPOSSIBLE; /* no kernel operation does both */
	}
	for (size_t i = 0; i < f->count && !ret; i++) {
		want_old_groups(f, f->files[i]);
		ret = store_file(f->m, f->files[i]);
	}
	for (; taken < f->m->taken.count; taken++)
		want_group(f, f->m->taken.ranges[taken].start);
	mend_space_forget(f->m);
	return ret;
}

int mend_intents(struct mend *m, const struct intents *intents, bool *groups, bool *ret_possible)
{
	struct finish f = { .m = m, .groups = groups };
	const struct intent_op *const *ops;
	size_t count = intents_ops(intents, &ops);
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = finish_op(&f, ops[i]);
	if (!ret)
		ret = store_all(&f);
	*ret_possible = ret != FINISH_IMPOSSIBLE;
	for (size_t i = 0; i < f.count; i++)
		file_free(f.files[i]);
	free(f.files);
	return ret == FINISH_IMPOSSIBLE ? 0 : ret;
}
