/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses between the two ways to replay a log with a hole: up to it, or also the complete transactions behind it.
 * With the second, metadata whose last change was in the hole is outdated, and may contradict later changes.  So both
 * ways are tried in memory, and the second is taken unless it keeps much less.  Three rules keep it from giving a
 * file the bytes of another one:
 * - Nothing older than the hole is replayed over blocks of files that were logged behind it (log_across_guards()): the
 *   hole may have lost that these blocks were freed.  The first trial finds these blocks.
 * - If directories have a name only behind the hole, and its inode was not logged since and had another name before,
 *   the name may belong to a later inode of that number, which the hole lost.  Such names are dropped: the inode gets
 *   its old name.  A parent pointer for the name proves that it belongs to the inode.
 * - A gap is only taken for a hole if no crash can leave such a log (libxfs/log_behind.c).
 */
#include "trial.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"
#include "log/intents.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "sets/number_set.h"
#include "sets/sort.h"
#include "sb/sb_candidates.h"
#include "base/spot.h"
#include "sets/ordered.h"

/* Facts of a trial about the two sides of the hole. */
struct learning {
	const struct repair *rc;
	struct log_across *across;
	pthread_mutex_t lock; /* protects the members below, and *across */
	struct ino_set since; /* inodes written to their places after the hole */
	struct ino_set named; /* inodes of `former` with another name before the hole */
	struct ino_set formers;
	uint64_t *owned; /* names with a parent pointer in their inode, as log_former_hash() */
	size_t nowned, owned_room;
	uint64_t *old; /* names in directories before the hole */
	size_t nold, old_room;
	int error;
};

static void note_error(struct learning *l, int error)
{
	if (error)
		l->error = error;
}

static enum log_span_kind kind_of(const struct claim *c, uint16_t mode)
{
	return c->flags & RMAP_ATTR ? LOG_SPAN_ATTR : S_ISLNK(mode) ? LOG_SPAN_SYMLINK : LOG_SPAN_FILE;
}

/* ---- the state behind the hole ---- */

/* Collects blocks of inodes that were logged behind a hole: of files' data, of attributes, of symbolic links. */
static void learn_claim(void *ctx, unsigned worker, const struct claim *c)
{
	struct learning *l = ctx;
	const struct geometry *geo = &l->rc->geo;
	const struct log_later *later = c->owner < OWNER_COW && !(c->flags & RMAP_BMBT) && c->at.group.v < geo->agcount
						? log_across_later(l->across, (xino_t){ c->owner })
						: NULL;
	uint64_t from;

	(void)worker;
	if (!later || (!(c->flags & RMAP_ATTR) && !S_ISREG(later->mode) && !S_ISLNK(later->mode)) ||
	    dinode_is_internal(geo, later->ino))
		return;
	from = daddr_of(geo, (agno_t){ c->at.group.v }, (agbno_t){ c->at.start.v }).v;
	pthread_mutex_lock(&l->lock);
	note_error(l, log_across_span(l->across, from, from + (c->at.len << (geo->block_log - SECTOR_LOG)),
				      later->holes, kind_of(c, later->mode)));
	pthread_mutex_unlock(&l->lock);
}

/* True if the directory was logged behind a hole, and the inode was not. */
static bool is_of_interest(const struct learning *l, xino_t dir, xino_t target)
{
	return log_across_later(l->across, dir) && !log_across_later(l->across, target);
}

static uint64_t former_of(const struct learning *l, xino_t dir, xino_t target, const uint8_t *name, uint8_t len)
{
	return log_former_hash(&l->rc->run->key, dir, target, hash_name(&l->rc->run->key, name, len));
}

static void learn_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct learning *l = ctx;

	(void)worker;
	if (!e->name || e->metadata || !is_of_interest(l, e->directory, e->target))
		return;
	pthread_mutex_lock(&l->lock);
	note_error(l, array_add(l->across->former, l->across->former_room, l->across->nformer,
				(struct log_former){ former_of(l, e->directory, e->target, e->name, e->namelen),
						     e->target }));
	note_error(l, ino_set_put(&l->formers, e->target));
	pthread_mutex_unlock(&l->lock);
}

static void learn_pptr(void *ctx, unsigned worker, const struct pptr_fact *p)
{
	struct learning *l = ctx;

	(void)worker;
	if (p->metadata || !is_of_interest(l, p->parent, p->child))
		return;
	pthread_mutex_lock(&l->lock);
	note_error(l, array_add(l->owned, l->owned_room, l->nowned,
				former_of(l, p->parent, p->child, p->name, p->namelen)));
	pthread_mutex_unlock(&l->lock);
}

static void learn_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct learning *l = ctx;

	(void)worker;
	if (!l->rc->geo.crc || be64_get(inode->disk->lsn) < l->rc->log.hole.v ||
	    log_across_later(l->across, inode->ino))
		return;
	pthread_mutex_lock(&l->lock);
	note_error(l, ino_set_put(&l->since, inode->ino));
	pthread_mutex_unlock(&l->lock);
}

static const struct sink_ops behind_ops = {
	.claim = learn_claim, .entry = learn_entry, .pptr = learn_pptr, .inode = learn_inode
};

/* ---- the state before the hole ---- */

static void learn_old_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct learning *l = ctx;

	(void)worker;
	if (!e->name || e->metadata || !ino_set_has(&l->formers, e->target))
		return;
	pthread_mutex_lock(&l->lock);
	note_error(l, ino_set_put(&l->named, e->target));
	note_error(l,
		   array_add(l->old, l->old_room, l->nold, former_of(l, e->directory, e->target, e->name, e->namelen)));
	pthread_mutex_unlock(&l->lock);
}

static const struct sink_ops before_ops = { .entry = learn_old_entry };

/* ---- trials ---- */

static enum phase_result adopt(void *ctx, struct repair *check)
{
	(void)ctx;
	(void)check;
	return PHASE_DONE; /* the superblock as replayed */
}

/* Replays the log, and checks the result, which stays in the overlay.  trial->usable: it could be replayed that far. */
static int try_replay(struct repair *rc, log_replay_fn *replay, struct log_mark until, struct learning *l,
		      const struct sink_ops *ops, struct trial *trial)
{
	const struct sink sink = { ops, l, &rc->run->key };
	struct spot spot = spot_of(rc, OBJ_LOG, NO_AGNO);
	const struct check check = spot_check(&spot);
	struct log_mark end;
	int ret = replay(rc, until, &end);

	trial->adopt = adopt;
	trial->beside = &sink;
	trial->usable = false;
	if (ret || !log_mark_same(end, until))
		return ret;
	ret = intents_settle(rc->run->intents, &check);
	if (!ret)
		ret = trial_run(rc, trial);
	trial->beside = NULL;
	return ret ? ret : l->error;
}

static bool words_have(const uint64_t *sorted, size_t count, uint64_t word)
{
	return ordered_find(sorted, count, ELEMENT(sorted), word) < count;
}

/* Keeps only the names that are new behind the hole, for inodes with another name before it and without a proof. */
static void settle_formers(struct learning *l)
{
	struct log_across *across = l->across;
	size_t count = 0;

	if (l->nowned)
		sort_words(l->owned, l->nowned, 1);
	if (l->nold)
		sort_words(l->old, l->nold, 1);
	for (size_t i = 0; i < across->nformer; i++) {
		const struct log_former *f = &across->former[i];

		if (!ino_set_has(&l->named, f->ino) || ino_set_has(&l->since, f->ino) ||
		    words_have(l->owned, l->nowned, f->entry) || words_have(l->old, l->nold, f->entry))
			continue;
		across->former[count++] = *f;
	}
	across->nformer = count;
	ordered_sort(across->former, count, MEMBERS(MEMBER(across->former, entry)));
	across->former_known = true;
}

/* The superblock in the run before a replay, which changes it. */
struct before {
	struct geometry geo;
	uint8_t primary[SB_READ_BYTES];
};

static void put_back(struct repair *rc, const struct before *before)
{
	device_unstage(rc->run->device, LAYER_REPLAY);
	rc->geo = before->geo;
	memcpy(rc->primary, before->primary, SB_READ_BYTES);
}

/* Tries the replay across holes, again after the blocks of files that it must not change are known. */
static int try_across(struct repair *rc, log_replay_fn *replay, struct learning *l, const struct before *before,
		      struct trial *trial)
{
	const struct log_mark head = { rc->log.head, 0 };
	struct log_mark end;
	int ret;

	rc->run->log_across = l->across;
	ret = try_replay(rc, replay, head, l, &behind_ops, trial);
	put_back(rc, before);
	log_across_settle(l->across);
	if (!ret && trial->usable && l->across->nspans) {
		ret = replay(rc, head, &end);
		put_back(rc, before);
		if (!ret && l->across->guarded) {
			l->across->nformer = 0;
			ret = try_replay(rc, replay, head, l, &behind_ops, trial);
			put_back(rc, before);
			log_across_settle(l->across);
		}
	}
	rc->run->log_across = NULL;
	return ret;
}

int log_ways_try(struct repair *rc, log_replay_fn *replay, struct log_mark hole, struct log_ways *ret)
{
	struct learning l = { .rc = rc, .lock = PTHREAD_MUTEX_INITIALIZER };
	struct before *before = malloc(sizeof(*before));
	struct findings *const findings = rc->findings;
	int error = before ? 0 : -ENOMEM;

	*ret = (struct log_ways){ .learnt = calloc(1, sizeof(*ret->learnt)) };
	l.across = ret->learnt;
	rc->findings = findings_new(rc->run->max_workers); /* findings of a way that is not taken don't count */
	if (!error && (!l.across || !rc->findings))
		error = -ENOMEM;
	if (!error) {
		before->geo = rc->geo;
		memcpy(before->primary, rc->primary, SB_READ_BYTES);
		error = try_across(rc, replay, &l, before, &ret->across);
	}
	if (!error) {
		error = try_replay(rc, replay, hole, &l, &before_ops, &ret->upto);
		put_back(rc, before);
		settle_formers(&l);
	}
	ino_set_free(&l.since);
	ino_set_free(&l.named);
	ino_set_free(&l.formers);
	free(l.owned);
	free(l.old);
	free(before);
	findings_free(rc->findings);
	rc->findings = findings;
	return error;
}

/* Returns the number of inodes that were last changed behind the hole. */
static uint64_t changed_later(const struct log_ways *ways)
{
	return ways->learnt->nlater;
}

bool log_ways_is_across(const struct log_ways *ways)
{
	const struct trial *a = &ways->upto, *b = &ways->across;

	/* the older state also has names that were removed later, which can't be told from lost ones */
	return b->usable && (!a->usable || b->kept.names + changed_later(ways) >= a->kept.names / 2);
}

void log_ways_free(struct log_ways *ways)
{
	log_across_free(ways->learnt);
	ways->learnt = NULL;
}

static void add_lsn(struct words *w, lsn_t lsn)
{
	words_add(w, "%" PRIu32 ":%" PRIu32, (uint32_t)(lsn.v >> 32), (uint32_t)lsn.v);
}

static void tell_upto(const struct repair *rc, const struct log_ways *ways)
{
	struct words note = { 0 };

	words_add(&note, "--log=upto replays the log up to the hole: ");
	if (ways->upto.usable) {
		words_add_count(&note, ways->upto.kept.names, "name is there", "names are there");
		words_add(&note, ", and the later changes of ");
		words_add_count(&note, changed_later(ways), "inode", "inodes");
		words_add(&note, " are lost.");
	} else {
		words_add(&note, "not possible.");
	}
	report_note(rc->report, note.text);
}

static void tell_across(const struct repair *rc, const struct log_ways *ways)
{
	struct words note = { 0 };

	words_add(&note, "--log=across also replays the complete transactions behind the hole: ");
	if (!ways->across.usable) {
		words_add(&note, "not possible.");
		report_note(rc->report, note.text);
		return;
	}
	words_add_count(&note, ways->across.kept.names, "name is there", "names are there");
	words_add(&note, " before the repair of ");
	words_add_count(&note, ways->across.kept.bad, "inode", "inodes");
	if (ways->learnt->nformer) {
		words_add(&note, ", of which ");
		words_add_count(&note, ways->learnt->nformer, "name is", "names are");
		words_add(&note, " removed, as the inode is older");
	}
	words_add(&note, ". Changes in ");
	words_add_count(&note, rc->log.behind.holes, "hole", "holes");
	words_add(&note, " between LSN ");
	add_lsn(&note, rc->log.hole);
	words_add(&note, " and ");
	add_lsn(&note, rc->log.behind.resumed);
	words_add(&note, " are lost; files that were changed only there may have old contents.");
	report_note(rc->report, note.text);
}

void log_ways_tell(const struct repair *rc, const struct log_ways *ways)
{
	tell_upto(rc, ways);
	tell_across(rc, ways);
	if (ways->upto.usable || ways->across.usable)
		report_note(rc->report, log_ways_is_across(ways) ? "--accept-loss without --log takes --log=across."
								 : "--accept-loss without --log takes --log=upto.");
}
