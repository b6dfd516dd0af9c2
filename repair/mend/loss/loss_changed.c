/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the account for changed inodes only; everything else is kept, with the numbers of the first check.  An inode
 * has also changed if a changed directory names it differently.  If something of an inode is lost or changed, all its
 * names are needed: they are searched for in the changed directories, and in those known to name it.  They are complete
 * if there are as many as the inode has links now.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loss.h"
#include "loss_compare.h"
#include "names/paths.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

struct comparing {
	struct repair *rc, *again;
	const struct loss_changes *changes;
	struct loss_facts *facts; /* of the inodes to compare */
	struct loss_facts *named; /* names in the changed directories; NULL: not wanted */
	struct ino_set inos;	  /* inodes to compare */
	struct loss_tally tally;
	struct loss_list *list;
	struct seals seals;
	struct ino_set not_in_rmapbt; /* files some of whose blocks the rmapbt lacked */
	/* atomic */
	uint64_t names; /* sum over the names in changed directories, after minus before */
	bool gap;	/* something was unknown, so names may be missing */
	bool gap_now;	/* something is unknown */
};

static void note(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

static void receive_name(struct comparing *c, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	const uint64_t sum = fact_sum(fact, bytes, &c->rc->run->key);

	__atomic_fetch_add(&c->names, fact->side == SIDE_AFTER ? sum : -sum, __ATOMIC_RELAXED);
	if (c->named)
		loss_facts_put(c->named, worker, fact, bytes);
}

static void receive(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	struct comparing *c = ctx;

	switch ((enum fact_kind)fact->kind) {
	case FACT_NAME:
		receive_name(c, worker, fact, bytes);
		return;
	case FACT_UNREAD:
	case FACT_UNNAMED:
		note(&c->gap);
		/* fall through */
	case FACT_UNMAPPED:
	case FACT_UNATTRIBUTED:
		if (fact->side == SIDE_AFTER || !c->named)
			note(&c->gap_now);
		break;
	default:
		break;
	}
	loss_facts_put(c->facts, worker, fact, bytes);
}

/* Likewise for unchanged inodes. */
static void receive_but_names(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	if (fact->kind != FACT_NAME)
		receive(ctx, worker, fact, bytes);
}

/* Receives the names of inodes to compare in unchanged directories. */
static void receive_names_alone(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	struct comparing *c = ctx;

	if (fact->kind == FACT_NAME && ino_set_has(&c->inos, fact->ino))
		loss_facts_put(c->facts, worker, fact, bytes);
}

/* Collects the contents of these inodes, before and after. 0 or negative errno. */
static int gather(struct comparing *c, const xino_t *inos, size_t count, view_put *put)
{
	struct repair *const of[] = { [SIDE_BEFORE] = c->rc, [SIDE_AFTER] = c->again };
	int ret = 0;

	for (enum fact_side side = SIDE_BEFORE; side <= SIDE_AFTER && !ret && count; side += SIDE_AFTER - SIDE_BEFORE) {
		struct view view = { .other = &of[SIDE_AFTER - side]->geo,
				     .key = &c->rc->run->key,
				     .seals = &c->seals,
				     .side = side,
				     .put = put,
				     .ctx = c };

		view_show(c->rc, side);
		ret = view_gather_near(of[side], &view, inos, count);
	}
	view_show(c->rc, SIDE_AFTER);
	return ret;
}

static int gather_set(struct comparing *c, const struct ino_set *inos, view_put *put)
{
	xino_t *all = ino_set_sorted(inos);
	int ret = all ? gather(c, all, ino_set_count(inos), put) : -ENOMEM;

	free(all);
	return ret;
}

/* ---- inodes with different names ---- */

static size_t facts_of_one(struct loss_fact *const *facts, size_t count)
{
	size_t n = 1;

	while (n < count && facts[n]->ino.v == facts[0]->ino.v)
		n++;
	return n;
}

/* True if the names of an inode are the same before and after. */
static bool is_named_alike(const struct comparing *c, struct loss_fact *const *names, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t one = fact_sum(names[i], names[i]->bytes, &c->rc->run->key);

		sum += names[i]->side == SIDE_AFTER ? one : -one;
	}
	return !sum;
}

/* Adds inodes with different names in changed directories, and all names of the inodes to compare. */
static int add_named(struct comparing *c)
{
	struct ino_set more = { 0 };
	size_t count;
	struct loss_fact **names = loss_facts_sorted(c->named, &count);
	int ret = names ? 0 : -ENOMEM;

	for (size_t i = 0, n; i < count && !ret; i += n) {
		n = facts_of_one(names + i, count - i);
		if (!ino_set_has(&c->inos, names[i]->ino) && !is_named_alike(c, names + i, n))
			ret = ino_set_put(&more, names[i]->ino);
		if (!ret && ino_set_has(&more, names[i]->ino))
			ret = ino_set_put(&c->inos, names[i]->ino);
	}
	for (size_t i = 0; i < count && !ret; i++)
		if (ino_set_has(&c->inos, names[i]->ino))
			loss_facts_put(c->facts, 0, names[i], names[i]->bytes);
	if (!ret)
		ret = gather_set(c, &more, receive_but_names);
	ino_set_free(&more);
	return ret;
}

/* ---- all names ---- */

static bool is_changed(const struct loss_changes *c, xino_t ino)
{
	return ordered_find(c->inos, c->count, MEMBER(c->inos, v), ino.v) < c->count;
}

/* Adds the directories known to name an inode, except changed ones, whose names are known. 0 or -ENOMEM. */
static int add_parents(const struct comparing *c, xino_t ino, struct ino_set *parents)
{
	const struct dir_table *dirs = &c->rc->dirs;
	const size_t dir = dir_table_find(dirs, ino);
	struct ino_set some = { 0 };
	xino_t *all;
	int ret = 0;

	if (dir < dirs->count)
		ret = ino_set_put(&some, dir_table_at(dirs, dir).parent);
	else if (c->rc->paths)
		ret = paths_directories(c->rc->paths, ino, &some);
	all = ret ? NULL : ino_set_sorted(&some);
	for (size_t i = 0; all && i < ino_set_count(&some) && !ret; i++)
		if (!is_changed(c->changes, all[i]))
			ret = ino_set_put(parents, all[i]);
	if (!ret && !all)
		ret = -ENOMEM;
	free(all);
	ino_set_free(&some);
	return ret;
}

/* Collects the names of inodes to compare in directories other than changed ones. 0 or negative errno. */
static int gather_names(struct comparing *c)
{
	struct ino_set parents = { 0 };
	xino_t *all = ino_set_sorted(&c->inos);
	int ret = all ? 0 : -ENOMEM;

	for (size_t i = 0; all && i < ino_set_count(&c->inos) && !ret; i++)
		ret = add_parents(c, all[i], &parents);
	if (!ret)
		ret = gather_set(c, &parents, receive_names_alone);
	free(all);
	ino_set_free(&parents);
	return ret;
}

/*
 * True if all names of an inode are among its n facts, by its link count.  If the current names are complete, so are
 * those before, because an unchanged directory has the same names.
 */
static bool names_are_all(const struct comparing *c, struct loss_fact *const *facts, size_t n)
{
	uint64_t after = 0, links = 0;
	bool is = false;

	for (size_t i = 0; i < n; i++) {
		const struct loss_fact *fact = facts[i];

		after += fact->kind == FACT_NAME && fact->side == SIDE_AFTER;
		if (fact->kind != FACT_INODE || fact->side != SIDE_AFTER)
			continue;
		is = true;
		links = fact->flags == FT_DIR ? !dir_is_root(&c->rc->geo, fact->ino)
					      : ((const struct inode_core *)(const void *)fact->bytes)->nlink;
	}
	return is && after == links;
}

static bool all_names_are_known(const struct comparing *c, struct loss_fact *const *facts, size_t count)
{
	bool all = true;

	for (size_t i = 0, n; i < count && all; i += n) {
		n = facts_of_one(facts + i, count - i);
		all = names_are_all(c, facts + i, n);
	}
	return all;
}

/* ---- comparing ---- */

/* True if no loss or change was found. */
static bool is_same(const struct comparing *c)
{
	return !c->list->count && !c->list->totals.files && !ino_set_count(&c->tally.counted);
}

static void receive_nothing(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	(void)ctx;
	(void)worker;
	(void)fact;
	(void)bytes;
}

/* Collects everything to compare. *ret_all: it is complete. 0 or negative errno. */
static int gather_all(struct comparing *c, bool *ret_all)
{
	int ret = gather(c, c->changes->inos, c->changes->count, receive);

	if (!ret && c->seals.names.sought.count)
		ret = gather(c, c->changes->inos, c->changes->count, receive_nothing);
	if (!ret && c->named) {
		ret = add_named(c);
		if (!ret)
			ret = gather_names(c);
	}
	*ret_all = !c->gap_now && !loss_facts_full(c->facts) && (c->named ? !loss_facts_full(c->named) : !c->names);
	return ret;
}

/* Compares both views. *ret_whole: the result is complete. 0 or negative errno. */
static int compare(struct comparing *c, bool *ret_whole)
{
	struct loss_compare compare = { .rc = c->rc,
					.again = c->again,
					.list = c->list,
					.bytes_left = LOSS_COMPARE_MOST,
					.tally = &c->tally,
					.seals = &c->seals,
					.not_in_rmapbt = &c->not_in_rmapbt };
	struct loss_fact **sorted;
	size_t count;
	bool all;
	int ret = loss_not_in_rmapbt(c->rc, &c->not_in_rmapbt);

	if (!ret)
		ret = gather_all(c, &all);

	if (ret || !all)
		return ret;
	sorted = loss_facts_sorted(c->facts, &count);
	if (!sorted)
		return -ENOMEM;
	if (c->named && !all_names_are_known(c, sorted, count))
		return 0;
	compare.names_missing = c->gap;
	loss_compare(&compare, sorted, count);
	/* below a moved directory, all paths have changed */
	*ret_whole =
		c->named ? !ino_set_count(&c->tally.moved_dirs) && !ino_set_count(&c->tally.doubted_dirs) : is_same(c);
	return compare.error;
}

static int conclude(struct comparing *c)
{
	const struct totals *t = c->changes->totals;
	const uint64_t all[LOSS_NR] = { [LOSS_INODE] = t->users.inodes,
					[LOSS_NAME] = t->users.names,
					[LOSS_DATA] = t->users.data << c->rc->geo.block_log,
					[LOSS_ATTRIBUTE] = t->users.attributes,
					[LOSS_TARGET] = t->users.targets };

	return loss_conclude(c->rc, c->again, &c->tally, all, c->list);
}

/* Makes the account, with names or without. 0 or negative errno. */
static int account(struct comparing *c, bool names, bool *ret_whole)
{
	const size_t limit = c->rc->run->memory.records / 2;
	int ret = 0;

	*ret_whole = false;
	c->facts = loss_facts_new(c->rc->workers, limit / (names ? 2 : 1));
	c->named = names ? loss_facts_new(c->rc->workers, limit / 2) : NULL;
	for (size_t i = 0; i < c->changes->count && names && !ret; i++)
		ret = ino_set_put(&c->inos, c->changes->inos[i]);
	if (!ret)
		ret = c->facts && (c->named || !names) ? loss_tally_begin(&c->tally, &c->rc->geo) : -ENOMEM;
	if (!ret)
		ret = compare(c, ret_whole);
	if (!ret && *ret_whole)
		ret = conclude(c);
	loss_tally_end(&c->tally);
	loss_facts_free(c->facts);
	loss_facts_free(c->named);
	ino_set_free(&c->inos);
	ino_set_free(&c->not_in_rmapbt);
	seals_free(&c->seals);
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
		struct comparing c = { .rc = rc,
				       .again = again,
				       .changes = changes,
				       .list = ret,
				       .seals.lock = PTHREAD_MUTEX_INITIALIZER };

		*ret = (struct loss_list){ .limit = rc->run->memory.records / 4 };
		error = account(&c, names, ret_whole);
	}
	return error;
}
