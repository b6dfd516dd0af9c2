/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes parent pointers agree with directories (ondisk 07, invariant 5).  Names are settled by then: lost entries have
 * been brought back by parent pointers.  Where the two differ only in a name, mend_pptr_name.c decides which is right.
 * To add one is certain; to drop a stray one is likely, since the directory may have lost a name that nothing else
 * tells.
 */
#include <errno.h>

#include "disk/attr.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_attr.h"
#include "mend/make/mend_pptr_name.h"
#include "repair.h"

/* Add a parent pointer to the directory that names the inode. 0, also if that can't be read, or negative errno. */
static int add_pptr(struct mend *m, struct attr_items *items, xino_t parent, const struct name_view *name)
{
	bool fold = m->now->geo.ascii_ci;
	struct attr_parent_disk value = { .ino = be64_put(parent.v) };
	const struct attr_item item = {
		.flags = ATTR_PARENT,
		.name = name->bytes,
		.namelen = name->len,
		.value = (const uint8_t *)&value,
		.valuelen = sizeof(value),
		.hash = da_hash_pptr(name->bytes, name->len, fold, parent),
	};
	struct mend_inode directory;
	size_t at;
	int ret = attr_items_find_pptr(&m->now->geo, items, parent, name, &at);

	if (ret || at < items->count)
		return ret;
	ret = mend_inode_decode(m, parent, &directory);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	value.gen = be32_put(directory.inode.gen);
	mend_inode_free(&directory);
	return attr_items_add(items, &item);
}

/*
 * Make an inode's parent pointers what the findings about it say.  Stray ones go first, since one with a wrong
 * generation is a stray one, and is added again with the right one.
 */
static int settle_pptrs(struct mend *m, struct attr_items *items, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		size_t at = items->count;

		if (found[i].problem.finding == F_PPTR_STRAY)
			ret = attr_items_find_pptr(&m->now->geo, items, (xino_t){ found[i].problem.got },
						   &found[i].place.name, &at);
		if (at < items->count)
			attr_items_remove(items, at);
	}
	attr_items_settle(items);
	for (size_t i = 0; i < count && !ret; i++)
		if (found[i].problem.finding == F_PPTR_LACKS && found[i].place.name.len)
			ret = add_pptr(m, items, (xino_t){ found[i].problem.want }, &found[i].place.name);
	return ret;
}

static enum sure sure_of_pptrs(const struct found *found, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (found[i].problem.finding != F_PPTR_LACKS)
			return SURE_LIKELY;
	return SURE_CERTAIN;
}

static int mend_pptrs_of_inode(struct mend *m, const struct found *found, size_t count)
{
	struct attr_items items = { 0 };
	const struct dinode_fork *fork;
	struct mend_inode inode;
	int ret = mend_inode_load(m, found->place.ino, &inode);

	if (ret)
		return mend_left(m, found, 1, ret);
	fork = &inode.inode.fork[ATTR_FORK];
	if (!fork->present || fork->ok) {
		if (fork->present)
			ret = attr_items_collect(m, &inode, &items);
		if (!ret)
			ret = settle_pptrs(m, &items, found, count);
		if (!ret)
			ret = attr_write(m, &inode, &items);
		if (!ret)
			mend_done_sure(m, found, sure_of_pptrs(found, count));
		attr_items_free(&items);
	}
	mend_inode_free(&inode);
	return mend_left(m, found, 1, ret);
}

int mend_pptr(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0, n; i < count && !ret; i += n) {
		bool renamed;

		n = mend_of_one_inode(found + i, count - i);
		if (found[i].place.ino.v == NULL_INO || ino_set_has(&m->round.reattached, found[i].place.ino))
			continue;
		ret = mend_pptr_name(m, found + i, n, &renamed);
		if (!ret && !renamed)
			ret = mend_pptrs_of_inode(m, found + i, n);
	}
	return ret;
}
