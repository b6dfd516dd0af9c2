/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects blocks of quota files (ondisk 10; 12, Q1 and Q2): each record gets the id of its place and the counted
 * usage, and keeps its limits as far as recognizable.  Missing blocks are created.  Relies on the counts in inodes and
 * the file's extent map.  Usage is certain, because it was counted; lost or unverified limits make it a guess.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/books/books.h"
#include "disk/dquot.h"
#include "libxfs/crc.h"
#include "libxfs/dquot_mend.h"
#include "mend/base/mend_map.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "report/mender.h"
#include "report/words.h"
#include "sets/ordered.h"
#include "check/walk/quota.h"
#include "check/walk/walker.h"
#include "mend/base/menders.h"

#define GUESSES_MAX 2000u /* maximum number of records to try with other bytes: a millisecond each */

/* The current quota file. */
struct file {
	struct mend *m;
	enum quota_type type;
	struct mend_inode inode;
	struct mend_map map;	    /* its new map */
	bool grown;		    /* the map has new blocks */
	struct dquot_disk defaults; /* the record of id 0, with the grace periods */
	bool have_defaults;
	unsigned *guesses; /* made so far, in all files */
	uint8_t *block;	   /* buffer for a block */
};

/* Ids to report. */
struct ids {
	uint32_t count, first, last;
};

static void ids_add(struct ids *ids, uint32_t id)
{
	if (!ids->count++)
		ids->first = id;
	ids->last = id;
}

static void tell_ids(struct words *words, const struct ids *ids)
{
	words_add_count(words, ids->count, "id", "ids");
	if (ids->count == 1)
		words_add(words, " (%u)", ids->first);
	else
		words_add(words, " (%u to %u)", ids->first, ids->last);
}

/* Gets the byte offset of a block of the file. False: not mapped. */
static bool find_block(const struct file *f, fileoff_t off, uint64_t *ret_bytes)
{
	size_t i = mend_map_behind(f->map.v, f->map.count, off.v);
	fsbno_t at;

	if (i == f->map.count || f->map.v[i].off.v > off.v)
		return false;
	at.v = f->map.v[i].start.v + (off.v - f->map.v[i].off.v);
	*ret_bytes = bytes_of_daddr(daddr_of_fsbno(&f->m->now->geo, at));
	return true;
}

/* Maps a new block at this file block. 0, -ENOSPC or another negative errno. */
static int add_block(struct file *f, fileoff_t off, uint64_t *ret_bytes)
{
	struct bmap_record extent = { .off = off };
	int ret = mend_space_take(f->m, 1, &extent.start, &extent.len);

	if (!ret)
		ret = mend_map_add(&f->map, &extent);
	if (ret)
		return ret;
	*ret_bytes = bytes_of_daddr(daddr_of_fsbno(&f->m->now->geo, extent.start));
	mend_map_sort(&f->map);
	f->grown = true;
	return 0;
}

/* Returns the usage of an id, as counted by the last check; NULL: unknown. */
static const uint64_t *used_by(const struct file *f, uint32_t id)
{
	static const uint64_t nothing[QUOTA_COUNTS];
	const struct repair *now = f->m->now;
	const struct quota_tally *tally;

	if (!(quota_compared(now) >> f->type & 1) || now->traverse->incomplete)
		return NULL;
	tally = quota_table_find(&now->quota->lanes[0].ids[f->type], &now->quota->key, id);
	return tally ? tally->used : nothing;
}

/* Returns how many records of f->block have a wrong checksum. */
static unsigned count_unvouched(const struct file *f)
{
	const struct geometry *geo = &f->m->now->geo;
	unsigned count = 0;

	for (uint32_t i = 0; i < dquot_per_block(geo) && geo->crc; i++) {
		const struct dquot_disk *d = (const struct dquot_disk *)f->block + i;

		count += !crc_is_right(d, sizeof(*d), offsetof(struct dquot_disk, crc));
	}
	return count;
}

/* True if all records of f->block are of another type: its limits are for other ids. */
static bool is_foreign(const struct file *f)
{
	const struct geometry *geo = &f->m->now->geo;
	uint32_t per_block = dquot_per_block(geo);
	uint8_t types = 0;

	for (uint32_t i = 0; i < per_block; i++) {
		const struct dquot_disk *d = (const struct dquot_disk *)f->block + i;

		if (be16_get(d->magic) == DQUOT_MAGIC)
			types |= d->type & DQUOT_TYPE_ANY;
	}
	return types && !(types & dquot_file_types(geo, f->type)) && count_unvouched(f) < per_block / 2;
}

static void set_records_right(struct file *f, fileoff_t off, struct ids *unvouched, struct ids *lost)
{
	const struct geometry *geo = &f->m->now->geo;
	uint32_t per_block = dquot_per_block(geo);
	unsigned unsure = count_unvouched(f);
	struct dquot_facts facts = {
		.types = dquot_file_types(geo, f->type),
		.defaults = f->have_defaults ? &f->defaults : NULL,
		/* if most are damaged, more than one byte of each is */
		.guess = unsure <= per_block / 2 && *f->guesses + unsure <= GUESSES_MAX,
		.now = (uint64_t)time(NULL),
	};

	*f->guesses += facts.guess ? unsure : 0;
	for (uint32_t i = 0; i < per_block; i++) {
		struct dquot_disk *record = (struct dquot_disk *)f->block + i;
		uint64_t id = off.v * per_block + i;

		facts.id = (uint32_t)id;
		facts.used = id <= UINT32_MAX ? used_by(f, facts.id) : NULL;
		switch (dquot_set_right(geo, record, &facts)) {
		case DQUOT_UNVOUCHED:
			ids_add(unvouched, facts.id);
			break;
		case DQUOT_ANEW:
			ids_add(lost, facts.id);
			break;
		default:
			break;
		}
	}
	if (off.v == 0) {
		memcpy(&f->defaults, f->block, sizeof(f->defaults));
		f->have_defaults = true;
	}
}

static void say_block_done(const struct file *f, const struct found *found, bool made, const struct ids *unvouched,
			   const struct ids *lost)
{
	struct words words = { 0 };

	words_add(&words, "%s", made ? "quota records created, without limits" : mender_text(f->m->kind));
	if (lost->count && !made) {
		words_add(&words, "; the limits of ");
		tell_ids(&words, lost);
		words_add(&words, " are lost");
	}
	if (unvouched->count) {
		words_add(&words, "; the limits of ");
		tell_ids(&words, unvouched);
		words_add(&words, " are kept as found, and may be wrong");
	}
	mend_done_so(f->m, found, made || lost->count || unvouched->count ? SURE_GUESS : mender_sure(f->m->kind),
		     words.text);
}

static int mend_block(struct file *f, const struct found *found)
{
	const struct geometry *geo = &f->m->now->geo;
	fileoff_t off = found->place.fileoff;
	struct ids unvouched = { 0 }, lost = { 0 };
	uint64_t at;
	bool made = !find_block(f, off, &at);
	int ret = made ? add_block(f, off, &at) : 0;

	if (ret)
		return ret;
	/* unreadable parts of the block become zeroes; records in its other sectors are kept */
	if (!made && mend_read(f->m, f->block, at, geo->block_size) == -ENOMEM)
		return -ENOMEM;
	if (made || is_foreign(f))
		memset(f->block, 0, geo->block_size);
	set_records_right(f, off, &unvouched, &lost);
	ret = mend_write(f->m, f->block, at, geo->block_size);
	if (!ret)
		say_block_done(f, found, made, &unvouched, &lost);
	return ret;
}

/* Reads the grace periods from block 0, which may have no finding itself. */
static void read_defaults(struct file *f)
{
	const struct geometry *geo = &f->m->now->geo;
	uint64_t at;

	if (!find_block(f, (fileoff_t){ 0 }, &at) || mend_read(f->m, f->block, at, geo->block_size) ||
	    !dquot_recognize(geo, f->block, dquot_file_types(geo, f->type)))
		return;
	memcpy(&f->defaults, f->block, sizeof(f->defaults));
	f->have_defaults = true;
}

static int file_begin(struct file *f)
{
	const struct mend_fork *fork = &f->inode.fork[DATA_FORK];

	int ret = 0;

	f->block = malloc(f->m->now->geo.block_size);
	if (!f->block)
		return -ENOMEM;
	for (size_t i = 0; i < fork->count && !ret; i++)
		ret = mend_map_add(&f->map, &fork->extents[i]);
	if (!ret)
		read_defaults(f);
	return ret;
}

/* Mends the blocks of one file; its findings are in block order. */
static int mend_dquots_of_file(struct mend *m, const struct found *const *found, size_t count, unsigned *guesses)
{
	struct file f = { .m = m, .guesses = guesses };
	uint64_t last = NO_FILEOFF;
	int ret = mend_inode_load(m, found[0]->place.ino, &f.inode);

	if (ret)
		return mend_left(m, found[0], 1, ret);
	f.type = (enum quota_type)(found[0]->place.object - OBJ_QUOTA_USER);
	if (f.inode.inode.ftype == FT_REG && f.inode.fork[DATA_FORK].whole)
		ret = file_begin(&f);
	else
		count = 0;
	for (size_t i = 0; i < count && !ret; i++) {
		fileoff_t off = found[i]->place.fileoff;

		if (off.v == last || off.v >= dquot_file_end(&m->now->geo).v)
			continue;
		last = off.v;
		ret = mend_block(&f, found[i]);
	}
	if (f.grown && (!ret || ret == -ENOSPC))
		ret = mend_fork_store(m, &f.inode, DATA_FORK, f.map.v, f.map.count);
	if (f.grown && !ret)
		ret = mend_inode_store(m, &f.inode);
	free(f.map.v);
	free(f.block);
	mend_inode_free(&f.inode);
	return mend_left(m, found[0], 1, ret);
}

int mend_dquot(struct mend *m, const struct found *found, size_t count)
{
	const struct found **sorted = calloc(count, sizeof(const struct found *));
	unsigned guesses = 0;
	size_t n = 0;
	int ret = sorted ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++)
		if (found[i].place.ino.v != NULL_INO && found[i].place.object >= OBJ_QUOTA_USER &&
		    found[i].place.object <= OBJ_QUOTA_PROJECT)
			sorted[n++] = &found[i];
	ordered_sort(sorted, n, MEMBERS(THROUGH(sorted, place.ino), THROUGH(sorted, place.fileoff), ELEMENT(sorted)));
	for (size_t i = 0, same; i < n && !ret; i += same) {
		same = ordered_run(sorted + i, n - i, THROUGH(sorted, place.ino));
		ret = mend_dquots_of_file(m, sorted + i, same, &guesses);
	}
	free(sorted);
	return ret;
}
