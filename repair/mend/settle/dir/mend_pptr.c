/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adjusts parent pointers to the directories (ondisk 07, invariant 5).  By now, lost entries have been restored from
 * parent pointers.  If an entry and a parent pointer differ only in the name, the names themselves decide which is
 * right.  Adding one is certain; removing a stray one is likely, because the directory may have lost a name.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "disk/attr.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_attr.h"
#include "mend/make/mend_dir.h"
#include "repair.h"
#include "report/quote.h"

/*
 * An entry of a short form directory and a parent pointer that differ only in the name: no hash shows which of them is
 * damaged (ondisk 06, 07).  But names are nearly always text, and damaged names are not: if just one of them is text,
 * it is right.
 */

/* Returns the only finding of this kind about the parent; NULL: none, or several. */
static const struct found *only(const struct found *found, size_t count, enum finding finding, uint64_t parent)
{
	const struct found *one = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct problem *p = &found[i].problem;

		if (p->finding != finding || (finding == F_PPTR_STRAY ? p->got : p->want) != parent)
			continue;
		if (one)
			return NULL;
		one = &found[i];
	}
	return one;
}

/* Changes the name of a short form directory entry to that of the parent pointer. 0 or negative errno. */
static int rename_entry(struct mend *m, const struct found *lacks, const struct name_view *right, bool *ret_renamed)
{
	const struct geometry *geo = &m->now->geo;
	const struct name_view *wrong = &lacks->place.name;
	struct dir_edit dir;
	size_t at;
	int ret = dir_edit_begin(m, (xino_t){ lacks->problem.want }, &dir);

	if (ret)
		return mend_left(m, lacks, 1, ret);
	at = dir_names_find(geo, &dir.names, wrong->bytes, wrong->len);
	if (dir.inode.inode.fork[DATA_FORK].format == FMT_LOCAL && at < dir.names.count &&
	    dir.names.names[at].ino.v == lacks->place.ino.v &&
	    dir_names_find(geo, &dir.names, right->bytes, right->len) == dir.names.count) {
		ret = dir_names_rename(geo, &dir.names, at, right->bytes, right->len);
		if (!ret)
			ret = dir_edit_write(m, &dir);
		*ret_renamed = !ret;
	}
	dir_edit_end(&dir);
	return mend_left(m, lacks, 1, ret);
}

/* Renames the inode's entry if its name is the wrong one, by the findings about the inode. 0 or negative errno. */
static int mend_pptr_name(struct mend *m, const struct found *found, size_t count, bool *ret_renamed)
{
	int ret = 0;

	*ret_renamed = false;
	for (size_t i = 0; i < count && !ret && !*ret_renamed; i++) {
		const uint64_t parent = found[i].problem.want;
		const struct name_view *wrong = &found[i].place.name, *right;
		const struct found *stray;

		if (found[i].problem.finding != F_PPTR_LACKS || only(found, count, F_PPTR_LACKS, parent) != &found[i])
			continue;
		stray = only(found, count, F_PPTR_STRAY, parent);
		if (!stray)
			continue;
		right = &stray->place.name;
		if (right->len && quote_all_show(right->bytes, right->len) && !quote_all_show(wrong->bytes, wrong->len))
			ret = rename_entry(m, &found[i], right, ret_renamed);
		if (*ret_renamed)
			mend_done_so(m, &found[i], SURE_LIKELY, "name of the entry restored from the parent pointer");
	}
	return ret;
}

/* Adds a parent pointer for an entry in directory `parent`. 0, also if that is unreadable; or negative errno. */
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
 * Corrects an inode's parent pointers by its findings.  Stray ones go first, because one with a wrong generation is
 * stray, and is added again with the right one.
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
