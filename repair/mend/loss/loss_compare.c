/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares inode by inode; what both views have cancels out.  What only the first one has is lost, unless something in
 * the second replaces it: another name in the same directory, or another value of the same field.
 */
#include "loss_compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/da.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

/* Returns a difference of this kind about an inode, for the caller to complete. */
static inline struct loss loss_of(const struct inode_facts *f, enum loss_kind kind, enum loss_fate fate)
{
	return (struct loss){ .kind = (uint8_t)kind,
			      .fate = (uint8_t)fate,
			      .ftype = f->ftype,
			      .ino = f->ino,
			      .dir = { NULL_INO },
			      .now_dir = { NULL_INO },
			      .count = 1 };
}

static inline uint8_t doubt_of(bool unsound)
{
	return unsound ? DOUBT_CHECKSUM : DOUBT_NONE;
}

/* True if a fact is compared as one of this side; a restored one belongs to both. */
static inline bool is_of_side(const struct loss_fact *fact, enum fact_side side)
{
	if (fact->restored)
		return fact->side == SIDE_AFTER && side != SIDE_DROPPED;
	return fact->side == side;
}

/* The sides that facts come from which differ only in side. */
struct sides {
	size_t count;				    /* number of facts */
	const struct loss_fact *of[SIDE_AFTER + 1]; /* the first one of each side; NULL: none */
};

/* Returns the sides of the facts from `at` on that are the same. */
static inline struct sides sides_at(const struct fact_range *r, size_t at,
				    bool (*same)(const struct loss_fact *, const struct loss_fact *))
{
	struct sides s = { 0 };

	for (; at + s.count < r->count && same(r->all[at], r->all[at + s.count]); s.count++) {
		const struct loss_fact *fact = r->all[at + s.count];

		for (enum fact_side side = 0; side <= SIDE_AFTER; side++)
			if ((!s.of[side] || s.of[side]->reason == DROP_PERHAPS_FREE) && is_of_side(fact, side))
				s.of[side] = fact;
	}
	return s;
}

/* These are true if the facts existed only before, or only after. */
static inline bool is_lost(const struct sides *s)
{
	return !s->of[SIDE_AFTER] && (s->of[SIDE_BEFORE] || s->of[SIDE_DROPPED]);
}

static inline bool is_gained(const struct sides *s)
{
	return s->of[SIDE_AFTER] && !s->of[SIDE_BEFORE] && !s->of[SIDE_DROPPED];
}

/* Returns the evidence for lost facts. */
static inline enum loss_witness witness_of(const struct sides *s)
{
	return s->of[SIDE_BEFORE] ? WITNESS_BLOCK : WITNESS_ROUND;
}

/*
 * Names of an inode before and after.  A lost name is changed if the inode has a new one in the same directory.  If the
 * inode was reconnected because its name was unknown, that is reported along with the loss.
 */

static bool same_name(const struct loss_fact *a, const struct loss_fact *b)
{
	return a->a == b->a && a->b == b->b && a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

struct one_name {
	const struct loss_fact *fact; /* NULL: already reported */
	struct sides sides;
};

/* Names in only one view. */
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

/* Returns the inode's entry in the list of reconnected inodes; NULL: none. */
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

/* True if the inode was reconnected without evidence for its name. */
static bool is_orphan(const struct repair *rc, xino_t ino)
{
	const struct reattached *one = find_reattached(rc, ino);

	return one && one->by == BY_NOBODY;
}

/* Removes a gained name from the list: one in this directory; NULL_INO: any. NULL: none. */
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

/* Returns why an inode no longer exists. */
static enum drop_reason loss_reason_of_inode(const struct loss_compare *c, const struct inode_facts *f)
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
	loss.doubt = doubt_of(name->unsound);
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

/* Reports that the inode's real name was unknown, and this one replaces it. */
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
 * Reports links without known names, before or after: these names were in lost blocks.  If no block is lost, the count
 * was wrong.
 */
static void tell_missing_links(struct loss_compare *c, struct inode_facts *f, uint64_t names)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_LOST);

	if (!c->names_missing || !f->before || !f->after || f->before->unsound || f->ftype == FT_DIR ||
	    f->before->nlink <= names || f->after->nlink >= f->before->nlink)
		return;
	loss.witness = WITNESS_COUNT;
	loss.count = f->before->nlink - names;
	if (!f->stale)
		c->list->names_unknown += loss.count;
	f->unnamed += loss.count;
	loss_tell(c, f, &loss, NULL, NULL);
}

/*
 * True if a name was dropped because the inode is newer and does not have it: users had removed it.  The inode has
 * other names, or was free.
 */
static bool was_removed_before(const struct inode_facts *f, const struct sides *s)
{
	return s->of[SIDE_DROPPED] && s->of[SIDE_DROPPED]->reason == DROP_OUTDATED &&
	       (f->after ? f->after->nlink > 0 : !f->before && !f->of[FACT_UNREAD].count);
}

/* True if a name still exists, but differs from the original because of damage. */
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

/* True if a name was read only from a block that may have been free. */
static bool is_perhaps(const struct sides *s)
{
	return !s->of[SIDE_BEFORE] && s->of[SIDE_DROPPED] && s->of[SIDE_DROPPED]->reason == DROP_PERHAPS_FREE;
}

/* Reports a name that may have been removed before the damage. It is not counted: the file may be a missing one. */
static void tell_perhaps_lost_name(struct loss_compare *c, const struct inode_facts *f, const struct loss_fact *name)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_LOST);

	loss.reason = DROP_PERHAPS_FREE;
	loss.witness = WITNESS_ROUND;
	loss.doubt = DOUBT_FREE;
	loss.dir.v = name->a;
	loss.namelen = (uint8_t)name->len;
	loss_list_add(c->list, &loss, name->bytes, NULL);
}

/* True if an inode had more names than links: one of them has a wrong inode number, which no hash index shows. */
static bool has_surplus_name(const struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_NAME];
	uint64_t names = 0;

	for (size_t i = 0; i < r->count; i++)
		names += r->all[i]->side == SIDE_BEFORE;
	return f->before && !f->before->unsound && names > (f->ftype == FT_DIR ? 1 : f->before->nlink);
}

/*
 * True if a name is unchanged, but from a block with a wrong checksum, and not confirmed by index or parent pointer, or
 * `surplus`; or if a mender says so of a name in a directory that was not known before.
 */
static bool is_unconfirmed(const struct loss_compare *c, const struct sides *s, bool surplus)
{
	const struct loss_fact *before = s->of[SIDE_BEFORE], *dropped = s->of[SIDE_DROPPED];

	if (!s->of[SIDE_AFTER])
		return false;
	if (!before)
		return dropped && dropped->reason == DROP_UNCONFIRMED;
	return before->unsound && (surplus || !seals_confirm_name(c->seals, before, &c->rc->run->key));
}

static void tell_unconfirmed_name(struct loss_compare *c, struct inode_facts *f, const struct loss_fact *name)
{
	struct loss loss = loss_of(f, LOSS_NAME, FATE_CHANGED);

	loss.reason = DROP_UNCONFIRMED;
	loss.doubt = DOUBT_CHECKSUM;
	loss.dir.v = name->a;
	loss.namelen = (uint8_t)name->len;
	f->unconfirmed++;
	loss_tell(c, f, &loss, name->bytes, NULL);
}

bool loss_is_lost_found(const struct repair *again, uint64_t dir, const uint8_t *name, size_t len)
{
	static const char lost_found[] = "lost+found";

	return dir == again->geo.rootino.v && len == sizeof(lost_found) - 1 && !memcmp(name, lost_found, len);
}

/* True if an unreadable inode is lost, and its number now belongs to another one. */
static bool loss_is_reused(const struct loss_compare *c, const struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_NAME];
	bool other = false, former = f->of[FACT_UNREAD].count > 0, lost_found = false;
	struct sides s;

	if (!f->after || f->before || is_orphan(c->rc, f->ino))
		return false;
	for (size_t i = 0; i < r->count; i += s.count) {
		const struct loss_fact *name = r->all[i];

		s = sides_at(r, i, same_name);
		if (s.of[SIDE_BEFORE] && s.of[SIDE_AFTER])
			return false;
		other |= s.of[SIDE_BEFORE] != NULL;
		former |= s.of[SIDE_DROPPED] != NULL;
		lost_found |= loss_is_lost_found(c->again, name->a, name->bytes, name->len);
	}
	return other || (former && lost_found);
}

/*
 * True if a lost name is of another directory, whose number is in the header of its block: an inode led to it before
 * the repair that was misplaced, or older than the block.
 */
static bool is_of_another(const struct sides *s)
{
	const struct loss_fact *before = s->of[SIDE_BEFORE];

	return is_lost(s) && before && before->elsewhere;
}

/* Compares the names of one inode. */
static void loss_compare_names(struct loss_compare *c, struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_NAME];
	struct name_list lost = { 0 }, gained = { 0 };
	const bool surplus = has_surplus_name(f);
	uint64_t names = 0;
	struct sides s;

	for (size_t i = 0; i < r->count; i += s.count) {
		bool unconfirmed;

		s = sides_at(r, i, same_name);
		if (is_of_another(&s))
			continue;
		unconfirmed = is_unconfirmed(c, &s, surplus);
		names += s.of[SIDE_BEFORE] || s.of[SIDE_DROPPED] || s.of[SIDE_AFTER];
		f->same += s.of[SIDE_AFTER] && !is_gained(&s) && !is_altered(&s) && !unconfirmed;
		if (unconfirmed && !is_altered(&s))
			tell_unconfirmed_name(c, f, s.of[SIDE_AFTER]);
		if (is_altered(&s))
			tell_unknown_name(c, f, s.of[SIDE_AFTER], DROP_ALTERED);
		else if (is_lost(&s) && was_removed_before(f, &s))
			tell_outdated_name(c, f, s.of[SIDE_DROPPED]);
		else if (is_lost(&s) && is_perhaps(&s))
			tell_perhaps_lost_name(c, f, s.of[SIDE_DROPPED]);
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

/* True if nothing is known to have changed, but nothing confirms it, either. */
static bool is_doubt(const struct loss *loss)
{
	if (loss->fate == FATE_LOST) /* attributes that a damaged block may have held */
		return loss->kind == LOSS_ATTRIBUTE && loss->reason == DROP_UNCONFIRMED;
	return loss->fate == FATE_CHANGED &&
	       (loss->reason == DROP_UNCONFIRMED || loss->reason == DROP_STALE || loss->reason == DROP_AMID ||
		(loss->kind == LOSS_INODE && loss->field == LOSS_FIELD_CRC));
}

/* True if only an inode that may be outdated shows the difference. */
static bool is_of_stale(const struct inode_facts *f, const struct loss *loss)
{
	return f->stale && loss->fate != FATE_GAINED && loss->kind != LOSS_INODE &&
	       (loss->kind != LOSS_NAME || loss->witness == WITNESS_COUNT);
}

void loss_tell(struct loss_compare *c, struct inode_facts *f, const struct loss *loss, const uint8_t *name,
	       const uint8_t *now)
{
	struct loss_count *count = &c->list->totals.of[loss->kind];
	struct loss told = *loss;

	if (loss->fate == FATE_LOST)
		count->lost += loss->count;
	else if (loss->fate == FATE_CHANGED && !(loss->kind == LOSS_DATA && is_doubt(loss)))
		count->changed += loss->count;
	else if (loss->fate == FATE_GAINED)
		count->gained += loss->count;
	if (loss->fate == FATE_LOST && loss->witness == WITNESS_COUNT)
		count->hidden += loss->count;
	if (loss->fate != FATE_GAINED && loss->kind != LOSS_NAME)
		*(is_doubt(loss) ? &f->doubted : &f->harmed) = true;
	if (is_of_stale(f, loss) && loss->doubt != DOUBT_AREA)
		told.doubt = DOUBT_AGE;
	loss_list_add(c->list, &told, name, now);
}

static bool same_attribute(const struct loss_fact *a, const struct loss_fact *b)
{
	return a->a == b->a && a->flags == b->flags && a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

/* ---- inodes ---- */

/* Returns a field of an inode; times as stored. */
static uint64_t field_of(const struct inode_core *core, enum loss_field field)
{
	switch (field) {
	case LOSS_FIELD_MODE:
		return core->mode;
	case LOSS_FIELD_UID:
		return core->uid;
	case LOSS_FIELD_GID:
		return core->gid;
	case LOSS_FIELD_PROJID:
		return core->projid;
	case LOSS_FIELD_SIZE:
		return core->size;
	case LOSS_FIELD_ATIME:
	case LOSS_FIELD_MTIME:
	case LOSS_FIELD_CTIME:
	case LOSS_FIELD_CRTIME:
		return core->times[field - LOSS_FIELD_ATIME];
	case LOSS_FIELD_GEN:
		return core->gen;
	case LOSS_FIELD_FLAGS:
		return core->flags;
	case LOSS_FIELD_FLAGS2:
		return core->flags2;
	case LOSS_FIELD_EXTSIZE:
		return core->extsize;
	case LOSS_FIELD_CRC:
		return core->crc;
	default:
		return core->cowextsize;
	}
}

/* True if the bytes of an inode match its old checksum again, which was wrong because of damage. */
static bool is_restored(const struct inode_facts *f)
{
	return f->before->unsound && f->before->crc == f->after->crc;
}

/*
 * True if a field has meaning of its own.  The size of a directory follows from its blocks; a checksum matters only if
 * it was wrong, so that nothing confirms the old values of other fields.
 */
static bool field_counts(const struct inode_facts *f, enum loss_field field)
{
	if (field == LOSS_FIELD_CRC)
		return f->before->unsound;
	if (field == LOSS_FIELD_AGE)
		return false;
	return field != LOSS_FIELD_SIZE || f->ftype == FT_REG;
}

static uint64_t shown_field(const struct inode_core *core, enum loss_field field)
{
	const uint64_t value = field_of(core, field);

	if (field < LOSS_FIELD_ATIME || field > LOSS_FIELD_CRTIME)
		return value;
	return (uint64_t)dinode_seconds(value, core->flags2 & DIFLAG2_BIGTIME);
}

static void compare_fields(struct loss_compare *c, struct inode_facts *f)
{
	if (is_restored(f))
		return;
	for (enum loss_field field = 0; field < LOSS_FIELD_NR; field++) {
		struct loss loss = loss_of(f, LOSS_INODE, FATE_CHANGED);

		loss.field = (uint8_t)field;
		loss.from = shown_field(f->before, field);
		loss.to = shown_field(f->after, field);
		if (field_of(f->before, field) != field_of(f->after, field) && field_counts(f, field))
			loss_tell(c, f, &loss, NULL, NULL);
	}
}

/* True if an inode is known only from names in blocks with a wrong checksum, or from such a block of the inobt. */
static bool is_misread(const struct inode_facts *f)
{
	const struct fact_range *names = &f->of[FACT_NAME], *unread = &f->of[FACT_UNREAD];
	size_t before = unread->count;

	for (size_t i = 0; i < unread->count; i++)
		if (!unread->all[i]->unsound)
			return false;
	for (size_t i = 0; i < names->count; i++) {
		if (!names->all[i]->unsound && names->all[i]->side != SIDE_DROPPED)
			return false;
		before += names->all[i]->side == SIDE_BEFORE;
	}
	return !f->before && before;
}

static void tell_lost_inode(struct loss_compare *c, struct inode_facts *f)
{
	struct loss loss = loss_of(f, LOSS_INODE, FATE_LOST);
	const uint64_t bytes = loss_data_bytes(c, f);

	loss.reason = (uint8_t)loss_reason_of_inode(c, f);
	loss.witness = f->before ? WITNESS_BLOCK : f->dropped ? WITNESS_ROUND : WITNESS_COUNT;
	loss.doubt = doubt_of(is_misread(f));
	f->gone = !f->after;
	loss_tell(c, f, &loss, NULL, NULL);
	c->list->totals.of[LOSS_DATA].lost += bytes;
	for (size_t i = 0; i < f->of[FACT_ATTRIBUTE].count; i++)
		c->list->totals.of[LOSS_ATTRIBUTE].lost += f->of[FACT_ATTRIBUTE].all[i]->side == SIDE_BEFORE;
	c->list->totals.of[LOSS_TARGET].lost += f->before && f->ftype == FT_SYMLINK;
}

static void tell_gained_inode(struct loss_compare *c, struct inode_facts *f)
{
	struct loss loss = loss_of(f, LOSS_INODE, FATE_GAINED);

	loss_tell(c, f, &loss, NULL, NULL);
}

/* Returns the old contents of the place of a restored inode; NULL: unknown. */
static const struct inode_remains *remains_of(const struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_UNREAD];

	for (size_t i = 0; i < r->count; i++)
		if (r->all[i]->side == SIDE_BEFORE && r->all[i]->len)
			return (const void *)r->all[i]->bytes;
	return NULL;
}

/*
 * Reports an inode that was restored from the contents of its place without a valid checksum, perhaps without its
 * times.
 */
static void tell_unvouched_inode(struct loss_compare *c, struct inode_facts *f)
{
	const struct inode_remains *remains = remains_of(f);
	struct loss loss = loss_of(f, LOSS_INODE, FATE_CHANGED);

	if (!remains || remains->crc == f->after->crc ||
	    (memcmp(remains->times, f->after->times, sizeof(remains->times)) != 0 &&
	     shown_field(f->after, LOSS_FIELD_CTIME)))
		return;
	loss.field = LOSS_FIELD_CRC;
	loss.from = remains->crc;
	loss.to = f->after->crc;
	loss_tell(c, f, &loss, NULL, NULL);
}

/* ---- attributes and targets ---- */

/* The result of comparing something that exists before and after. */
enum sameness {
	SAME,
	UNCONFIRMED, /* unchanged, but the checksum was wrong, and nothing else confirms it */
	OTHER,
};

/* Returns a block of the attribute fork from one side; NULL: unknown. */
static const struct loss_fact *value_part(const struct fact_range *r, uint64_t dablk, enum fact_side side)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->all[i]->a == dablk && is_of_side(r->all[i], side))
			return r->all[i];
	return NULL;
}

/* Compares remote values of the same length. */
static enum sameness compare_value_blocks(const struct loss_compare *c, const struct inode_facts *f,
					  const struct loss_fact *before, const struct loss_fact *after)
{
	const struct fact_range *r = &f->of[FACT_VALUE];
	const uint64_t capacity = attr_remote_capacity(&c->rc->geo);
	enum sameness ret = SAME;

	/* in version 4, these blocks have no header, and are not read */
	for (uint64_t i = 0; i * capacity < before->c && c->rc->geo.crc; i++) {
		const struct loss_fact *was = value_part(r, before->value_at.v + i, SIDE_BEFORE);
		const struct loss_fact *is = value_part(r, after->value_at.v + i, SIDE_AFTER);

		if (was && is && was->b != is->b)
			return OTHER;
		if (!was || was->unsound)
			ret = UNCONFIRMED;
	}
	return ret;
}

/* Compares an old attribute, which may occur several times, with the current one. */
static enum sameness compare_values(const struct loss_compare *c, const struct inode_facts *f, size_t at,
				    const struct sides *s)
{
	const struct fact_range *r = &f->of[FACT_ATTRIBUTE];
	const struct loss_fact *after = s->of[SIDE_AFTER];
	enum sameness ret = OTHER;

	for (size_t i = at; i < at + s->count && ret != SAME; i++) {
		const struct loss_fact *was = r->all[i];
		enum sameness one = OTHER;

		if (!is_of_side(was, SIDE_BEFORE) || was->c != after->c || (was->b && after->b && was->b != after->b))
			continue;
		if (!was->b && !after->b)
			one = compare_value_blocks(c, f, was, after);
		else
			one = SAME;
		if (one == SAME && was->unsound)
			one = UNCONFIRMED;
		if (one < ret)
			ret = one;
	}
	return ret;
}

/* True if attributes are unchanged in the inode, and only their start was wrong. */
static bool attributes_stayed(const struct inode_facts *f)
{
	return f->before && f->after->has_attributes && f->before->forks == f->after->forks;
}

/* Reports that what held attributes was unreadable and none were restored, so their number is unknown. */
static void tell_unknown_attributes(struct loss_compare *c, struct inode_facts *f)
{
	struct loss loss = loss_of(f, LOSS_ATTRIBUTE, FATE_LOST);

	loss.witness = WITNESS_COUNT;
	loss.doubt = f->before && f->before->unsound ? DOUBT_CHECKSUM : c->rc->geo.parent ? DOUBT_PARENTS : DOUBT_NONE;
	loss_tell(c, f, &loss, NULL, NULL);
}

static void compare_attributes(struct loss_compare *c, struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_ATTRIBUTE], *lost = &f->of[FACT_UNATTRIBUTED];
	enum sameness same;
	struct sides s;
	bool back = false;

	for (size_t i = 0; i < r->count; i += s.count) {
		const struct loss_fact *name = r->all[i];
		struct loss loss;

		s = sides_at(r, i, same_attribute);
		back |= is_gained(&s);
		same = s.of[SIDE_BEFORE] && s.of[SIDE_AFTER] ? compare_values(c, f, i, &s) : SAME;
		if (is_lost(&s))
			loss = loss_of(f, LOSS_ATTRIBUTE, FATE_LOST);
		else if (is_gained(&s))
			loss = loss_of(f, LOSS_ATTRIBUTE, FATE_GAINED);
		else if (same != SAME)
			loss = loss_of(f, LOSS_ATTRIBUTE, FATE_CHANGED);
		else
			continue;
		loss.doubt = doubt_of(same == UNCONFIRMED || (s.of[SIDE_BEFORE] && s.of[SIDE_BEFORE]->unsound) ||
				      (s.of[SIDE_DROPPED] && s.of[SIDE_DROPPED]->reason == DROP_UNCONFIRMED));
		loss.reason = same == UNCONFIRMED  ? DROP_UNCONFIRMED
			      : s.of[SIDE_DROPPED] ? s.of[SIDE_DROPPED]->reason
						   : DROP_UNKNOWN;
		loss.witness = s.of[SIDE_BEFORE] ? WITNESS_BLOCK : name->len ? WITNESS_ROUND : WITNESS_COUNT;
		loss.flags = name->flags;
		loss.namelen = (uint8_t)name->len;
		loss_tell(c, f, &loss, name->bytes, NULL);
	}
	if (lost->count && lost->all[0]->side == SIDE_BEFORE && !back && !attributes_stayed(f))
		tell_unknown_attributes(c, f);
}

#define TARGET_MOST 1024u /* bytes */

/* Joins the parts of a target from one side. Returns its length; 0: none. */
static size_t join_target(const struct fact_range *r, enum fact_side side, uint8_t *bytes)
{
	size_t end = 0;

	memset(bytes, 0, TARGET_MOST);
	for (size_t i = 0; i < r->count; i++) {
		const struct loss_fact *part = r->all[i];

		if (!is_of_side(part, side) || part->a > TARGET_MOST || part->len > TARGET_MOST - part->a)
			continue;
		memcpy(bytes + part->a, part->bytes, part->len);
		if (part->a + part->len > end)
			end = part->a + part->len;
	}
	return end;
}

/* True if a target had bytes beyond its current end, after a NUL, which a valid target can't have. */
static bool is_cut_off(const struct inode_facts *f, size_t is)
{
	return f->before && !is_restored(f) && f->before->target_end > is;
}

static void compare_targets(struct loss_compare *c, struct inode_facts *f)
{
	const struct fact_range *r = &f->of[FACT_TARGET];
	uint8_t before[TARGET_MOST], after[TARGET_MOST];
	const size_t was = join_target(r, SIDE_BEFORE, before), is = join_target(r, SIDE_AFTER, after);
	const struct loss_fact *dropped = NULL;
	struct loss loss = loss_of(f, LOSS_TARGET, FATE_LOST);
	bool same;

	for (size_t i = 0; i < r->count; i++) {
		const bool kept = r->all[i]->side == SIDE_DROPPED && r->all[i]->reason == DROP_UNCONFIRMED;

		if (r->all[i]->side == SIDE_DROPPED && !kept)
			dropped = r->all[i];
		if (kept || (r->all[i]->unsound && is_of_side(r->all[i], SIDE_BEFORE)))
			loss.doubt = DOUBT_CHECKSUM;
	}
	/* a part that was lost and restored is no loss */
	same = was <= is && !memcmp(before, after, was) && !(dropped && was < is) && !is_cut_off(f, is);
	if (same && loss.doubt == DOUBT_NONE)
		return;
	/* a link whose target ends early leads nowhere */
	if (!dropped && is && was <= is && !is_cut_off(f, is))
		loss.fate = FATE_CHANGED;
	loss.reason = same ? DROP_UNCONFIRMED : dropped ? dropped->reason : DROP_UNKNOWN;
	loss.witness = was ? WITNESS_BLOCK : WITNESS_COUNT;
	loss_tell(c, f, &loss, NULL, NULL);
}

/* ---- one inode ---- */

/* Reports names that only the hash index of a directory still has, or that it must have had. */
static void tell_unnamed(struct loss_compare *c, struct inode_facts *f)
{
	for (size_t i = 0; i < f->of[FACT_UNNAMED].count; i++) {
		const struct loss_fact *fact = f->of[FACT_UNNAMED].all[i];
		struct loss loss = loss_of(f, LOSS_NAME, FATE_LOST);

		if (fact->side != SIDE_BEFORE || !fact->a)
			continue;
		loss.witness = WITNESS_COUNT;
		loss.dir = f->ino;
		loss.ino.v = NULL_INO;
		loss.count = fact->a == UINT64_MAX ? 0 : fact->a;
		loss_list_add(c->list, &loss, NULL, NULL); /* counted when it is known how many were restored */
	}
}

/*
 * True if an inode that was never readable really existed: an invalid number is no evidence, nor is one that only a
 * rebuilt inode btree has, since a destroyed inode counts as one in use there.
 */
static bool may_have_been(const struct loss_compare *c, const struct inode_facts *f)
{
	const bool dropped =
		f->dropped && f->dropped->reason != DROP_OUTDATED && f->dropped->reason != DROP_NOTHING_TELLS;

	return ino_valid(&c->rc->geo, f->ino) && (dropped || f->lost || f->of[FACT_UNREAD].count);
}

/* True if another inode was in the place of this one, because of a misplaced write. */
static bool was_another(const struct inode_facts *f)
{
	return f->before && f->before->misplaced && !(f->after && f->after->gen == f->before->gen);
}

/* Removes old facts from the inode itself, but not those from directories. */
static void forget_before(struct inode_facts *f)
{
	for (enum fact_kind kind = FACT_INODE; kind <= FACT_TARGET; kind++) {
		struct fact_range *r = &f->of[kind];
		size_t kept = 0;

		for (size_t i = 0; i < r->count; i++)
			if (kind == FACT_NAME || r->all[i]->side != SIDE_BEFORE)
				r->all[kept++] = r->all[i];
		r->count = kept;
	}
	f->before = NULL;
}

/* Returns the file type of an inode according to its names. */
static uint8_t type_by_name(const struct fact_range *names)
{
	for (size_t i = 0; i < names->count; i++)
		if (names->all[i]->side != SIDE_AFTER)
			return names->all[i]->flags;
	return names->count ? names->all[0]->flags : FT_UNKNOWN;
}

static void find_cores(const struct loss_compare *c, struct inode_facts *f)
{
	const struct fact_range *inodes = &f->of[FACT_INODE];
	const struct loss_fact *recreated = NULL;

	f->ftype = type_by_name(&f->of[FACT_NAME]);
	for (size_t i = 0; i < inodes->count; i++) {
		const struct loss_fact *fact = inodes->all[i];

		if (fact->side == SIDE_DROPPED && fact->reason == DROP_STALE)
			f->stale = true;
		else if (fact->side == SIDE_DROPPED && fact->reason == DROP_RECREATED)
			recreated = fact;
		else if (fact->side == SIDE_DROPPED)
			f->dropped = fact;
		else if (fact->side == SIDE_BEFORE)
			f->before = (const void *)fact->bytes;
		else
			f->after = (const void *)fact->bytes;
		if (fact->side == SIDE_BEFORE || (fact->side == SIDE_AFTER && !f->before))
			f->ftype = fact->flags;
	}
	/* it may have been freed first, or later */
	if (recreated && (f->after || !f->dropped))
		f->dropped = recreated;
	/* a restored deleted file has no name that anyone lost */
	f->rescue = f->after && !f->before && f->dropped &&
		    (f->dropped->reason == DROP_OTHER_FILE ||
		     (f->dropped->reason == DROP_OUTDATED && is_orphan(c->rc, f->ino)));
}

/* True if the inode was recreated from other metadata, and its own bytes were not restored later. */
static bool is_rebuilt(const struct inode_facts *f)
{
	return f->dropped && f->dropped->reason == DROP_RECREATED && !shown_field(f->after, LOSS_FIELD_CTIME);
}

/* Reports an unchanged inode in a block whose last write was lost. */
static void tell_stale_inode(struct loss_compare *c, struct inode_facts *f)
{
	struct loss loss = loss_of(f, LOSS_INODE, FATE_CHANGED);

	loss.field = LOSS_FIELD_AGE;
	loss.reason = DROP_STALE;
	loss_tell(c, f, &loss, NULL, NULL);
}

/* Compares contents that exist before and after, or only after. */
static void compare_contents(struct loss_compare *c, struct inode_facts *f)
{
	if (f->before)
		compare_fields(c, f);
	else if (is_rebuilt(f))
		tell_lost_inode(c, f);
	else
		tell_gained_inode(c, f);
	if (!f->before && !is_rebuilt(f))
		tell_unvouched_inode(c, f);
	if (f->stale && !f->rescue)
		tell_stale_inode(c, f);
	compare_attributes(c, f);
	if (f->of[FACT_TARGET].count)
		compare_targets(c, f);
	loss_compare_data(c, f);
}

static void compare_inode(struct loss_compare *c, struct inode_facts *f)
{
	find_cores(c, f);
	if (was_another(f))
		forget_before(f);
	if (loss_is_reused(c, f)) {
		tell_gained_inode(c, f);
		f->ftype = type_by_name(&f->of[FACT_NAME]);
		f->after = NULL;
		f->reused = true;
	}
	loss_compare_names(c, f);
	tell_unnamed(c, f);
	if (f->after)
		compare_contents(c, f);
	/* without links, it was deleted while open, and freed for that reason */
	else if (f->before ? f->before->nlink > 0 : may_have_been(c, f))
		tell_lost_inode(c, f);
	else
		f->gone = f->before;
	loss_tally_inode(c, f);
	c->list->totals.files += f->harmed || f->doubted;
}

void loss_compare(struct loss_compare *c, struct loss_fact **facts, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		struct inode_facts f = { .ino = facts[i]->ino };

		for (end = i; end < count && facts[end]->ino.v == f.ino.v; end++) {
			struct fact_range *r = &f.of[facts[end]->kind];

			facts[end]->restored = seals_restored(c->seals, facts[end]);
			if (!r->count)
				r->all = &facts[end];
			r->count++;
		}
		compare_inode(c, &f);
	}
}
