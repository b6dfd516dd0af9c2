/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects evidence about AGs and realtime groups, as many at a time as memory allows, and derives what each contains
 * from the claims of all owners.  Claims of the group's own btrees and free list are kept apart, because these are
 * about to be replaced.
 */
#include "base/over_memory.h"
#include "mend_evidence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/by_rmap.h"
#include "check/changed.h"
#include "check/facts.h"
#include "log/leftovers.h"
#include "mend/base/mend.h"
#include "parallel.h"
#include "repair.h"
#include "report.h"
#include "report/trace.h"
#include "run.h"
#include "check/walk/traverse.h"

void mend_agis_of(const struct geometry *geo, const struct traverse *t, struct agi *agis)
{
	for (uint32_t ag = 0; ag < geo->agcount; ag++) {
		agis[ag] = t->ags[ag].agi;
		if (t->ags[ag].have_agi)
			continue;
		agis[ag].newino.v = agis[ag].dirino.v = NULL_AGINO;
		memset(agis[ag].unlinked, 0xff, sizeof(agis[ag].unlinked)); /* NULL_AGINO */
	}
}

int mend_gather(const struct repair *rc, const struct scope *scope, const struct sink *sink,
		const struct facts_chunks *also, struct agi *agis)
{
	struct traverse *t = NULL;
	int ret = facts_traverse(rc, &rc->geo, scope, sink, &t);

	if (ret)
		return ret;
	superblock_facts(&rc->geo, sink);
	ret = facts_traverse_also(rc, t, also);
	if (!ret && agis)
		mend_agis_of(&rc->geo, t, agis);
	traverse_free(t);
	return ret;
}

enum btree_kind mend_free_tree(const struct repair *rc, group_t group)
{
	const struct ag_state *ag;

	if (!rc->traverse || group_is_rt(&rc->geo, group))
		return BT_BNO;
	ag = &rc->traverse->ags[group.v];
	return ag_tree_whole(ag, BT_BNO) || !ag_tree_whole(ag, BT_CNT) ? BT_BNO : BT_CNT;
}

/* Sets e->first. 0 or -ENOMEM. */
static int find_groups(const struct geometry *geo, struct mend_evidence *e)
{
	const struct evidence_records *r = &e->records;
	size_t at = 0;

	e->first = calloc((size_t)group_count(geo) + 1, sizeof(*e->first));
	if (!e->first)
		return -ENOMEM;
	for (uint32_t i = 0; i <= group_count(geo); i++) {
		while (at < r->nuses && r->uses[at].group < i)
			at++;
		e->first[i] = at;
	}
	return 0;
}

/*
 * Returns how many bytes the facts about a group take, as counted by the last check; without a check, all memory for
 * mending.  Without claims there are only chunks, which take little.
 */
static uint64_t bytes_of_group(const struct repair *rc, group_t group, unsigned kinds)
{
	if (!kinds)
		return 0;
	return rc->ledger ? ledger_claim_bytes(rc->ledger, group) : rc->run->memory.mending;
}

/* Starts collecting the uses that are wanted of these groups. 0 or -ENOMEM. */
static int begin(const struct repair *rc, const bool *wanted, unsigned kinds, size_t limit, struct mend_evidence *ret)
{
	uint64_t bytes = 0;

	*ret = (struct mend_evidence){ .agis = calloc(rc->geo.agcount, sizeof(*ret->agis)),
				       .nothing_staged = leftovers_stay(rc) };
	ret->evidence = evidence_new(&rc->geo, rc->workers, &rc->run->key, limit);
	if (!ret->agis || !ret->evidence)
		return -ENOMEM;
	evidence_only_uses(ret->evidence, kinds);
	for (uint32_t i = 0; i < group_count(&rc->geo); i++) {
		const group_t group = { i };

		if (!wanted[i])
			continue;
		evidence_want_blocks(ret->evidence, group, 0, group_length(&rc->geo, group));
		evidence_free_tree(ret->evidence, group, mend_free_tree(rc, group));
		bytes += bytes_of_group(rc, group, kinds);
	}
	memory_for_records(rc, bytes < limit ? bytes : limit);
	return 0;
}

/* Ends collecting, unless it did not fit. 0, -E2BIG or -ENOMEM. */
static int end(const struct repair *rc, struct mend_evidence *e)
{
	int error = evidence_full(e->evidence) ? -E2BIG : evidence_close(e->evidence, &e->records);

	return error ? error : find_groups(&rc->geo, e);
}

static int collect_uses(const struct repair *rc, const bool *wanted, unsigned kinds, size_t limit,
			struct mend_evidence *ret)
{
	/* inodes need not be read for chunks alone */
	const struct scope scope = { .claims = kinds != 0, .shallow = kinds == 0 };
	struct sink sink;
	int error = begin(rc, wanted, kinds, limit, ret);

	if (error)
		return error;
	sink = evidence_sink(ret->evidence);
	error = mend_gather(rc, &scope, &sink, NULL, ret->agis);
	return error ? error : end(rc, ret);
}

/*
 * Likewise for claims, if the rmapbts list them, so that only changed inodes must be read.  *ret_known false: they
 * don't; nothing was collected.
 */
static int collect_by_rmap(struct mend *m, const bool *wanted, size_t limit, struct mend_evidence *ret, bool *ret_known)
{
	struct trace *trace = m->rc->run->trace;
	const uint64_t start = trace_now(trace);
	struct traverse *t = NULL;
	struct changed changed;
	struct sink sink;
	int error = changed_find(m->rc, &changed);

	*ret_known = !error && !changed.unknown;
	*ret = (struct mend_evidence){ 0 };
	if (*ret_known)
		error = begin(m->now, wanted, MEND_CLAIMS, limit, ret);
	if (!error && *ret_known) {
		sink = evidence_sink(ret->evidence);
		error = by_rmap_gather(m->rc, &changed, wanted, &sink, ret_known, &t);
	}
	if (!error && *ret_known) {
		mend_agis_of(&m->now->geo, t, ret->agis);
		error = end(m->now, ret);
		*ret_known = error || !by_rmap_disputed(m->rc, &ret->records);
		trace_say(trace, "claims by the rmapbt: %s", *ret_known ? "known" : "not known, as some are disputed");
		trace_end(trace, start);
	}
	traverse_free(t);
	changed_free(&changed);
	if (!error && !*ret_known)
		mend_evidence_free(ret);
	return error;
}

/* Collects within a memory limit. 0, -E2BIG or another negative errno. */
static int collect_within(struct mend *m, const bool *wanted, unsigned kinds, size_t limit, struct mend_evidence *ret)
{
	bool known = false;
	int error = kinds == MEND_CLAIMS ? collect_by_rmap(m, wanted, limit, ret, &known) : 0;

	return error || known ? error : collect_uses(m->now, wanted, kinds, limit, ret);
}

static bool is_one_group(const struct geometry *geo, const bool *wanted)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < group_count(geo); i++)
		count += wanted[i];
	return count == 1;
}

int mend_evidence_collect(struct mend *m, const bool *wanted, unsigned kinds, struct mend_evidence *ret)
{
	const struct memory *memory = &m->rc->run->memory;
	int error = collect_within(m, wanted, kinds, memory->mending, ret);

	if (error != -E2BIG || memory->alone <= memory->mending || !is_one_group(&m->now->geo, wanted))
		return error;
	mend_evidence_free(ret);
	over_memory(m->rc, OVER_MEMORY_GROUP);
	return collect_within(m, wanted, kinds, memory->alone, ret);
}

int mend_evidence_of_group(struct mend *m, group_t group, unsigned kinds, struct mend_evidence *ret)
{
	bool *wanted = calloc(group_count(&m->now->geo), sizeof(*wanted));
	int error = -ENOMEM;

	*ret = (struct mend_evidence){ 0 };
	if (wanted) {
		wanted[group.v] = true;
		error = mend_evidence_collect(m, wanted, kinds, ret);
	}
	free(wanted);
	return error;
}

void mend_evidence_free(struct mend_evidence *e)
{
	evidence_free(e->evidence);
	free(e->first);
	free(e->agis);
	*e = (struct mend_evidence){ 0 };
}

/*
 * Chooses the next groups whose facts fit into memory together: while they are collected, and later, when a third of
 * them remains along with what is derived for one group, which takes up to three times its facts.  The first group is
 * chosen in any case.  False: none is left.
 */
static bool next_batch(const struct repair *rc, const bool *wanted, bool *batch)
{
	const uint64_t limit = memory_at_a_time(rc);
	uint64_t bytes = 0, largest = 0;
	bool any = false;

	for (uint32_t i = 0; i < group_count(&rc->geo); i++) {
		const uint64_t more = bytes_of_group(rc, (group_t){ i }, MEND_CLAIMS);
		const uint64_t most = more > largest ? more : largest;

		batch[i] = wanted[i] && (!any || (bytes + more <= limit &&
						  (bytes + more) / 3 + most <= (limit + rc->run->memory.window) / 2));
		if (!batch[i])
			continue;
		bytes += more;
		largest = most;
		any = true;
	}
	return any;
}

/* What to do with each group. */
struct visit {
	struct mend *m;
	mend_evidence_work *work; /* NULL: nothing that threads could share */
	mend_evidence_fn *fn;
	void *ctx;
};

/* The groups of a batch. */
struct shared_work {
	const struct visit *visit;
	struct mend_evidence *evidence;
	group_t *groups;
	size_t count;
};

static void work_on(void *ctx, size_t i)
{
	const struct shared_work *s = ctx;

	s->visit->work(s->visit->ctx, s->evidence, s->groups[i]);
}

/* Returns how many threads may work at a time: what is derived from records takes up to three times as much memory. */
static unsigned threads_for(const struct mend *m, const struct mend_evidence *e)
{
	return e->records.nuses * sizeof(*e->records.uses) * 4 <= m->rc->run->memory.records ? m->now->workers : 1;
}

static int work_on_all(const struct visit *v, struct mend_evidence *e, const bool *batch)
{
	uint32_t groups = group_count(&v->m->now->geo);
	struct shared_work s = { .visit = v, .evidence = e };

	if (!v->work)
		return 0;
	s.groups = calloc(groups, sizeof(*s.groups));
	if (!s.groups)
		return -ENOMEM;
	for (uint32_t i = 0; i < groups; i++)
		if (batch[i])
			s.groups[s.count++].v = i;
	parallel_each(threads_for(v->m, e), s.count, work_on, &s);
	free(s.groups);
	return 0;
}

static int visit_alone(const struct visit *v, group_t group)
{
	struct mend_evidence evidence;
	int ret = mend_evidence_of_group(v->m, group, MEND_CLAIMS, &evidence);

	if (!ret && v->work)
		v->work(v->ctx, &evidence, group);
	if (!ret || ret == -E2BIG)
		ret = v->fn(v->ctx, ret ? NULL : &evidence, group);
	mend_evidence_free(&evidence);
	return ret;
}

static int visit_batch(const struct visit *v, bool *wanted, const bool *batch)
{
	struct mend_evidence evidence;
	int ret = mend_evidence_collect(v->m, batch, MEND_CLAIMS, &evidence);
	bool too_large = ret == -E2BIG, one = is_one_group(&v->m->now->geo, batch);

	if (too_large) {
		mend_evidence_free(&evidence);
		ret = 0;
	} else if (!ret) {
		ret = work_on_all(v, &evidence, batch);
	}
	for (uint32_t i = 0; i < group_count(&v->m->now->geo) && !ret; i++) {
		const group_t group = { i };

		if (!batch[i])
			continue;
		wanted[i] = false;
		if (too_large && !one)
			ret = visit_alone(v, group);
		else
			ret = v->fn(v->ctx, too_large ? NULL : &evidence, group);
	}
	mend_evidence_free(&evidence);
	return ret;
}

int mend_evidence_share(struct mend *m, bool *wanted, mend_evidence_work *work, mend_evidence_fn *fn, void *ctx)
{
	const struct visit visit = { m, work, fn, ctx };
	bool *batch = calloc(group_count(&m->now->geo), sizeof(*batch));
	int ret = batch ? 0 : -ENOMEM;

	while (!ret && next_batch(m->now, wanted, batch))
		ret = visit_batch(&visit, wanted, batch);
	free(batch);
	return ret;
}

int mend_evidence_each(struct mend *m, bool *wanted, mend_evidence_fn *fn, void *ctx)
{
	return mend_evidence_share(m, wanted, NULL, fn, ctx);
}

/*
 * Moves claims of the free list and of the btrees to be built to the end; the others stay in order.  Returns the number
 * of the others.
 */
static size_t set_apart(struct use *uses, size_t count, bool inodes)
{
	size_t others = 0;

	for (size_t i = 0; i < count; i++) {
		struct use use = uses[i];

		if (mend_owner_is_tree(use.owner) && (inodes || use.owner != OWNER_INOBT))
			continue;
		uses[i] = uses[others];
		uses[others++] = use;
	}
	return others;
}

static int chunks_of(const struct mend_evidence *e, agno_t agno, struct inobt_record **ret_chunks, size_t *ret_count)
{
	const struct evidence_records *r = &e->records;
	struct inobt_record *chunks = calloc(r->nchunks + 1, sizeof(*chunks));
	size_t n = 0;

	if (!chunks)
		return -ENOMEM;
	for (size_t i = 0; i < r->nchunks; i++)
		if (r->chunks[i].agno.v == agno.v && r->chunks[i].kind == BT_INO)
			chunks[n++] = r->chunks[i].record;
	*ret_chunks = chunks;
	*ret_count = n;
	return 0;
}

/*
 * Drops claims of extents staged for copy on write that overlap other claims, and all of them if no recovery of the log
 * is due: no file has them yet.  The claims are, and stay, sorted by start.  Returns how many are left.
 */
static size_t drop_staging(const struct mend_evidence *e, struct use *claims, size_t count)
{
	size_t kept = 0, other = 0; /* other: next claim that is not staged */
	uint64_t end = 0;	    /* highest end of the claims so far */

	for (size_t i = 0; i < count; i++) {
		const struct use use = claims[i];

		if (use.owner == OWNER_COW) {
			for (other = other < i ? i : other; other < count && claims[other].owner == OWNER_COW;)
				other++;
			if (e->nothing_staged || end > use.start ||
			    (other < count && claims[other].start < use.start + use.len))
				continue;
		}
		claims[kept++] = use;
		if (end < use.start + use.len)
			end = use.start + use.len;
	}
	return kept;
}

struct use *mend_evidence_claims(const struct mend_evidence *e, group_t group, size_t *ret_count)
{
	const struct evidence_records *r = &e->records;
	size_t first = e->first[group.v], end = first;

	/* in each group, claims come before other uses */
	while (end < e->first[group.v + 1] && r->uses[end].kind == USE_CLAIM)
		end++;
	*ret_count = drop_staging(e, r->uses + first, end - first);
	return r->uses + first;
}

int mend_evidence_contents(struct mend_evidence *e, agno_t agno, bool inodes, struct ag_contents *ret_contents,
			   struct inobt_record **ret_chunks)
{
	struct ag_contents c = { .agno = agno, .agi = e->agis[agno.v] };
	size_t count;
	struct use *claims = mend_evidence_claims(e, group_of_ag(agno), &count);
	int ret = 0;

	*ret_chunks = NULL;
	c.claims = claims;
	c.nclaims = set_apart(claims, count, inodes);
	c.old = c.claims + c.nclaims;
	c.nold = count - c.nclaims;
	if (inodes)
		ret = chunks_of(e, agno, ret_chunks, &c.nchunks);
	c.chunks = *ret_chunks;
	if (!ret)
		*ret_contents = c;
	return ret;
}

bool mend_owners_unknown(const struct repair *now, bool realtime)
{
	const struct traverse *t = now->traverse;

	for (uint32_t ag = 0; ag < now->geo.agcount; ag++)
		if (!t->ags[ag].have_agi || t->ags[ag].tree[BT_INO].gap)
			return true;
	for (unsigned i = 0; i < t->nwalkers; i++) {
		for (size_t j = 0; j < t->walkers[i]->ngaps; j++) {
			unsigned what = t->walkers[i]->gaps[j].what;

			if (what & GAP_CLAIMS && !(realtime && what & GAP_RTFILE))
				return true;
		}
	}
	return false;
}
