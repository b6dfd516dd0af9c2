/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of an inode before and after.  A lost name is changed if the inode has another one in the same directory by
 * now; if a mender has given it one since nothing told its own, that is told with it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "loss_sides.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

static bool same_name(const struct loss_fact *a, const struct loss_fact *b)
{
	return a->a == b->a && a->b == b->b && a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

struct one_name {
	const struct loss_fact *fact; /* NULL: it has been told */
	struct sides sides;
};

/* Names that only one view has. */
struct name_list {
	struct one_name *all;
	size_t count, room;
};

static void add_name(struct loss_compare *c, struct name_list *list, const struct loss_fact *name,
		     const struct sides *sides)
{
	const struct one_name one = { name, *sides };

	if (array_add(list->all, list->room, list->count, one))
		c->error = -ENOMEM;
}

/* The inode in the list of those that menders have given a name; NULL: it is not there. */
static const struct reattached *find_reattached(const struct repair *rc, xino_t ino)
{
	const struct reattachments *list = &rc->run->reattached;
	const size_t i = ordered_find(list->all, list->count, MEMBER(list->all, ino), ino.v);

	return i < list->count ? &list->all[i] : NULL;
}

static bool is_reattached(const struct repair *rc, xino_t ino)
{
	return find_reattached(rc, ino);
}

/* True if a mender has given the inode a name because nothing told its own. */
static bool is_orphan(const struct repair *rc, xino_t ino)
{
	const struct reattached *one = find_reattached(rc, ino);

	return one && one->by == BY_NOBODY;
}

/* Take a gained name out of the list: one in this directory, or any if that is NULL_INO. NULL: there is none. */
static const struct loss_fact *take_gained(struct name_list *gained, uint64_t dir)
{
	for (size_t i = 0; i < gained->count; i++) {
		const struct loss_fact *name = gained->all[i].fact;

		if (name && (dir == NULL_INO || name->a == dir)) {
			gained->all[i].fact = NULL;
			return name;
		}
	}
	return NULL;
}

enum drop_reason loss_reason_of_inode(const struct loss_compare *c, const struct inode_facts *f)
{
	if (!ino_valid(&c->rc->geo, f->ino))
		return DROP_INODE_IMPOSSIBLE;
	if (!ino_valid(&c->again->geo, f->ino))
		return DROP_CUT_OFF;
	if (f->dropped && f->dropped->reason != DROP_UNKNOWN)
		return f->dropped->reason;
	return f->before || f->of[FACT_UNREAD].count ? DROP_INODE_LOST : DROP_INODE_FREE;
}

static enum drop_reason reason_of_name(const struct loss_compare *c, const struct inode_facts *f, const struct sides *s)
{
	const struct loss_fact *dropped = s->of[SIDE_DROPPED];

	if (dropped && dropped->reason != DROP_UNKNOWN && dropped->reason != DROP_INODE_IMPOSSIBLE)
		return dropped->reason;
	return f->after ? DROP_UNKNOWN : loss_reason_of_inode(c, f);
}

static void tell_lost_name(struct loss_compare *c, struct inode_facts *f, const struct loss_fact *name,
			   const struct sides *s, struct name_list *gained)
{
	const struct loss_fact *renamed = take_gained(gained, name->a), *now = renamed;
	struct loss loss = loss_of(f, LOSS_NAME, renamed ? FATE_CHANGED : FATE_LOST);

	if (!now && f->after && is_orphan(c->rc, f->ino))
		now = take_gained(gained, NULL_INO);
	loss.reason = reason_of_name(c, f, s);
	loss.witness = witness_of(s);
	loss.dir.v = name->a;
	loss.namelen = (uint8_t)name->len;
	loss.now_len = now ? (uint8_t)now->len : 0;
	loss.now_dir.v = now ? now->a : NULL_INO;
	f->lost++;
	f->moved_to += now != NULL;
	if (!renamed && loss.dir.v == c->rc->geo.rootino.v && f->ftype == FT_DIR)
		c->list->totals.top_directory = true;
	loss_tell(c, f, &loss, name->bytes, now ? now->bytes : NULL);
}

static void tell_gained_name(struct loss_compare *c, struct inode_facts *f, const struct loss_fact *name)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_GAINED);

	f->gained++;
	f->lost_found |= loss_is_lost_found(c->again, name->a, name->bytes, name->len);
	if (name->flags != FT_UNKNOWN)
		loss.ftype = name->flags;
	loss.dir.v = name->a;
	loss.namelen = (uint8_t)name->len;
	loss.reattached = is_reattached(c->rc, f->ino) || f->lost_found;
	loss_tell(c, f, &loss, name->bytes, NULL);
}

/* The inode had a name that is not known in place of this one. */
static void tell_unknown_name(struct loss_compare *c, struct inode_facts *f, const struct loss_fact *now,
			      enum drop_reason reason)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_LOST);

	loss.witness = WITNESS_COUNT;
	loss.reason = (uint8_t)reason;
	loss.now_dir.v = now->a;
	loss.now_len = (uint8_t)now->len;
	f->moved_to++;
	f->unnamed++;
	loss_tell(c, f, &loss, NULL, now->bytes);
}

/*
 * Links that an inode counted, and that no name was known of, before or after: these names were in blocks that are
 * lost. If none is lost, the count was wrong.
 */
static void tell_missing_links(struct loss_compare *c, struct inode_facts *f, uint64_t names)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_LOST);

	if (!c->names_missing || !f->before || !f->after || f->before->unsound || f->ftype == FT_DIR ||
	    f->before->nlink <= names || f->after->nlink >= f->before->nlink)
		return;
	loss.witness = WITNESS_COUNT;
	loss.count = f->before->nlink - names;
	c->list->names_unknown += loss.count;
	f->unnamed += loss.count;
	loss_tell(c, f, &loss, NULL, NULL);
}

/* True if a name was dropped since the inode, which has others, was written later without it: its users removed it. */
static bool was_removed_before(const struct inode_facts *f, const struct sides *s)
{
	return s->of[SIDE_DROPPED] && s->of[SIDE_DROPPED]->reason == DROP_OUTDATED && f->after && f->after->nlink;
}

/* True if a name is still there, but is one that damage has made of another. */
static bool is_altered(const struct sides *s)
{
	return s->of[SIDE_DROPPED] && s->of[SIDE_DROPPED]->reason == DROP_ALTERED && s->of[SIDE_AFTER];
}

static void tell_outdated_name(struct loss_compare *c, struct inode_facts *f, const struct loss_fact *name)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_OUTDATED);

	loss.reason = DROP_OUTDATED;
	loss.dir.v = name->a;
	loss.namelen = (uint8_t)name->len;
	loss_tell(c, f, &loss, name->bytes, NULL);
}

bool loss_is_lost_found(const struct repair *again, uint64_t dir, const uint8_t *name, size_t len)
{
	static const char lost_found[] = "lost+found";

	return dir == again->geo.rootino.v && len == sizeof(lost_found) - 1 && !memcmp(name, lost_found, len);
}

bool loss_is_reused(const struct loss_compare *c, const struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_NAME];
	bool other = false;
	struct sides s;

	if (!f->after || f->before || is_orphan(c->rc, f->ino))
		return false;
	for (size_t i = 0; i < r->count; i += s.count) {
		const struct loss_fact *name = r->all[i];

		s = sides_at(r, i, same_name);
		if (s.of[SIDE_BEFORE] && s.of[SIDE_AFTER])
			return false;
		other |= s.of[SIDE_BEFORE] ||
			 (f->of[FACT_UNREAD].count && loss_is_lost_found(c->again, name->a, name->bytes, name->len));
	}
	return other;
}

void loss_compare_names(struct loss_compare *c, struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_NAME];
	struct name_list lost = { 0 }, gained = { 0 };
	uint64_t names = 0;
	struct sides s;

	for (size_t i = 0; i < r->count; i += s.count) {
		s = sides_at(r, i, same_name);
		names++;
		f->same += s.of[SIDE_AFTER] && !is_gained(&s) && !is_altered(&s);
		if (is_altered(&s))
			tell_unknown_name(c, f, s.of[SIDE_AFTER], DROP_ALTERED);
		else if (is_lost(&s) && was_removed_before(f, &s))
			tell_outdated_name(c, f, s.of[SIDE_DROPPED]);
		else if (is_lost(&s))
			add_name(c, &lost, s.of[SIDE_BEFORE] ? s.of[SIDE_BEFORE] : s.of[SIDE_DROPPED], &s);
		if (is_gained(&s))
			add_name(c, &gained, s.of[SIDE_AFTER], &s);
	}
	for (size_t i = 0; i < lost.count; i++)
		tell_lost_name(c, f, lost.all[i].fact, &lost.all[i].sides, &gained);
	for (size_t i = 0; i < gained.count; i++) {
		if (!gained.all[i].fact)
			continue;
		if (!lost.count && f->after && !f->rescue && is_orphan(c->rc, f->ino) &&
		    (!f->before || f->before->nlink)) {
			tell_unknown_name(c, f, gained.all[i].fact, DROP_UNKNOWN);
			c->list->names_unknown++;
		} else {
			tell_gained_name(c, f, gained.all[i].fact);
		}
	}
	tell_missing_links(c, f, names);
	free(lost.all);
	free(gained.all);
}
