/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes directory data blocks (ondisk 06, invariant 2): entries and free regions ("items") that fill the block
 * without gaps, each ending with a tag that holds its own offset, and the three longest free regions in the header.
 * Uses nothing outside the block but the geometry and the inode number of the owner.
 *
 * The size of an item and its tag are redundant, so if one of them is wrong at most that item is lost: the walk goes on
 * where the other one points.
 */
#include "da_header.h"
#include "dir_data.h"

struct walk {
	const struct check *c;
	const uint8_t *block;
	uint32_t end;
	xino_t owner;
	uint32_t address; /* of the start of the block in the data space, in units of DIR_ALIGN bytes */
	dir_visit_entry *visit;
	void *ctx;
	struct dir_starts *starts;

	uint32_t index; /* number of the current item */
	uint32_t entries;
	bool torn; /* damage may hide free regions, so bestfree can't be checked */

	uint32_t longest[DIR_BESTFREES]; /* free regions, descending */
	/* for each bestfree: its offset as stored, and the length of the free region there */
	uint32_t best_offset[DIR_BESTFREES];
	uint32_t best_found[DIR_BESTFREES];
};

static inline uint32_t get16(const uint8_t *block, uint32_t offset)
{
	be16_t v;

	memcpy(&v, block + offset, sizeof(v));
	return be16_get(v);
}

/* The tag of the item that ends at `end`. */
static inline uint32_t tag_before(const uint8_t *block, uint32_t end)
{
	return get16(block, end - DIR_TAG_SIZE);
}

static inline bool is_free(const uint8_t *block, uint32_t at)
{
	return get16(block, at) == DIR_FREETAG;
}

/* Size in bytes according to the item at `at`; at < end, both multiples of 8.  0: no room for an item. */
static inline uint32_t item_claim(const struct geometry *g, const uint8_t *block, uint32_t at, uint32_t end)
{
	if (is_free(block, at))
		return get16(block, at + offsetof(struct dir_unused_disk, length));
	if (end - at < DIR_ENTRY_MIN)
		return 0;
	return dir_entry_size(g, block[at + offsetof(struct dir_entry_disk, namelen)]);
}

/* Like item_claim(), but 0 if the item can't have that size. */
static inline uint32_t item_size(const struct geometry *g, const uint8_t *block, uint32_t at, uint32_t end)
{
	uint32_t size = item_claim(g, block, at, end);

	return size <= end - at && size % DIR_ALIGN == 0 ? size : 0;
}

/* Size of the item at `at` if it is well-formed: its size and its tag agree; else 0. */
static inline uint32_t item_wellformed(const struct geometry *g, const uint8_t *block, uint32_t at, uint32_t end)
{
	uint32_t size = item_size(g, block, at, end);

	return size != 0 && tag_before(block, at + size) == at ? size : 0;
}

uint32_t dir_data_follow(const struct geometry *g, const uint8_t *block, uint32_t from, uint32_t end,
			 uint32_t *ret_entries)
{
	uint32_t entries = 0;
	uint32_t at = from;

	while (at < end) {
		uint32_t size = item_wellformed(g, block, at, end);

		if (size == 0)
			break;
		entries += !is_free(block, at);
		at += size;
	}
	*ret_entries = entries;
	return at;
}

bool dir_data_ends_at(const struct geometry *g, const uint8_t *block, uint32_t end)
{
	uint32_t at;

	if (end <= da_header_size(g))
		return false;
	at = tag_before(block, end);
	return at >= da_header_size(g) && at < end && at % DIR_ALIGN == 0 &&
	       item_wellformed(g, block, at, end) == end - at;
}

/*
 * True if there are items at `at`: three well-formed ones in a row, or as many as fit before the end.  One is not
 * enough: a free region may hold a removed entry that is still well-formed, but the bytes after that entry no longer
 * are.
 */
static bool items_follow(const struct geometry *g, const uint8_t *block, uint32_t at, uint32_t end)
{
	for (int i = 0; i < 3 && at < end; i++) {
		uint32_t size = item_wellformed(g, block, at, end);

		if (size == 0)
			return false;
		at += size;
	}
	return true;
}

/* The end of the item at `at` by its tag: after the first tag with the value `at` that items follow; 0: none. */
static uint32_t end_by_tag(const struct geometry *g, const uint8_t *block, uint32_t at, uint32_t end)
{
	for (uint32_t next = at + DIR_ALIGN; next <= end; next += DIR_ALIGN)
		if (tag_before(block, next) == at && items_follow(g, block, next, end))
			return next;
	return 0;
}

static void note_start(struct walk *w, uint32_t at)
{
	if (w->starts)
		dir_starts_set(w->starts, at);
}

static void walk_free(struct walk *w, uint32_t at, uint32_t size)
{
	uint32_t rest = size;

	for (int i = 0; i < DIR_BESTFREES; i++) {
		if (w->best_offset[i] == at)
			w->best_found[i] = size;
		if (rest > w->longest[i]) {
			uint32_t shorter = w->longest[i];

			w->longest[i] = rest;
			rest = shorter;
		}
	}
	/* the kernel merges adjacent free regions */
	if (at + size < w->end && is_free(w->block, at + size) &&
	    item_wellformed(w->c->geo, w->block, at + size, w->end))
		problem_at(w->c, F_DIR_DATA_ADJACENT, at + size, w->index + 1, at + size, at);
}

static struct dir_entry entry_at(const struct walk *w, uint32_t at, enum dir_entry_kind kind)
{
	const struct dir_entry_disk *disk = (const void *)(w->block + at);
	struct dir_entry entry = {
		.kind = kind,
		.namelen = disk->namelen,
		.name = disk->name,
		.target = { be64_get(disk->inumber) },
		.address = w->address + at / DIR_ALIGN,
	};

	if (w->c->geo->ftype)
		entry.ftype = disk->name[disk->namelen];
	return entry;
}

static bool is_best(const struct walk *w, uint32_t at)
{
	return at == w->best_offset[0] || at == w->best_offset[1] || at == w->best_offset[2];
}

static void walk_entry(struct walk *w, uint32_t at)
{
	struct dir_entry entry = entry_at(w, at, ENTRY_NAME);

	w->entries++;
	note_start(w, at);
	if (!dir_entry_check(w->c, &entry, at, w->index)) {
		/* if a bestfree points here, this is a free region with a wrong freetag: don't check bestfree */
		if (is_best(w, at))
			w->torn = true;
		else
			dir_entry_invalid(&entry, w->visit, w->ctx);
		return;
	}
	entry.hash = da_hashname(entry.name, entry.namelen, w->c->geo->ascii_ci);
	w->visit(w->ctx, &entry);
}

static void walk_item(struct walk *w, uint32_t at, uint32_t size)
{
	if (is_free(w->block, at))
		walk_free(w, at, size);
	else
		walk_entry(w, at);
	w->index++;
}

/* Skips [at, next), in which damage may hide entries or free space: an entry may start anywhere in it. */
static void give_up(struct walk *w, uint32_t at, uint32_t next)
{
	w->torn = true;
	for (; at < next; at += DIR_ALIGN)
		note_start(w, at);
	w->index++;
}

static bool has_name(const struct walk *w, uint32_t at)
{
	return w->block[at + offsetof(struct dir_entry_disk, namelen)] != 0;
}

/* Handles an item at `at` whose size (0: invalid) and tag disagree.  Returns the start of the next item. */
static uint32_t walk_damaged(struct walk *w, uint32_t at, uint32_t size)
{
	uint32_t next = end_by_tag(w->c->geo, w->block, at, w->end);

	if (next != 0) {
		problem_at(w->c, F_DIR_DATA_LENGTH, at, w->index, item_claim(w->c->geo, w->block, at, w->end),
			   next - at);
		give_up(w, at, next);
		return next;
	}
	if (size != 0 && (is_free(w->block, at) || has_name(w, at)) &&
	    items_follow(w->c->geo, w->block, at + size, w->end)) {
		next = at + size;
		problem_at(w->c, F_DIR_DATA_TAG, next - DIR_TAG_SIZE, w->index, tag_before(w->block, next), at);
		walk_item(w, at, size);
		return next;
	}
	for (next = at + DIR_ALIGN; next < w->end; next += DIR_ALIGN)
		if (items_follow(w->c->geo, w->block, next, w->end))
			break;
	problem_at(w->c, F_DIR_DATA_TORN, at, w->index, next - at, 0);
	give_up(w, at, next);
	return next;
}

static uint32_t walk_one(struct walk *w, uint32_t at)
{
	uint32_t size = item_size(w->c->geo, w->block, at, w->end);

	if (size == 0 || tag_before(w->block, at + size) != at)
		return walk_damaged(w, at, size);
	walk_item(w, at, size);
	return at + size;
}

/*
 * Checks and visits `.` or `..` at its place in the first block.  Name or tag identifies the entry: one of the two may
 * be wrong; if both are right, the inode number may even look like a freetag.  False: it is not there.
 */
static bool walk_dots(struct walk *w, uint32_t at, enum dir_entry_kind kind)
{
	static const uint8_t dots[] = "..";
	struct dir_entry entry;
	uint32_t tag;
	bool named;

	if (w->end - at < DIR_ENTRY_MIN)
		return false;
	entry = entry_at(w, at, kind);
	tag = tag_before(w->block, at + DIR_ENTRY_MIN);
	named = dir_entry_is_dots(&entry);
	if (is_free(w->block, at) ? !named || tag != at : !named && tag != at)
		return false;
	if (!named)
		problem_at(w->c, F_DIR_DOTS_NAME, at, w->index, entry.namelen, 0);
	if (tag != at)
		problem_at(w->c, F_DIR_DATA_TAG, at + DIR_ENTRY_MIN - DIR_TAG_SIZE, w->index, tag, at);

	/* the entry is identified: continue with the right name */
	entry.name = dots;
	entry.namelen = kind == ENTRY_DOT ? 1 : 2;
	entry.hash = da_hashname(entry.name, entry.namelen, false);
	if (w->c->geo->ftype)
		entry.ftype = (w->block + at + offsetof(struct dir_entry_disk, name))[entry.namelen];
	if (kind == ENTRY_DOT && entry.target.v != w->owner.v) {
		problem_at(w->c, F_DIR_DOT_INO, at, w->index, entry.target.v, w->owner.v);
		entry.target = w->owner;
	}
	w->entries++;
	note_start(w, at);
	if (dir_entry_check(w->c, &entry, at, w->index))
		w->visit(w->ctx, &entry);
	w->index++;
	return true;
}

/* Checks and visits the first two entries of a directory.  Returns the start of the third. */
static uint32_t walk_first(struct walk *w)
{
	static const enum dir_entry_kind kinds[] = { ENTRY_DOT, ENTRY_DOTDOT };
	uint32_t first = da_header_size(w->c->geo), at = first;

	for (uint32_t i = 0; i < 2; i++) {
		uint32_t place = first + i * DIR_ENTRY_MIN;

		if (at == place && walk_dots(w, at, kinds[i])) {
			at += DIR_ENTRY_MIN;
			continue;
		}
		problem_at(w->c, F_DIR_DOTS_MISSING, place, i, i + 1, 0);
		if (at == place && at < w->end)
			at = walk_one(w, at);
	}
	return at;
}

static void check_bestfree(const struct walk *w, const struct dir_bestfree_disk *best)
{
	for (uint32_t i = 0; i < DIR_BESTFREES; i++) {
		uint32_t offset = (uint32_t)((const uint8_t *)&best[i] - w->block);
		uint32_t length = be16_get(best[i].length);
		bool there = length == 0 ? w->best_offset[i] == 0 : w->best_found[i] == length;

		/* of equally long free regions, any may be listed, but each only once */
		for (uint32_t j = 0; j < i && length != 0; j++)
			there = there && (w->best_offset[j] != w->best_offset[i] || be16_get(best[j].length) != length);
		if (length != w->longest[i])
			problem_at(w->c, F_DIR_BESTFREE_LENGTH, offset + offsetof(struct dir_bestfree_disk, length), i,
				   length, w->longest[i]);
		else if (!there)
			problem_at(w->c, F_DIR_BESTFREE_OFFSET, offset, i, w->best_offset[i], 0);
	}
}

void dir_data_walk(const struct check *c, const struct dir_data_area *area, dir_visit_entry *visit, void *ctx,
		   struct dir_data *ret_data)
{
	const struct dir_bestfree_disk *best = (const void *)(area->block + dir_blkhdr_size(c->geo));
	uint64_t block_bytes = (uint64_t)area->expect->dablk.v << c->geo->block_log;
	struct walk w = {
		.c = c,
		.block = area->block,
		.end = area->end,
		.owner = area->expect->owner,
		.address = (uint32_t)(block_bytes / DIR_ALIGN),
		.visit = visit,
		.ctx = ctx,
		.starts = area->starts,
	};
	uint32_t at = da_header_size(c->geo);

	for (int i = 0; i < DIR_BESTFREES; i++)
		w.best_offset[i] = be16_get(best[i].offset);
	if (area->expect->dablk.v == 0)
		at = walk_first(&w);
	while (at < w.end)
		at = walk_one(&w, at);

	ret_data->entries = w.entries;
	ret_data->longest = (uint16_t)w.longest[0];
	if (w.torn)
		ret_data->longest = be16_get(best[0].length);
	else
		check_bestfree(&w, best);
}

bool dir_data_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		     void *ctx, struct dir_data *ret_data)
{
	const struct dir_data_area area = { block, c->geo->dir_block_size, expect, NULL };

	if (!dir_header_check(c, block, expect, DA_DIR_DATA))
		return false;
	dir_data_walk(c, &area, visit, ctx, ret_data);
	return true;
}

/* ---- entries with a wrong name length ---- */

/* The name length of an entry of `size` bytes, if just one possible length matches the hash; else 0. */
static uint8_t length_by_hash(const struct geometry *g, const struct dir_entry_disk *entry, uint32_t size,
			      uint32_t hash)
{
	uint8_t found = 0;

	for (uint32_t len = 1; len <= UINT8_MAX; len++) {
		if (dir_entry_size(g, len) != size || da_hashname(entry->name, len, g->ascii_ci) != hash ||
		    da_name_bad_byte(entry->name, len) < len)
			continue;
		if (found)
			return 0;
		found = (uint8_t)len;
	}
	return found;
}

void dir_data_mend(const struct geometry *g, void *block, dablk_t dablk, dir_hash_at *hash_at, const void *ctx)
{
	const struct check check = check_silent(g);
	const uint32_t address = (uint32_t)(((uint64_t)dablk.v << g->block_log) / DIR_ALIGN);
	uint8_t *bytes = block;
	uint32_t end = g->dir_block_size, next = 0, hash;

	if (da_identify(&check, block, end) == DA_DIR_BLOCK)
		end = dir_block_entries_end(&check, block);
	for (uint32_t at = da_header_size(g); at < end; at = next) {
		struct dir_entry_disk *entry = (void *)(bytes + at);
		uint32_t size = item_wellformed(g, bytes, at, end);
		uint8_t len;

		next = size ? at + size : end_by_tag(g, bytes, at, end);
		if (!next)
			return;
		if (next - at < DIR_ENTRY_MIN || (size && is_free(bytes, at)) ||
		    !hash_at(ctx, address + at / DIR_ALIGN, &hash) ||
		    (size && da_hashname(entry->name, entry->namelen, g->ascii_ci) == hash))
			continue;
		len = length_by_hash(g, entry, next - at, hash);
		if (!len)
			continue;
		entry->namelen = len;
		if (is_free(bytes, at)) /* no inode number begins like that */
			memset(bytes + at, 0, sizeof(be16_t));
	}
}
