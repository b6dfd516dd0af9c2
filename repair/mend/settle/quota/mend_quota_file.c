/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects quota files (ondisk 10, invariant 1): their inodes, and the order of their blocks.  Records have ids, which
 * determine their places, so blocks are moved there, and lost blocks with records are restored.  After that,
 * mend_dquot.c can correct records in their places.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/dquot.h"
#include "libxfs/dquot_mend.h"
#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_attr.h"
#include "mend/make/mend_metadir.h"
#include "mend_quota.h"
#include "repair.h"
#include "report/mender.h"
#include "report/words.h"
#include "sets/ordered.h"
#include "check/walk/quota.h"
#include "mend/base/menders.h"

#define BLOCKS_MAX (1u << 20) /* maximum number of blocks of a file to examine: 30 million ids */

/* How well a block suits its place in the file, best first. */
enum rank {
	IN_PLACE, /* its records belong there */
	MOVED,	  /* the file has it in another place */
	LOST,	  /* unowned */
	UNCLEAR,  /* has records, but no recognizable id: stays */
	FOREIGN,  /* records of another type: dropped */
	EMPTY,	  /* no records, may be any data: dropped */
};

struct candidate {
	fileoff_t off; /* its right place in the file */
	fsbno_t at;
	enum rank rank;
};

struct candidates {
	struct candidate *v;
	size_t count, room;
};

/* An unowned block with records. */
struct lost {
	fileoff_t off;
	fsbno_t at;
	uint8_t types;
	const struct found *found;
};

struct quota_file_work {
	struct mend *m;
	const struct found *found;
	size_t count;
	struct lost *lost;
	size_t nlost, lost_room;
	uint8_t *block;
};

/* The current file. */
struct file {
	struct quota_file_work *work;
	enum quota_type type;
	struct mend_inode inode;
	const struct found *why; /* the finding that it is mended for */
	struct candidates blocks;
	bool any;			   /* it has blocks with records of its type, or unclear ones */
	unsigned moved, regained, dropped; /* numbers of blocks */
};

static bool has_finding(const struct file *f, enum finding finding)
{
	for (size_t i = 0; i < f->work->count; i++)
		if (f->work->found[i].place.ino.v == f->inode.ino.v && f->work->found[i].problem.finding == finding)
			return true;
	return false;
}

/* Reads a block into w->block. True if its records show their type and their place in a file. */
static bool identify(struct quota_file_work *w, fsbno_t at, uint8_t *ret_types, fileoff_t *ret_off)
{
	const struct geometry *geo = &w->m->now->geo;

	return !mend_read(w->m, w->block, bytes_of_daddr(daddr_of_fsbno(geo, at)), geo->block_size) &&
	       dquot_block_identify(geo, w->block, ret_types, ret_off);
}

/* Returns the rank of w->block if its records don't show their place. */
static enum rank rank_unclear(const struct quota_file_work *w)
{
	const struct geometry *geo = &w->m->now->geo;

	for (uint32_t i = 0; i < dquot_per_block(geo); i++)
		if (dquot_recognize(geo, w->block + i * sizeof(struct dquot_disk), DQUOT_TYPE_ANY))
			return UNCLEAR;
	return EMPTY;
}

/* ---- blocks and their places ---- */

/* Finds records in lost blocks. 0 or -ENOMEM. */
static int find_lost(struct quota_file_work *w)
{
	const struct geometry *geo = &w->m->now->geo;

	for (size_t i = 0; i < w->count; i++) {
		const struct found *f = &w->found[i];

		if (f->problem.finding != F_SPACE_LOST || f->place.agno.v >= geo->agcount)
			continue;
		for (uint64_t k = 0; k < f->problem.got && !mend_exhausted(w->m); k++) {
			struct lost lost = { .at = { fsbno_of(geo, f->place.agno, f->place.agbno).v + k }, .found = f };

			if (!fsb_range_valid(geo, lost.at, 1) || !identify(w, lost.at, &lost.types, &lost.off))
				continue;
			if (array_add(w->lost, w->lost_room, w->nlost, lost))
				return -ENOMEM;
		}
	}
	return 0;
}

static int add_candidate(struct file *f, const struct candidate *block)
{
	return array_add(f->blocks.v, f->blocks.room, f->blocks.count, *block);
}

/* Collects the blocks of the file, and lost ones that may be its own. 0, -E2BIG or -ENOMEM. */
static int collect_blocks(struct file *f)
{
	const struct geometry *geo = &f->work->m->now->geo;
	const struct mend_fork *fork = &f->inode.fork[DATA_FORK];
	uint8_t own_types = dquot_file_types(geo, f->type), types;
	int ret = 0;

	for (size_t i = 0; i < fork->count; i++) {
		for (uint32_t k = 0; k < fork->extents[i].len && !ret; k++) {
			fileoff_t here = { fork->extents[i].off.v + k };
			struct candidate b = { here, { fork->extents[i].start.v + k }, EMPTY };
			fileoff_t off;

			if (f->blocks.count >= BLOCKS_MAX || mend_exhausted(f->work->m))
				return -E2BIG;
			memset(f->work->block, 0, geo->block_size); /* for unreadable parts */
			if (!identify(f->work, b.at, &types, &off))
				b.rank = rank_unclear(f->work);
			else if (!(types & own_types))
				b.rank = FOREIGN;
			else
				b = (struct candidate){ off, b.at, off.v == here.v ? IN_PLACE : MOVED };
			f->any |= b.rank < FOREIGN;
			ret = add_candidate(f, &b);
		}
	}
	for (size_t i = 0; i < f->work->nlost && !ret; i++) {
		const struct lost *lost = &f->work->lost[i];

		if (lost->types & own_types)
			ret = add_candidate(f, &(struct candidate){ lost->off, lost->at, LOST });
	}
	return ret;
}

/*
 * Keeps the best block for each place.  Drops blocks beyond the last id, and those without records of this type;
 * mend_dquot.c creates new blocks for empty places.
 */
static void keep_best_blocks(struct file *f)
{
	uint64_t end = dquot_file_end(&f->work->m->now->geo).v;
	struct candidate *v = f->blocks.v;
	size_t n = 0;

	ordered_sort(v, f->blocks.count, MEMBERS(MEMBER(v, off), MEMBER(v, rank), MEMBER(v, at)));
	for (size_t i = 0; i < f->blocks.count; i++) {
		struct candidate b = v[i];

		if (b.off.v >= end || b.rank >= FOREIGN || (n && v[n - 1].off.v == b.off.v)) {
			f->dropped += b.rank != LOST;
			continue;
		}
		f->moved += b.rank == MOVED;
		f->regained += b.rank == LOST;
		v[n++] = b;
	}
	f->blocks.count = n;
}

static int store_map(struct file *f)
{
	struct mend_map map = { 0 };
	int ret = 0;

	for (size_t i = 0; i < f->blocks.count && !ret; i++) {
		const struct bmap_record block = { .off = f->blocks.v[i].off, .start = f->blocks.v[i].at, .len = 1 };

		ret = mend_map_add(&map, &block);
	}
	mend_map_join(&map);
	if (!ret)
		ret = mend_fork_store(f->work->m, &f->inode, DATA_FORK, map.v, map.count);
	free(map.v);
	return ret;
}

/* Moves the file's blocks to their places. Sets *changed if any is moved, restored or dropped. 0 or negative errno. */
static int mend_map(struct file *f, bool *changed)
{
	int ret = collect_blocks(f);

	if (ret)
		return mend_left(f->work->m, f->why, 1, ret);
	/* if all records are of another type, it is that type's file: mend_quota_sb.c */
	if (!f->any && has_finding(f, F_DQUOT_BLOCK_TYPE))
		return 0;
	keep_best_blocks(f);
	if (!f->moved && !f->regained && !f->dropped && !has_finding(f, F_QUOTA_FILE_UNWRITTEN))
		return 0;
	*changed = true;
	return store_map(f);
}

/* ---- the inode ---- */

/* Clears flags that a quota file must not have and that affect its data fork. True if any was set. */
static bool clear_flags(struct file *f)
{
	struct dinode_disk *disk = mend_inode_disk(&f->inode);

	if (!has_finding(f, F_QUOTA_FILE_FLAGS))
		return false;
	disk->flags = be16_put(be16_get(disk->flags) & (uint16_t)~DIFLAG_REALTIME);
	if (f->work->m->now->geo.crc)
		disk->flags2 = be64_put(be64_get(disk->flags2) & ~(uint64_t)DIFLAG2_REFLINK);
	return true;
}

static bool set_core(struct file *f)
{
	struct dinode_disk *disk = mend_inode_disk(&f->inode);
	bool mode = has_finding(f, F_QUOTA_FILE_MODE), size = has_finding(f, F_QUOTA_FILE_SIZE);

	if (mode)
		disk->mode = be16_put(be16_get(disk->mode) & MODE_TYPE);
	if (size)
		disk->size = be64_put(0);
	return mode || size;
}

static void say_file_done(const struct file *f)
{
	struct words words = { 0 };

	words_add(&words, "%s", mender_text(f->work->m->kind));
	if (f->moved) {
		words_add(&words, "; ");
		words_add_count(&words, f->moved, "block", "blocks");
		words_add(&words, " moved to where the records belong");
	}
	if (f->regained) {
		words_add(&words, "; ");
		words_add_count(&words, f->regained, "lost block", "lost blocks");
		words_add(&words, " of records put back");
	}
	if (f->dropped) {
		words_add(&words, "; ");
		words_add_count(&words, f->dropped, "block", "blocks");
		words_add(&words, " dropped, which hold nothing that belongs there");
	}
	mend_done_so(f->work->m, f->why, f->dropped ? SURE_GUESS : mender_sure(f->work->m->kind), words.text);
}

static int mend_file(struct file *f)
{
	struct mend *m = f->work->m;
	bool changed = clear_flags(f);
	int ret = 0;

	if (!changed) {
		changed = set_core(f);
		if (f->inode.fork[DATA_FORK].whole)
			ret = mend_map(f, &changed);
	}
	if (!ret && has_finding(f, F_QUOTA_FILE_ATTR)) {
		struct attr_items none = { 0 };

		changed = true;
		ret = attr_write(m, &f->inode, &none);
	} else if (!ret && changed) {
		ret = mend_inode_store(m, &f->inode);
	}
	if (!ret && changed)
		say_file_done(f);
	return ret;
}

/* Returns the first finding about the file, or about a lost block that may be its own. */
static const struct found *why(const struct quota_file_work *w, xino_t ino, uint8_t types)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->found[i].place.ino.v == ino.v)
			return &w->found[i];
	for (size_t i = 0; i < w->nlost; i++)
		if (w->lost[i].types & types)
			return w->lost[i].found;
	return NULL;
}

static int mend_type(struct quota_file_work *w, enum quota_type type)
{
	struct file f = { .work = w, .type = type };
	struct metafile other; /* if it has the name of a realtime group's file, its type is wrong */
	xino_t ino = w->m->now->quota->lanes[0].file[type][0];
	int ret;

	f.why = ino.v == NULL_INO ? NULL : why(w, ino, dquot_file_types(&w->m->now->geo, type));
	if (!f.why || mend_metafile_of_group(w->m, ino, &other))
		return 0;
	ret = mend_inode_load(w->m, ino, &f.inode);
	if (ret)
		return mend_left(w->m, f.why, 1, ret);
	if (f.inode.inode.ftype == FT_REG)
		ret = mend_file(&f);
	free(f.blocks.v);
	mend_inode_free(&f.inode);
	return mend_left(w->m, f.why, 1, ret);
}

bool mend_quota_file_wants(const struct found *found)
{
	const enum finding finding = found->problem.finding;

	/* misplaced records, and lost blocks that may contain some */
	return (mend_is_quota_file(found) &&
		(finding == F_BLOCK_MAGIC || finding == F_DQUOT_ID || finding == F_DQUOT_BLOCK_TYPE)) ||
	       finding == F_SPACE_LOST;
}

int mend_quota_file(struct mend *m, const struct found *found, size_t count)
{
	const xino_t(*files)[2] = m->now->quota->lanes[0].file;
	struct quota_file_work w = { .m = m, .found = found, .count = count };
	int ret;

	if (files[QUOTA_USER][0].v == NULL_INO && files[QUOTA_GROUP][0].v == NULL_INO &&
	    files[QUOTA_PROJECT][0].v == NULL_INO)
		return 0;
	w.block = malloc(m->now->geo.block_size);
	ret = w.block ? find_lost(&w) : -ENOMEM;
	for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++)
		ret = mend_type(&w, type);
	free(w.lost);
	free(w.block);
	return ret;
}
