/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects facts about inodes whose names are sought: from the inodes, from directories, and from the inobt. */
#include "sought.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/inobt.h"
#include "check/facts.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"
#include "check/walk/traverse.h"

/* A fact about an inode. */
struct answer {
	xino_t ino;
	enum { ANSWER_IN_USE, ANSWER_UP, ANSWER_STATE } kind;
	bool is_dir;
	uint64_t value; /* link count, target of `..`, enum name_state */
};

int sought_begin(struct name_search *s, struct repair *rc)
{
	s->rc = rc;
	return mend_lanes_new(&s->answers, rc, sizeof(struct answer));
}

static void tell(struct name_search *s, unsigned worker, xino_t ino, int kind, bool is_dir, uint64_t value)
{
	const struct answer answer = { .ino = ino, .kind = kind, .is_dir = is_dir, .value = value };

	mend_lanes_add(&s->answers, worker, &answer);
}

static void add_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct name_search *s = ctx;

	if (ino_set_has(&s->known, inode->ino))
		tell(s, worker, inode->ino, ANSWER_IN_USE, inode->ftype == FT_DIR, inode->nlink);
}

static void add_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct name_search *s = ctx;
	const struct sink sink = names_sink(s->names, &s->rc->run->key);

	if (e->dotdot && ino_set_has(&s->known, e->directory))
		tell(s, worker, e->directory, ANSWER_UP, true, e->target.v);
	sink_tell(&sink, entry, worker, e);
}

static void add_pptr(void *ctx, unsigned worker, const struct pptr_fact *p)
{
	const struct name_search *s = ctx;
	const struct sink sink = names_sink(s->names, &s->rc->run->key);

	sink_tell(&sink, pptr, worker, p);
}

/* Adds the states of sought inodes in this chunk. */
static void add_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *record)
{
	struct name_search *s = ctx;
	const xino_t first = ino_of(&s->rc->geo, agno, record->start);
	const uint64_t existing = inobt_existing(record->holemask);

	if (kind != BT_INO)
		return;
	for (size_t i = ordered_from(s->all, s->sorted, MEMBER(s->all, ino), first.v); i < s->sorted; i++) {
		const uint64_t at = s->all[i].ino.v - first.v;

		if (at >= INODES_PER_CHUNK)
			break;
		tell(s, worker, s->all[i].ino, ANSWER_STATE, false,
		     !(existing >> at & 1)    ? NAME_NO_INODE
		     : record->free >> at & 1 ? NAME_FREE
					      : NAME_IN_USE);
	}
}

struct sought *sought_find(const struct name_search *s, xino_t ino)
{
	const size_t i = ordered_find(s->all, s->sorted, MEMBER(s->all, ino), ino.v);

	return i < s->sorted ? &s->all[i] : NULL;
}

/* Updates s->all with the facts of a traversal. 0 or -ENOMEM. */
static int settle_answers(struct name_search *s)
{
	struct answer *answers = NULL;
	size_t count = 0;
	int ret = mend_lanes_join(&s->answers, &answers, &count);

	for (size_t i = 0; i < count && !ret; i++) {
		struct sought *one = sought_find(s, answers[i].ino);

		if (!one)
			continue;
		if (answers[i].kind == ANSWER_STATE) {
			one->state = (enum name_state)answers[i].value;
		} else if (answers[i].kind == ANSWER_UP) {
			one->up.v = answers[i].value;
		} else {
			one->in_use = true;
			one->links = (uint32_t)answers[i].value;
			one->is_dir = answers[i].is_dir;
		}
	}
	free(answers);
	return ret;
}

/* ---- traversals ---- */

/* Traverses these inodes; NULL: everything in the scope. With scope->wary, damage makes the search doubtful. */
static int traverse(struct name_search *s, const struct scope *scope, const struct sink_ops *ops, const xino_t *inos,
		    size_t count)
{
	const struct sink sink = { ops, s, &s->rc->run->key };
	struct traverse *t = NULL;
	int ret = facts_traverse(s->rc, &s->rc->geo, scope, &sink, &t);

	if (!ret)
		ret = inos ? facts_traverse_these(s->rc, t, inos, count) : facts_traverse_all(s->rc, t);
	if (!ret && scope->wary)
		s->doubtful |= t->incomplete || t->damage;
	traverse_free(t);
	return ret ? ret : settle_answers(s);
}

int sought_read_names(struct name_search *s, const struct ino_set *inos)
{
	static const struct sink_ops ops = { .inode = add_inode, .entry = add_entry, .pptr = add_pptr };
	const struct scope scope = {
		.wary = true, .names = true, .pptrs = s->rc->geo.parent, .pptrs_of = names_kept(s->names)
	};
	xino_t *all = NULL;
	int ret = 0;

	if (inos && ino_set_count(inos) <= facts_near_most(s->rc)) {
		all = ino_set_sorted(inos);
		ret = all ? 0 : -ENOMEM;
	}
	if (!ret)
		ret = traverse(s, &scope, &ops, all, inos ? ino_set_count(inos) : 0);
	free(all);
	return ret ? ret : names_settle(s->names);
}

int sought_read_inodes(struct name_search *s)
{
	static const struct sink_ops ops = { .inode = add_inode };
	const struct scope scope = { 0 };
	xino_t *all = ino_set_sorted(&s->known);
	int ret = all ? 0 : -ENOMEM;

	if (!ret && s->count)
		ret = traverse(s, &scope, &ops, all, s->count);
	free(all);
	return ret;
}

int sought_read_inobts(struct name_search *s)
{
	static const struct sink_ops ops = { .chunk = add_chunk };
	const struct scope scope = { .wary = true, .shallow = true };

	return traverse(s, &scope, &ops, NULL, 0);
}
