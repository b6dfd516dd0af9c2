/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes an ATTRI: sets, replaces or removes an attribute, which may be a parent pointer (ondisk 07, 11).  An
 * incomplete attribute that the interrupted operation left in the fork is not kept.
 */
#include <errno.h>

#include "disk/attr.h"
#include "mend/base/mend.h"
#include "mend_intents.h"
#include "repair.h"

/* Returns the logged attribute: name, namespace and value. */
static struct attr_item item_of(const struct geometry *geo, const struct log_attri *attri,
				const struct log_region *name, const struct log_region *value)
{
	struct attr_item item = {
		.flags = attri->filter & (ATTR_ROOT | ATTR_SECURE | ATTR_PARENT),
		.namelen = (uint8_t)name->len,
		.name = name->bytes,
		.value = value->bytes,
		.valuelen = value->len,
	};
	const struct attr_parent_disk *parent = (const void *)value->bytes;

	item.hash = item.flags & ATTR_PARENT
			    ? da_hash_pptr(item.name, item.namelen, geo->ascii_ci, (xino_t){ be64_get(parent->ino) })
			    : da_hashname(item.name, item.namelen, false);
	return item;
}

static bool is_pptr_op(const struct log_attri *attri)
{
	return attri->op >= ATTRI_PPTR_SET;
}

/* True if the operation is valid: operations on parent pointers, and only these, have values of their size. */
static bool makes_sense(const struct log_attri *attri)
{
	const size_t parent = sizeof(struct attr_parent_disk);
	bool replaces = attri->op == ATTRI_PPTR_REPLACE;

	if (is_pptr_op(attri) != !!(attri->filter & ATTR_PARENT))
		return false;
	if (!is_pptr_op(attri))
		return attri->value.len <= ATTR_MAX_VALUE;
	return attri->value.len == parent && (!replaces || (attri->new_value.len == parent && attri->new_name.len));
}

/* Removes the attribute of the same name, if it exists; a parent pointer must also have the same value. */
static void remove_item(struct attr_items *items, const struct attr_item *item)
{
	for (size_t i = 0; i < items->count; i++) {
		const struct attr_item *at = &items->items[i];

		if (at->flags != item->flags || at->namelen != item->namelen ||
		    memcmp(at->name, item->name, item->namelen) != 0)
			continue;
		if ((item->flags & ATTR_PARENT) &&
		    (at->valuelen != item->valuelen || memcmp(at->value, item->value, item->valuelen) != 0))
			continue;
		attr_items_remove(items, i);
		return;
	}
}

/* Reads the file's attributes, once. */
static int collect(struct finish *f, struct finish_file *file)
{
	const struct dinode_fork *fork = &file->inode.inode.fork[ATTR_FORK];
	int ret = 0;

	if (file->have_attrs)
		return 0;
	if (fork->present && !fork->ok)
		return FINISH_IMPOSSIBLE;
	if (fork->present)
		ret = attr_items_collect(f->m, &file->inode, &file->attrs);
	file->have_attrs = true;
	/* rewriting the fork must not lose anything */
	return ret == -E2BIG || file->attrs.lost || file->attrs.lost_blocks ? FINISH_IMPOSSIBLE : ret;
}

int finish_attri(struct finish *f, const struct log_attri *attri)
{
	const struct geometry *geo = &f->m->now->geo;
	struct attr_item item;
	struct finish_file *file;
	int ret;

	if (!makes_sense(attri))
		return FINISH_IMPOSSIBLE;
	ret = finish_file(f, attri->ino, &file);
	if (!ret && is_pptr_op(attri) && file->inode.inode.gen != attri->igen)
		ret = FINISH_IMPOSSIBLE;
	if (!ret)
		ret = collect(f, file);
	if (ret)
		return ret;
	item = item_of(geo, attri, &attri->name, &attri->value);
	remove_item(&file->attrs, &item);
	if (attri->op == ATTRI_REMOVE || attri->op == ATTRI_PPTR_REMOVE)
		return 0;
	if (attri->op == ATTRI_PPTR_REPLACE) {
		item = item_of(geo, attri, &attri->new_name, &attri->new_value);
		remove_item(&file->attrs, &item);
	}
	return attr_items_add(&file->attrs, &item);
}
