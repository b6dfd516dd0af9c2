/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads an inode and those of its extents that can be found, and stages it again. */
#include "mend_inode.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "libxfs/bmap_build.h"
#include "libxfs/crc.h"
#include "libxfs/dinode.h"
#include "mend/base/mend.h"
#include "mend/base/mend_map.h"
#include "repair.h"

struct load {
	struct mend *m;
	struct mend_inode *inode;
	enum fork fork;
	struct btree_expect *todo; /* bmbt blocks that the tree points to, in reading order */
	size_t ntodo, room;
	unsigned doubtful; /* how many of these have keys that their parents don't expect */
	struct leaf *leaves;
	size_t nleaves, leaves_room;
	struct fsblock_set seen;    /* blocks read so far */
	struct btree_expect failed; /* the last of nfailed bmbt blocks that could not be read or decoded */
	unsigned nfailed;
	int error;
};

/* A leaf that was read, and the siblings in its header. */
struct leaf {
	fsbno_t self, side[2];
};

static void add_extent(void *ctx, const struct bmap_record *record)
{
	struct load *load = ctx;
	struct mend_fork *fork = &load->inode->fork[load->fork];

	if (load->error)
		return;
	load->error = array_add(fork->extents, fork->room, fork->count, *record);
}

static void add_record(void *ctx, const union btree_record *record, uint32_t index)
{
	(void)index;
	add_extent(ctx, &record->bmap);
}

#define DOUBTFUL_MAX 64u /* maximum number of blocks with unexpected keys to follow */

static void add_child(void *ctx, const struct btree_expect *child)
{
	struct load *load = ctx;

	if (load->error)
		return;
	/* keys out of order: the tree may point back to itself */
	if (!child->keys_ok && load->doubtful++ >= DOUBTFUL_MAX) {
		load->inode->fork[load->fork].whole = false;
		return;
	}
	load->error = array_add(load->todo, load->room, load->ntodo, *child);
}

static void note_leaf(struct load *load, fsbno_t self, const struct btree_block *block)
{
	if (!load->error)
		load->error = array_add(load->leaves, load->leaves_room, load->nleaves,
					(struct leaf){ self, { { block->left }, { block->right } } });
}

/*
 * Reads a bmbt block, and adds its extents or children.  False: it is unreadable, can't be decoded, or is empty; or the
 * bmbt seems to have more blocks than the file system.
 */
static bool read_node(struct load *load, const struct check *check, const struct btree_expect *expect, uint8_t *block)
{
	const struct geometry *geo = check->geo;
	const struct btree_visitor visitor = { load, add_record, add_child, NULL };
	fsbno_t self = fsbno_of(geo, expect->agno, expect->agbno);
	struct mend_fork *fork = &load->inode->fork[load->fork];
	int new = fsblock_set_add(&load->seen, self);
	struct btree_block found;

	if (new < 0)
		load->error = new;
	fork->nodes++;
	if (fork->nodes > geo->dblocks ||
	    mend_read(load->m, block, bytes_of_daddr(daddr_of_fsbno(geo, self)), geo->block_size) ||
	    !btree_decode(check, block, expect, &visitor, &found))
		return false;
	if (found.level == 0)
		note_leaf(load, self, &found);
	return found.numrecs > 0;
}

/* Reads a block. True if its header says that it belongs to this bmbt; expect->level becomes its level. */
static bool is_of_tree(struct load *load, const struct check *check, struct btree_expect *expect, uint8_t *block)
{
	const struct geometry *geo = check->geo;
	const struct btree_long_disk *header = (const void *)block;
	fsbno_t self = fsbno_of(geo, expect->agno, expect->agbno);
	uint32_t magic = geo->crc ? BMBT_MAGIC : BMBT_MAGIC_V4;

	if (mend_read(load->m, block, bytes_of_daddr(daddr_of_fsbno(geo, self)), geo->block_size) ||
	    be32_get(header->magic) != magic)
		return false;
	expect->level = (uint8_t)be16_get(header->level);
	return !geo->crc || be64_get(header->owner) == load->inode->ino.v;
}

/* Sets the place of *expect. True if it is valid. */
static bool expect_at(const struct geometry *geo, fsbno_t fsbno, struct btree_expect *expect)
{
	expect->agno = agno_of_fsbno(geo, fsbno);
	expect->agbno = agbno_of_fsbno(geo, fsbno);
	return fsb_range_valid(geo, fsbno, 1);
}

/* Reads leaves that only a sibling points to, if they point back to it and belong to this bmbt. */
static void follow_siblings(struct load *load, const struct check *check, struct btree_expect *expect, uint8_t *block)
{
	const struct btree_long_disk *header = (const void *)block;

	for (size_t i = 0; i < 2 * load->nleaves && !load->error; i++) {
		const struct leaf leaf = load->leaves[i / 2];
		fsbno_t to = leaf.side[i % 2];

		if (to.v == NULL_FSBNO || !expect_at(check->geo, to, expect) || fsblock_set_has(&load->seen, to) ||
		    !is_of_tree(load, check, expect, block) || expect->level ||
		    be64_get(i % 2 ? header->leftsib : header->rightsib) != leaf.self.v)
			continue;
		read_node(load, check, expect, block);
	}
}

/*
 * If no leaf was reached, the root's record count may be wrong.  Restarts with the first pointer, among all that the
 * root has room for, to a block of this bmbt.
 */
static void search_root(struct load *load, const struct check *check, const struct dinode_fork *of,
			struct btree_expect *expect, uint8_t *block)
{
	uint32_t room = bmbt_root_room(of->size);
	const be64_t *pointers =
		(const void *)(of->bytes + sizeof(struct bmdr_disk) + room * sizeof(struct bmbt_key_disk));

	for (uint32_t i = 0; i < room; i++) {
		if (!expect_at(check->geo, (fsbno_t){ be64_get(pointers[i]) }, expect) ||
		    !is_of_tree(load, check, expect, block))
			continue;
		/* blocks read so far had no records, and don't count */
		load->ntodo = load->nfailed = 0;
		load->inode->fork[load->fork].nodes = 0;
		add_child(load, expect);
		return;
	}
}

/* Reads all blocks in load->todo, which grows meanwhile. */
static void read_tree(struct load *load, const struct check *check, uint8_t *block)
{
	struct mend_fork *fork = &load->inode->fork[load->fork];

	for (size_t i = 0; i < load->ntodo && !load->error && fork->nodes <= check->geo->dblocks; i++) {
		const struct btree_expect expect = load->todo[i];

		if (read_node(load, check, &expect, block))
			continue;
		fork->whole = false;
		load->failed = expect;
		load->nfailed++;
	}
}

/*
 * If the only block that could not be decoded is a leaf, its record count may be wrong.  It should then have the
 * records that the inode counts and no other leaf has.  They are added if the leaf decodes without errors with that
 * count.
 */
static void complete_leaf(struct load *load, const struct geometry *geo, const struct dinode_fork *of, uint8_t *block)
{
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	const struct btree_visitor visitor = { load, add_record, add_child, NULL };
	struct mend_fork *fork = &load->inode->fork[load->fork];
	struct btree_long_disk *header = (void *)block;
	struct btree_expect expect = load->failed;
	uint64_t lacking = of->nextents - fork->count;
	size_t before = fork->count;
	struct btree_block found;

	if (load->nfailed != 1 || of->nextents <= fork->count || lacking > bmbt_leaf_room(geo) ||
	    !is_of_tree(load, &check, &expect, block) || expect.level)
		return;
	/* a leaf without siblings may have few records, like a root */
	expect.root |= be64_get(header->leftsib) == NULL_FSBNO && be64_get(header->rightsib) == NULL_FSBNO;
	header->numrecs = be16_put((uint16_t)lacking);
	if (geo->crc)
		crc_store(block, geo->block_size, offsetof(struct btree_long_disk, crc));
	if (!btree_decode(&check, block, &expect, &visitor, &found) || problems)
		fork->count = before;
}

/* Reads the bmbt: the blocks that the root points to, and leaves that only siblings point to. 0 or -ENOMEM. */
static int load_tree(struct load *load, const struct check *check, const struct dinode_fork *of)
{
	const struct btree_visitor visitor = { load, add_record, add_child, NULL };
	struct btree_expect root = {
		.kind = BT_BMAP, .owner = load->inode->ino.v, .rules = &of->rules, .keys_ok = true
	};
	struct mend_fork *fork = &load->inode->fork[load->fork];
	uint8_t *block = malloc(check->geo->block_size), level;
	struct btree_block found;

	if (!block)
		return -ENOMEM;
	fork->whole = bmdr_decode(check, of->bytes, of->size, &root, &visitor, &found, &level);
	read_tree(load, check, block);
	if (!load->nleaves && !load->error) {
		search_root(load, check, of, &root, block);
		read_tree(load, check, block);
	}
	follow_siblings(load, check, &root, block);
	complete_leaf(load, check->geo, of, block);
	fsblock_set_free(&load->seen);
	free(load->leaves);
	free(block);
	return load->error;
}

/* Returns the number of blocks of inline extents with an invalid start but a plausible length. */
static uint64_t blocks_impossible(const struct geometry *geo, const struct dinode_fork *of, uint64_t nblocks)
{
	const size_t size = sizeof(struct bmbt_rec_disk);
	uint64_t sum = 0;

	for (size_t i = 0; i < of->nextents && i < of->size / size && !of->rules.realtime; i++) {
		const struct bmap_record extent = bmap_record_get(of->bytes + i * size);

		if (!fsb_range_valid(geo, extent.start, 1) && extent.len <= nblocks)
			sum += extent.len;
	}
	return sum;
}

static int load_fork(struct load *load, const struct check *check)
{
	const struct dinode_fork *of = &load->inode->inode.fork[load->fork];
	struct mend_fork *fork = &load->inode->fork[load->fork];
	int ret = 0;

	fork->whole = of->ok || !of->present;
	if (!of->present || !of->ok)
		return 0;
	if (of->format == FMT_EXTENTS) {
		bmap_inline_decode(check, of->bytes, of->size, of->nextents, &of->rules, add_extent, load);
		fork->impossible = blocks_impossible(check->geo, of, load->inode->inode.nblocks);
	} else if (of->format == FMT_BTREE)
		ret = load_tree(load, check, of);
	mend_extents_sort(fork->extents, fork->count);
	fork->tree = load->todo;
	fork->ntree = load->ntodo;
	return ret ? ret : load->error;
}

int mend_inode_read(struct mend *m, xino_t ino, struct mend_inode *ret)
{
	const struct geometry *geo = &m->now->geo;
	int error;

	*ret = (struct mend_inode){ .ino = ino };
	if (!ino_valid(geo, ino))
		return -ENOENT;
	ret->bytes = malloc(geo->inode_size);
	if (!ret->bytes)
		return -ENOMEM;
	mend_inode_ahead(m, ino);
	error = mend_read(m, ret->bytes, bytes_of_ino(geo, ino), geo->inode_size);
	if (error)
		mend_inode_free(ret);
	return error && error != -ENOMEM ? -ENOENT : error;
}

int mend_inode_decode(struct mend *m, xino_t ino, struct mend_inode *ret)
{
	const struct check check = check_silent(&m->now->geo);
	int error = mend_inode_read(m, ino, ret);

	if (error || dinode_decode(&check, ret->bytes, ino, true, &ret->inode))
		return error;
	mend_inode_free(ret);
	return -ENOENT;
}

int mend_inode_load(struct mend *m, xino_t ino, struct mend_inode *ret)
{
	const struct check check = check_silent(&m->now->geo);
	int error = mend_inode_decode(m, ino, ret);

	if (error)
		return error;
	for (unsigned fork = DATA_FORK; fork <= ATTR_FORK && !error; fork++) {
		struct load load = { .m = m, .inode = ret, .fork = fork };

		error = load_fork(&load, &check);
	}
	if (error)
		mend_inode_free(ret);
	return error;
}

void mend_inode_free(struct mend_inode *inode)
{
	free(inode->bytes);
	free(inode->fork[DATA_FORK].extents);
	free(inode->fork[ATTR_FORK].extents);
	free(inode->fork[DATA_FORK].ruins);
	free(inode->fork[ATTR_FORK].ruins);
	free(inode->fork[DATA_FORK].tree);
	free(inode->fork[ATTR_FORK].tree);
}

int mend_inode_type(struct mend *m, xino_t ino, enum ftype *ret_type)
{
	struct mend_inode inode;
	int ret = mend_inode_decode(m, ino, &inode);

	*ret_type = ret ? FT_UNKNOWN : inode.inode.ftype;
	if (!ret)
		mend_inode_free(&inode);
	return ret == -ENOENT ? 0 : ret;
}

int mend_inode_store(struct mend *m, struct mend_inode *inode)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t offset = bytes_of_ino(geo, inode->ino), start = offset & ~(uint64_t)(SECTOR_SIZE - 1);
	uint8_t sectors[4096]; /* inodes have 256 to 2048 bytes */
	size_t len = geo->inode_size < SECTOR_SIZE ? SECTOR_SIZE : geo->inode_size;
	int ret = 0;

	/* an unreadable neighbouring inode in the sector becomes zeroes; the next check reports it as lost */
	if (len > geo->inode_size && mend_read(m, sectors, start, len) == -ENOMEM)
		ret = -ENOMEM;
	if (geo->crc)
		crc_store(inode->bytes, geo->inode_size, offsetof(struct dinode_disk, crc));
	memcpy(sectors + (offset - start), inode->bytes, geo->inode_size);
	return ret ? ret : mend_write(m, sectors, start, len);
}

int mend_inode_store_done(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	int ret = mend_inode_store(m, inode);

	if (!ret)
		mend_done(m, found);
	return ret;
}

int mend_each_inode(struct mend *m, const struct found *found, size_t count, mend_inode_load_fn *load,
		    mend_inode_fn *mend)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i += mend_of_one_inode(found + i, count - i)) {
		struct mend_inode inode;

		if (found[i].place.ino.v == NULL_INO)
			continue;
		ret = load(m, found[i].place.ino, &inode);
		if (!ret) {
			ret = mend(m, &inode, &found[i]);
			mend_inode_free(&inode);
		}
		ret = mend_left(m, &found[i], 1, ret);
	}
	return ret;
}

int mend_inode_put_free(struct mend *m, xino_t ino)
{
	struct mend_inode inode = { .ino = ino, .bytes = calloc(1, m->now->geo.inode_size) };
	int ret = -ENOMEM;

	if (inode.bytes) {
		dinode_make_free(&m->now->geo, inode.bytes, ino, 0);
		ret = mend_inode_store(m, &inode);
	}
	free(inode.bytes);
	return ret;
}

/* Inodes of version 3 have their own numbers (ondisk 04). */

const struct dinode_disk *mend_inode_in(const struct geometry *geo, const uint8_t *block, unsigned index)
{
	return (const struct dinode_disk *)(block + ((size_t)index << geo->inode_log));
}

/* True if these bytes are an inode, of any number, with a right checksum. */
static bool is_whole(const struct geometry *geo, const struct dinode_disk *inode)
{
	return be16_get(inode->magic) == DINODE_MAGIC &&
	       memcmp(inode->uuid, geo->meta_uuid, sizeof(inode->uuid)) == 0 &&
	       crc_is_right(inode, geo->inode_size, offsetof(struct dinode_disk, crc));
}

bool mend_inode_lies_at(const struct geometry *geo, const uint8_t *block, unsigned index, xino_t first)
{
	const struct dinode_disk *inode = mend_inode_in(geo, block, index);

	return be64_get(inode->ino) == first.v + index && is_whole(geo, inode);
}

unsigned mend_inodes_at(const struct geometry *geo, const uint8_t *block, xino_t first)
{
	unsigned n = 0;

	for (unsigned i = 0; i < geo->inodes_per_block; i++)
		n += mend_inode_lies_at(geo, block, i, first);
	return n;
}

xino_t mend_inodes_first(const struct geometry *geo, uint64_t ino)
{
	return (xino_t){ ino & ~(uint64_t)(geo->inodes_per_block - 1) };
}

bool mend_inodes_home(const struct geometry *geo, const uint8_t *block, xino_t *ret_first)
{
	for (unsigned i = 0; i < geo->inodes_per_block && geo->crc; i++) {
		const struct dinode_disk *inode = mend_inode_in(geo, block, i);

		if (!is_whole(geo, inode))
			continue;
		*ret_first = mend_inodes_first(geo, be64_get(inode->ino));
		return ino_valid(geo, *ret_first) &&
		       2 * mend_inodes_at(geo, block, *ret_first) >= geo->inodes_per_block;
	}
	return false;
}

void mend_inodes_fill(const struct geometry *geo, uint8_t *block, const uint8_t *from, xino_t first)
{
	for (unsigned i = 0; i < geo->inodes_per_block; i++) {
		uint8_t *inode = block + ((size_t)i << geo->inode_log);

		if (mend_inode_lies_at(geo, block, i, first))
			continue;
		memset(inode, 0, geo->inode_size);
		if (mend_inode_lies_at(geo, from, i, first))
			memcpy(inode, mend_inode_in(geo, from, i), geo->inode_size);
	}
}
