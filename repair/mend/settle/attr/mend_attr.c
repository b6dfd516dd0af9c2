/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rebuilds attributes from all recognizable ones (ondisk 07), and reports what was lost. */
#include "mend/make/mend_attr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "report/mender.h"
#include "report/quote.h"
#include "report/words.h"

static const char *namespace_of(const struct attr_item *item)
{
	if (item->flags & ATTR_ROOT)
		return "trusted.";
	return item->flags & ATTR_SECURE ? "security." : "user.";
}

/* Reports how many attributes were kept, and which were lost, as far as known. */
static void say_attributes_done(struct mend *m, const struct found *found, const struct attr_items *items)
{
	struct words kept = { 0 }, lost = { 0 };
	size_t size;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		mend_done(m, found);
		return;
	}
	words_add_count(&kept, items->count, "attribute", "attributes");
	fprintf(out, "%s rebuilt", kept.text);
	for (size_t i = 0; i < items->nlost_names; i++) {
		fprintf(out, "%s%s", i ? ", \"" : "; lost: \"", namespace_of(&items->lost_names[i]));
		quote_print(out, items->lost_names[i].name, items->lost_names[i].namelen);
		fputc('"', out);
	}
	words_add_number(&lost, items->lost - items->nlost_names);
	if (items->lost > items->nlost_names)
		fprintf(out, items->nlost_names ? " and %s more" : "; %s lost", lost.text);
	if (items->lost_blocks) {
		struct words blocks = { 0 };

		words_add_count(&blocks, items->lost_blocks, "block holds", "blocks hold");
		fprintf(out, "; %s no valid attribute", blocks.text);
	}
	fclose(out);
	mend_done_so(m, found, mender_sure(m->kind), text ? text : mender_text(m->kind));
	free(text);
}

/* Drops lost attributes, except parent pointers, which are not the user's and can be derived from directories. */
static void drop_lost(struct mend *m, xino_t ino, const struct attr_items *items)
{
	for (size_t i = 0; i < items->nlost_names; i++) {
		const struct attr_item *item = &items->lost_names[i];

		if (!(item->flags & ATTR_PARENT))
			mend_drop_attribute(m, ino, item->flags, item->name, item->namelen, DROP_VALUE_LOST);
	}
	if (items->lost > items->nlost_names)
		mend_drop_attribute(m, ino, 0, NULL, 0, DROP_GARBAGE);
	else if (items->strays)
		mend_drop_attribute(m, ino, 0, NULL, 0, DROP_UNCONFIRMED);
}

static int mend_attributes(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	struct attr_items items = { 0 };
	int ret;

	if (!inode->inode.fork[ATTR_FORK].present || !inode->inode.fork[ATTR_FORK].ok)
		return 0;
	ret = attr_items_collect(m, inode, &items);
	if (!ret)
		ret = attr_write(m, inode, &items);
	if (!ret)
		drop_lost(m, inode->ino, &items);
	if (!ret)
		say_attributes_done(m, found, &items);
	attr_items_free(&items);
	return ret;
}

int mend_attr(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_load, mend_attributes);
}
