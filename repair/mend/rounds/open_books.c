/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Subtracts and adds inodes, AGs and superblock counters.  Nothing else that a check compares may have changed.  Claims
 * of other inodes depend on inodes in use and on shared blocks.  Unlinked lists, quotas and the realtime section depend
 * on some fields of inodes.  If a change of these is uncertain, the books are unknown.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "base/devices.h"
#include "check/books/books.h"
#include "check/books/ledger.h"
#include "check/prove.h"
#include "check/walk/quota.h"
#include "check/walk/traverse.h"
#include "check_again.h"
#include "mend/blocks/mend_space.h"
#include "mend/loss/loss_fact.h"
#include "names/dir_runs.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/trace.h"
#include "report/words.h"
#include "rounds.h"
#include "run.h"
#include "sets/ordered.h"

/* The facts of the changed objects in one view. */
struct side {
	struct sink below;    /* ledger of the view; must be first for sink_passing_on */
	struct repair *check; /* of these objects only */
	struct changed *changed;
	bool after;
	struct totals totals;
	struct dir_parent *dirs; /* directories with their `..`, sorted as in a table */
	size_t ndirs;
	/* atomic */
	uint64_t usage; /* sum over the usage of inodes */
	uint64_t heads; /* sum over the heads of unlinked lists */
	bool internal, unlinked, realtime;
	struct inobts inobts;
};

static void add(uint64_t *sum, uint64_t more)
{
	__atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
}

static void note(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

static void on_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct side *s = ctx;
	const struct hash_key *key = s->below.key;

	if (inode->metadata || inode->rtfile || dinode_is_internal(&s->check->geo, inode->ino))
		note(&s->internal);
	if (!inode->nlink)
		note(&s->unlinked);
	if (inode->realtime)
		note(&s->realtime);
	add(&s->usage, hash5(key, inode->ino.v, inode->uid, inode->gid, inode->projid, inode->nblocks));
	sink_tell(&s->below, inode, worker, inode);
}

static void note_use(const struct side *s, const struct blocks *b, enum changed_use use)
{
	changed_note_use(s->changed,
			 fsbno_of(&s->check->geo, (agno_t){ b->group.v }, (agbno_t){ (uint32_t)b->start.v }), b->len,
			 use);
}

static void on_claim(void *ctx, unsigned worker, const struct claim *claim)
{
	struct side *s = ctx;
	const bool realtime = group_is_rt(&s->check->geo, claim->at.group);

	if (realtime)
		note(&s->realtime);
	else
		note_use(s, &claim->at, s->after ? CLAIMED_AFTER : CLAIMED_BEFORE);
	if (claim->owner < OWNER_COW)
		add(&s->usage, hash2(s->below.key, claim->owner, realtime) * claim->at.len);
	inobts_claim(&s->inobts, &s->check->geo, s->changed, claim);
	sink_tell(&s->below, claim, worker, claim);
}

static void on_free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	struct side *s = ctx;

	if (kind == BT_BNO && s->after && !group_is_rt(&s->check->geo, blocks->group))
		note_use(s, blocks, FREE_AFTER);
	sink_tell(&s->below, free_extent, worker, kind, blocks);
}

static void on_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *r)
{
	struct side *s = ctx;

	inobts_chunk(&s->inobts, s->below.key, kind, agno, r);
	sink_tell(&s->below, chunk, worker, kind, agno, r);
}

static void on_unlinked(void *ctx, unsigned worker, agno_t agno, agino_t agino)
{
	struct side *s = ctx;

	add(&s->heads, hash2(s->below.key, agno.v, agino.v));
	sink_tell(&s->below, unlinked, worker, agno, agino);
}

/* Sets the counters of the current superblock. 0, -EINVAL if it is invalid, or another negative errno. */
static int take_counters(struct repair *check)
{
	unsigned problems = 0;
	const struct check counting = check_counting(NULL, &problems);
	struct geometry now;
	int ret = device_read(check->run->device, check->primary, 0, SB_READ_BYTES);

	if (!ret && (!sb_decode(&counting, check->primary, SB_READ_BYTES, &now) || problems))
		ret = -EINVAL;
	if (ret)
		return ret;
	check->geo.icount = now.icount;
	check->geo.ifree = now.ifree;
	check->geo.fdblocks = now.fdblocks;
	return 0;
}

static int side_begin(struct repair *rc, struct changed *changed, bool after, struct side *s)
{
	struct repair *check = check_within(rc);

	*s = (struct side){ .check = check, .changed = changed, .after = after };
	if (!check)
		return -ENOMEM;
	check->workers = rc->workers;
	check->ledger = ledger_new(&rc->geo, rc->workers, &rc->run->key);
	check->primary = malloc(SB_READ_BYTES);
	if (!check->ledger || !check->primary)
		return -ENOMEM;
	memcpy(check->primary, rc->primary, SB_READ_BYTES);
	s->below = ledger_sink(check->ledger);
	return after && changed->counters ? take_counters(check) : 0;
}

/* Takes the directories that were found. 0 or negative errno. */
static int take_dirs(struct side *s, struct dir_runs *found)
{
	struct dir_parent dir;
	size_t room = 0;
	int ret = dir_runs_settle(found);

	while (!ret && (ret = dir_runs_next(found, &dir)) > 0)
		ret = array_add(s->dirs, room, s->ndirs, dir);
	return ret;
}

/* Traverses the changed objects in one view, like the first check, and compares counters. 0 or negative errno. */
static int side_gather(struct repair *rc, struct side *s)
{
	const struct scope scope = { .judge = true, .claims = true, .names = true, .pptrs = true };
	const struct sweep_options options = sweep_options_of(rc);
	const struct changed *c = s->changed;
	struct repair *check = s->check;
	struct sink_ops ops = sink_passing_on;
	const struct sink sink = { &ops, s, &rc->run->key };
	struct traverse *t;
	int ret;

	ops.inode = on_inode;
	ops.claim = on_claim;
	ops.free_extent = on_free_extent;
	ops.chunk = on_chunk;
	ops.unlinked = on_unlinked;
	ret = traverse_new(&check->geo, rc->run->device, check->primary, &scope, &sink, check->findings, &options,
			   &check->traverse);
	if (ret)
		return ret;
	t = check->traverse;
	traverse_borrow(t, rc->traverse, c->groups, c->ngroups);
	t->dirs = dir_runs_new(rc->workers);
	ret = t->dirs ? traverse_these_groups(t, c->groups, c->ngroups) : -ENOMEM;
	if (!ret)
		ret = traverse_these(t, c->inos, c->ninos);
	if (!ret)
		ret = take_dirs(s, t->dirs);
	if (!ret)
		counters_check(check, t->walkers[0]);
	s->totals = traverse_totals(t);
	findings_settle(check->findings);
	return ret;
}

static int side_show(struct repair *rc, struct side *s)
{
	int ret;

	view_show(rc, s->after ? SIDE_AFTER : SIDE_BEFORE);
	ret = side_gather(rc, s);
	view_show(rc, SIDE_AFTER);
	return ret;
}

/* ---- findings ---- */

/* True if a finding is about unbalanced accounts, and disappears when they balance. */
static bool is_of_accounts(enum finding finding)
{
	switch (finding) {
#define x(symbol, id, severity, class, mender, follows, message) case F_##symbol:
		FINDINGS_LOCATE(x)
#undef x
	case F_AG_SPACE:
	case F_AG_RMAP:
	case F_AG_FREESIZE:
	case F_AG_FINOBT:
	case F_AG_UNLINKED:
	case F_RTGROUP_SPACE:
	case F_RTGROUP_RMAP:
	case F_INODES_LINKS:
	case F_INODES_FTYPE:
	case F_INODES_PARENTS:
	case F_INODES_PPTRS:
		return true;
	default:
		return false;
	}
}

static bool is_damage(void *ctx, const struct found *found)
{
	(void)ctx;
	return finding_is_damage(found->problem.finding);
}

static bool is_same(void *ctx, const struct found *found)
{
	return !found_compare(found, ctx);
}

/* True if a finding of damage is neither about accounts nor was subtracted with a changed object. */
static bool stays(void *ctx, const struct found *found)
{
	const struct side *off = ctx;

	return finding_is_damage(found->problem.finding) && !is_of_accounts(found->problem.finding) &&
	       !findings_any(off->check->findings, is_same, (void *)found);
}

/* ---- results of the books ---- */

/* Returns why changes of inodes can't be corrected; NULL: they can. */
static const char *inodes_not_known(const struct repair *rc, const struct side *off, const struct side *on)
{
	if (off->internal || on->internal)
		return "a file of the file system's own";
	if (off->unlinked || on->unlinked || off->heads != on->heads)
		return "an inode without links";
	if (off->realtime || on->realtime)
		return "a realtime file";
	if (off->check->traverse->incomplete && quota_possible(rc->quota))
		return "quotas, of which a part could not be read before";
	if (off->usage != on->usage && quota_possible(rc->quota))
		return "quotas";
	return NULL;
}

/* Returns the next gapless range of blocks shared in the refcountbt, from record *at on, which is advanced. */
static struct shared_range next_shared(const struct shared *shared, size_t *at)
{
	struct shared_range range = shared->v[(*at)++];

	for (; *at < shared->count && shared->v[*at].start <= range.end; ++*at)
		if (shared->v[*at].end > range.end)
			range.end = shared->v[*at].end;
	return range;
}

/* True if the same blocks are shared, regardless of how often. */
static bool is_shared_alike(const struct shared *a, const struct shared *b)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		const struct shared_range x = next_shared(a, &i), y = next_shared(b, &k);

		if (x.start != y.start || x.end != y.end)
			return false;
	}
	return i == a->count && k == b->count;
}

/* Returns why facts about unchanged inodes, which depend on AGs, are uncertain; NULL: they are not. */
static const char *others_not_known(const struct changed *changed, const struct side *off, const struct side *on)
{
	const char *why = NULL;

	if (!inobts_alike(&off->inobts, &on->inobts))
		why = "which inodes are in use";
	for (size_t i = 0; i < changed->ngroups && !why; i++) {
		const uint32_t group = changed->groups[i].v;
		const struct traverse *was = off->check->traverse, *is = on->check->traverse;

		if (!inobts_root_alike(&was->ags[group], &is->ags[group]))
			why = "which inodes are in use";
		else if (!is_shared_alike(&was->shared[group], &is->shared[group]))
			why = "which blocks are shared";
	}
	return why;
}

/* True if the finding means that a block may have two owners. */
static bool is_block_twice(void *ctx, const struct found *found)
{
	const enum finding finding = found->problem.finding;

	(void)ctx;
	return finding == F_SPACE_CLAIMED_TWICE || finding == F_SPACE_FREE_IN_USE || finding == F_SPACE_SHARED_OFTEN ||
	       finding == F_AG_SPACE;
}

struct balance {
	const struct repair *rc;
	struct ledger *ledger;
};

/* True if all blocks of the block's AG have one owner, or as many as may share them. */
static bool space_balances(const void *ctx, fsbno_t block)
{
	const struct balance *b = ctx;

	return ledger_group_balances(b->ledger, group_of_ag(agno_of_fsbno(&b->rc->geo, block)), ACCOUNT_SPACE);
}

/* Makes the current ledger; it stays NULL if something else has changed, too. 0 or -ENOMEM. */
static int correct_ledger(struct repair *rc, struct open_books *books, const struct side *off, const struct side *on)
{
	struct balance balance = { rc, ledger_corrected(rc->ledger, off->check->ledger, on->check->ledger) };

	if (!balance.ledger)
		return -ENOMEM;
	if (changed_is_all(&books->changed, space_balances, &balance)) {
		books->ledger = balance.ledger;
	} else {
		books->unknown = "blocks that belong to no changed object";
		ledger_free(balance.ledger);
	}
	return 0;
}

static bool inodes_balance(const struct ledger *ledger)
{
	for (unsigned bucket = 0; bucket < LEDGER_BUCKETS; bucket++)
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++)
			if (!ledger_inodes_balance(ledger, bucket, a))
				return false;
	return true;
}

static bool balances(const struct repair *rc, struct ledger *ledger)
{
	const struct repair with = { .run = rc->run, .geo = rc->geo, .ledger = ledger };

	for (uint32_t g = 0; g < group_count(&rc->geo); g++)
		if (accounts_any_unbalanced(&with, (group_t){ g }))
			return false;
	return inodes_balance(ledger);
}

/*
 * True if only space accounts of groups are unbalanced, and only where they balanced before: the cause is only blocks
 * that the repair took or gave up.
 */
static bool only_space_taken(const struct repair *rc, struct ledger *ledger)
{
	static const enum group_account space[] = { ACCOUNT_SPACE, ACCOUNT_RMAP, ACCOUNT_FREESIZE };
	const struct repair with = { .run = rc->run, .geo = rc->geo, .ledger = ledger };
	bool only = inodes_balance(ledger);

	for (uint32_t g = 0; g < group_count(&rc->geo) && only; g++) {
		const group_t group = { g };
		bool now = false, before = false;

		for (size_t i = 0; i < sizeof(space) / sizeof(space[0]); i++) {
			now |= accounts_unbalanced(&with, group, space[i]);
			before |= accounts_unbalanced(rc, group, space[i]);
		}
		only = !(now && before) && !accounts_unbalanced(&with, group, ACCOUNT_FINOBT) &&
		       !accounts_unbalanced(&with, group, ACCOUNT_UNLINKED);
	}
	return only;
}

static bool dirs_alike(const struct side *off, const struct side *on)
{
	return off->ndirs == on->ndirs &&
	       (!off->ndirs || !memcmp(off->dirs, on->dirs, off->ndirs * sizeof(*off->dirs)));
}

/*
 * Gives the check the current table of directories.  It must lead from all of them to the root: else which ones are
 * reported as unreachable depends on the others.  0 or negative errno.
 */
static int correct_dirs(struct repair *rc, struct open_books *books, const struct side *off, const struct side *on)
{
	struct repair *check = on->check;
	const bool alike = dirs_alike(off, on);
	bool reached = true;
	int ret = 0;

	check->base = rc;
	if (alike)
		check->dirs = rc->dirs;
	else
		ret = dir_table_change(&check->dirs, &rc->dirs, off->dirs, off->ndirs, on->dirs, on->ndirs,
				       rc->run->memory.directories);
	/* unreachable directories are not reported while something is missing */
	if (!ret && (rc->traverse->incomplete || !alike))
		ret = connectivity_all_reached(check, &reached);
	if (!reached || ret == -ENOENT)
		books->unknown = "the tree of directories";
	return ret == -ENOENT ? 0 : ret;
}

static struct totals correct_totals(const struct repair *rc, const struct totals *off, const struct totals *on)
{
	struct totals t = traverse_totals(rc->traverse);

	totals_add(&t, on, 1);
	totals_add(&t, off, -1);
	return t;
}

static int correct(struct repair *rc, struct open_books *books, struct side *off, struct side *on)
{
	int ret = side_begin(rc, &books->changed, false, off);

	if (!ret)
		ret = side_begin(rc, &books->changed, true, on);
	if (!ret)
		ret = side_show(rc, off);
	if (!ret)
		ret = side_show(rc, on);
	if (ret)
		return ret;
	books->unknown = inodes_not_known(rc, off, on);
	if (!books->unknown)
		books->unknown = others_not_known(&books->changed, off, on);
	books->files_known = !books->unknown && !rc->traverse->incomplete && !on->check->traverse->incomplete &&
			     changed_files_known(&books->changed) && !findings_any(rc->findings, is_block_twice, NULL);
	if (books->unknown)
		return 0;
	ret = correct_ledger(rc, books, off, on);
	if (!ret && !books->unknown && findings_any(rc->findings, stays, off))
		books->unknown = "what findings are about";
	if (!ret && !books->unknown)
		ret = correct_dirs(rc, books, off, on);
	if (ret || books->unknown)
		return ret;
	books->balance = balances(rc, books->ledger);
	books->tell_left = !on->check->traverse->incomplete && only_space_taken(rc, books->ledger);
	books->clean = books->tell_left && books->balance && !findings_any(on->check->findings, is_damage, NULL);
	on->check->early.over = true;
	on->check->totals = correct_totals(rc, &off->totals, &on->totals);
	books->check = on->check;
	on->check = NULL;
	return 0;
}

/*
 * Reads the changed objects as they were and as they are.  rc: the first check.  Nothing else may read meanwhile.  0 or
 * negative errno; call open_books_close() in either case.
 */
static int open_books_correct(struct repair *rc, struct open_books *ret)
{
	struct side off = { 0 }, on = { 0 };
	int error;

	*ret = (struct open_books){ 0 };
	error = changed_find(rc, &ret->changed);
	ret->unknown = ret->changed.unknown;
	if (error || ret->unknown)
		return error;
	error = correct(rc, ret, &off, &on);
	if (error == -EINVAL) {
		ret->unknown = "the superblock";
		error = 0;
	}
	check_again_free(off.check);
	check_again_free(on.check);
	free(off.dirs);
	free(on.dirs);
	return error;
}

void open_books_close(struct open_books *books)
{
	changed_free(&books->changed);
	check_again_free(books->check);
	ledger_free(books->ledger);
	*books = (struct open_books){ 0 };
}

/*
 * Returns a check that replaces a whole one: that of the changed objects, with the ledger of the books.  Everything
 * unchanged comes from the first check, which must outlive it.  Only if not `unknown`.  Free it by check_again_free().
 */
static struct repair *open_books_check(struct open_books *books)
{
	struct repair *check = books->check;

	check->quota = check->base->quota;
	ledger_free(check->ledger);
	check->ledger = books->ledger;
	books->check = NULL;
	books->ledger = NULL;
	return check;
}

/*
 * Proves a repair with few changes: by the books kept open (open_books.c) instead of a whole check.  They show that
 * nothing is left to mend, or what is left, if that is damage within objects and space that menders took or gave up.
 * If there may be more, a whole check follows.
 */

static void trace_books(const struct rounds *r, uint64_t start)
{
	const struct open_books *books = &r->books;
	struct trace *t = r->m->rc->run->trace;

	if (books->unknown)
		trace_say(t, "books: not known, because of %s", books->unknown);
	else
		trace_say(t, "books: %zu inodes taken off and put on, %s", books->changed.ninos,
			  books->clean ? "and nothing is left" : "and something is left");
	trace_end(t, start);
}

/* Uses the books as the last check: they show everything that is left. 0 or -ENOMEM. */
static int take_books(struct rounds *r)
{
	const bool balance = r->books.balance;
	struct repair *check = open_books_check(&r->books);
	int ret;

	r->m->now = check;
	check_again_free(r->again);
	r->again = check;
	mend_space_forget(r->m);
	r->unowned_is_all = false;
	r->by_books = r->books.clean;
	r->depth = balance ? DEPTH_WHOLE : DEPTH_NAMES;
	ret = damage_collect(&r->damage, check->findings);
	/* AG btrees are rebuilt when everything else is mended */
	return ret || balance || r->damage.count ? ret : rounds_add_accounts(r);
}

/* For tests: reports where the books differ from the whole check. */
static void compare_books(const struct rounds *r)
{
	const struct open_books *books = &r->books;
	const uint64_t differences = r->again->ledger ? ledger_differences(books->ledger, r->again->ledger) : 1;
	const bool clean = !r->damage.count && r->depth == DEPTH_WHOLE;
	struct words note = { 0 };

	if (!differences && (clean || !books->clean))
		return;
	words_add(&note, BOOKS_DIFFER);
	words_add_number(&note, differences);
	words_add(&note, " sums differ%s.", books->clean && !clean ? ", and they have nothing as damaged" : "");
	report_note(r->m->rc->report, note.text);
}

int rounds_prove(struct rounds *r)
{
	struct repair *rc = r->m->rc;
	const bool compare = rc->run->options->compare_books;
	const uint64_t start = trace_now(rc->run->trace);
	int ret;

	if (!compare && !prove_by_books(rc))
		return rounds_check(r);
	open_books_close(&r->books);
	ret = open_books_correct(rc, &r->books);
	if (!ret)
		trace_books(r, start);
	if (!ret && r->books.tell_left && !compare)
		return take_books(r);
	if (!ret)
		ret = rounds_check(r);
	if (!ret && compare && r->books.ledger)
		compare_books(r);
	return ret;
}
