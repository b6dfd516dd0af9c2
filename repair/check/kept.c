/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what a check keeps.  Block maps take four bits a block.  If they don't fit into memory, only the unbalanced
 * accounts of groups show wrong blocks.
 */
#include "kept.h"

#include <errno.h>
#include <stdlib.h>

#include "check/books/books.h"
#include "check/books/doubts.h"
#include "sets/block_map.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "run.h"
#include "check/walk/traverse.h"

/* Maps of the blocks of an AG. */
struct kept_blocks {
	struct block_map taken;	 /* claimed or free */
	struct block_map again;	 /* claimed or free more than once */
	struct block_map shared; /* used more than once according to the refcountbt */
	struct block_map files;	 /* claimed by an inode */
};

#define MAPS (sizeof(struct kept_blocks) / sizeof(struct block_map))

struct keeping {
	const struct geometry *geo;
	struct kept_blocks *ags; /* AGs that begin on the device; NULL: not enough memory */
	uint32_t agcount;	 /* in `ags` */
	struct sink sink;
};

static const struct kept_blocks *blocks_of(const struct keeping *k, group_t group)
{
	return k->ags && group.v < k->agcount ? &k->ags[group.v] : NULL;
}

static void mark_taken(const struct kept_blocks *ag, uint64_t start, uint64_t len)
{
	block_map_mark_again(&ag->taken, &ag->again, start, len);
}

static void claim_kept(void *ctx, unsigned worker, const struct claim *c)
{
	const struct kept_blocks *ag = blocks_of(ctx, c->at.group);

	(void)worker;
	if (!ag)
		return;
	mark_taken(ag, c->at.start.v, c->at.len);
	if (c->owner < OWNER_COW)
		block_map_mark(&ag->files, c->at.start.v, c->at.len);
}

static void freed_kept(void *ctx, unsigned worker, const struct blocks *b)
{
	const struct kept_blocks *ag = blocks_of(ctx, b->group);

	(void)worker;
	if (ag)
		mark_taken(ag, b->start.v, b->len);
}

static void free_kept(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *b)
{
	if (kind == BT_BNO)
		freed_kept(ctx, worker, b);
}

/* Counts extents staged for copy on write as used: their refcount records are their claims. */
static void refcount_kept(void *ctx, unsigned worker, group_t group, const struct refcount_record *r)
{
	const struct kept_blocks *ag = blocks_of(ctx, group);

	(void)worker;
	if (ag && r->cow)
		mark_taken(ag, r->start.v, r->len);
	else if (ag && r->refcount > 1)
		block_map_mark(&ag->shared, r->start.v, r->len);
}

static const struct sink_ops keeping_ops = {
	.claim = claim_kept, .free_extent = free_kept, .freed = freed_kept, .refcount = refcount_kept
};

static int maps_new(struct keeping *k)
{
	k->ags = calloc(k->agcount ? k->agcount : 1, sizeof(*k->ags));
	if (!k->ags)
		return -ENOMEM;
	for (uint32_t ag = 0; ag < k->agcount; ag++) {
		const uint64_t to = ag_length(k->geo, (agno_t){ ag });
		struct kept_blocks *b = &k->ags[ag];

		if (block_map_new(&b->taken, 0, to) || block_map_new(&b->again, 0, to) ||
		    block_map_new(&b->shared, 0, to) || block_map_new(&b->files, 0, to))
			return -ENOMEM;
	}
	return 0;
}

/* Returns how many AGs begin on the device. */
static uint32_t groups_present(const struct repair *check)
{
	const uint64_t present = device_bytes(check->run->device) / bytes_of_ag(&check->geo) + 1;

	return present < check->geo.agcount ? (uint32_t)present : check->geo.agcount;
}

int keeping_new(const struct repair *check, struct keeping **ret)
{
	struct keeping *k = calloc(1, sizeof(*k));
	int error;

	if (!k)
		return -ENOMEM;
	k->geo = &check->geo;
	k->agcount = groups_present(check);
	k->sink = (struct sink){ &keeping_ops, k, &check->run->key };
	if (MAPS * k->agcount * (k->geo->agblocks / 8 + UINT64_C(1)) > check->run->memory.records) {
		*ret = k;
		return 0;
	}
	error = maps_new(k);
	if (error)
		keeping_free(k);
	else
		*ret = k;
	return error;
}

void keeping_free(struct keeping *k)
{
	if (!k)
		return;
	for (uint32_t ag = 0; k->ags && ag < k->agcount; ag++) {
		block_map_free(&k->ags[ag].taken);
		block_map_free(&k->ags[ag].again);
		block_map_free(&k->ags[ag].shared);
		block_map_free(&k->ags[ag].files);
	}
	free(k->ags);
	free(k);
}

struct sink keeping_sink(struct keeping *k)
{
	return k->sink;
}

static void count_blocks(struct keeping *k, struct kept *kept)
{
	for (uint32_t ag = 0; k->ags && ag < k->agcount; ag++) {
		struct kept_blocks *b = &k->ags[ag];

		block_map_subtract(&b->again, &b->shared);
		block_map_subtract(&b->files, &b->again);
		kept->things += block_map_count(&b->files);
		kept->wrong += block_map_count(&b->again);
		kept->wrong += b->taken.to - block_map_count(&b->taken);
	}
}

/* Adds the findings, and their inodes to *unsound.  *ret_uncounted: findings whose inodes are unknown. */
static int count_findings(struct findings *findings, struct kept *kept, struct ino_set *unsound,
			  uint64_t *ret_uncounted)
{
	const struct found *found;
	int ret = 0;

	*ret_uncounted = 0;
	findings_settle(findings);
	while (!ret && (found = findings_next_shown(findings))) {
		if (!finding_is_damage(found->problem.finding) ||
		    finding_class(found->problem.finding) == CLASS_SUMMARY || found->place.object == OBJ_SUPERBLOCK)
			continue;
		kept->wrong += found->times;
		if (found->place.ino.v != NULL_INO && found->place.ino.v)
			ret = ino_set_put(unsound, found->place.ino);
	}
	for (enum finding f = 0; f < FINDING_NR && !ret; f++)
		if (finding_class(f) != CLASS_SUMMARY)
			*ret_uncounted += findings_excess(findings, f);
	kept->wrong += *ret_uncounted;
	return ret;
}

static void count_accounts(const struct repair *check, struct kept *kept)
{
	for (uint32_t g = 0; g < group_count(&check->geo); g++)
		kept->wrong += accounts_any_unbalanced(check, (group_t){ g });
}

int keeping_end(struct keeping *k, const struct repair *check, struct kept *ret)
{
	const struct totals totals = traverse_totals(check->traverse);
	struct ino_set unsound = { 0 };
	struct kept kept = { 0 };
	uint64_t bad, uncounted;
	int error = count_findings(check->findings, &kept, &unsound, &uncounted);

	bad = ino_set_count(&unsound) + uncounted + (check->doubts ? doubts_count(check->doubts) : 0);
	kept.wrong += check->doubts ? doubts_count(check->doubts) : 0;
	count_accounts(check, &kept);
	count_blocks(k, &kept);
	kept.names = totals.entries;
	kept.inodes = totals.inodes > bad ? totals.inodes - bad : 0;
	kept.bad = bad;
	kept.things += kept.names + kept.inodes;
	ino_set_free(&unsound);
	if (!error)
		*ret = kept;
	return error;
}
