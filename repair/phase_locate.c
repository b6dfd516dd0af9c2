/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the wrong records behind accounts that don't balance.  The same traversal runs again with a sink that keeps
 * facts about groups and inodes in doubt as records, as many at a time as fit into memory.  Each difference is a
 * finding about an object.  The account itself is the finding if no difference was found or its records did not fit.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "check/books/books.h"
#include "check/by_rmap.h"
#include "check/changed.h"
#include "check/facts.h"
#include "check/locate/locate.h"
#include "parallel.h"
#include "check/prove.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/trace.h"
#include "report/words.h"
#include "run.h"
#include "check/walk/walker.h"

/* A part of the file system whose facts are collected at one time. */
struct job {
	bool inodes;
	bool by_rmap;	   /* the group's rmapbt may replace reading all claims (by_rmap.h) */
	uint32_t which;	   /* group, or bucket of inodes */
	uint64_t from, to; /* blocks [from, to) of the group, or pass `from` of `to` over the bucket */
	uint64_t bytes;	   /* that its records probably take */
};

struct plan {
	struct locate l;
	struct changed suspects; /* inodes with findings, if only these may contradict the rmapbts */
	bool strays_lost;	 /* as in struct compared, or strays were not searched for */
	bool all_inodes;	 /* all inodes are in doubt, even if their accounts balance */
	uint64_t limit;		 /* bytes of evidence at a time */
	struct job *jobs;	 /* taken from the end */
	size_t njobs, room;
	unsigned *group_settled, bucket_settled[LEDGER_BUCKETS]; /* bits per account */
};

static int add_job(struct plan *p, const struct job *job)
{
	return array_add(p->jobs, p->room, p->njobs, *job);
}

/* ---- finding accounts in doubt ---- */

static bool group_in_doubt(const struct repair *rc, group_t group)
{
	return rc->run->options->exact || accounts_any_unbalanced(rc, group);
}

static bool bucket_in_doubt(const struct repair *rc, unsigned bucket)
{
	for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++)
		if (!ledger_inodes_balance(rc->ledger, bucket, a))
			return true;
	return false;
}

/*
 * Sets *ret_all if all inodes are in doubt: with --exact, or, if entries have no types, if links don't balance or an
 * entry contradicts a `..`.  Without types no sum compares entries with `..`.  Returns 0 or a negative errno.
 */
static int all_buckets_in_doubt(const struct repair *rc, bool *ret_all)
{
	*ret_all = rc->run->options->exact;
	if (rc->geo.ftype || *ret_all)
		return 0;
	for (unsigned b = 0; b < LEDGER_BUCKETS && !*ret_all; b++)
		*ret_all = !ledger_inodes_balance(rc->ledger, b, ACCOUNT_LINKS);
	return *ret_all ? 0 : locate_untyped(rc, ret_all);
}

/* True if, by the first check, the group's rmapbt may have all claims except the suspects'. */
static bool may_go_by_rmap(const struct plan *p, group_t group)
{
	const struct repair *rc = p->l.rc;

	return !rc->early.over && !rc->run->options->exact && !rc->run->intents && !group_is_rt(&rc->geo, group) &&
	       rc->geo.rmapbt && !accounts_unbalanced(rc, group, ACCOUNT_UNLINKED) &&
	       (p->suspects.ninos || (!rc->traverse->incomplete && !accounts_unbalanced(rc, group, ACCOUNT_RMAP)));
}

/* Finds the suspects if facts are missing or an rmapbt lacks claims.  Returns 0 or a negative errno. */
static int find_suspects(struct plan *p)
{
	struct repair *rc = p->l.rc;
	bool needed = rc->traverse->incomplete;
	int ret = 0;

	if (rc->early.over || !rc->geo.rmapbt)
		return 0;
	for (uint32_t g = 0; g < rc->geo.agcount && !needed; g++)
		needed = accounts_unbalanced(rc, (group_t){ g }, ACCOUNT_RMAP);
	if (needed) {
		findings_settle(rc->findings);
		ret = changed_find(rc, &p->suspects);
	}
	if (p->suspects.unknown)
		changed_free(&p->suspects);
	return ret;
}

static int find_doubts(struct plan *p, unsigned accounts)
{
	const struct repair *rc = p->l.rc;
	int ret = accounts & LOCATE_INODES ? all_buckets_in_doubt(rc, &p->all_inodes) : 0;

	if (!ret && accounts & LOCATE_GROUPS)
		ret = find_suspects(p);
	for (uint32_t g = accounts & LOCATE_GROUPS ? group_count(&rc->geo) : 0; g-- && !ret;) {
		const group_t group = { g };
		const struct job job = { .by_rmap = may_go_by_rmap(p, group),
					 .which = g,
					 .to = group_length(&rc->geo, group),
					 .bytes = ledger_group_bytes(rc->ledger, group) };

		if (group_in_doubt(rc, group))
			ret = add_job(p, &job);
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS && accounts & LOCATE_INODES && !ret; b++) {
		const struct job job = {
			.inodes = true, .which = b, .to = 1, .bytes = ledger_inode_bytes(rc->ledger, b)
		};

		if (p->all_inodes || bucket_in_doubt(rc, b))
			ret = add_job(p, &job);
		/* attribute forks need not be read for links alone */
		p->l.pptrs |= rc->geo.parent && (p->all_inodes || !ledger_inodes_balance(rc->ledger, b, ACCOUNT_PPTRS));
	}
	return ret;
}

/* ---- narrowing down the inodes ---- */

/* Traverses names and parent pointers, and adds up their facts by small sets of inodes. */
static int sum_up_inodes(const struct repair *rc, struct doubts *doubts)
{
	const struct scope scope = { .names = true, .pptrs = rc->geo.parent };
	struct ledger *ledger = ledger_new(&rc->geo, rc->workers, &rc->run->key);
	struct sink sink;
	int ret;

	if (!ledger)
		return -ENOMEM;
	ledger_post_doubts(ledger, doubts);
	sink = ledger_sink(ledger);
	ret = facts_gather_settled(rc, &scope, &sink);
	ledger_close(ledger);
	ledger_free(ledger);
	doubts_close(doubts);
	return ret;
}

/* Returns the bytes that the first `count` jobs probably take. */
static uint64_t bytes_of_jobs(const struct plan *p, size_t count)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += p->jobs[i].bytes;
	return bytes;
}

/*
 * Finds out which inodes of the buckets are in doubt: if they are few, this one traversal saves several.  Lowers the
 * expected bytes of the inode jobs.
 */
static int narrow_down(struct plan *p)
{
	struct repair *rc = p->l.rc;
	uint64_t inodes = 0;
	int ret = 0;

	for (size_t i = 0; i < p->njobs; i++)
		inodes += p->jobs[i].inodes ? p->jobs[i].bytes : 0;
	if (p->all_inodes || !inodes)
		return 0;
	if (!rc->doubts && bytes_of_jobs(p, p->njobs) > rc->run->memory.records) {
		rc->doubts = doubts_new(inodes_expected(rc), rc->run->memory.records / 2);
		ret = rc->doubts ? sum_up_inodes(rc, rc->doubts) : -ENOMEM;
	}
	for (size_t i = 0; i < p->njobs && rc->doubts && !ret; i++)
		if (p->jobs[i].inodes)
			p->jobs[i].bytes = doubts_share(rc->doubts, p->jobs[i].bytes);
	return ret;
}

/* ---- collecting evidence ---- */

static void want_blocks(struct plan *p, const struct job *job, struct evidence *evidence)
{
	const group_t group = { job->which };

	evidence_want_blocks(evidence, group, job->from, job->to);
	evidence_free_tree(evidence, group, locate_free_tree(&p->l, group));
}

/* Collects the claims of the wanted groups from their rmapbts.  *ret_known: false if the rmapbts can't be used. */
static int collect_by_rmap(struct plan *p, size_t count, const struct sink *sink, bool *ret_known)
{
	struct repair *rc = p->l.rc;
	struct trace *trace = rc->run->trace;
	const uint64_t start = trace_now(trace);
	bool *wanted = calloc(group_count(&rc->geo), sizeof(*wanted));
	struct sink_ops ops = *sink->ops;
	const struct sink of_blocks = { &ops, sink->ctx, sink->key };
	int ret = -ENOMEM;

	/* names of suspects are gathered with those of all inodes */
	ops.inode = NULL;
	ops.entry = NULL;
	ops.pptr = NULL;
	for (size_t i = p->njobs - count; i < p->njobs && wanted; i++)
		if (!p->jobs[i].inodes)
			wanted[p->jobs[i].which] = true;
	if (wanted)
		ret = by_rmap_gather(rc, &p->suspects, wanted, &of_blocks, ret_known, NULL);
	if (!ret) {
		trace_say(trace, "claims by the rmapbt, for places: %s", *ret_known ? "known" : "not known");
		trace_end(trace, start);
	}
	free(wanted);
	return ret;
}

/* Collects the evidence for the last `count` jobs.  *ret_known: false: rmapbts could not be used, so discard it. */
static int collect_evidence(struct plan *p, size_t count, struct evidence *evidence, bool *ret_known)
{
	struct repair *rc = p->l.rc;
	const struct sink sink = evidence_sink(evidence);
	struct sink_ops ops = *sink.ops;
	const struct sink of_inodes = { &ops, sink.ctx, sink.key };
	struct scope scope = { 0 };
	bool by_rmap = false;
	int ret = 0;

	for (size_t i = p->njobs - count; i < p->njobs; i++) {
		const struct job *job = &p->jobs[i];

		if (job->inodes)
			evidence_want_inodes(evidence, job->which, (uint32_t)job->from, (uint32_t)job->to);
		else
			want_blocks(p, job, evidence);
		scope.claims |= !job->inodes && !job->by_rmap;
		by_rmap |= !job->inodes && job->by_rmap;
		scope.names |= job->inodes;
		scope.pptrs |= job->inodes && p->l.pptrs;
	}
	if (!p->all_inodes && rc->doubts)
		evidence_only_doubts(evidence, rc->doubts);
	if (p->limit > rc->run->memory.records)
		memory_for_records(rc, p->limit);
	else if (!prove_spares_blocks(rc))
		memory_keep_blocks(rc);
	*ret_known = true;
	by_rmap &= !scope.claims;
	if (by_rmap)
		ret = collect_by_rmap(p, count, &sink, ret_known);
	/* already collected from the rmapbts; a second time would double them */
	ops.claim = NULL;
	ops.chunk = NULL;
	if (!ret && *ret_known && (scope.claims || scope.names))
		ret = facts_gather_settled(rc, &scope, by_rmap ? &of_inodes : &sink);
	return ret;
}

/* ---- comparing ---- */

#define ALONE	     4096u /* with fewer records, one thread compares */
#define INODE_RANGES 16u   /* ranges of inodes, for threads to take */

/* The result of one thread. */
struct compared {
	uint64_t explained; /* as in struct locate */
	unsigned bucket_settled[LEDGER_BUCKETS];
	struct ino_set namers, strays; /* as in struct locate */
	bool strays_lost;	       /* not all strays are among them */
	int error;
};

/* Shared by all threads: each takes the next range of inodes, then the next group job. */
struct comparing {
	struct plan *p;
	size_t first;	       /* index of the first job in plan.jobs */
	size_t end;	       /* number of ranges plus jobs */
	size_t next;	       /* the next range or job; atomic */
	struct compared *done; /* one per thread */
};

static int compare_group(struct plan *p, struct locate *l, const struct job *job)
{
	const struct geometry *geo = &l->rc->geo;
	const group_t group = { job->which };
	bool rt = group_is_rt(geo, group);
	int ret = 0;

	l->settled = 0;
	if (!rt || !geo->zoned) /* free blocks of a zone are recorded nowhere */
		ret = locate_space(l, group, job->from, job->to);
	if (!ret && (!rt || geo->metadir))
		ret = locate_rmap(l, group);
	if (!rt) {
		locate_freesize(l, group);
		locate_finobt(l, group);
		if (!job->by_rmap)
			locate_unlinked(l, group);
	}
	p->group_settled[job->which] |= l->settled;
	return ret;
}

/* Returns the inode number at which a range begins: 0 for the first.  All ranges have about as many links. */
static uint64_t range_begins(const struct evidence_records *r, size_t range)
{
	return range && r->nlinks ? r->links[r->nlinks * range / INODE_RANGES].key.v : 0;
}

static void compare_inodes(struct locate *l, size_t range, struct compared *done)
{
	const bool last = range + 1 == INODE_RANGES;
	const xino_t first = { range_begins(&l->records, range) };
	const xino_t end = { last ? 0 : range_begins(&l->records, range + 1) };

	locate_inodes(l, first, last ? NULL : &end, done->bucket_settled);
}

static void compare_some(void *ctx, size_t thread)
{
	struct comparing *c = ctx;
	struct compared *done = &c->done[thread];
	struct locate l = c->p->l;
	size_t i;

	l.w = l.rc->traverse->walkers[thread];
	l.explained = 0;
	l.namers = &done->namers;
	l.strays = &done->strays;
	while (!done->error && (i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->end) {
		if (i < INODE_RANGES)
			compare_inodes(&l, i, done);
		else if (!c->p->jobs[c->first + i - INODE_RANGES].inodes)
			done->error = compare_group(c->p, &l, &c->p->jobs[c->first + i - INODE_RANGES]);
	}
	done->explained = l.explained;
	done->strays_lost = !l.strays;
}

/* Shows the number of comparisons that have begun. */
static void look_at_comparing(const void *ctx, struct report_work_state *state)
{
	const struct comparing *c = ctx;

	state->done = __atomic_load_n(&c->next, __ATOMIC_RELAXED);
}

static int compare_jobs(struct plan *p, size_t count)
{
	const struct evidence_records *r = &p->l.records;
	size_t records = r->nuses + r->nchunks + r->nunlinked + r->ninodes + r->nlinks;
	unsigned threads = records < ALONE ? 1 : p->l.rc->traverse->nwalkers;
	struct comparing c = { .p = p, .first = p->njobs - count, .end = INODE_RANGES + count };
	int ret = 0;

	c.done = calloc(threads, sizeof(*c.done));
	if (!c.done)
		return -ENOMEM;
	report_progress(
		p->l.rc->report,
		&(struct report_work){ .look = look_at_comparing, .ctx = &c, .total = c.end, .unit = "comparisons" });
	parallel_each(threads, threads, compare_some, &c);
	report_progress_end(p->l.rc->report);
	for (unsigned i = 0; i < threads; i++) {
		p->l.explained += c.done[i].explained;
		ret = ret ? ret : c.done[i].error;
		if (!ret)
			ret = ino_set_put_all(&p->l.rc->namers, &c.done[i].namers);
		if (!ret)
			ret = ino_set_keep_lowest(&p->l.rc->namers, NAMERS_MOST);
		if (!ret)
			ret = ino_set_put_all(&p->l.rc->strays, &c.done[i].strays);
		p->strays_lost |= c.done[i].strays_lost;
		ino_set_free(&c.done[i].namers);
		ino_set_free(&c.done[i].strays);
		for (unsigned b = 0; b < LEDGER_BUCKETS; b++)
			p->bucket_settled[b] |= c.done[i].bucket_settled[b];
	}
	free(c.done);
	return ret;
}

/* Halves the last job, which does not fit into memory.  False: it can't be split. */
static bool split_job(struct plan *p)
{
	struct job *last = &p->jobs[p->njobs - 1], half = *last;

	if (last->inodes) {
		if (last->to > UINT32_MAX / 2)
			return false;
		last->to = half.to = 2 * last->to;
		half.from = last->from + last->to / 2;
	} else {
		if (last->to - last->from < 2)
			return false;
		last->to = half.from = last->from + (last->to - last->from) / 2;
	}
	last->bytes = half.bytes = last->bytes / 2;
	return !add_job(p, &half);
}

/*
 * Returns how many of the last jobs, at least one, probably fit into memory together.  No two are parts of one group or
 * bucket, since evidence is collected for one part of each at a time.
 */
static size_t batch(struct plan *p)
{
	uint64_t bytes = 0;
	size_t count = 0;

	while (p->jobs[p->njobs - 1].bytes > p->limit && split_job(p))
		;
	while (count < p->njobs) {
		const struct job *job = &p->jobs[p->njobs - 1 - count];

		if (count &&
		    (bytes + job->bytes > p->limit || (job[1].inodes == job->inodes && job[1].which == job->which)))
			break;
		bytes += job->bytes;
		count++;
	}
	return count;
}

/* Compares the evidence collected for the last `count` jobs, and frees it.  Returns 0 or a negative errno. */
static int run_collected(struct plan *p, size_t count, struct evidence *evidence)
{
	int ret = evidence_close(evidence, &p->l.records);

	if (!ret)
		ret = compare_jobs(p, count);
	evidence_free(evidence);
	return ret;
}

/* Makes the last `count` jobs get their claims from a sweep. */
static void forget_rmaps(struct plan *p, size_t count)
{
	for (size_t i = p->njobs - count; i < p->njobs; i++)
		p->jobs[i].by_rmap = false;
}

/* Collects and compares evidence for the last `count` jobs.  *ret_fit: false if it did not fit into memory. */
static int run_batch(struct plan *p, size_t count, bool *ret_fit)
{
	struct repair *rc = p->l.rc;
	struct evidence *evidence = evidence_new(&rc->geo, rc->workers, &rc->run->key, p->limit);
	bool known = true;
	int ret = evidence ? collect_evidence(p, count, evidence, &known) : -ENOMEM;

	if (!ret && !known) {
		evidence_free(evidence);
		forget_rmaps(p, count);
		return run_batch(p, count, ret_fit);
	}
	*ret_fit = !ret && !evidence_full(evidence);
	if (*ret_fit)
		return run_collected(p, count, evidence);
	evidence_free(evidence);
	return ret;
}

#define GIVEN_UP (1u << 31) /* a bit beside those of the accounts in group_settled and bucket_settled */

/* Notes that a part of a group or bucket was too large to compare: its other parts don't settle its accounts. */
static void give_up(struct plan *p, const struct job *job)
{
	*(job->inodes ? &p->bucket_settled[job->which] : &p->group_settled[job->which]) |= GIVEN_UP;
}

static void unsettle_given_up(unsigned *settled, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (settled[i] & GIVEN_UP)
			settled[i] = 0;
}

/* Returns the bytes of evidence at a time: more than the usual share of memory if that saves traversals. */
static uint64_t choose_limit(const struct plan *p)
{
	const struct repair *rc = p->l.rc;

	return bytes_of_jobs(p, p->njobs) > rc->run->memory.records ? memory_at_a_time(rc) : rc->run->memory.records;
}

/* Raises the expected size of all jobs: the records of the last `count` did not fit. */
static void expect_more(struct plan *p, size_t count)
{
	for (size_t i = 0; i < p->njobs; i++)
		p->jobs[i].bytes = 2 * p->jobs[i].bytes + p->limit / count;
}

/* Reports which part comes next, if there are several: progress starts again with each. */
static void tell_pass(const struct plan *p, size_t count, unsigned done)
{
	const uint64_t behind = bytes_of_jobs(p, p->njobs - count);
	struct words step = { 0 };

	if (!done && count == p->njobs)
		return;
	words_add(&step, "part %u of about ", done + 1);
	words_add_number(&step, done + 1 + (behind + p->limit - 1) / p->limit);
	report_step(p->l.rc->report, step.text, NULL);
}

static int run_jobs(struct plan *p)
{
	struct evidence *early;
	bool groups = false;
	unsigned done = 0;
	int ret = 0;

	for (size_t i = 0; i < p->njobs; i++)
		groups |= !p->jobs[i].inodes;
	if (!p->njobs)
		locate_early_free(p->l.rc);
	early = locate_early_take(&p->l, groups, p->all_inodes);
	if (early)
		return run_collected(p, p->njobs, early);
	ret = narrow_down(p);
	p->limit = choose_limit(p);
	while (p->njobs && !ret) {
		size_t count = batch(p);
		bool fit = true;

		tell_pass(p, count, done);
		ret = run_batch(p, count, &fit);
		if (!ret && !fit && count > 1) {
			expect_more(p, count);
			continue;
		}
		if (!fit && split_job(p))
			continue;
		if (!fit)
			give_up(p, &p->jobs[p->njobs - 1]);
		p->njobs -= count;
		done++;
	}
	if (done > 1)
		report_step(p->l.rc->report, "", NULL);
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++)
		p->strays_lost |= (p->bucket_settled[b] & GIVEN_UP) != 0;
	unsettle_given_up(p->group_settled, group_count(&p->l.rc->geo));
	unsettle_given_up(p->bucket_settled, LEDGER_BUCKETS);
	return ret;
}

enum phase_result locate_accounts(struct repair *rc, unsigned accounts)
{
	struct plan p = { .l = { .rc = rc, .w = rc->traverse->walkers[0] } };
	struct words note = { 0 };
	int ret = -ENOMEM;

	p.group_settled = calloc(group_count(&rc->geo), sizeof(*p.group_settled));
	if (p.group_settled)
		ret = locate_gaps_find(&p.l);
	if (!ret)
		ret = find_doubts(&p, accounts);
	if (!ret)
		ret = run_jobs(&p);
	if (!ret)
		accounts_check(rc, p.l.w, accounts & LOCATE_GROUPS ? p.group_settled : NULL,
			       accounts & LOCATE_INODES ? p.bucket_settled : NULL);
	if (accounts & LOCATE_INODES)
		rc->strays_known = !ret && !p.strays_lost && ino_set_count(&rc->strays) <= facts_near_most(rc);
	if (!ret && p.l.explained) {
		words_add_count(&note, p.l.explained, "mismatch caused only by unreadable metadata is not listed.",
				"mismatches caused only by unreadable metadata are not listed.");
		report_note(rc->report, note.text);
	}
	free(p.group_settled);
	changed_free(&p.suspects);
	locate_gaps_free(&p.l);
	free(p.jobs);
	return ret ? failed(rc, "finding the places of what is wrong", ret) : PHASE_DONE;
}

enum phase_result phase_locate(struct repair *rc)
{
	enum phase_result result = locate_accounts(rc, LOCATE_GROUPS | LOCATE_INODES);

	rc->early.over = true;
	return result;
}
