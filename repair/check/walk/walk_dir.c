/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks directories: shortform in the inode, or data, leaf, node and free index blocks in the data fork (ondisk 06).
 * Every entry is a fact for the sink.  Sums check that entries agree with the hash index, and data blocks with the free
 * index.
 */
#include "disk/dir.h"
#include "inflight.h"
#include "log/log_across.h"
#include "names/dir_runs.h"
#include "quota.h"
#include "walk.h"

#define DIR_DOTS 2u /* `.` and `..` */

struct dir_visit {
	struct walker *w;
	struct inflight *inflight;
	uint64_t names;		     /* for dir_state.names */
	uint64_t unnamed;	     /* for dir_state.unnamed */
	unsigned dots;		     /* for dir_state.dots */
	bool any_hash, hash_repeats; /* among live leaf entries of this block: any; two equal ones */
	uint32_t last_hash;
};

static void parent_found(struct walker *w, xino_t dir, xino_t parent)
{
	if (w->t->dirs)
		dir_runs_add(w->t->dirs, w->worker, (struct dir_parent){ dir, parent });
}

/* Reports an entry that was written behind a hole in the log, if its inode is older than the hole (log_across.h). */
static void check_former(struct walker *w, const struct inflight *inflight, const struct dir_entry *e)
{
	const struct log_across *behind = w->t->behind;
	const struct hash_key *key = w->t->sink.key;
	const struct name_view name = { e->name, e->namelen };

	if (log_former_find(behind, log_former_hash(key, inflight->ino, e->target,
						    hash_name(key, e->name, e->namelen))) < behind->nformer)
		walk_entry_say(w, &name, F_DIR_ENTRY_FORMER, e->target.v);
}

/*
 * Passes an entry to the sink.  Entries of a directory that was removed while open (nlink 0) no longer count, and are
 * skipped.  indexed: as in entry_fact.  Returns the hash of the name; 0 for `.` and `..`.
 */
static uint64_t entry_fact(struct walker *w, const struct inflight *inflight, const struct dir_entry *e,
			   uint64_t indexed)
{
	const struct sink *sink = &w->t->sink;
	struct entry_fact fact = {
		.directory = inflight->ino,
		.directory_gen = inflight->gen,
		.metadata = inflight->metadata,
		.dot = e->kind == ENTRY_DOT,
		.dotdot = e->kind == ENTRY_DOTDOT,
		.ftype = e->kind == ENTRY_NAME ? e->ftype : FT_DIR,
		.target = e->target,
		.indexed = indexed,
	};
	uint64_t name_hash = 0;

	if (e->kind == ENTRY_NAME) {
		name_hash = hash_name(sink->key, e->name, e->namelen);
		fact.name = e->name;
		fact.namelen = e->namelen;
		fact.name_hash = w->t->names_changed ? 0 : name_hash;
		w->totals.entries++;
	}
	if (!inflight->linked)
		return name_hash;
	if (w->t->behind && fact.name)
		check_former(w, inflight, e);
	if (fact.dotdot && w->t->scope.judge)
		parent_found(w, inflight->ino, e->target);
	if (fact.metadata && fact.name)
		walk_rt_name(w, &fact);
	w->totals.users.names += fact.name && !fact.metadata;
	sink_tell(sink, entry, w->worker, &fact);
	if (fact.metadata && w->t->quota && quota_entry(w->t->quota, w->worker, &fact))
		walk_failed(w);
	return name_hash;
}

static void shortform_entry(void *ctx, const struct dir_entry *e)
{
	const struct dir_visit *visit = ctx;

	if (e->kind != ENTRY_INVALID)
		entry_fact(visit->w, visit->inflight, e, 0);
}

static void data_entry(void *ctx, const struct dir_entry *e)
{
	struct dir_visit *visit = ctx;
	struct walker *w = visit->w;
	uint64_t name_hash, indexed;

	visit->unnamed--;
	visit->dots += e->kind == ENTRY_DOT || e->kind == ENTRY_DOTDOT;
	if (e->kind == ENTRY_INVALID)
		return;
	indexed = hash2(w->t->sink.key, e->hash, e->address);
	name_hash = entry_fact(w, visit->inflight, e, indexed);
	visit->names += indexed;
	if (e->kind != ENTRY_NAME || w->nfingerprints == WALK_MAX_ENTRIES)
		return;
	if (w->t->geo->ascii_ci)
		name_hash = hash_name_folded(w->t->sink.key, e->name, e->namelen);
	w->fingerprints[w->nfingerprints++] = name_hash;
}

static void leaf_entry(void *ctx, uint32_t hash, uint32_t address)
{
	struct dir_visit *visit = ctx;
	const struct walker *w = visit->w;
	const uint64_t indexed = hash2(w->t->sink.key, hash, address);

	visit->names -= indexed;
	if (w->t->scope.contents)
		sink_tell(&w->t->sink, indexed, w->worker, visit->inflight->ino, indexed);
	visit->unnamed++;
	visit->hash_repeats |= visit->any_hash && hash == visit->last_hash;
	visit->any_hash = true;
	visit->last_hash = hash;
}

void walk_dir_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork)
{
	struct dir_visit visit = { .w = w, .inflight = inflight };

	w->entries.bytes = fork->bytes;
	w->entries.size = fork->size;
	w->entries.shortform = true;
	if (!dir_sf_decode(&w->check, fork->bytes, fork->size, inflight->size, inflight->ino, shortform_entry, &visit))
		walk_gap(w, inflight->ino, GAP_CONTENTS);
	w->entries.bytes = NULL;
}

static uint64_t bestfree_hash(const struct walker *w, uint64_t db, uint16_t longest)
{
	return hash2(w->t->sink.key, db, longest);
}

/* Returns the sum over a free index block or a leaf1 for data blocks db, db + 1, ...; 0xffff: there is no block. */
static uint64_t bests_sum(const struct walker *w, uint64_t db, const be16_t *bests, uint32_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint16_t best = be16_get(bests[i]);

		if (best != 0xffff)
			sum += bestfree_hash(w, db + i, best);
	}
	return sum;
}

static void data_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
		       const struct da_expect *expect, bool block_format)
{
	struct dir_visit visit = { .w = w, .inflight = inflight };
	struct dir_state *dir = inflight->dir;
	struct dir_data data;
	bool ok, locked;

	w->place.object = block_format ? OBJ_DIR_BLOCK : OBJ_DIR_DATA;
	w->nfingerprints = 0;
	w->entries.bytes = bytes;
	w->entries.size = w->t->geo->dir_block_size;
	w->entries.shortform = false;
	walk_seal(w, bytes, w->entries.size, offsetof(struct dir_blkhdr_disk, crc),
		  &((const struct dir_blkhdr_disk *)bytes)->owner);
	if (block_format)
		ok = dir_block_decode(&w->check, bytes, expect, data_entry, leaf_entry, &visit, &data);
	else
		ok = dir_data_decode(&w->check, bytes, expect, data_entry, &visit, &data);
	w->entries.bytes = NULL;
	locked = inflight_lock(inflight);
	w->totals.metadata_blocks++;
	dir->data_blocks++;
	dir->unnamed += visit.unnamed;
	dir->dots += visit.dots;
	dir->block_format |= block_format;
	if (ok) {
		dir->names += visit.names;
		dir->bestfree += bestfree_hash(w, expect->dablk.v >> w->t->geo->dirblk_log, data.longest);
		if (!block_format) /* dir_block_decode() finds duplicates itself */
			fingerprints_add(w, &dir->fingerprints, &dir->nfingerprints, &dir->room);
	} else {
		dir->data_bad = true;
		inflight_gap(w, inflight);
	}
	inflight_unlock(inflight, locked);
}

static void leaf_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
		       const struct da_expect *expect, bool root)
{
	struct dir_visit visit = { .w = w, .inflight = inflight };
	struct dir_state *dir = inflight->dir;
	struct dir_leaf leaf;
	bool ok, locked;

	w->place.object = OBJ_DIR_LEAF;
	ok = dir_leaf_decode(&w->check, bytes, expect, leaf_entry, &visit, &leaf);
	locked = inflight_lock(inflight);
	dir->index_blocks++;
	dir->unnamed += visit.unnamed;
	if (ok) {
		dir->names += visit.names;
		dir->da.hash_repeats |= visit.hash_repeats;
		da_tree_leaf(w, &dir->da,
			     &(struct da_leaf_seen){ expect->dablk, leaf.forw, leaf.back, root, leaf.count,
						     leaf.first_hash, leaf.last_hash });
		if (leaf.leaf1) {
			dir->leaf1 = true;
			dir->leaf1_bests = leaf.nbests;
			dir->bestfree -= bests_sum(w, 0, leaf.bests, leaf.nbests);
		}
	} else {
		inflight_gap(w, inflight);
	}
	inflight_unlock(inflight, locked);
}

static void free_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
		       const struct da_expect *expect)
{
	struct dir_free index;
	bool ok, locked;

	w->place.object = OBJ_DIR_FREE;
	ok = dir_free_decode(&w->check, bytes, expect, &index);
	locked = inflight_lock(inflight);
	w->totals.metadata_blocks++;
	inflight->dir->free_blocks++;
	if (ok)
		inflight->dir->bestfree -= bests_sum(w, index.firstdb, index.bests, index.nvalid);
	else
		inflight_gap(w, inflight);
	inflight_unlock(inflight, locked);
}

void walk_dir_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr, uint64_t fileoff)
{
	const struct geometry *geo = w->t->geo;
	const struct da_expect expect = { inflight->ino, daddr, { (uint32_t)fileoff }, DATA_FORK };
	uint64_t leaf_off = (1ull << 35) >> geo->block_log, free_off = (1ull << 36) >> geo->block_log;
	enum da_magic magic = da_identify(&w->check, bytes, geo->dir_block_size);
	bool locked;

	if (!inflight->dir)
		return;
	if (fileoff >= free_off) {
		free_block(w, inflight, bytes, &expect);
	} else if (fileoff >= leaf_off && magic == DA_NODE) {
		w->place.object = OBJ_DA_NODE;
		locked = inflight_lock(inflight);
		inflight->dir->index_blocks++;
		inflight_unlock(inflight, locked);
		da_tree_node(w, inflight, &inflight->dir->da, bytes, geo->dir_block_size, &expect, fileoff == leaf_off);
	} else if (fileoff >= leaf_off) {
		leaf_block(w, inflight, bytes, &expect, fileoff == leaf_off);
	} else {
		/* a block with neither magic number counts as block format if the directory's size is one block */
		bool only = fileoff == 0 && inflight->size == geo->dir_block_size;

		data_block(w, inflight, bytes, &expect, magic == DA_DIR_BLOCK || (only && magic != DA_DIR_DATA));
	}
}

/* Reports blocks that a directory of this format must not have (ondisk 06, "Formats", invariant 6). */
static void check_format(struct walker *w, const struct inflight *inflight)
{
	const struct dir_state *dir = inflight->dir;
	uint64_t others = dir->index_blocks + dir->free_blocks;

	if (dir->block_format) {
		if (dir->data_blocks != 1 || others)
			walk_problem(w, F_DIR_BLOCK_NOT_ALONE, NO_INDEX, dir->data_blocks + others, 1);
	} else if (dir->leaf1) {
		if (others != 1)
			walk_problem(w, F_DIR_LEAF1_NOT_ALONE, NO_INDEX, others, 1);
		if ((uint64_t)dir->leaf1_bests * w->t->geo->dir_block_size != inflight->size)
			walk_problem(w, F_DIR_LEAF1_BESTCOUNT, NO_INDEX, dir->leaf1_bests,
				     inflight->size / w->t->geo->dir_block_size);
	}
}

void dir_settle(struct walker *w, struct inflight *inflight)
{
	const struct geometry *geo = w->t->geo;
	struct dir_state *dir = inflight->dir;
	uint64_t per = 1ull << geo->dirblk_log, end = (dir->data_end + per - 1) / per * per, repeated;

	w->place.object = OBJ_DIRECTORY;
	if (inflight->gap)
		return;
	if (end << geo->block_log != inflight->size)
		walk_problem(w, F_DIR_SIZE_XREF, NO_INDEX, inflight->size, end << geo->block_log);
	assemblies_settle(w, inflight->assemblies);
	check_format(w, inflight);
	if (dir->names)
		walk_problem(w, F_DIR_NAMES, NO_INDEX, 0, 0);
	if (dir->block_format)
		return;
	if (dir->bestfree)
		walk_problem(w, F_DIR_BESTFREE_INDEX, NO_INDEX, 0, 0);
	da_tree_settle(w, &dir->da);
	repeated = dir->da.hash_repeats ? fingerprints_repeated(dir->fingerprints, dir->nfingerprints) : 0;
	if (repeated)
		walk_problem(w, F_DIR_DUPLICATES, NO_INDEX, repeated, 0);
}

void dir_tell_unnamed(struct walker *w, const struct inflight *inflight)
{
	const struct dir_state *dir = inflight->dir;
	/* the index has `.` and `..`, which don't count */
	const uint64_t count = dir->unnamed + (dir->dots < DIR_DOTS ? dir->dots : DIR_DOTS) - DIR_DOTS;
	const bool known = inflight->blocks <= inflight->nblocks && count <= UINT32_MAX;

	if (dir->data_bad && inflight->linked)
		sink_tell(&w->t->sink, unnamed, w->worker, inflight->ino, known ? count : UINT64_MAX);
}
