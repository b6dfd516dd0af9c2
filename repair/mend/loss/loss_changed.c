/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of what is kept, of the inodes that have changed alone.  What has not changed is kept, so its numbers are
 * those of the first check.  If something of an inode is lost or changed, its names matter, too: these are looked for
 * in the directories that are known to have them, and are all there if they are as many as the inode has links.
 */
#include <errno.h>
#include <stdlib.h>

#include "loss.h"
#include "loss_compare.h"
#include "names/paths.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

struct comparing {
	struct repair *rc, *again;
	const struct loss_changes *changes;
	bool parents; /* the directories of the inodes are read: only for their names */
	struct loss_facts *facts;
	struct loss_tally tally;
	struct loss_list *list;
	/* atomic */
	uint64_t names; /* sum over what the changed directories name, after less before */
	bool gap;	/* something is not known */
};

static bool is_changed(const struct loss_changes *c, xino_t ino)
{
	return ordered_find(c->inos, c->count, MEMBER(c->inos, v), ino.v) < c->count;
}

static void receive(void *ctx, unsigned lane, const struct loss_fact *fact, const uint8_t *bytes)
{
	struct comparing *c = ctx;

	if (c->parents) {
		if (fact->kind == FACT_NAME && is_changed(c->changes, fact->ino))
			loss_facts_put(c->facts, lane, fact, bytes);
		return;
	}
	switch ((enum fact_kind)fact->kind) {
	case FACT_NAME:
		__atomic_fetch_add(&c->names,
				   (fact->side == SIDE_AFTER ? 1 : (uint64_t)-1) *
					   fact_sum(fact, bytes, &c->rc->run->key),
				   __ATOMIC_RELAXED);
		break;
	case FACT_UNREAD:
	case FACT_UNNAMED:
	case FACT_UNMAPPED:
	case FACT_UNATTRIBUTED:
		__atomic_store_n(&c->gap, true, __ATOMIC_RELAXED);
		break;
	default:
		loss_facts_put(c->facts, lane, fact, bytes);
		break;
	}
}

/* Gather what these inodes hold, before and after. 0 or negative errno. */
static int gather(struct comparing *c, const xino_t *inos, size_t count)
{
	struct repair *const of[] = { [SIDE_BEFORE] = c->rc, [SIDE_AFTER] = c->again };
	int ret = 0;

	for (enum fact_side side = SIDE_BEFORE; side <= SIDE_AFTER && !ret; side += SIDE_AFTER - SIDE_BEFORE) {
		struct view view = { .other = &of[SIDE_AFTER - side]->geo,
				     .key = &c->rc->run->key,
				     .side = side,
				     .put = receive,
				     .ctx = c };

		view_show(c->rc, side);
		ret = view_gather_near(of[side], &view, inos, count);
	}
	view_show(c->rc, SIDE_AFTER);
	return ret;
}

/* Gather the names of the changed inodes. 0 or negative errno. */
static int gather_names(struct comparing *c)
{
	const struct dir_table *dirs = &c->rc->dirs;
	struct ino_set parents = { 0 };
	xino_t *all = NULL;
	int ret = 0;

	for (size_t i = 0; i < c->changes->count && !ret; i++) {
		const xino_t ino = c->changes->inos[i];
		const size_t dir = dir_table_find(dirs, ino);

		if (dir < dirs->count)
			ret = ino_set_put(&parents, dir_table_at(dirs, dir).parent);
		else if (c->rc->paths)
			ret = paths_directories(c->rc->paths, ino, &parents);
	}
	if (!ret)
		all = ino_set_sorted(&parents);
	c->parents = true;
	if (!ret)
		ret = all ? gather(c, all, ino_set_count(&parents)) : -ENOMEM;
	free(all);
	ino_set_free(&parents);
	return ret;
}

/* True if all names of an inode are among its facts, by its links; n: how many facts it has. */
static bool names_are_all(const struct comparing *c, struct loss_fact *const *facts, size_t n)
{
	uint64_t before = 0, after = 0, links = 0;

	for (size_t i = 0; i < n; i++) {
		const struct loss_fact *fact = facts[i];

		before += fact->kind == FACT_NAME && fact->side == SIDE_BEFORE;
		after += fact->kind == FACT_NAME && fact->side == SIDE_AFTER;
		if (fact->kind == FACT_INODE && fact->side == SIDE_AFTER)
			links = fact->flags == FT_DIR ? !dir_is_root(&c->rc->geo, fact->ino)
						      : ((const struct inode_core *)(const void *)fact->bytes)->nlink;
	}
	return before == links && after == links;
}

static bool all_names_are_known(const struct comparing *c, struct loss_fact *const *facts, size_t count)
{
	bool all = true;

	for (size_t i = 0, end; i < count && all; i = end) {
		for (end = i + 1; end < count && facts[end]->ino.v == facts[i]->ino.v; end++)
			;
		all = names_are_all(c, facts + i, end - i);
	}
	return all;
}

/* True if nothing was found to be lost or changed. */
static bool is_same(const struct comparing *c)
{
	return !c->list->count && !c->list->totals.files && !ino_set_count(&c->tally.counted);
}

/* True if nothing was found that takes a look at other files, too. */
static bool is_whole(const struct comparing *c)
{
	const struct loss_count *names = &c->list->totals.of[LOSS_NAME];

	return !names->lost && !names->changed && !names->gained && !ino_set_count(&c->tally.moved_dirs) &&
	       !c->tally.lost && !c->tally.moved;
}

/* Compare both views; names: with the names of the inodes.  *ret_whole: that tells all. 0 or negative errno. */
static int compare(struct comparing *c, bool names, bool *ret_whole)
{
	struct loss_compare compare = {
		.rc = c->rc, .again = c->again, .list = c->list, .bytes_left = LOSS_COMPARE_MOST, .tally = &c->tally
	};
	struct loss_fact **sorted;
	size_t count;
	int ret = gather(c, c->changes->inos, c->changes->count);

	if (!ret && names)
		ret = gather_names(c);
	if (ret || c->names || c->gap || loss_facts_full(c->facts))
		return ret;
	sorted = loss_facts_sorted(c->facts, &count);
	if (!sorted)
		return -ENOMEM;
	if (names && !all_names_are_known(c, sorted, count))
		return 0;
	loss_compare(&compare, sorted, count);
	*ret_whole = names ? is_whole(c) : is_same(c);
	return compare.error;
}

static void set_totals(struct comparing *c)
{
	const struct totals *t = c->changes->totals;
	const uint64_t all[LOSS_NR] = { [LOSS_INODE] = t->users.inodes,
					[LOSS_NAME] = t->users.names,
					[LOSS_DATA] = t->users.data << c->rc->geo.block_log,
					[LOSS_ATTRIBUTE] = t->users.attributes,
					[LOSS_TARGET] = t->users.targets };
	struct losses *losses = &c->list->totals;

	for (unsigned kind = 0; kind < LOSS_NR; kind++)
		losses->of[kind].all = all[kind] + losses->of[kind].lost;
	losses->known = true;
}

/* Make the account, with names or without. 0 or negative errno. */
static int account(struct comparing *c, bool names, bool *ret_whole)
{
	int ret;

	*ret_whole = false;
	c->facts = loss_facts_new(c->rc->workers, c->rc->run->memory.records / 2);
	ret = c->facts ? loss_tally_begin(&c->tally, &c->rc->geo) : -ENOMEM;
	if (!ret)
		ret = compare(c, names, ret_whole);
	if (!ret && *ret_whole)
		ret = loss_figures(c->rc, c->again, &c->tally, c->changes->totals->users.names, 0,
				   &c->list->totals.figures);
	if (!ret && *ret_whole)
		set_totals(c);
	loss_tally_end(&c->tally);
	loss_facts_free(c->facts);
	if (ret || !*ret_whole)
		loss_list_free(c->list);
	loss_list_settle(c->list);
	return ret;
}

int loss_account_of(struct repair *rc, struct repair *again, const struct drops *drops,
		    const struct loss_changes *changes, struct loss_list *ret, bool *ret_whole)
{
	int error = 0;

	*ret_whole = false;
	*ret = (struct loss_list){ 0 };
	if (drops->count || drops->left_out || rc->run->reattached.count)
		return 0;
	for (unsigned names = 0; names < 2 && !error && !*ret_whole; names++) {
		struct comparing c = { .rc = rc, .again = again, .changes = changes, .list = ret };

		*ret = (struct loss_list){ .limit = rc->run->memory.records / 4 };
		error = account(&c, names, ret_whole);
	}
	return error;
}
