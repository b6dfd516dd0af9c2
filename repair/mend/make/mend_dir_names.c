/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the entries in the data blocks of a directory one by one, regardless of the hash index, the free index and
 * headers.  A damaged entry does not affect others.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/dir.h"
#include "libxfs/crc.h"
#include "mend/base/mend.h"
#include "mend_dir.h"
#include "mend_dir_block.h"
#include "repair.h"
#include "sets/sort.h"
#include "sets/ordered.h"

struct name_collector {
	const struct geometry *geo;
	struct dir_names *names;
	struct dir_index index; /* empty if there is none */
	bool unsound;		/* the current block is damaged */
	int error;
};

/* Adds an entry to an array, with a copy of its name. 0 or -ENOMEM. */
static int append(struct dir_name **names, size_t *room, size_t *count, const struct dir_name *name)
{
	uint8_t *bytes;

	if (array_grow(names, room, *count, sizeof(**names)))
		return -ENOMEM;
	bytes = malloc(name->namelen);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, name->name, name->namelen);
	(*names)[*count] = *name;
	(*names)[(*count)++].name = bytes;
	return 0;
}

static int add_invalid(struct dir_names *names, const struct dir_name *name)
{
	return append(&names->invalid, &names->invalid_room, &names->ninvalid, name);
}

/* True if the hash index has another hash at the entry's address. */
static bool is_doubted(const struct name_collector *c, const struct dir_entry *entry)
{
	uint32_t hash;

	return entry->kind == ENTRY_NAME && dir_index_hash(&c->index, entry->address, &hash) && hash != entry->hash;
}

/* Notes that a name had to be changed. 0 or -ENOMEM. */
static int note_rename(struct dir_names *names, const struct name_view *was, const struct name_view *now, bool twice)
{
	struct dir_rename rename = { malloc(was->len), malloc(now->len), was->len, now->len, twice };
	int ret = rename.was && rename.now ? 0 : -ENOMEM;

	if (!ret)
		ret = array_grow(&names->renames, &names->renames_room, names->nrenames, sizeof(rename));
	if (ret) {
		free(rename.was);
		free(rename.now);
		return ret;
	}
	memcpy(rename.was, was->bytes, was->len);
	memcpy(rename.now, now->bytes, now->len);
	names->renames[names->nrenames++] = rename;
	return 0;
}

/* Makes the name in `bytes` valid, or restores it if the hash index has its original hash. True if it changed. */
static bool make_possible(const struct name_collector *c, const struct dir_entry *entry, uint8_t *bytes)
{
	uint32_t hash;

	memcpy(bytes, entry->name, entry->namelen);
	if (c->geo->ascii_ci || !dir_index_hash(&c->index, entry->address, &hash) ||
	    !da_name_restore(bytes, entry->namelen, hash))
		da_name_make_possible(bytes, entry->namelen);
	return memcmp(bytes, entry->name, entry->namelen) != 0;
}

/* True if a name, perhaps restored, has the entry's hash in the index. */
static bool has_hash(const struct name_collector *c, const struct dir_entry *entry, const uint8_t *bytes)
{
	uint32_t hash;

	return dir_index_hash(&c->index, entry->address, &hash) &&
	       da_hashname(bytes, entry->namelen, c->geo->ascii_ci) == hash;
}

static void add_dir_entry(void *ctx, const struct dir_entry *entry)
{
	struct name_collector *c = ctx;
	uint8_t bytes[UINT8_MAX];
	struct dir_name name = { .ino = entry->target,
				 .name = bytes,
				 .namelen = entry->namelen,
				 .ftype = entry->ftype,
				 .address = entry->address,
				 .doubted = is_doubted(c, entry) };
	const bool renamed = make_possible(c, entry, bytes);

	name.altered = name.doubted && c->unsound && (renamed ? !has_hash(c, entry, bytes) : !c->index.unsound);
	name.unconfirmed = name.doubted && c->unsound && !name.altered;
	if (renamed && entry->kind == ENTRY_NAME && !c->error)
		c->error = note_rename(c->names, &(struct name_view){ entry->name, entry->namelen },
				       &(struct name_view){ bytes, entry->namelen }, false);
	if (entry->kind == ENTRY_DOTDOT) {
		c->names->names[1].ino = entry->target;
		c->names->dotdot_known = true;
	}
	if (entry->kind == ENTRY_NAME && !c->error)
		c->error = dir_names_add(c->geo, c->names, &name);
	if (entry->kind == ENTRY_INVALID && !c->error)
		c->error = add_invalid(c->names, &name);
}

/* Collects the entries in one block. False: it is not a block with entries, or does not decode. */
static bool names_in(struct name_collector *c, const struct check *check, const uint8_t *block,
		     const struct da_expect *expect)
{
	struct dir_data data;

	switch (da_identify(check, block, c->geo->dir_block_size)) {
	case DA_DIR_BLOCK:
		return dir_block_decode(check, block, expect, add_dir_entry, dir_ignore_leaf, c, &data);
	case DA_DIR_DATA:
		return dir_data_decode(check, block, expect, add_dir_entry, c, &data);
	default:
		return false;
	}
}

/*
 * Returns which extents overlap others on disk, since repeated blocks have no more entries: a flag for each extent, for
 * the caller to free.  NULL: out of memory.
 */
static bool *find_repeats(const struct mend_fork *fork)
{
	struct bmap_record **order = calloc(fork->count + 1, sizeof(struct bmap_record *));
	bool *repeats = calloc(fork->count + 1, sizeof(*repeats));
	uint64_t end = 0;

	for (size_t i = 0; order && i < fork->count; i++)
		order[i] = &fork->extents[i];
	if (order)
		ordered_sort(order, fork->count, MEMBERS(THROUGH(order, start), THROUGH(order, off)));
	for (size_t i = 0; order && repeats && i < fork->count; i++) {
		repeats[order[i] - fork->extents] = order[i]->start.v < end;
		if (order[i]->start.v + order[i]->len > end)
			end = order[i]->start.v + order[i]->len;
	}
	if (!order) {
		free(repeats);
		repeats = NULL;
	}
	free(order);
	return repeats;
}

static int names_in_blocks(struct name_collector *c, struct mend *m, const struct mend_inode *inode)
{
	const struct check check = check_silent(c->geo);
	const struct mend_fork *fork = &inode->fork[DATA_FORK];
	uint64_t end = DIR_LEAF_OFFSET >> c->geo->block_log, step = 1u << c->geo->dirblk_log, next = 0;
	struct mend_dir_block p = { .bytes = malloc(c->geo->dir_block_size) };
	bool *repeats = find_repeats(fork);
	size_t first = 0;

	c->error = p.bytes && repeats ? dir_index_collect(m, inode, &c->index) : -ENOMEM;
	for (size_t i = 0; !c->error && i < fork->count; i++) {
		uint64_t off = fork->extents[i].off.v & ~(step - 1);

		for (off = off < next ? next : off;
		     !repeats[i] && off < end && off < fork->extents[i].off.v + fork->extents[i].len; off += step) {
			struct da_expect expect = { inode->ino, { 0 }, { (uint32_t)off }, DATA_FORK };
			bool holds_names;

			next = off + step;
			c->error = mend_dir_block_read(m, fork, &first, off, &p);
			if (c->error)
				break;
			expect.daddr.v = p.begins ? p.daddr.v : 0;
			c->unsound = c->geo->crc && !crc_is_right(p.bytes, c->geo->dir_block_size,
								  offsetof(struct dir_blkhdr_disk, crc));
			holds_names = dir_header_settle(m, p.bytes, &expect, &c->index);
			if (c->index.count)
				dir_data_mend(c->geo, p.bytes, expect.dablk, dir_index_hash, &c->index);
			holds_names = holds_names && names_in(c, &check, p.bytes, &expect);
			c->names->whole &= p.whole && holds_names;
		}
	}
	dir_index_free(&c->index);
	free(p.bytes);
	free(repeats);
	return c->error;
}

/* Starts with `.`, and an unknown `..`. 0 or -ENOMEM. */
static int begin_names(const struct geometry *geo, xino_t ino, struct dir_names *ret)
{
	static const uint8_t dots[] = "..";
	const struct dir_name dot = { .ino = ino, .name = dots, .namelen = 1, .ftype = FT_DIR };
	const struct dir_name dotdot = { .ino = { NULL_INO }, .name = dots, .namelen = 2, .ftype = FT_DIR };
	int error;

	*ret = (struct dir_names){ 0 };
	error = dir_names_add(geo, ret, &dot);
	return error ? error : dir_names_add(geo, ret, &dotdot);
}

int dir_names_in_block(const struct geometry *geo, xino_t dir, xdaddr_t daddr, bool first, const uint8_t *block,
		       struct dir_names *ret, bool *ret_sound)
{
	const struct da_expect expect = { dir, daddr, { first ? 0 : 1u << geo->dirblk_log }, DATA_FORK };
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	struct name_collector c = { .geo = geo, .names = ret };

	c.error = begin_names(geo, dir, ret);
	if (!c.error)
		*ret_sound = names_in(&c, &check, block, &expect) && !problems;
	return c.error;
}

int dir_names_collect(struct mend *m, const struct mend_inode *inode, struct dir_names *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct name_collector c = { .geo = geo, .names = ret };
	int error = begin_names(geo, inode->ino, ret);

	if (error)
		return error;
	ret->whole = inode->fork[DATA_FORK].whole;
	if (of->ok && of->format == FMT_LOCAL) {
		ret->whole =
			dir_sf_decode(&check, of->bytes, of->size, inode->inode.size, inode->ino, add_dir_entry, &c);
		return c.error;
	}
	return names_in_blocks(&c, m, inode);
}

void dir_names_free(struct dir_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free((void *)names->names[i].name);
	for (size_t i = 0; i < names->ninvalid; i++)
		free((void *)names->invalid[i].name);
	for (size_t i = 0; i < names->ngone; i++)
		free((void *)names->gone[i].name.name);
	for (size_t i = 0; i < names->nrenames; i++) {
		free(names->renames[i].was);
		free(names->renames[i].now);
	}
	free(names->renames);
	free(names->names);
	free(names->invalid);
	free(names->gone);
	name_chains_free(&names->chains);
}

int dir_names_add(const struct geometry *geo, struct dir_names *names, const struct dir_name *name)
{
	int ret = append(&names->names, &names->room, &names->count, name);

	if (!ret)
		names->names[names->count - 1].hash = da_hashname(name->name, name->namelen, geo->ascii_ci);
	return ret;
}

static uint32_t hash_of(const void *names, size_t index)
{
	return ((const struct dir_name *)names)[index].hash;
}

/* Adds all entries to chains. 0 or -ENOMEM. */
static int chain(struct dir_names *names)
{
	return name_chains_grow(&names->chains, names->names, names->count, hash_of);
}

size_t dir_names_find(const struct geometry *geo, struct dir_names *names, const uint8_t *name, uint8_t namelen)
{
	uint32_t hash = da_hashname(name, namelen, geo->ascii_ci);

	if (chain(names)) /* out of memory: if the name is added again, dir_names_unique() drops it */
		return names->count;
	for (uint32_t at = name_chains_last(&names->chains, hash); at; at = name_chains_before(&names->chains, at)) {
		const struct dir_name *n = &names->names[at - 1];

		if (n->hash == hash && n->namelen == namelen && da_names_equal(n->name, name, namelen, geo->ascii_ci))
			return at - 1;
	}
	return names->count;
}

size_t dir_names_next(const struct geometry *geo, struct dir_names *names, const struct name_view *name, size_t at)
{
	const struct name_chains *chains = &names->chains;
	uint32_t next;

	if (!name->len || chain(names)) /* a finding may have no name */
		return names->count;
	next = at < names->count ? name_chains_before(chains, (uint32_t)at + 1)
				 : name_chains_last(chains, da_hashname(name->bytes, name->len, geo->ascii_ci));
	while (next && (next <= 2 || !dir_name_is(&names->names[next - 1], name)))
		next = name_chains_before(chains, next);
	return next ? next - 1 : names->count;
}

size_t dir_names_of_found(const struct geometry *geo, struct dir_names *names, const struct found *found)
{
	size_t at = names->count;

	while ((at = dir_names_next(geo, names, &found->place.name, at)) < names->count)
		if (names->names[at].ino.v == found->problem.got)
			break;
	return at;
}

void dir_names_remove(struct dir_names *names, size_t index, enum drop_reason reason)
{
	struct dir_name *name = &names->names[index];

	/* without memory, only the reason is lost */
	if (!array_grow(&names->gone, &names->gone_room, names->ngone, sizeof(*names->gone))) {
		names->gone[names->ngone++] = (struct dir_gone){ *name, reason };
		name->name = NULL; /* the bytes are those of `gone` now */
	}
	name->namelen = 0;
}

int dir_names_rename(const struct geometry *geo, struct dir_names *names, size_t index, const uint8_t *name,
		     uint8_t namelen)
{
	struct dir_name *n = &names->names[index];
	uint8_t *copy = malloc(namelen);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, name, namelen);
	free((void *)n->name);
	n->name = copy;
	n->namelen = namelen;
	n->altered = n->unconfirmed = false;
	n->hash = da_hashname(copy, namelen, geo->ascii_ci);
	name_chains_forget(&names->chains);
	return 0;
}

/* ---- duplicates ---- */

static int hash_order(const void *a, const void *b)
{
	const struct dir_name *x = *(struct dir_name *const *)a, *y = *(struct dir_name *const *)b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->doubted != y->doubted)
		return x->doubted ? 1 : -1;
	return (x > y) - (x < y); /* the one found first */
}

static uint64_t hash_number(const void *record, const void *ctx)
{
	(void)ctx;
	return (*(struct dir_name *const *)record)->hash;
}

static bool same_name(const struct geometry *geo, const struct dir_name *a, const struct dir_name *b)
{
	return a->hash == b->hash && a->namelen == b->namelen &&
	       da_names_equal(a->name, b->name, a->namelen, geo->ascii_ci);
}

/*
 * Re-adds a duplicate name at the end, with a number appended that makes it unique.  *number: the first one to try; set
 * to the next one.  0, -ENOMEM, or -ENOSPC: no number is left.
 */
static int rename_one(const struct geometry *geo, struct dir_names *names, size_t index, uint32_t *number)
{
	struct dir_name name = names->names[index];
	const struct name_view was = { name.name, name.namelen };
	uint8_t bytes[UINT8_MAX];

	for (; *number < UINT32_MAX; ++*number) {
		char suffix[16];
		size_t len = (size_t)snprintf(suffix, sizeof(suffix), ".%" PRIu32, *number);
		size_t keep = was.len + len > sizeof(bytes) ? sizeof(bytes) - len : was.len;
		int ret;

		memcpy(bytes, was.bytes, keep);
		memcpy(bytes + keep, suffix, len);
		if (dir_names_find(geo, names, bytes, (uint8_t)(keep + len)) < names->count)
			continue;
		++*number;
		name.name = bytes;
		name.namelen = (uint8_t)(keep + len);
		ret = note_rename(names, &was, &(struct name_view){ bytes, name.namelen }, true);
		if (!ret)
			ret = dir_names_add(geo, names, &name);
		if (!ret)
			dir_names_remove(names, index, DROP_NAME_TWICE);
		return ret;
	}
	return -ENOSPC;
}

/* Returns the indexes of entries sorted by hash, for the caller to free. NULL: out of memory. */
static size_t *sort_by_hash(const struct dir_names *names)
{
	static const struct number_order order = { sizeof(struct dir_name *), hash_number, NULL, hash_order, NULL };
	struct dir_name **sorted = calloc(names->count, sizeof(struct dir_name *));
	size_t *indexes = calloc(names->count, sizeof(*indexes));

	for (size_t i = 0; sorted && i < names->count; i++)
		sorted[i] = &names->names[i];
	if (sorted)
		number_sort(sorted, names->count, &order);
	for (size_t i = 0; sorted && indexes && i < names->count; i++)
		indexes[i] = (size_t)(sorted[i] - names->names);
	if (!sorted) {
		free(indexes);
		indexes = NULL;
	}
	free(sorted);
	return indexes;
}

/* Closes the gaps left by removed entries. */
static void close_gaps(struct dir_names *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->count; i++) {
		if (names->names[i].namelen)
			names->names[kept++] = names->names[i];
		else
			free((void *)names->names[i].name);
	}
	names->count = kept;
	name_chains_forget(&names->chains);
}

int dir_names_unique(const struct geometry *geo, struct dir_names *names)
{
	const size_t count = names->count; /* new names are added at the end */
	size_t *sorted = sort_by_hash(names);
	uint32_t *numbers = calloc(count, sizeof(*numbers)); /* per name: next number to append; 0: none so far */
	int ret = sorted && numbers ? 0 : -ENOMEM;

	for (size_t i = 0, first = 0; i < count && !ret; i++) {
		const struct dir_name *name = &names->names[sorted[i]];

		if (!name->namelen)
			continue;
		if (name->hash != names->names[sorted[first]].hash)
			first = i;
		for (size_t k = first; k < i && !ret; k++) {
			const struct dir_name *other = &names->names[sorted[k]];

			if (!other->namelen || !same_name(geo, other, name))
				continue;
			numbers[k] += numbers[k] ? 0 : 2;
			if (other->ino.v != name->ino.v)
				ret = rename_one(geo, names, sorted[i], &numbers[k]);
			else
				dir_names_remove(names, sorted[i], DROP_NAME_TWICE);
			break;
		}
	}
	free(sorted);
	free(numbers);
	close_gaps(names);
	return ret;
}
