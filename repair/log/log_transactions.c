/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembles transactions (ondisk 11, "Operations in the payload").  For every started transaction, the places of its
 * fragments are kept; when it is committed, log_assembly.c makes regions of the fragments, and items of the regions.
 * Items are visited only after the whole transaction has been checked.  Relies on log_examine(), which has found head
 * and tail, and has reported faulty records.
 */
#include "array.h"
#include "log_assembly.h"
#include "log_index.h"
#include "sets/hash.h"

#define BUCKETS 4096u /* of transactions that are not committed yet, by tid */

struct log_walker {
	struct log_assembly assembly;
	struct log_fragments *open[BUCKETS];
	struct hash_key key;  /* for the table */
	size_t memory, limit; /* bytes for the fragments of these transactions */
	size_t most;	      /* as in log_range.most */
	bool *beyond;
	struct log_visit visit;
	struct log_index *index;
	uint32_t commits, commits_max; /* in the current record: so far, and the limit */
	bool stopped;		       /* the log is invalid from here on */
	uint32_t holes;		       /* passed so far */
};

static struct log_fragments **bucket_of(struct log_walker *w, uint32_t tid)
{
	return &w->open[hash2(&w->key, tid, 0) % BUCKETS];
}

static struct log_fragments **find_open(struct log_walker *w, uint32_t tid)
{
	struct log_fragments **at = bucket_of(w, tid);

	while (*at && (*at)->transaction.tid != tid)
		at = &(*at)->next;
	return at;
}

static void close_transaction(struct log_walker *w, struct log_fragments **at)
{
	struct log_fragments *t = *at;

	w->memory -= sizeof(*t) + t->room * sizeof(*t->fragments);
	*at = t->next;
	free(t->fragments);
	free(t);
}

/* Checks how much memory the fragments use.  Returns 0 or -ENOMEM. */
static int judge_memory(const struct log_walker *w)
{
	if (w->memory <= w->limit)
		return 0;
	if (w->beyond)
		*w->beyond = true;
	return w->memory > w->most ? -ENOMEM : 0;
}

static int open_transaction(struct log_walker *w, const struct log_payload *payload, uint32_t tid)
{
	struct log_fragments *t = calloc(1, sizeof(*t)), **bucket = bucket_of(w, tid);

	if (!t)
		return -ENOMEM;
	t->transaction = (struct log_transaction){ .lsn = payload->lsn, .tid = tid, .holes = w->holes };
	t->big_endian = payload->big_endian;
	t->next = *bucket;
	*bucket = t;
	w->memory += sizeof(*t);
	return judge_memory(w);
}

static int add_fragment(struct log_walker *w, struct log_fragments *t, const struct log_op *op, bool first)
{
	size_t room = t->room;
	int ret = array_grow(&t->fragments, &t->room, t->count, sizeof(*t->fragments));

	if (ret)
		return ret;
	w->memory += (t->room - room) * sizeof(*t->fragments);
	t->fragments[t->count++] = (struct log_fragment){
		.record = (uint32_t)w->assembly.records.count - 1, .offset = op->offset, .len = op->len, .first = first
	};
	return judge_memory(w);
}

/* Reports an invalid operation at its place in the log, and stops.  Returns 0. */
static int stop(struct log_walker *w, const struct log_payload *payload, const struct log_op *op, enum finding finding,
		uint64_t got, uint64_t want)
{
	uint32_t at = log_byte(&w->assembly, payload, op->offset - (uint32_t)sizeof(struct log_op_disk));

	w->stopped = true;
	problem_at(w->assembly.c, finding, at, at / LOG_BLOCK, got, want);
	return 0;
}

static int commit(struct log_walker *w, const struct log_payload *payload, struct log_fragments **at)
{
	int ret;

	(*at)->transaction.committed = (struct log_mark){ payload->lsn, w->commits };
	ret = log_assembly_index(&w->assembly, *at);
	if (!ret && w->assembly.broken)
		w->stopped = true;
	else if (!ret && w->index)
		ret = log_index_add(w->index, &w->assembly, *at);
	if (!ret && !w->assembly.broken)
		ret = log_assembly_visit(&w->assembly, *at, w->assembly.items, w->assembly.count, &w->visit);
	w->commits += !w->stopped;
	close_transaction(w, at);
	return ret;
}

static int take_op(struct log_walker *w, const struct log_payload *payload, const struct log_op *op)
{
	struct log_fragments **at = find_open(w, op->tid), *t = *at;
	bool goes_on = op->flags & LOG_OP_WAS_CONT;

	if (op->log_itself)
		return 0;
	if (!t) /* a transaction that started before the tail is on the disk already */
		return op->flags & LOG_OP_START ? open_transaction(w, payload, op->tid) : 0;
	if (op->flags & LOG_OP_START)
		return stop(w, payload, op, F_LOG_TRANSACTION_START, op->tid, 0);
	if (op->flags & ~(LOG_OP_COMMIT | LOG_OP_CONTINUE | LOG_OP_WAS_CONT | LOG_OP_END) ||
	    ((op->flags & LOG_OP_COMMIT) && op->flags != LOG_OP_COMMIT))
		return stop(w, payload, op, F_LOG_OP_FLAGS, op->flags, 0);
	if (goes_on != t->goes_on)
		return stop(w, payload, op, F_LOG_OP_CONTINUED, goes_on, t->goes_on);
	if (op->flags & LOG_OP_COMMIT)
		return commit(w, payload, at);
	t->goes_on = op->flags & LOG_OP_CONTINUE;
	if (op->len == 0 && !goes_on && !t->goes_on)
		return 0;
	return add_fragment(w, t, op, !goes_on);
}

struct op_place {
	const struct log_assembly *assembly;
	const struct log_payload *payload;
};

/* Passes on a problem of an operation, with its offset in the log instead of in the payload. */
static void report_op(void *ctx, const struct problem *problem)
{
	const struct op_place *place = ctx;
	struct problem p = *problem;

	p.offset = log_byte(place->assembly, place->payload, problem->offset);
	p.index = p.offset / LOG_BLOCK;
	place->assembly->c->report(place->assembly->c->ctx, &p);
}

static int take_record(struct log_walker *w, const struct log_payload *payload)
{
	/* visiting items may drop the payload, so it is looked up again after each operation */
	const uint32_t number = (uint32_t)w->assembly.records.count - 1;
	struct log_op_position position = { 0 };
	struct log_op op;
	int ret = 0;

	while (!ret && !w->stopped && w->commits < w->commits_max) {
		struct op_place place = { &w->assembly, payload };
		const struct check c = { w->assembly.c->geo, report_op, &place };

		if (!log_op_next(&c, payload, &position, &op)) {
			w->stopped = position.bad;
			break;
		}
		ret = take_op(w, payload, &op);
		if (!ret)
			ret = log_records_get(&w->assembly.records, number, &payload);
	}
	return ret;
}

static void close_all(struct log_walker *w)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		while (w->open[i])
			close_transaction(w, &w->open[i]);
}

/*
 * Passes the hole at block bb, and drops incomplete transactions.  *ret_blocks: distance of the next whole record.
 * False: there is none.
 */
static bool pass_hole(struct log_walker *w, const struct log_range *range, uint32_t bb, uint32_t *ret_blocks)
{
	const uint32_t bbs = (uint32_t)range->bbs;
	struct log_source source = *range->log;
	uint32_t next = bb;

	close_all(w);
	w->holes++;
	if (!log_find_record(w->assembly.c->geo, log_source_read, &source, bbs, range->state, &next))
		return false;
	*ret_blocks = (uint32_t)(((uint64_t)next + bbs - bb) % bbs);
	return *ret_blocks > 0;
}

/* Reads the records from the tail to range->until, or to the head.  *ret_end: the place where that ended. */
static int take_records(struct log_walker *w, const struct log_range *range, struct log_mark *ret_end)
{
	const struct log_state *state = range->state;
	const struct log_mark until = range->until;
	uint32_t bbs = (uint32_t)w->assembly.records.bbs, tail = (uint32_t)state->tail.v, done = 0;
	uint32_t live = (uint32_t)(((uint64_t)(uint32_t)state->head.v + bbs - tail) % bbs);
	uint32_t cycle = (uint32_t)(state->tail.v >> 32);

	live = live ? live : bbs;
	while (done < live) {
		bool wrapped = done >= bbs - tail;
		uint32_t bb = wrapped ? done - (bbs - tail) : tail + done;
		lsn_t lsn = { (uint64_t)(cycle + wrapped) << 32 | bb };
		const struct log_payload *payload;
		uint32_t blocks;
		int ret;

		*ret_end = (struct log_mark){ lsn, 0 };
		if (lsn.v > until.record.v || (lsn.v == until.record.v && !until.commits))
			return 0;
		ret = log_records_add(&w->assembly.records, bb, &payload);
		/* log_examine() has reported it, or that it is of an earlier lap */
		if (ret == -EIO || (!ret && payload->lsn.v != lsn.v)) {
			if (!range->across)
				return 0;
			if (!pass_hole(w, range, bb, &blocks))
				break;
			done += blocks;
			continue;
		}
		if (ret)
			return ret;
		blocks = payload->blocks;
		w->commits = 0;
		w->commits_max = lsn.v == until.record.v ? until.commits : UINT32_MAX;
		ret = take_record(w, payload);
		ret_end->commits = w->commits;
		if (ret || w->stopped || w->commits == w->commits_max)
			return ret;
		done += blocks;
	}
	*ret_end = (struct log_mark){ state->head, 0 };
	return 0;
}

int log_transactions_each(const struct check *c, const struct log_range *range, log_item_fn *fn, void *ctx,
			  struct log_mark *ret_end)
{
	const struct check silent = check_silent(c->geo);
	struct log_walker w = { .limit = range->limit / 2,
				.most = range->most,
				.beyond = range->beyond,
				.visit = { range->walk, range->wanted, fn, ctx },
				.index = range->index };
	struct log_mark end = { range->state->head, 0 };
	int ret;

	*ret_end = end;
	if (range->state->condition != LOG_DIRTY)
		return 0;
	ret = log_assembly_init(&w.assembly, c, &silent, range->log, range->bbs, range->limit / 2);
	if (!ret)
		ret = hash_key_random(&w.key);
	if (!ret)
		ret = take_records(&w, range, &end);
	close_all(&w);
	if (!ret && range->index)
		log_index_end(range->index, &w.assembly.records);
	log_assembly_free(&w.assembly);
	*ret_end = end;
	return ret;
}
