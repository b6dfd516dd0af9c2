/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names out of a directory's data, each entry by itself: what the hash index, the free index or a header say does not
 * matter, and one that is damaged costs no other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/dir.h"
#include "mend_dir.h"

struct collect {
	const struct geometry *geo;
	struct dir_names *names;
	int error;
};

static void nothing(void *ctx, const struct problem *problem)
{
	(void)ctx;
	(void)problem;
}

static void add_entry(void *ctx, const struct dir_entry *entry)
{
	struct collect *c = ctx;
	const struct dir_name name = {
		.ino = entry->target, .name = entry->name, .namelen = entry->namelen, .ftype = entry->ftype
	};

	if (entry->kind == ENTRY_DOTDOT) {
		c->names->names[1].ino = entry->target;
		c->names->dotdot_known = true;
	}
	if (entry->kind == ENTRY_NAME && !c->error)
		c->error = dir_names_add(c->geo, c->names, &name);
}

static void ignore_leaf(void *ctx, uint32_t hash, uint32_t address)
{
	(void)ctx;
	(void)hash;
	(void)address;
}

/* Read a directory block that may lie in several pieces. False: not all of it is mapped, or can be read. */
static bool read_block(struct mend *m, const struct mend_fork *fork, uint64_t off, uint8_t *block, xdaddr_t *ret_daddr)
{
	const struct geometry *geo = &m->now->geo;
	uint32_t blocks = 1u << geo->dirblk_log, done = 0;

	for (size_t i = 0; i < fork->count && done < blocks; i++) {
		const struct bmap_record *e = &fork->extents[i];
		uint64_t skip = off + done - e->off.v, len;
		xdaddr_t daddr;

		if (off + done < e->off.v || skip >= e->len)
			continue;
		len = e->len - skip < blocks - done ? e->len - skip : blocks - done;
		daddr = daddr_of_fsbno(geo, (fsbno_t){ e->start.v + skip });
		if (done == 0)
			*ret_daddr = daddr;
		if (mend_read(m, block + ((size_t)done << geo->block_log), bytes_of_daddr(daddr),
			      (size_t)len << geo->block_log))
			return false;
		done += (uint32_t)len;
	}
	return done == blocks;
}

/* The names in one block. False: it is none that holds names. */
static bool names_in(struct collect *c, const struct check *check, const uint8_t *block, const struct da_expect *expect)
{
	struct dir_data data;

	switch (da_identify(check, block, c->geo->dir_block_size)) {
	case DA_DIR_BLOCK:
		return dir_block_decode(check, block, expect, add_entry, ignore_leaf, c, &data);
	case DA_DIR_DATA:
		return dir_data_decode(check, block, expect, add_entry, c, &data);
	default:
		return false;
	}
}

/* Whether a block is somebody else's: stale, written to the wrong place, or that of another directory. */
static bool foreign(const struct mend *m, const uint8_t *block, const struct da_expect *expect)
{
	const struct dir_blkhdr_disk *hdr = (const void *)block;
	const struct dir_table *dirs = &m->now->dirs;
	xino_t owner = { be64_get(hdr->owner) };

	if (!m->now->geo.crc || owner.v == expect->owner.v)
		return false;
	return be64_get(hdr->blkno) != expect->daddr.v || dir_table_find(dirs, owner) < dirs->count;
}

static int start_order(const void *a, const void *b)
{
	const struct bmap_record *x = *(struct bmap_record *const *)a, *y = *(struct bmap_record *const *)b;

	if (x->start.v != y->start.v)
		return x->start.v < y->start.v ? -1 : 1;
	return (x->off.v > y->off.v) - (x->off.v < y->off.v);
}

/*
 * Extents that lie on others: a map that leads to the same blocks again and again holds no more names for it.  One flag
 * per extent, for the caller to free. NULL: out of memory.
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
	const struct check check = { c->geo, nothing, NULL };
	const struct mend_fork *fork = &inode->fork[DATA_FORK];
	uint64_t end = DIR_LEAF_OFFSET >> c->geo->block_log, step = 1u << c->geo->dirblk_log, next = 0;
	uint8_t *block = malloc(c->geo->dir_block_size);
	bool *repeats = find_repeats(fork);

	c->error = block && repeats ? 0 : -ENOMEM;
	for (size_t i = 0; !c->error && i < fork->count; i++) {
		uint64_t off = fork->extents[i].off.v & ~(step - 1);

		for (off = off < next ? next : off;
		     !repeats[i] && off < end && off < fork->extents[i].off.v + fork->extents[i].len; off += step) {
			struct da_expect expect = { inode->ino, { 0 }, { (uint32_t)off }, DATA_FORK };

			if (!read_block(m, fork, off, block, &expect.daddr) || foreign(m, block, &expect) ||
			    !names_in(c, &check, block, &expect))
				c->names->whole = false;
			next = off + step;
		}
	}
	free(block);
	free(repeats);
	return c->error;
}

int dir_names_collect(struct mend *m, const struct mend_inode *inode, struct dir_names *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = { geo, nothing, NULL };
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct collect c = { .geo = geo, .names = ret };
	static const uint8_t dots[] = "..";
	const struct dir_name dot = { inode->ino, dots, 1, FT_DIR, 0, 0 };
	const struct dir_name dotdot = { { NULL_INO }, dots, 2, FT_DIR, 0, 0 };
	int ret_add;

	*ret = (struct dir_names){ .whole = inode->fork[DATA_FORK].whole };
	ret_add = dir_names_add(geo, ret, &dot);
	if (!ret_add)
		ret_add = dir_names_add(geo, ret, &dotdot);
	if (ret_add)
		return ret_add;
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
	free(names->names);
}

int dir_names_add(const struct geometry *geo, struct dir_names *names, const struct dir_name *name)
{
	struct dir_name *to;
	uint8_t *bytes;

	if (array_grow(&names->names, &names->room, names->count, sizeof(*names->names)))
		return -ENOMEM;
	bytes = malloc(name->namelen);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, name->name, name->namelen);
	to = &names->names[names->count++];
	*to = *name;
	to->name = bytes;
	to->hash = da_hashname(bytes, name->namelen, geo->ascii_ci);
	return 0;
}

size_t dir_names_find(const struct geometry *geo, const struct dir_names *names, const uint8_t *name, uint8_t namelen)
{
	uint32_t hash = da_hashname(name, namelen, geo->ascii_ci);

	for (size_t i = 0; i < names->count; i++)
		if (names->names[i].hash == hash && names->names[i].namelen == namelen &&
		    da_names_equal(names->names[i].name, name, namelen, geo->ascii_ci))
			return i;
	return names->count;
}

void dir_names_remove(struct dir_names *names, size_t index)
{
	free((void *)names->names[index].name);
	names->count--;
	memmove(&names->names[index], &names->names[index + 1], (names->count - index) * sizeof(*names->names));
}

/* ---- no name twice ---- */

static int hash_order(const void *a, const void *b)
{
	const struct dir_name *x = *(struct dir_name *const *)a, *y = *(struct dir_name *const *)b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x > y) - (x < y); /* the one that came first */
}

static bool same_name(const struct geometry *geo, const struct dir_name *a, const struct dir_name *b)
{
	return a->hash == b->hash && a->namelen == b->namelen &&
	       da_names_equal(a->name, b->name, a->namelen, geo->ascii_ci);
}

/* A name that nobody has: this one with a number behind it. */
static int rename_one(const struct geometry *geo, struct dir_names *names, struct dir_name *name)
{
	uint8_t bytes[UINT8_MAX];

	for (unsigned number = 2;; number++) {
		char suffix[16];
		size_t len = (size_t)snprintf(suffix, sizeof(suffix), ".%u", number);
		size_t keep = name->namelen + len > sizeof(bytes) ? sizeof(bytes) - len : name->namelen;
		uint8_t *copy;

		memcpy(bytes, name->name, keep);
		memcpy(bytes + keep, suffix, len);
		if (dir_names_find(geo, names, bytes, (uint8_t)(keep + len)) < names->count)
			continue;
		copy = malloc(keep + len);
		if (!copy)
			return -ENOMEM;
		memcpy(copy, bytes, keep + len);
		free((void *)name->name);
		name->name = copy;
		name->namelen = (uint8_t)(keep + len);
		name->hash = da_hashname(copy, keep + len, geo->ascii_ci);
		return 0;
	}
}

int dir_names_unique(const struct geometry *geo, struct dir_names *names)
{
	struct dir_name **sorted = calloc(names->count, sizeof(struct dir_name *));
	size_t kept = 0;
	int ret = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < names->count; i++)
		sorted[i] = &names->names[i];
	qsort(sorted, names->count, sizeof(struct dir_name *), hash_order);
	for (size_t i = 0, first = 0; i < names->count && !ret; i++) {
		struct dir_name *name = sorted[i];
		uint32_t hash = sorted[first]->hash;

		if (name->hash != hash)
			first = i;
		for (size_t k = first; k < i && !ret; k++) {
			if (!sorted[k]->namelen || !same_name(geo, sorted[k], name))
				continue;
			if (sorted[k]->ino.v != name->ino.v)
				ret = rename_one(geo, names, name);
			else
				name->namelen = 0; /* goes, below */
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
	return ret;
}
