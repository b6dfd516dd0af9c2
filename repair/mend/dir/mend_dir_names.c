/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects names from the data blocks of a directory, entry by entry, whatever the hash index, the free index or
 * headers say.  A damaged entry costs no other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/dir.h"
#include "mend_dir.h"
#include "mend_dir_block.h"
#include "mend_dir_header.h"
#include "sets/number_sort.h"

struct collect {
	const struct geometry *geo;
	struct dir_names *names;
	struct dir_index index; /* empty, if there is none */
	int error;
};

/* Add a name to an array, with a copy of its bytes. 0 or -ENOMEM. */
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

static int add_astray(struct dir_names *names, const struct dir_name *name)
{
	return append(&names->astray, &names->astray_room, &names->nastray, name);
}

/* Whether the hash index has another hash at the entry's address. */
static bool is_doubted(const struct collect *c, const struct dir_entry *entry)
{
	uint32_t hash;

	return entry->kind == ENTRY_NAME && dir_index_hash(&c->index, entry->address, &hash) && hash != entry->hash;
}

static void add_entry(void *ctx, const struct dir_entry *entry)
{
	struct collect *c = ctx;
	uint8_t bytes[UINT8_MAX];
	const struct dir_name name = { .ino = entry->target,
				       .name = bytes,
				       .namelen = entry->namelen,
				       .ftype = entry->ftype,
				       .address = entry->address,
				       .doubted = is_doubted(c, entry) };

	memcpy(bytes, entry->name, entry->namelen);
	da_name_make_possible(bytes, entry->namelen);
	if (entry->kind == ENTRY_DOTDOT) {
		c->names->names[1].ino = entry->target;
		c->names->dotdot_known = true;
	}
	if (entry->kind == ENTRY_NAME && !c->error)
		c->error = dir_names_add(c->geo, c->names, &name);
	if (entry->kind == ENTRY_ASTRAY && !c->error)
		c->error = add_astray(c->names, &name);
}

/* Collect the names in one block. False: it is none that holds names, or does not decode. */
static bool names_in(struct collect *c, const struct check *check, const uint8_t *block, const struct da_expect *expect)
{
	struct dir_data data;

	switch (da_identify(check, block, c->geo->dir_block_size)) {
	case DA_DIR_BLOCK:
		return dir_block_decode(check, block, expect, add_entry, dir_ignore_leaf, c, &data);
	case DA_DIR_DATA:
		return dir_data_decode(check, block, expect, add_entry, c, &data);
	default:
		return false;
	}
}

static int start_order(const void *a, const void *b)
{
	const struct bmap_record *x = *(struct bmap_record *const *)a, *y = *(struct bmap_record *const *)b;

	if (x->start.v != y->start.v)
		return x->start.v < y->start.v ? -1 : 1;
	return (x->off.v > y->off.v) - (x->off.v < y->off.v);
}

/*
 * Which extents overlap others on the disk: a map that leads to the same blocks again and again has no more names by
 * that.  A flag for each extent, for the caller to free.  NULL: out of memory.
 */
static bool *find_repeats(const struct mend_fork *fork)
{
	struct bmap_record **order = calloc(fork->count + 1, sizeof(struct bmap_record *));
	bool *repeats = calloc(fork->count + 1, sizeof(*repeats));
	uint64_t end = 0;

	for (size_t i = 0; order && i < fork->count; i++)
		order[i] = &fork->extents[i];
	if (order && fork->count)
		qsort(order, fork->count, sizeof(struct bmap_record *), start_order);
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

static int names_in_blocks(struct collect *c, struct mend *m, const struct mend_inode *inode)
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

/* Begin with `.`, and `..` of which nothing is known. 0 or -ENOMEM. */
static int begin(const struct geometry *geo, xino_t ino, struct dir_names *ret)
{
	static const uint8_t dots[] = "..";
	const struct dir_name dot = { ino, dots, 1, FT_DIR, 0, 0, false };
	const struct dir_name dotdot = { { NULL_INO }, dots, 2, FT_DIR, 0, 0, false };
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
	struct collect c = { .geo = geo, .names = ret };

	c.error = begin(geo, dir, ret);
	if (!c.error)
		*ret_sound = names_in(&c, &check, block, &expect) && !problems;
	return c.error;
}

int dir_names_collect(struct mend *m, const struct mend_inode *inode, struct dir_names *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct collect c = { .geo = geo, .names = ret };
	int error = begin(geo, inode->ino, ret);

	if (error)
		return error;
	ret->whole = inode->fork[DATA_FORK].whole;
	if (of->ok && of->format == FMT_LOCAL) {
		ret->whole = dir_sf_decode(&check, of->bytes, of->size, inode->inode.size, inode->ino, add_entry, &c);
		return c.error;
	}
	return names_in_blocks(&c, m, inode);
}

void dir_names_free(struct dir_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free((void *)names->names[i].name);
	for (size_t i = 0; i < names->nastray; i++)
		free((void *)names->astray[i].name);
	for (size_t i = 0; i < names->ngone; i++)
		free((void *)names->gone[i].name.name);
	free(names->names);
	free(names->astray);
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

/* Have all names in chains. 0 or -ENOMEM. */
static int chain(struct dir_names *names)
{
	return name_chains_grow(&names->chains, names->names, names->count, hash_of);
}

size_t dir_names_find(const struct geometry *geo, struct dir_names *names, const uint8_t *name, uint8_t namelen)
{
	uint32_t hash = da_hashname(name, namelen, geo->ascii_ci);

	if (chain(names)) /* out of memory: if the name is added again for that, dir_names_unique() drops it */
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
	n->hash = da_hashname(copy, namelen, geo->ascii_ci);
	name_chains_forget(&names->chains);
	return 0;
}

/* ---- no name twice ---- */

static int hash_order(const void *a, const void *b)
{
	const struct dir_name *x = *(struct dir_name *const *)a, *y = *(struct dir_name *const *)b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->doubted != y->doubted)
		return x->doubted ? 1 : -1;
	return (x > y) - (x < y); /* the one that was found first */
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

#define RENAMES_MAX 1000u /* more copies of a name than that are not damage, but malice */

/* Give a name a number behind it that makes it unique. 0, -ENOMEM, or -ENOSPC: no number is left. */
static int rename_one(const struct geometry *geo, struct dir_names *names, struct dir_name *name)
{
	uint8_t bytes[UINT8_MAX];

	for (unsigned number = 2; number < RENAMES_MAX; number++) {
		char suffix[16];
		size_t len = (size_t)snprintf(suffix, sizeof(suffix), ".%u", number);
		size_t keep = name->namelen + len > sizeof(bytes) ? sizeof(bytes) - len : name->namelen;

		memcpy(bytes, name->name, keep);
		memcpy(bytes + keep, suffix, len);
		if (dir_names_find(geo, names, bytes, (uint8_t)(keep + len)) == names->count)
			return dir_names_rename(geo, names, (size_t)(name - names->names), bytes,
						(uint8_t)(keep + len));
	}
	return -ENOSPC;
}

int dir_names_unique(const struct geometry *geo, struct dir_names *names)
{
	static const struct number_order order = { sizeof(struct dir_name *), hash_number, NULL, hash_order, NULL };
	struct dir_name **sorted = calloc(names->count, sizeof(struct dir_name *));
	size_t kept = 0;
	int ret = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < names->count; i++)
		sorted[i] = &names->names[i];
	number_sort(sorted, names->count, &order);
	for (size_t i = 0, first = 0; i < names->count && !ret; i++) {
		struct dir_name *name = sorted[i];

		if (!name->namelen)
			continue;
		if (name->hash != sorted[first]->hash)
			first = i;
		for (size_t k = first; k < i && !ret; k++) {
			if (!sorted[k]->namelen || !same_name(geo, sorted[k], name))
				continue;
			if (sorted[k]->ino.v != name->ino.v)
				ret = rename_one(geo, names, name);
			else
				name->namelen = 0; /* dropped below */
			break;
		}
	}
	free(sorted);
	for (size_t i = 0; i < names->count; i++) {
		if (names->names[i].namelen)
			names->names[kept++] = names->names[i];
		else
			free((void *)names->names[i].name);
	}
	names->count = kept;
	name_chains_forget(&names->chains);
	return ret;
}
