/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks bitmap, summary and btrees of the realtime section (ondisk 09).  Free extents and btree records are facts for
 * the sink.  The summary is checked by a sum per group: runs of free extents within one block of the bitmap are added,
 * the counters of the summary subtracted.  Runs that touch the edge of a bitmap block are kept, and rt_check.c joins
 * them with those of neighbours.
 */
#include "walk.h"

#include <stdlib.h>

#include "check/books/books.h"
#include "inflight.h"
#include "libxfs/rt.h"
#include "log/intents.h"

static bool is_file(const struct rt_file_state *file, enum rtfile kind)
{
	return file->metatype == rtfile_metatype(kind);
}

void walk_rt_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode)
{
	struct rt_file_state *file = walk_alloc(w, sizeof(*file));
	struct rt_state *rt = &w->t->rt;
	enum rtfile kind = rtfile_of(inode->rtfile);
	struct rt_group *group;

	inflight->rt = file;
	if (!file)
		return;
	file->metatype = inode->rtfile;
	file->rgno = inode->rgno;
	file->used_blocks = inode->rt_used_blocks;
	if (inode->rgno >= w->t->geo->rgcount)
		return; /* without metadata directories, these files exist even without a section, and are empty */
	group = &rt->group[inode->rgno];
	pthread_mutex_lock(&rt->lock);
	if (!group->file[kind].count++ || inode->ino.v < group->file[kind].ino.v)
		group->file[kind].ino = inode->ino;
	pthread_mutex_unlock(&rt->lock);
}

enum object walk_rt_object(const struct inflight *inflight)
{
	return is_file(inflight->rt, RTFILE_BITMAP) ? OBJ_RTBITMAP : OBJ_RTSUMMARY;
}

uint64_t walk_rt_words_end(const struct walker *w, const struct inflight *inflight)
{
	if (!inflight->rt)
		return 0;
	if (is_file(inflight->rt, RTFILE_BITMAP))
		return w->t->geo->rbmblocks;
	return is_file(inflight->rt, RTFILE_SUMMARY) ? w->t->geo->rsumblocks : 0;
}

/* A block of a bitmap or summary while its words are decoded. */
struct words_visit {
	struct walker *w;
	struct rt_edges edges;
	uint32_t rgno;
	uint32_t block;	     /* of the bitmap */
	uint64_t first, end; /* realtime extents of the group with bits in this bitmap block */
	uint64_t free;	     /* for rt_group.free */
	uint64_t sum;	     /* for rt_group.summary */
};

static void free_found(void *ctx, uint64_t start, uint32_t len)
{
	struct words_visit *visit = ctx;
	struct walker *w = visit->w;
	const struct geometry *geo = w->t->geo;
	const struct blocks at = { group_of_rg(geo, visit->rgno),
				   { start * geo->rextsize },
				   (uint64_t)len * geo->rextsize };
	bool leads = start == visit->first, trails = start + len == visit->end;

	sink_tell(&w->t->sink, free_extent, w->worker, BT_BNO, &at);
	visit->free += len;
	if (leads)
		visit->edges.lead = len;
	if (trails)
		visit->edges.trail = len;
	if (!leads && !trails)
		visit->sum += rt_sum_run(w->t->sink.key, visit->block, len);
}

static void counter_found(void *ctx, uint32_t level, uint32_t bitmap_block, uint32_t count)
{
	struct words_visit *visit = ctx;

	visit->sum -= count * rt_sum_level(visit->w->t->sink.key, bitmap_block, level);
}

void walk_rt_block_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff)
{
	const struct geometry *geo = w->t->geo;
	const uint64_t block_blocks = (uint64_t)rt_block_extents(geo) * geo->rextsize;
	const struct tree_gap gap = {
		.group = group_of_rg(geo, inflight->rt->rgno),
		.kind = BT_BNO,
		.from = { { fileoff * block_blocks } },
		.to = { { (fileoff + 1) * block_blocks } },
	};

	if (is_file(inflight->rt, RTFILE_BITMAP))
		walk_tree_gap(w, &gap);
}

static bool bitmap_block(struct walker *w, const uint8_t *bytes, const struct rt_expect *expect,
			 struct words_visit *visit)
{
	const struct geometry *geo = w->t->geo;
	uint64_t extents = group_length(geo, group_of_rg(geo, expect->rgno)) / geo->rextsize;

	visit->block = (uint32_t)expect->block;
	visit->first = expect->block * rt_block_extents(geo);
	visit->end = visit->first + rt_block_extents(geo);
	if (visit->end > extents)
		visit->end = extents;
	if (!rtbitmap_decode(&w->check, bytes, expect, free_found, visit))
		return false;
	pthread_mutex_lock(&w->t->rt.lock);
	w->t->rt.edges[(size_t)expect->rgno * geo->rbmblocks + expect->block] = visit->edges;
	pthread_mutex_unlock(&w->t->rt.lock);
	return true;
}

void walk_rt_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr, uint64_t fileoff)
{
	struct rt_file_state *file = inflight->rt;
	const struct rt_expect expect = { inflight->ino, daddr, fileoff, file->rgno };
	struct words_visit visit = { .w = w, .rgno = file->rgno };
	struct rt_group *group = &w->t->rt.group[file->rgno];
	bool ok, locked;

	w->totals.metadata_blocks++;
	if (is_file(file, RTFILE_BITMAP))
		ok = bitmap_block(w, bytes, &expect, &visit);
	else
		ok = rtsummary_decode(&w->check, bytes, &expect, counter_found, &visit);
	pthread_mutex_lock(&w->t->rt.lock);
	group->free += visit.free;
	group->summary += visit.sum;
	pthread_mutex_unlock(&w->t->rt.lock);
	locked = inflight_lock(inflight);
	file->blocks++;
	if (!ok)
		inflight_gap(w, inflight);
	inflight_unlock(inflight, locked);
	if (!ok)
		walk_rt_block_lost(w, inflight, fileoff);
}

static void count_staged(struct walker *w, uint32_t rgno, uint64_t blocks)
{
	pthread_mutex_lock(&w->t->rt.lock);
	w->t->rt.group[rgno].staged += blocks;
	pthread_mutex_unlock(&w->t->rt.lock);
}

uint64_t walk_rt_record(struct walker *w, const struct inflight *inflight, enum btree_kind kind,
			const union btree_record *record)
{
	const struct sink *sink = &w->t->sink;
	group_t group = group_of_rg(w->t->geo, inflight->rt->rgno);

	if (kind == BT_RTREFC) {
		if (record->refcount.cow)
			count_staged(w, inflight->rt->rgno, record->refcount.len);
		sink_tell(sink, refcount, w->worker, group, &record->refcount);
		return 0;
	}
	sink_tell(sink, rmap, w->worker, group, &record->rmap);
	return record->rmap.len;
}

void walk_rt_settle(struct walker *w, struct inflight *inflight)
{
	const struct rt_file_state *file = inflight->rt;
	const struct geometry *geo = w->t->geo;
	uint64_t blocks = walk_rt_words_end(w, inflight);
	bool gap = inflight->gap || !inflight->blocks_known;

	if (file->rgno >= geo->rgcount)
		return;
	if (!gap && file->blocks != blocks) {
		walk_problem(w, is_file(file, RTFILE_BITMAP) ? F_RTBITMAP_UNMAPPED : F_RTSUMMARY_UNMAPPED, NO_INDEX,
			     file->blocks, blocks);
		gap = true;
	}
	/* the kernel counts blocks before or after it changes the rtrmapbt, in transactions of their own */
	if (!gap && geo->zoned && is_file(file, RTFILE_RMAP) && file->used_blocks != file->mapped &&
	    !intents_change(w->t->intents, group_of_rg(geo, file->rgno)))
		walk_problem(w, F_RTGROUP_USED, NO_INDEX, file->used_blocks, file->mapped);
	pthread_mutex_lock(&w->t->rt.lock);
	w->t->rt.group[file->rgno].file[rtfile_of(file->metatype)].known = !gap;
	pthread_mutex_unlock(&w->t->rt.lock);
}

/* Parses a name such as "12.rmap".  False: it is not the name of a realtime metadata file. */
static bool parse_name(const struct entry_fact *entry, uint32_t *ret_rgno, enum rtfile *ret_kind)
{
	char name[24], written[24];
	uint64_t rgno;

	if (entry->namelen >= sizeof(name))
		return false;
	memcpy(name, entry->name, entry->namelen);
	name[entry->namelen] = '\0';
	rgno = strtoull(name, NULL, 10);
	for (enum rtfile kind = 0; kind < RTFILE_NR; kind++) {
		rtfile_name((uint32_t)rgno, kind, written, sizeof(written));
		if (strcmp(name, written) != 0)
			continue;
		*ret_rgno = (uint32_t)rgno;
		*ret_kind = kind;
		return true;
	}
	return false;
}

void walk_rt_name(struct walker *w, const struct entry_fact *entry)
{
	static const char directory[] = "rtgroups";
	const struct geometry *geo = w->t->geo;
	struct rt_state *rt = &w->t->rt;
	enum rtfile kind;
	uint32_t rgno;

	if (entry->directory.v == geo->metadirino.v) {
		if (entry->namelen != strlen(directory) || memcmp(entry->name, directory, strlen(directory)) != 0)
			return;
		pthread_mutex_lock(&rt->lock);
		if (!rt->directory.v || entry->target.v < rt->directory.v)
			rt->directory = entry->target;
		pthread_mutex_unlock(&rt->lock);
	} else if (parse_name(entry, &rgno, &kind) && rgno < geo->rgcount) {
		struct rt_group *group = &rt->group[rgno];

		pthread_mutex_lock(&rt->lock);
		if (!group->name[kind].count++ || entry->target.v < group->name[kind].ino.v) {
			group->name[kind].ino = entry->target;
			group->name[kind].directory = entry->directory;
		}
		pthread_mutex_unlock(&rt->lock);
	}
}
