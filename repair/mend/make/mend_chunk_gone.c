/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds chunks that a stale inobt still lists although they were freed: files have put data into the blocks, or newer
 * btrees list the blocks as free.  No directory entry points to the remaining inodes.  Recreating them would destroy
 * the files' data, and bring deleted files back.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend/base/mend_lanes.h"
#include "mend/collect/group_age.h"
#include "mend_chunk_search.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

bool mend_chunks_may_be_gone(const struct found *found)
{
	switch (found->problem.finding) {
	case F_SPACE_CLAIMED_TWICE:
		return found->place.object == OBJ_CLUSTER || found->problem.want == OWNER_INODES;
	case F_SPACE_FREE_IN_USE:
		return found->place.object == OBJ_CLUSTER;
	case F_BLOCK_MAGIC:
		return found->place.object == OBJ_INODE || found->place.object == OBJ_CLUSTER;
	default:
		return false;
	}
}

/* A chunk in the inobt that may be gone. */
struct suspect {
	xino_t start;
	bool named; /* a reference that stays points to one of its inodes; atomic while entries are read */
};

/* An entry from a directory in one suspect to an inode in another. */
struct link {
	size_t from, to;
};

struct suspects {
	struct mend *m;
	struct suspect *v; /* by start */
	size_t count, room;
	struct mend_lanes links;
};

/* ---- suspects ---- */

/* The contents of a chunk's blocks. */
struct contents {
	bool overwritten; /* a block without any inode has another owner */
	bool all_free;	  /* all blocks are free */
	uint64_t latest;  /* highest LSN of its inodes */
};

static bool look_at_chunk(struct mend *m, const struct survey_ag *maps, agno_t agno, const struct inobt_record *r,
			  uint8_t *bytes, struct contents *ret)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t exist = inobt_existing(r->holemask);
	const unsigned step = 1u << geo->inopb_log;
	struct contents c = { .all_free = true };

	if (mend_read(m, bytes, bytes_of_agino(geo, agno, r->start), (size_t)INODES_PER_CHUNK << geo->inode_log))
		return false;
	for (unsigned first = 0; first < INODES_PER_CHUNK; first += step) {
		const uint32_t block = agbno_of_agino(geo, (agino_t){ r->start.v + first }).v;
		bool any = false;

		if (!(exist >> first & 1))
			continue;
		for (unsigned i = first; i < first + step && i < INODES_PER_CHUNK; i++) {
			const struct dinode_disk *d = (const void *)(bytes + ((size_t)i << geo->inode_log));

			if (!chunk_looks_like_inode(geo, ino_of(geo, agno, (agino_t){ r->start.v + i }), d))
				continue;
			any = true;
			if (geo->crc && be64_get(d->lsn) > c.latest)
				c.latest = be64_get(d->lsn);
		}
		c.overwritten |= !any && block_map_get(&maps->others, block);
		c.all_free &= block_map_get(&maps->free, block);
	}
	*ret = c;
	return true;
}

/* LSNs of an AG's headers. */
struct dates {
	uint64_t agf; /* 0: unknown, or the bnobt does not match it */
	uint64_t agi;
};

static struct dates dates_of(struct mend *m, agno_t agno)
{
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	const lsn_t agf = group_header_date(m, agno, AGF_SECTOR), agi = group_header_date(m, agno, AGI_SECTOR);
	struct dates dates = { 0 };

	if (agf.v == NULL_LSN || agi.v == NULL_LSN || !agi.v || !ag->have_agf || !ag_tree_whole(ag, BT_BNO) ||
	    ag->agf.freeblks != ag->free_blocks)
		return dates;
	return (struct dates){ agf.v, agi.v };
}

/* True if the bnobt, which lists all blocks of the chunk as free, is newer than the inobt and the inodes. */
static bool is_free_by_later(const struct dates *dates, const struct contents *c)
{
	return c->all_free && c->latest && dates->agf > dates->agi && dates->agf > c->latest;
}

/* Collects the suspects of an AG. 0 or -ENOMEM. */
static int collect_group(struct suspects *s, const struct mend_survey *survey, agno_t agno)
{
	const struct geometry *geo = &s->m->now->geo;
	const struct survey_ag *maps = mend_survey_maps(survey, agno);
	const struct dates dates = dates_of(s->m, agno);
	uint8_t *bytes = malloc((size_t)INODES_PER_CHUNK << geo->inode_log);
	size_t count = 0;
	const struct chunk_fact *chunks = maps ? mend_survey_chunks(survey, agno, &count) : NULL;
	int ret = bytes ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct inobt_record *r = &chunks[i].record;
		struct contents c;

		if (chunks[i].kind != BT_INO || !look_at_chunk(s->m, maps, agno, r, bytes, &c) ||
		    !(c.overwritten || is_free_by_later(&dates, &c)))
			continue;
		ret = array_add(s->v, s->room, s->count, (struct suspect){ .start = ino_of(geo, agno, r->start) });
	}
	free(bytes);
	return ret;
}

/* ---- references to suspects ---- */

/* Returns the index of the suspect with this inode; count: none. */
static size_t suspect_of(const struct suspects *s, xino_t ino)
{
	const size_t behind = ordered_behind(s->v, s->count, MEMBER(s->v, start), ino.v);

	return behind && ino.v - s->v[behind - 1].start.v < INODES_PER_CHUNK ? behind - 1 : s->count;
}

static void set_named(struct suspects *s, size_t at)
{
	if (at < s->count)
		__atomic_store_n(&s->v[at].named, true, __ATOMIC_RELAXED);
}

static void entry_found(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct suspects *s = ctx;
	const struct link link = { suspect_of(s, entry->directory), suspect_of(s, entry->target) };

	if (entry->dot || link.to == s->count || link.from == link.to)
		return;
	if (link.from == s->count)
		set_named(s, link.to);
	else
		mend_lanes_add(&s->links, worker, &link); /* mend_lanes_join() returns the error */
}

static void rooted_found(void *ctx, unsigned worker, xino_t ino, bool metadata)
{
	(void)worker;
	(void)metadata;
	set_named(ctx, suspect_of(ctx, ino));
}

/* Propagates `named` along entries in named suspects. */
static void follow_links(struct suspects *s, const struct link *links, size_t count)
{
	bool any = true;

	while (any) {
		any = false;
		for (size_t i = 0; i < count; i++) {
			if (!s->v[links[i].from].named || s->v[links[i].to].named)
				continue;
			s->v[links[i].to].named = true;
			any = true;
		}
	}
}

/* Finds out which suspects are named. 0 or negative errno. */
static int find_names(struct suspects *s)
{
	const struct repair *now = s->m->now;
	const struct geometry *geo = &now->geo;
	const struct scope scope = { .names = true };
	static const struct sink_ops ops = { .entry = entry_found, .rooted = rooted_found };
	const struct sink sink = { &ops, s, &now->run->key };
	struct link *links = NULL;
	size_t count = 0;
	xino_t *led = ino_set_sorted(&s->m->round.led);
	int ret = mend_lanes_new(&s->links, now, sizeof(*links));

	if (!ret && !led)
		ret = -ENOMEM;
	if (!ret)
		ret = mend_gather(now, &scope, &sink, NULL, NULL);
	if (!ret)
		ret = mend_lanes_join(&s->links, &links, &count);
	if (!ret) {
		set_named(s, suspect_of(s, geo->rootino));
		if (geo->metadir)
			set_named(s, suspect_of(s, geo->metadirino));
		for (size_t i = 0; i < ino_set_count(&s->m->round.led); i++)
			set_named(s, suspect_of(s, led[i]));
		follow_links(s, links, count);
	}
	free(led);
	free(links);
	mend_lanes_free(&s->links);
	return ret;
}

int mend_chunks_find_gone(struct mend *m, const struct mend_survey *survey, const bool *groups)
{
	struct suspects s = { .m = m };
	int ret = 0;

	for (uint32_t ag = 0; ag < m->now->geo.agcount && !ret; ag++)
		if (groups[ag])
			ret = collect_group(&s, survey, (agno_t){ ag });
	if (s.count && !ret)
		ret = find_names(&s);
	for (size_t i = 0; i < s.count && !ret; i++)
		if (!s.v[i].named)
			ret = ino_set_put(&m->round.gone, s.v[i].start);
	free(s.v);
	return ret;
}
