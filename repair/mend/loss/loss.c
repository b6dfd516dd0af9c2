/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the account of losses.  The first view is the devices without the layer of the repair, so a check that finds no
 * damage need not keep anything for it, and a clean run costs nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "array.h"
#include "check/facts.h"
#include "check/names/search.h"
#include "check/walk/traverse.h"
#include "loss.h"
#include "loss_compare.h"
#include "loss_fact.h"
#include "repair.h"
#include "report/report_losses.h"
#include "run.h"
#include "sets/ordered.h"

/*
 * ---- inode chunks that the inode btrees list after the repair, but not before it ----
 *
 * An inobt that is destroyed does not destroy the inodes: their blocks show what was there, so the account has to
 * compare these as well.
 */

struct loss_unlisted {
	struct facts_chunks *of; /* per AG; NULL: there are none */
	struct inobt_record *records;
};

/* A chunk, by the number of its first inode. */
struct chunk {
	xino_t first;
	struct inobt_record record;
};

struct listing {
	const struct geometry *geo;
	const struct number_set *but; /* first inodes of chunks to leave out; NULL: only the numbers are wanted */
	struct number_set numbers;
	struct chunk *all;
	size_t count, room;
	pthread_mutex_t lock;
	int error;
};

static void list_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	struct listing *l = ctx;
	const struct chunk chunk = { ino_of(l->geo, agno, record->start), *record };
	bool failed = false;

	(void)worker;
	if (kind != BT_INO || !ino_valid(l->geo, chunk.first))
		return;
	pthread_mutex_lock(&l->lock);
	if (!l->but)
		failed = number_set_add(&l->numbers, chunk.first.v) < 0;
	else if (!number_set_has(l->but, chunk.first.v))
		failed = array_add(l->all, l->room, l->count, chunk);
	if (failed)
		l->error = -ENOMEM;
	pthread_mutex_unlock(&l->lock);
}

/* Lists the chunks of these groups, as rc sees them on this side. 0 or negative errno. */
static int list_groups(const struct repair *rc, enum fact_side side, const agno_t *groups, size_t count,
		       struct listing *l)
{
	static const struct sink_ops ops = { .chunk = list_chunk };
	const struct sink sink = { &ops, l, &rc->run->key };
	const struct scope scope = { .shallow = true };
	struct traverse *t = NULL;
	int ret;

	view_show(rc, side);
	ret = facts_traverse(rc, &rc->geo, &scope, &sink, &t);
	if (!ret)
		ret = traverse_these_groups(t, groups, count);
	traverse_free(t);
	return ret ? ret : l->error;
}

/* Gets the groups whose inobt was not whole before the repair, to be freed. NULL: out of memory. */
static agno_t *groups_not_whole(const struct repair *rc, const struct repair *again, size_t *ret_count)
{
	const uint32_t most = rc->geo.agcount < again->geo.agcount ? rc->geo.agcount : again->geo.agcount;
	agno_t *groups = calloc((size_t)most + 1, sizeof(*groups));

	*ret_count = 0;
	for (uint32_t i = 0; groups && i < most; i++)
		if (!ag_tree_whole(&rc->traverse->ags[i], BT_INO))
			groups[(*ret_count)++].v = i;
	return groups;
}

/* Copies the chunks to ret, by group and in order. 0 or -ENOMEM. */
static int arrange(const struct geometry *geo, struct listing *l, struct loss_unlisted *ret)
{
	ret->records = calloc(l->count + 1, sizeof(*ret->records));
	ret->of = calloc(geo->agcount, sizeof(*ret->of));
	if (!ret->records || !ret->of)
		return -ENOMEM;
	ordered_sort(l->all, l->count, MEMBERS(MEMBER(l->all, first)));
	for (size_t i = 0; i < l->count; i++) {
		struct facts_chunks *of = &ret->of[agno_of_ino(geo, l->all[i].first).v];

		ret->records[i] = l->all[i].record;
		if (!of->count++)
			of->v = &ret->records[i];
	}
	return 0;
}

/* Finds them.  rc: the check before the repair; again: the last one.  The caller frees *ret.  0 or negative errno. */
static int loss_unlisted_find(const struct repair *rc, const struct repair *again, struct loss_unlisted *ret)
{
	struct listing before = { .geo = &rc->geo, .lock = PTHREAD_MUTEX_INITIALIZER };
	struct listing after = { .geo = &rc->geo, .but = &before.numbers, .lock = PTHREAD_MUTEX_INITIALIZER };
	size_t count;
	agno_t *groups;
	int error = 0;

	*ret = (struct loss_unlisted){ 0 };
	if (!rc->traverse)
		return 0;
	groups = groups_not_whole(rc, again, &count);
	if (!groups)
		return -ENOMEM;
	if (count)
		error = list_groups(rc, SIDE_BEFORE, groups, count, &before);
	if (count && !error)
		error = list_groups(again, SIDE_AFTER, groups, count, &after);
	if (count && !error)
		error = arrange(&rc->geo, &after, ret);
	free(groups);
	number_set_free(&before.numbers);
	free(after.all);
	return error;
}

static void loss_unlisted_free(struct loss_unlisted *unlisted)
{
	free(unlisted->of);
	free(unlisted->records);
}

/*
 * ---- the paths of everything lost, changed or gained ----
 *
 * They are found among the names that the account has noted or, if there was no room for these, by reading directories.
 * Reading all takes about as long as one traversal of the account, so each inode is first searched for on one side, and
 * on the other only if it has no path there.
 */

static int add_inode(struct ino_set *inos, xino_t ino)
{
	return ino.v && ino.v != NULL_INO ? ino_set_put(inos, ino) : 0;
}

/* Adds the inodes whose paths are reported with a loss, except for where something is now. 0 or -ENOMEM. */
static int add_inodes_of(struct ino_set *inos, const struct loss *l)
{
	const bool named = l->kind == LOSS_NAME;
	int ret = named ? add_inode(inos, l->dir) : 0;

	return !ret && (!named || l->witness == WITNESS_COUNT) ? add_inode(inos, l->ino) : ret;
}

/* Adds inodes without a complete path in `paths`; NULL: all of them. 0 or -ENOMEM. */
static int add_pathless(struct ino_set *inos, const struct ino_set *of, struct paths *paths)
{
	xino_t *all = ino_set_sorted(of);
	int ret = all ? 0 : -ENOMEM;

	for (size_t i = 0; all && i < ino_set_count(of) && !ret; i++) {
		struct path path;

		paths_find(paths, all[i], &path);
		if (path.kind != PATH_WHOLE)
			ret = ino_set_put(inos, all[i]);
	}
	free(all);
	return ret;
}

/* Sorts inodes into those reported by their old path (was) and by their current one (is). 0 or -ENOMEM. */
static int sort_inodes(const struct loss_list *list, bool gained, struct ino_set *was, struct ino_set *is)
{
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++) {
		const struct loss *l = &list->all[i];

		if (l->fate == FATE_GAINED && !gained && losses_left_out(l))
			continue;
		ret = add_inodes_of(l->fate == FATE_GAINED ? is : was, l);
		if (!ret && l->kind == LOSS_NAME)
			ret = add_inode(is, l->now_dir);
	}
	return ret;
}

/* Adds the directories that name these inodes, as far as the first check knows. 0 or -ENOMEM. */
static int add_namers(const struct repair *rc, const struct ino_set *inos, struct ino_set *near)
{
	xino_t *all = rc->paths ? ino_set_sorted(inos) : NULL;
	int ret = rc->paths && !all ? -ENOMEM : 0;

	for (size_t i = 0; all && i < ino_set_count(inos) && !ret; i++)
		ret = paths_directories(rc->paths, all[i], near);
	free(all);
	return ret;
}

static int seek(struct repair *rc, const struct ino_set *inos, const struct ino_set *near,
		const struct names_noted *noted, struct paths **ret_paths)
{
	return paths_seek(rc, inos, near, noted && names_noted_whole(noted) ? noted : NULL, ret_paths);
}

void loss_names_free(struct loss_names *names)
{
	names_noted_free(names->before);
	names_noted_free(names->after);
}

void loss_paths(struct repair *rc, struct repair *again, const struct loss_list *list, const struct loss_names *names,
		bool gained, struct paths **ret_before, struct paths **ret_after)
{
	struct ino_set was = { 0 }, is = { 0 }, before = { 0 }, near = { 0 };
	int ret = sort_inodes(list, gained, &was, &is);

	/* anything without a current path is reported by its old one, and vice versa */
	if (!ret)
		ret = add_pathless(&before, &was, NULL);
	if (!ret)
		ret = add_pathless(&before, &is, NULL);
	if (!ret)
		ret = add_namers(rc, &before, &near);
	if (!ret) {
		view_show(rc, SIDE_BEFORE);
		seek(rc, &before, &near, names->before, ret_before);
		view_show(rc, SIDE_AFTER);
		ret = add_pathless(&is, &was, *ret_before);
	}
	if (!ret)
		seek(again, &is, &near, names->after, ret_after);
	ino_set_free(&near);
	ino_set_free(&was);
	ino_set_free(&is);
	ino_set_free(&before);
}

#define SETS	    4u	 /* sums per inode: the more there are, the fewer records are compared needlessly */
#define SHARE	    4u	 /* sums, and the list of losses, each get 1/SHARE of the memory for records */
#define PASSES_MOST 256u /* maximum number of passes that the records are divided into */

struct account {
	struct repair *rc, *again;
	const struct drops *drops;
	struct doubts *doubts;
	struct view_totals totals[SIDE_AFTER + 1];
	struct loss_list *list;
	struct loss_tally *tally;
	struct seals seals;
	const struct loss_areas *areas;
	struct ino_set not_in_rmapbt; /* files some of whose blocks the rmapbt lacked */
	struct loss_unlisted unlisted;
	struct loss_names *names;
	uint64_t unknown_names; /* names that hash indexes have beyond those of inodes with unknown names */
};

/* ---- sums ---- */

struct sum_lane {
	struct doubts_queue queue;
	struct view_totals totals;
	uint8_t apart[64]; /* keeps lanes in separate cache lines */
};

struct summing {
	struct doubts *doubts;
	const struct hash_key *key;
	struct sum_lane *lanes;
};

static void count_fact(struct view_totals *t, const struct loss_fact *fact, const struct geometry *geo)
{
	switch ((enum fact_kind)fact->kind) {
	case FACT_INODE:
		t->of[LOSS_INODE]++;
		t->of[LOSS_TARGET] += fact->flags == FT_SYMLINK;
		break;
	case FACT_NAME:
		t->of[LOSS_NAME]++;
		break;
	case FACT_BLOCKS:
		t->of[LOSS_DATA] += fact->data ? fact->c << geo->block_log : 0;
		break;
	case FACT_ATTRIBUTE:
		t->of[LOSS_ATTRIBUTE]++;
		break;
	case FACT_UNNAMED:
	case FACT_UNREAD:
		t->gaps++;
		break;
	default:
		break;
	}
	t->bytes += fact_bytes(fact);
}

struct summing_view {
	struct summing *s;
	const struct geometry *geo;
};

static void sum_put(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	const struct summing_view *v = ctx;
	struct sum_lane *l = &v->s->lanes[worker];
	uint64_t sum;

	count_fact(&l->totals, fact, v->geo);
	if (fact->kind == FACT_BLOCKS && !fact->data)
		return; /* the location of directories and maps does not matter to users */
	sum = fact_sum(fact, bytes, v->s->key);
	doubts_post_soon(v->s->doubts, &l->queue, fact->ino, fact->side == SIDE_AFTER ? -sum : sum,
			 (uint32_t)fact_bytes(fact));
}

static const struct geometry *other_geo(const struct account *a, const struct repair *rc)
{
	return rc == a->rc ? &a->again->geo : &a->rc->geo;
}

static const struct facts_chunks *chunks_of_side(const struct account *a, enum fact_side side)
{
	return side == SIDE_BEFORE ? a->unlisted.of : NULL;
}

/* Adds all facts of one view to the sums. 0 or negative errno. */
static int sum_view(struct account *a, const struct repair *rc, enum fact_side side)
{
	struct summing s = { a->doubts, &a->rc->run->key, calloc(rc->workers, sizeof(struct sum_lane)) };
	struct summing_view v = { &s, &rc->geo };
	struct view view = { .other = other_geo(a, rc),
			     .key = &a->rc->run->key,
			     .seals = &a->seals,
			     .areas = a->areas,
			     .also = chunks_of_side(a, side),
			     .side = side,
			     .put = sum_put,
			     .ctx = &v };
	int ret = s.lanes ? view_gather(rc, &view) : -ENOMEM;

	for (unsigned i = 0; s.lanes && i < rc->workers; i++) {
		doubts_post_rest(&s.lanes[i].queue);
		for (unsigned kind = 0; kind < LOSS_NR; kind++)
			a->totals[side].of[kind] += s.lanes[i].totals.of[kind];
		a->totals[side].bytes += s.lanes[i].totals.bytes;
		a->totals[side].gaps += s.lanes[i].totals.gaps;
	}
	free(s.lanes);
	return ret;
}

/* True if a drop is about something of a user's, including any name in a user's directory. */
static bool is_users(const struct account *a, const struct drop *drop)
{
	return drop->kind == LOSS_NAME ||
	       !(dinode_is_internal(&a->rc->geo, drop->ino) || dinode_is_internal(&a->again->geo, drop->ino));
}

/* Puts all inodes with dropped records in doubt. */
static void sum_drops(struct account *a)
{
	for (size_t i = 0; i < a->drops->count; i++) {
		struct loss_fact fact;

		fact_of_drop(&a->drops->all[i], &a->rc->run->key, &fact);
		if (is_users(a, &a->drops->all[i]))
			doubts_post(a->doubts, fact.ino, hash2(&a->rc->run->key, i, fact.ino.v),
				    (uint32_t)fact_bytes(&fact));
	}
}

/* ---- records ---- */

/* Has a view note the names that loss_paths() may need, unless an earlier pass has done that. 0 or -ENOMEM. */
static int note_names(const struct account *a, const struct repair *rc, struct view *view)
{
	struct names_noted **noted = view->side == SIDE_BEFORE ? &a->names->before : &a->names->after;
	const size_t most = rc->run->memory.records / SHARE;
	int ret = 0;

	if (*noted || rc->dirs.count > most / NOTED_BYTES)
		return 0;
	for (size_t i = 0; i < rc->dirs.count && !ret; i++)
		ret = ino_set_put(&view->dirs, dir_table_at(&rc->dirs, i).dir);
	if (!ret)
		view->noted = *noted = names_noted_new(rc->workers, most, true);
	return view->noted ? 0 : -ENOMEM;
}

static int records_of(struct account *a, const struct repair *rc, enum fact_side side, struct loss_facts *facts)
{
	struct view view = { .other = other_geo(a, rc),
			     .key = &a->rc->run->key,
			     .seals = &a->seals,
			     .areas = a->areas,
			     .doubts = a->doubts,
			     .also = chunks_of_side(a, side),
			     .side = side,
			     .put = loss_facts_put,
			     .ctx = facts };
	int ret = note_names(a, rc, &view);

	view_show(a->rc, side);
	if (!ret)
		ret = view_gather(rc, &view);
	ino_set_free(&view.dirs);
	return ret;
}

static void records_of_drops(const struct account *a, struct loss_facts *facts)
{
	for (size_t i = 0; i < a->drops->count; i++) {
		struct loss_fact fact;

		fact_of_drop(&a->drops->all[i], &a->rc->run->key, &fact);
		if (is_users(a, &a->drops->all[i]))
			loss_facts_put(facts, 0, &fact, a->drops->all[i].name);
	}
}

/* Compares one part of the inodes in doubt. 0, -E2BIG if its records don't fit, or another negative errno. */
static int compare_pass(struct account *a, uint32_t pass, uint32_t passes, size_t limit)
{
	struct loss_facts *facts = loss_facts_new(a->rc->workers, limit);
	struct loss_compare compare = { .rc = a->rc,
					.again = a->again,
					.list = a->list,
					.tally = a->tally,
					.seals = &a->seals,
					.areas = a->areas,
					.not_in_rmapbt = &a->not_in_rmapbt,
					.bytes_left = LOSS_COMPARE_MOST / passes,
					.names_missing = a->totals[SIDE_BEFORE].gaps > 0 };
	struct loss_fact **sorted;
	size_t count;
	int ret = facts ? 0 : -ENOMEM;

	if (!ret) {
		loss_facts_want(facts, a->doubts, pass, passes);
		records_of_drops(a, facts);
		ret = records_of(a, a->rc, SIDE_BEFORE, facts);
	}
	if (!ret)
		ret = records_of(a, a->again, SIDE_AFTER, facts);
	if (!ret && loss_facts_full(facts))
		ret = -E2BIG;
	if (!ret) {
		sorted = loss_facts_sorted(facts, &count);
		if (sorted)
			loss_compare(&compare, sorted, count);
		ret = sorted ? compare.error : -ENOMEM;
	}
	loss_facts_free(facts);
	return ret;
}

static int compare_all(struct account *a)
{
	const size_t limit = a->rc->run->memory.records / 2;
	const uint64_t bytes = doubts_share(a->doubts, a->totals[SIDE_BEFORE].bytes + a->totals[SIDE_AFTER].bytes);
	uint32_t passes = bytes / limit < PASSES_MOST ? (uint32_t)(bytes / limit) + 1 : PASSES_MOST;
	int ret = 0;

	for (uint32_t pass = 0; pass < passes && !ret; pass++) {
		ret = compare_pass(a, pass, passes, limit);
		if (ret == -E2BIG && passes < PASSES_MOST && !pass) {
			passes = passes * 4 < PASSES_MOST ? passes * 4 : PASSES_MOST; /* nothing is reported yet */
			pass = UINT32_MAX;
			ret = 0;
		}
	}
	return ret;
}

/* ---- differences that depend on all names ---- */

static int by_place(const struct loss *x, const struct loss *y)
{
	int names;

	if (x->dir.v != y->dir.v)
		return x->dir.v < y->dir.v ? -1 : 1;
	if (x->namelen != y->namelen)
		return x->namelen < y->namelen ? -1 : 1;
	names = memcmp(x->bytes, y->bytes, x->namelen);
	return names ? names : (int)x->fate - (int)y->fate;
}

static int name_order(const void *a, const void *b)
{
	return by_place(*(struct loss *const *)a, *(struct loss *const *)b);
}

/*
 * A name lost for one inode and gained for another was redirected.  If the first inode number is invalid, the name was
 * dangling, and has only been restored.
 */
static void join(struct account *a, struct loss *lost, struct loss *gained)
{
	struct loss_count *names = &a->list->totals.of[LOSS_NAME];

	names->lost--;
	names->gained--;
	gained->kind = LOSS_NR;
	if (lost->reason == DROP_INODE_IMPOSSIBLE || lost->reason == DROP_INODE_FREE)
		a->tally->lost--;
	else
		a->tally->apart++;
	if (lost->reason == DROP_INODE_IMPOSSIBLE) {
		lost->kind = LOSS_NR;
		return;
	}
	lost->fate = FATE_CHANGED;
	lost->from = lost->ino.v;
	lost->to = gained->ino.v;
	names->changed++;
}

/*
 * Removes lost inodes that were not in use and only known from names, if none of these names is lost: they point
 * elsewhere now, and the old target was probably damage.  0 or -ENOMEM.
 */
static int settle_unused_inodes(struct loss_list *list)
{
	struct ino_set named = { 0 };
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++)
		if (list->all[i].kind == LOSS_NAME && list->all[i].fate == FATE_LOST && list->all[i].ino.v)
			ret = ino_set_put(&named, list->all[i].ino);
	for (size_t i = 0; i < list->count && !ret; i++) {
		struct loss *l = &list->all[i];

		if (l->kind != LOSS_INODE || l->fate != FATE_LOST || l->reason != DROP_INODE_FREE ||
		    l->witness != WITNESS_COUNT || ino_set_has(&named, l->ino))
			continue;
		l->kind = LOSS_NR;
		list->totals.of[LOSS_INODE].lost--;
		list->totals.of[LOSS_INODE].hidden--;
		list->totals.files--;
	}
	ino_set_free(&named);
	return ret;
}

/* Returns the names of the list in order of by_place(), to be freed, and their number. NULL: out of memory. */
static struct loss **names_by_place(struct loss_list *list, size_t *ret_count)
{
	struct loss **names = calloc(list->count + 1, sizeof(struct loss *));
	size_t n = 0;

	for (size_t i = 0; i < list->count && names; i++)
		if (list->all[i].kind == LOSS_NAME)
			names[n++] = &list->all[i];
	if (names && n)
		qsort(names, n, sizeof(struct loss *), name_order);
	*ret_count = n;
	return names;
}

/*
 * Subtracts the names that a directory has got back, and lost ones that were found elsewhere, from those that it lacked
 * by its index.  If their number is unknown (0), all have come back, unless files are lost that had unknown names.
 * *hidden: in total, names that may be lost are still counted.  names: in order of by_place(); from `at` on,
 * those of one directory, unknown names first.  Returns their number.
 */
static size_t settle_unknown(const struct account *a, struct loss **names, size_t at, size_t count, uint64_t *hidden)
{
	struct loss *unknown = names[at]->namelen || names[at]->fate != FATE_LOST ? NULL : names[at];
	uint64_t back = 0, listed = 0, perhaps = 0;
	size_t end = at;

	for (; end < count && names[end]->dir.v == names[at]->dir.v; end++) {
		const struct loss *l = names[end];
		const bool found =
			l->kind == LOSS_NAME && l->fate == FATE_LOST && l->namelen && l->witness == WITNESS_ROUND;

		back += l->kind == LOSS_NAME && l->fate == FATE_GAINED;
		listed += found && l->doubt == DOUBT_NONE;
		perhaps += found && l->doubt == DOUBT_FREE;
	}
	if (!unknown || unknown->dir.v == NULL_INO || (!unknown->count && (!back || a->tally->nameless)))
		return end - at;
	unknown->count = beyond(unknown->count, back + listed);
	*hidden += unknown->count;
	unknown->count = beyond(unknown->count, perhaps);
	if (!unknown->count)
		unknown->kind = LOSS_NR;
	return end - at;
}

static int settle_names(struct account *a)
{
	struct loss_list *list = a->list;
	struct loss_count *total = &list->totals.of[LOSS_NAME];
	uint64_t hidden = 0;
	size_t count;
	struct loss **names = names_by_place(list, &count);

	if (!names)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < count; i++) {
		struct loss *x = names[i], *y = names[i + 1];

		if (x->fate == FATE_LOST && y->fate == FATE_GAINED && x->namelen && x->dir.v == y->dir.v &&
		    x->namelen == y->namelen && !memcmp(x->bytes, y->bytes, x->namelen))
			join(a, x, y);
	}
	for (size_t i = 0; i < count;)
		i += settle_unknown(a, names, i, count, &hidden);
	free(names);
	/* reconnected inodes are some of those with missing names */
	a->unknown_names = beyond(hidden, list->names_unknown);
	total->lost += a->unknown_names;
	total->hidden += a->unknown_names;
	return 0;
}

/* Returns how many names the repair has created: those of orphans, and lost+found itself. */
static uint64_t names_made(const struct account *a)
{
	const struct reattachments *again = &a->rc->run->reattached;
	uint64_t made = 0;

	for (size_t i = 0; i < again->count; i++)
		made += again->all[i].by == BY_NOBODY;
	for (size_t i = 0; i < a->list->count; i++) {
		const struct loss *l = &a->list->all[i];

		made += l->kind == LOSS_NAME && l->fate == FATE_GAINED &&
			loss_is_lost_found(a->again, l->dir.v, l->bytes, l->namelen);
	}
	return made;
}

static void set_totals(struct account *a, const uint64_t all[LOSS_NR])
{
	struct losses *l = &a->list->totals;
	uint64_t made = names_made(a);

	for (unsigned kind = 0; kind < LOSS_NR; kind++)
		l->of[kind].all = all[kind] + l->of[kind].lost;
	l->of[LOSS_NAME].all -= made < l->of[LOSS_NAME].all ? made : l->of[LOSS_NAME].all;
	l->known = true;
}

int loss_conclude(struct repair *rc, struct repair *again, struct loss_tally *tally, const uint64_t all[LOSS_NR],
		  struct loss_list *list)
{
	struct account a = { .rc = rc, .again = again, .list = list, .tally = tally };
	int error = settle_names(&a);

	if (!error)
		error = settle_unused_inodes(list);
	if (!error)
		error = loss_figures(rc, again, a.tally, all[LOSS_NAME], a.unknown_names, &list->totals.figures);
	if (!error)
		set_totals(&a, all);
	return error;
}

int loss_account(struct repair *rc, struct repair *again, const struct drops *drops, const struct loss_areas *areas,
		 struct loss_names *names, struct loss_list *ret)
{
	struct loss_tally tally = { 0 };
	struct account a = { .rc = rc,
			     .again = again,
			     .drops = drops,
			     .list = ret,
			     .tally = &tally,
			     .areas = areas,
			     .names = names,
			     .seals.lock = PTHREAD_MUTEX_INITIALIZER };
	int error;

	*ret = (struct loss_list){ .limit = rc->run->memory.records / SHARE };
	a.doubts = doubts_new(inodes_expected(rc) * SETS, rc->run->memory.records / SHARE);
	error = a.doubts ? loss_tally_begin(&tally, &rc->geo) : -ENOMEM;
	if (!error)
		error = loss_not_in_rmapbt(rc, &a.not_in_rmapbt);
	if (!error)
		error = loss_unlisted_find(rc, again, &a.unlisted);
	if (!error) {
		view_show(rc, SIDE_BEFORE);
		error = sum_view(&a, rc, SIDE_BEFORE);
	}
	if (!error) {
		view_show(rc, SIDE_AFTER);
		error = sum_view(&a, again, SIDE_AFTER);
	}
	if (!error) {
		sum_drops(&a);
		doubts_close(a.doubts);
		error = compare_all(&a);
	}
	view_show(rc, SIDE_AFTER);
	if (!error)
		error = loss_conclude(rc, again, &tally, a.totals[SIDE_AFTER].of, ret);
	loss_tally_end(&tally);
	seals_free(&a.seals);
	loss_list_settle(ret);
	loss_unlisted_free(&a.unlisted);
	ino_set_free(&a.not_in_rmapbt);
	doubts_free(a.doubts);
	return error;
}
