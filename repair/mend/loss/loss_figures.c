/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the figures of the account: what happened to all paths, and how many files are missing completely, so that
 * only counters show them.
 *
 * An inode in use in the inobt is known by its number even if nothing else is left of it.  So files can be missing only
 * in AGs whose inobt could not be walked completely or has inodes as free that entries name, so that it may be older
 * than these.  The inodes in use there were those that exist after the repair, those known to be gone, and the missing
 * ones.  Three kinds of counters give their total: those of AGIs, those of the superblock minus the other AGs, and the
 * quota files, each of which counts the inodes of all its ids.  If these differ, there is a range.  A counter that is
 * as old as stale inodes of the group, and below what is known, is no witness.
 */
#include "loss.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/facts.h"
#include "loss_compare.h"
#include "repair.h"
#include "run.h"
#include "check/walk/quota.h"
#include "check/walk/walker.h"

/* ---- one inode ---- */

/* True for an inode that was deleted while open: it had no path to lose. */
static bool was_deleted(const struct inode_facts *f)
{
	return f->before && !f->before->nlink && !f->before->unsound;
}

static void tally_gone(struct loss_tally *t, const struct inode_facts *f)
{
	const bool nameless = f->gone && !f->lost && !was_deleted(f);

	t->lost += f->lost + nameless;
	t->nameless += nameless;
	t->apart += f->moved_to + f->gained;
}

/* Counts the paths of an inode with unchanged contents. */
static void tally_whole(struct loss_tally *t, const struct inode_facts *f)
{
	t->moved += f->lost + f->unnamed;
	/* a new name replaces a lost one; an additional one was restored, or is lost+found */
	t->apart += f->moved_to + smaller(beyond(f->lost, f->moved_to), f->gained);
	t->apart += f->lost_found && !f->lost;
	t->apart += f->rescue ? f->gained : 0;
	t->damaged += f->unconfirmed;
	t->unconfirmed += f->unconfirmed;
	t->apart += f->unconfirmed;
}

/* root: the root directory, which has no name, but counts as a path if it is not whole */
static void tally_damaged(struct loss_tally *t, const struct inode_facts *f, bool root)
{
	const uint64_t paths = root + f->same + f->unconfirmed + f->lost + f->unnamed + beyond(f->gained, f->lost);

	t->damaged += paths;
	t->unconfirmed += f->harmed ? 0 : paths;
	t->apart += f->same + f->unconfirmed + f->moved_to + f->gained;
}

static void add_inode(struct loss_compare *c, struct ino_set *set, xino_t ino)
{
	if (ino_set_put(set, ino))
		c->error = -ENOMEM;
}

void loss_tally_inode(struct loss_compare *c, const struct inode_facts *f)
{
	const agno_t agno = agno_of_ino(&c->rc->geo, f->ino);
	struct loss_tally *t = c->tally;

	if (!f->after)
		tally_gone(t, f);
	else if (f->harmed || f->doubted)
		tally_damaged(t, f, dir_is_root(&c->rc->geo, f->ino));
	else
		tally_whole(t, f);
	if (f->harmed || f->doubted || f->unconfirmed || f->moved_to || f->lost_found || f->reused || f->rescue)
		add_inode(c, &t->counted, f->ino);
	if (f->after && f->ftype == FT_DIR && !f->same && (f->lost || f->unnamed))
		add_inode(c, &t->moved_dirs, f->ino);
	else if (f->after && f->ftype == FT_DIR && f->unconfirmed)
		add_inode(c, &t->doubted_dirs, f->ino);
	if (!ino_valid(&c->rc->geo, f->ino) || agno.v >= c->rc->geo.agcount)
		return;
	t->gone[agno.v] += f->gone;
	t->contradicted[agno.v] |= f->gone && f->lost && !f->before && !f->of[FACT_UNREAD].count;
	t->stale[agno.v] |= f->stale;
	t->made[agno.v] += f->reused || f->rescue || (f->lost_found && !f->before);
}

int loss_tally_begin(struct loss_tally *t, const struct geometry *geo)
{
	*t = (struct loss_tally){ .gone = calloc(geo->agcount, sizeof(*t->gone)),
				  .made = calloc(geo->agcount, sizeof(*t->made)),
				  .contradicted = calloc(geo->agcount, sizeof(*t->contradicted)),
				  .stale = calloc(geo->agcount, sizeof(*t->stale)) };
	return t->gone && t->made && t->contradicted && t->stale ? 0 : -ENOMEM;
}

void loss_tally_end(struct loss_tally *t)
{
	free(t->gone);
	free(t->made);
	free(t->contradicted);
	free(t->stale);
	ino_set_free(&t->moved_dirs);
	ino_set_free(&t->doubted_dirs);
	ino_set_free(&t->counted);
}

/* ---- names below moved directories, and below those whose own name is in doubt ---- */

enum below_what {
	BELOW_NEITHER,
	BELOW_MOVED,
	BELOW_DOUBTED,
	BELOW_NR,
};

struct below_lane {
	xino_t dir;	       /* last one queried; 0: none */
	enum below_what below; /* and the result */
	uint64_t names[BELOW_NR];
	uint8_t apart[64]; /* keeps lanes in separate cache lines */
};

struct below {
	const struct dir_table *dirs;
	const struct loss_tally *tally;
	struct below_lane *lanes;
};

static void below_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	const struct below *b = ctx;
	struct below_lane *l = &b->lanes[worker];

	if (!entry->name || entry->metadata || ino_set_has(&b->tally->counted, entry->target))
		return;
	if (l->dir.v != entry->directory.v) {
		l->dir = entry->directory;
		l->below = dir_table_below_any(b->dirs, l->dir, &b->tally->moved_dirs)	   ? BELOW_MOVED
			   : dir_table_below_any(b->dirs, l->dir, &b->tally->doubted_dirs) ? BELOW_DOUBTED
											   : BELOW_NEITHER;
	}
	l->names[l->below]++;
}

/*
 * Counts names, except of inodes counted already, whose path has changed, or may have, because a directory above has
 * moved, or has a name in doubt.  0 or negative errno.
 */
static int count_below(const struct repair *again, const struct loss_tally *t, uint64_t ret[BELOW_NR])
{
	static const struct sink_ops ops = { .entry = below_entry };
	const struct scope scope = { .names = true };
	struct below below = { &again->dirs, t, NULL };
	int error;

	memset(ret, 0, BELOW_NR * sizeof(*ret));
	if (!ino_set_count(&t->moved_dirs) && !ino_set_count(&t->doubted_dirs))
		return 0;
	below.lanes = calloc(again->workers, sizeof(struct below_lane));
	error = below.lanes ? facts_gather(again, &again->geo, &scope, &ops, &below) : -ENOMEM;
	for (unsigned i = 0; below.lanes && i < again->workers; i++)
		for (enum below_what what = 0; what < BELOW_NR; what++)
			ret[what] += below.lanes[i].names[what];
	free(below.lanes);
	return error;
}

/* ---- missing files ---- */

/* Inodes in use in AGs whose inobt is not whole, or contradicted by entries, so that it may be out of date. */
struct open_groups {
	bool any, stale;	    /* stale: some have stale inodes */
	uint64_t known;		    /* exist after the repair, or known to be gone */
	uint64_t closed;	    /* in use in the other AGs */
	uint64_t agi_known, by_agi; /* known ones in AGs with a usable AGI, and the counts of these AGIs */
	bool agi_lacks;		    /* an AGI is unusable, or stale */
};

/* Gets the number of inodes in use in an AG from its AGI, or what the log has of that. False: neither is usable. */
static bool agi_tells(const struct geometry *geo, const struct ag_state *ag, uint64_t *ret_inodes)
{
	if ((!ag->have_agi && !ag->agi_logged) || ag->agi.count < ag->agi.freecount ||
	    ag->agi.count >> geo->inopb_log > geo->agblocks)
		return false;
	*ret_inodes = ag->agi.count - ag->agi.freecount;
	return true;
}

static struct open_groups look_at_groups(const struct repair *rc, const struct repair *again,
					 const struct loss_tally *t)
{
	struct open_groups open = { 0 };

	for (uint32_t i = 0; i < rc->geo.agcount; i++) {
		const struct ag_state *was = &rc->traverse->ags[i];
		const struct ag_state *is = i < again->geo.agcount ? &again->traverse->ags[i] : NULL;
		const uint64_t known = t->gone[i] + (is ? beyond(is->inodes, is->free_inodes + t->made[i]) : 0);
		const bool stale = t->contradicted[i] && t->stale[i];
		uint64_t inodes;

		if (ag_tree_whole(was, BT_INO) && !t->contradicted[i]) {
			open.closed += beyond(was->inodes, was->free_inodes);
			continue;
		}
		open.any = true;
		open.known += known;
		open.stale |= stale;
		if (agi_tells(&rc->geo, was, &inodes) && !(stale && inodes < known)) {
			open.agi_known += known;
			open.by_agi += inodes;
		} else {
			open.agi_lacks = true;
		}
	}
	return open;
}

/* Gets the superblock's count for these AGs. False: unusable, or stale. */
static bool sb_tells(const struct geometry *geo, const struct open_groups *open, uint64_t *ret_inodes)
{
	const uint64_t used = beyond(geo->icount, geo->ifree);

	if (geo->counters_lost || geo->icount < geo->ifree || used < open->closed ||
	    geo->icount >> geo->inopb_log > geo->dblocks || (open->stale && used - open->closed < open->known))
		return false;
	*ret_inodes = used - open->closed;
	return true;
}

/* The number of missing inodes according to counters. */
struct witnesses {
	bool any, agrees; /* one equals the number of known ones */
	uint64_t least, most;
	uint64_t at_least; /* by those that cover only a part */
};

static void hear(struct witnesses *w, uint64_t inodes, uint64_t known)
{
	const uint64_t missing = beyond(inodes, known);

	w->agrees |= inodes == known;
	w->least = w->any ? smaller(w->least, missing) : missing;
	w->most = w->any && w->most > missing ? w->most : missing;
	w->any = true;
}

/*
 * Gets the inodes of all ids from a quota file before the repair, and their current number.  The log has the changes of
 * these counters, so they are as new as everything else.  False: there is no such file, or its counts are unreliable.
 */
static bool quota_tells(const struct quota *was, const struct quota *is, enum quota_type type, uint64_t *ret_recorded,
			uint64_t *ret_used)
{
	const struct quota_table *before = &was->lanes[0].ids[type], *after = &is->lanes[0].ids[type];

	if (!(was->compared & is->compared & 1u << type) || was->lanes[0].file[type][0].v == NULL_INO)
		return false;
	*ret_recorded = *ret_used = 0;
	for (size_t i = 0; i < before->room; i++)
		*ret_recorded += before->slots[i].taken ? before->slots[i].recorded[QUOTA_INODES] : 0;
	for (size_t i = 0; i < after->room; i++)
		*ret_used += after->slots[i].taken ? after->slots[i].used[QUOTA_INODES] : 0;
	return *ret_recorded && *ret_recorded >> is->geo->inopb_log <= is->geo->dblocks;
}

static void hear_quotas(const struct repair *rc, const struct repair *again, const struct loss_tally *t,
			struct witnesses *w)
{
	uint64_t gone = 0, made = 0, recorded, used;

	for (uint32_t i = 0; i < rc->geo.agcount; i++) {
		gone += t->gone[i];
		made += t->made[i];
	}
	for (unsigned type = 0; type < QUOTA_TYPES && rc->quota && again->quota; type++) {
		if (!quota_tells(rc->quota, again->quota, type, &recorded, &used))
			continue;
		used = gone + beyond(used, made);
		if (!rc->quota->lanes[0].gap[type])
			hear(w, recorded, used);
		else if (beyond(recorded, used) > w->at_least)
			w->at_least = recorded - used;
	}
}

/* True if the superblock's counters may be stale: the log does not have lazy counters. */
static bool sb_is_old(const struct repair *rc)
{
	return rc->run->log_replayed && rc->geo.lazysbcount;
}

static void count_missing(const struct repair *rc, const struct repair *again, const struct loss_tally *t,
			  const struct open_groups *open, struct loss_figures *f)
{
	struct witnesses w = { .at_least = open->agi_lacks ? beyond(open->by_agi, open->agi_known) : 0 };
	uint64_t inodes;

	f->missing_known = true;
	if (!open->any)
		return;
	if (!open->agi_lacks)
		hear(&w, open->by_agi, open->agi_known);
	hear_quotas(rc, again, t, &w);
	if (sb_tells(&rc->geo, open, &inodes) && (!w.any || !sb_is_old(rc) || inodes == open->known)) {
		f->counters_old = !w.any && inodes != open->known && sb_is_old(rc);
		hear(&w, inodes, open->known);
	}
	f->missing_known = w.any;
	/* a counter that equals the number of known inodes is no coincidence */
	if (w.agrees)
		return;
	f->missing = w.least > w.at_least ? w.least : w.at_least;
	f->missing_most = w.most > f->missing ? w.most : f->missing;
}

int loss_figures(const struct repair *rc, const struct repair *again, const struct loss_tally *t, uint64_t names,
		 uint64_t unknown_names, struct loss_figures *ret)
{
	struct open_groups open = { 0 };
	struct loss_figures f = {
		.moved = t->moved, .damaged = t->damaged, .unconfirmed = t->unconfirmed, .lost = t->lost
	};
	uint64_t below[BELOW_NR];
	int error = count_below(again, t, below);

	if (rc->traverse && again->traverse) {
		open = look_at_groups(rc, again, t);
		count_missing(rc, again, t, &open, &f);
	}
	/* a name in a hash index belongs to a file known to be lost, or to a missing one */
	if (open.any && f.missing < beyond(unknown_names, t->nameless))
		f.missing = beyond(unknown_names, t->nameless);
	if (f.missing_most < f.missing)
		f.missing_most = f.missing;
	f.moved += below[BELOW_MOVED];
	f.damaged += below[BELOW_DOUBTED];
	f.unconfirmed += below[BELOW_DOUBTED];
	f.in_place = beyond(names, t->apart + below[BELOW_MOVED] + below[BELOW_DOUBTED]);
	*ret = f;
	return error;
}
