/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only inodes are taken off and put on so far.  Whatever else a check compares must be known to stay as it is: of a
 * group nothing may change, and of inodes nothing that the table of directories, lists of deleted inodes, quotas or the
 * realtime section depend on.  Where that is not certain, the books are not known.
 */
#include "open_books.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/books/books.h"
#include "check_again.h"
#include "base/devices.h"
#include "mend/loss/loss_fact.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "run.h"
#include "sb/sb_candidates.h"
#include "sets/ordered.h"
#include "check/walk/quota.h"
#include "check/walk/traverse.h"

#define SHARE_MOST 100u /* at most one inode of so many may have changed, ... */
#define INODES_FEW 100u /* ... unless they are no more than these */

/* The facts of the changed objects in one view. */
struct side {
	struct sink below; /* the ledger of the view; sink_passing_on wants it here */
	const struct geometry *geo;
	struct changed *changed;
	bool after;
	struct ledger *ledger;
	struct findings *findings;
	struct totals totals;
	bool gap;
	/* atomic */
	uint64_t parents, usage; /* sums over what `..` of directories say, and over what inodes use */
	bool internal, unlinked, realtime;
};

static void add(uint64_t *sum, uint64_t more)
{
	__atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
}

static void note(bool *flag)
{
	__atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

static void inode_told(void *ctx, unsigned lane, const struct dinode *inode)
{
	struct side *s = ctx;
	const struct hash_key *key = s->below.key;

	if (inode->metadata || inode->rtfile || dinode_is_internal(s->geo, inode->ino))
		note(&s->internal);
	if (!inode->nlink)
		note(&s->unlinked);
	if (inode->realtime)
		note(&s->realtime);
	add(&s->usage, hash5(key, inode->ino.v, inode->uid, inode->gid, inode->projid, inode->nblocks));
	sink_tell(&s->below, inode, lane, inode);
}

static void claim_told(void *ctx, unsigned lane, const struct claim *claim)
{
	struct side *s = ctx;
	const bool realtime = group_is_rt(s->geo, claim->at.group);

	if (realtime)
		note(&s->realtime);
	else
		changed_claimed(
			s->changed,
			fsbno_of(s->geo, (agno_t){ claim->at.group.v }, (agbno_t){ (uint32_t)claim->at.start.v }),
			claim->at.len, s->after);
	add(&s->usage, hash2(s->below.key, claim->owner, realtime) * claim->at.len);
	sink_tell(&s->below, claim, lane, claim);
}

static void entry_told(void *ctx, unsigned lane, const struct entry_fact *entry)
{
	struct side *s = ctx;

	if (entry->dotdot)
		add(&s->parents, hash2(s->below.key, entry->directory.v, entry->target.v));
	sink_tell(&s->below, entry, lane, entry);
}

static void unlinked_told(void *ctx, unsigned lane, agno_t agno, agino_t agino)
{
	struct side *s = ctx;

	note(&s->unlinked);
	sink_tell(&s->below, unlinked, lane, agno, agino);
}

static int side_begin(struct repair *rc, struct changed *changed, bool after, struct side *s)
{
	*s = (struct side){ .geo = &rc->geo,
			    .changed = changed,
			    .after = after,
			    .ledger = ledger_new(&rc->geo, rc->workers, &rc->run->key),
			    .findings = findings_new(rc->run->max_workers) };
	if (!s->ledger || !s->findings)
		return -ENOMEM;
	s->below = ledger_sink(s->ledger);
	return 0;
}

static void side_end(struct side *s)
{
	ledger_free(s->ledger);
	findings_free(s->findings);
}

/* Lend the traversal which blocks are shared, which the groups say that it does not go into; NULL: take it back. */
static void lend_shared(struct traverse *t, const struct traverse *from)
{
	for (uint32_t i = 0; i < t->geo->agcount; i++) {
		struct ag_state *to = &t->ags[i];

		to->shared = from ? from->ags[i].shared : NULL;
		to->nshared = from ? from->ags[i].nshared : 0;
		to->shared_map = from ? from->ags[i].shared_map : NULL;
		to->shared_first = from ? from->ags[i].shared_first : NULL;
		to->shared_log = from ? from->ags[i].shared_log : 0;
	}
}

/* Traverse the changed inodes in one view, as the first check did. 0 or negative errno. */
static int side_gather(struct repair *rc, struct side *s)
{
	const struct scope scope = { .judge = true, .claims = true, .names = true, .pptrs = true };
	const struct sweep_options options = sweep_options_of(rc);
	struct sink_ops ops = sink_passing_on;
	const struct sink sink = { &ops, s, &rc->run->key };
	struct traverse *t;
	int ret;

	ops.inode = inode_told;
	ops.claim = claim_told;
	ops.entry = entry_told;
	ops.unlinked = unlinked_told;
	ret = traverse_new(&rc->geo, rc->run->device, rc->primary, &scope, &sink, s->findings, &options, &t);
	if (ret)
		return ret;
	lend_shared(t, rc->traverse);
	ret = traverse_these(t, s->changed->inos, s->changed->ninos);
	lend_shared(t, NULL);
	s->totals = traverse_totals(t);
	s->gap = t->incomplete;
	traverse_free(t);
	findings_settle(s->findings);
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

/* True if a finding comes of accounts: it is gone if they balance. */
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

/* True if a finding of damage neither comes of accounts nor was taken off with a changed object. */
static bool stays(void *ctx, const struct found *found)
{
	const struct side *off = ctx;

	return finding_is_damage(found->problem.finding) && !is_of_accounts(found->problem.finding) &&
	       !findings_any(off->findings, is_same, (void *)found);
}

/* ---- what the books say ---- */

/* Why what inodes say can't be corrected; NULL: it can. */
static const char *inodes_not_known(const struct repair *rc, const struct side *off, const struct side *on)
{
	if (off->internal || on->internal)
		return "a file of the file system's own";
	if (off->unlinked || on->unlinked)
		return "an inode without links";
	if (off->realtime || on->realtime)
		return "a realtime file";
	if (off->gap && quota_possible(rc->quota))
		return "quotas, of which a part could not be read before";
	if (off->parents != on->parents)
		return "the tree of directories";
	if (off->usage != on->usage && quota_possible(rc->quota))
		return "quotas";
	return NULL;
}

/* True if a finding says that a block may have two owners. */
static bool is_block_twice(void *ctx, const struct found *found)
{
	const enum finding finding = found->problem.finding;

	(void)ctx;
	return finding == F_SPACE_CLAIMED_TWICE || finding == F_SPACE_FREE_IN_USE || finding == F_SPACE_SHARED_OFTEN ||
	       finding == F_AG_SPACE;
}

/* Why a check of the objects alone is none of the whole; NULL: it is. */
static const char *not_known(struct repair *rc, const struct changed *changed, const struct side *off)
{
	if (!changed_all_claimed(changed))
		return "blocks that belong to no changed inode";
	if (findings_any(rc->findings, stays, (void *)off))
		return "what findings are about";
	return NULL;
}

static bool is_unreadable(void *ctx, const struct found *found)
{
	const enum finding finding = found->problem.finding;

	(void)ctx;
	return finding == F_IO_UNREADABLE || finding == F_INODE_UNREADABLE || finding == F_IO_SHORT;
}

/* True if nothing is missing that groups say, and the device could be read. */
static bool only_inodes_lack(const struct repair *rc)
{
	const struct traverse *t = rc->traverse;
	bool only = true;

	for (unsigned i = 0; i < t->nwalkers && only; i++)
		only = !t->walkers[i]->ntree_gaps;
	for (uint32_t i = 0; i < t->geo->agcount && only; i++) {
		const struct ag_state *ag = &t->ags[i];

		only = ag->have_agf && ag->have_agi && ag->have_agfl && !ag->too_many_inodes;
		for (unsigned kind = 0; kind < BT_AG_NR && only; kind++)
			only = !ag->tree[kind].gap;
	}
	return only && !findings_any(rc->findings, is_unreadable, NULL);
}

/* True if all that is missing is missing from inodes that have changed, and so was taken off in the same way. */
static bool all_gaps_changed(const struct repair *rc, const struct changed *changed)
{
	const struct traverse *t = rc->traverse;

	for (unsigned i = 0; i < t->nwalkers; i++)
		for (size_t k = 0; k < t->walkers[i]->ngaps; k++)
			if (ordered_find(changed->inos, changed->ninos, MEMBER(changed->inos, v),
					 t->walkers[i]->gaps[k].ino.v) == changed->ninos)
				return false;
	return true;
}

/* The same by what is known before anything is read. */
static const char *not_possible(const struct repair *rc)
{
	if (!rc->traverse || !rc->ledger || !rc->quota)
		return "what the first check did not come to";
	if (rc->run->options->exact)
		return "all records, which --exact compares";
	if (rc->traverse->incomplete && !only_inodes_lack(rc))
		return "what could not be read";
	if (findings_cut(rc->findings) || findings_starved(rc->findings))
		return "more findings than are kept";
	return NULL;
}

static bool too_many(const struct repair *rc, const struct changed *changed)
{
	const uint64_t share = traverse_totals(rc->traverse).inodes / SHARE_MOST;

	return changed->ninos > (share > INODES_FEW ? share : INODES_FEW);
}

static bool balances(const struct repair *rc, struct ledger *ledger)
{
	const struct repair with = { .run = rc->run, .geo = rc->geo, .ledger = ledger };

	for (uint32_t g = 0; g < group_count(&rc->geo); g++)
		if (accounts_any_unbalanced(&with, (group_t){ g }))
			return false;
	for (unsigned bucket = 0; bucket < LEDGER_BUCKETS; bucket++)
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++)
			if (!ledger_inodes_balance(ledger, bucket, a))
				return false;
	return true;
}

static void change(uint64_t *total, uint64_t off, uint64_t on)
{
	*total += on - off;
}

static struct totals correct_totals(const struct repair *rc, const struct totals *off, const struct totals *on)
{
	struct totals t = traverse_totals(rc->traverse);

	change(&t.inodes, off->inodes, on->inodes);
	change(&t.free_inodes, off->free_inodes, on->free_inodes);
	change(&t.directories, off->directories, on->directories);
	change(&t.entries, off->entries, on->entries);
	change(&t.extents, off->extents, on->extents);
	change(&t.attributes, off->attributes, on->attributes);
	change(&t.metadata_blocks, off->metadata_blocks, on->metadata_blocks);
	change(&t.metadata_bytes, off->metadata_bytes, on->metadata_bytes);
	change(&t.users.inodes, off->users.inodes, on->users.inodes);
	change(&t.users.names, off->users.names, on->users.names);
	change(&t.users.targets, off->users.targets, on->users.targets);
	change(&t.users.attributes, off->users.attributes, on->users.attributes);
	change(&t.users.data, off->users.data, on->users.data);
	return t;
}

static int correct(struct repair *rc, struct open_books *books, struct side *off, struct side *on)
{
	bool reached = true;
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
	books->files_known = !books->unknown && !rc->traverse->incomplete && !on->gap &&
			     changed_files_known(&books->changed) && !findings_any(rc->findings, is_block_twice, NULL);
	if (!books->unknown)
		books->unknown = not_known(rc, &books->changed, off);
	/* unreachable directories are not reported while something is missing */
	if (!books->unknown && rc->traverse->incomplete)
		ret = connectivity_all_reached(rc, &reached);
	if (!ret && !books->unknown && !reached)
		books->unknown = "the tree of directories";
	if (ret || books->unknown)
		return ret;
	books->ledger = ledger_corrected(rc->ledger, off->ledger, on->ledger);
	if (!books->ledger)
		return -ENOMEM;
	books->totals = correct_totals(rc, &off->totals, &on->totals);
	books->clean = !on->gap && !findings_any(on->findings, is_damage, NULL) && balances(rc, books->ledger);
	return 0;
}

int open_books_correct(struct repair *rc, struct open_books *ret)
{
	struct side off = { 0 }, on = { 0 };
	int error;

	*ret = (struct open_books){ .unknown = not_possible(rc) };
	if (ret->unknown)
		return 0;
	error = changed_find(rc, &ret->changed);
	ret->unknown = ret->changed.unknown;
	if (!error && !ret->unknown && too_many(rc, &ret->changed))
		ret->unknown = "many inodes";
	if (!error && !ret->unknown && !all_gaps_changed(rc, &ret->changed))
		ret->unknown = "what could not be read of other inodes";
	if (error || ret->unknown)
		return error;
	error = correct(rc, ret, &off, &on);
	side_end(&off);
	side_end(&on);
	return error;
}

void open_books_close(struct open_books *books)
{
	changed_free(&books->changed);
	ledger_free(books->ledger);
	*books = (struct open_books){ 0 };
}

struct repair *open_books_check(struct repair *rc, struct open_books *books)
{
	struct repair *check = check_within(rc);

	if (!check)
		return NULL;
	check->primary = malloc(SB_READ_BYTES);
	if (!check->primary) {
		check_again_free(check);
		return NULL;
	}
	memcpy(check->primary, rc->primary, SB_READ_BYTES);
	check->workers = rc->workers;
	check->base = rc;
	check->traverse = rc->traverse;
	check->quota = rc->quota;
	check->dirs = rc->dirs;
	check->ledger = books->ledger;
	check->totals = books->totals;
	books->ledger = NULL;
	return check;
}
