/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of files in which nothing is wrong but their magic number (ondisk 05, 06, 07).  If the block decodes without
 * any other fault as one of the kinds that may lie there, it gets the magic of that kind.  This comes before menders
 * that give up blocks whose kind they can't tell.  If the checksum is right with that magic, it is certain.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"
#include "libxfs/da.h"
#include "mend/collect/mend_inode.h"

/* A kind of block. */
struct kind {
	enum object object; /* as which it is reported */
	enum da_magic da;   /* DA_UNKNOWN: a bmbt block */
	uint32_t magic, magic_v4;
	uint8_t offset, width; /* of the magic; bytes */
	uint8_t crc;	       /* offset of the checksum */
};

static const struct kind kinds[] = {
	{ OBJ_DIR_BLOCK, DA_DIR_BLOCK, DIR_MAGIC_BLOCK, DIR_MAGIC_BLOCK_V4, 0, 4, 4 },
	{ OBJ_DIR_DATA, DA_DIR_DATA, DIR_MAGIC_DATA, DIR_MAGIC_DATA_V4, 0, 4, 4 },
	{ OBJ_ATTR_LEAF, DA_ATTR_LEAF, DA_MAGIC_ATTR_LEAF, DA_MAGIC_ATTR_LEAF_V4, 8, 2, 12 },
	{ OBJ_ATTR_LEAF, DA_NODE, DA_MAGIC_NODE, DA_MAGIC_NODE_V4, 8, 2, 12 },
	{ OBJ_ATTR_LEAF, DA_ATTR_REMOTE, DA_MAGIC_ATTR_VALUE, 0, 0, 4, 12 },
	{ OBJ_ATTR_REMOTE, DA_ATTR_REMOTE, DA_MAGIC_ATTR_VALUE, 0, 0, 4, 12 },
	{ OBJ_BMBT, DA_UNKNOWN, BMBT_MAGIC, BMBT_MAGIC_V4, 0, 4, 64 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static bool is_dir(enum object object)
{
	return object == OBJ_DIR_BLOCK || object == OBJ_DIR_DATA;
}

static bool is_of_kind(const struct kind *kind, const struct place *place)
{
	/* without its magic, either kind of a directory's data blocks may have been taken for the other */
	return place->object == kind->object || (is_dir(kind->object) && is_dir(place->object));
}

bool mend_magic_wants(const struct found *found)
{
	for (size_t i = 0; i < KINDS && found->problem.finding == F_BLOCK_MAGIC; i++)
		if (is_of_kind(&kinds[i], &found->place))
			return true;
	return false;
}

/* ---- whether a block is of a kind ---- */

static void count_problem(void *ctx, const struct problem *problem)
{
	/* dates and checksums don't tell one kind from another */
	if (problem->finding != F_BLOCK_CRC && problem->finding != F_BLOCK_LSN)
		++*(unsigned *)ctx;
}

/* Whether it is a bmbt block of one of the inode's two forks. An empty one says too little to tell. */
static bool decodes_as_bmbt(struct mend *m, const struct check *check, const struct place *place, const uint8_t *block)
{
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	const struct btree_long_disk *disk = (const void *)block;
	bool left = be64_get(disk->leftsib) != NULL_FSBNO, right = be64_get(disk->rightsib) != NULL_FSBNO;
	struct mend_inode inode;
	bool sound = false;

	if (!be16_get(disk->numrecs) || mend_inode_decode(m, place->ino, &inode))
		return false;
	for (enum fork which = DATA_FORK; which <= ATTR_FORK && !sound; which++) {
		const struct dinode_fork *fork = &inode.inode.fork[which];
		const struct btree_expect expect = { .kind = BT_BMAP,
						     .agno = place->agno,
						     .agbno = place->agbno,
						     .owner = place->ino.v,
						     .rules = &fork->rules,
						     .level = (uint8_t)be16_get(disk->level),
						     .unsure = true,
						     .root = !left && !right,
						     .has_bound = right,
						     .bound = { { UINT64_MAX, UINT64_MAX, UINT64_MAX } } };
		unsigned *problems = check->ctx;
		struct btree_block decoded;

		*problems = 0;
		sound = fork->present && fork->format == FMT_BTREE &&
			btree_decode(check, block, &expect, &visitor, &decoded) && !*problems;
	}
	mend_inode_free(&inode);
	return sound;
}

static bool decodes(struct mend *m, const struct kind *kind, const struct place *place, const uint8_t *block)
{
	const struct geometry *geo = &m->now->geo;
	const struct da_expect expect = { place->ino,
					  daddr_of(geo, place->agno, place->agbno),
					  { (uint32_t)place->fileoff.v },
					  is_dir(kind->object) ? DATA_FORK : ATTR_FORK };
	unsigned problems = 0;
	const struct check check = { geo, count_problem, &problems };
	struct dir_data data;
	struct attr_leaf leaf;
	struct attr_remote remote;
	struct da_node node;
	bool is = false;

	switch (kind->da) {
	case DA_DIR_BLOCK:
		is = expect.dablk.v == 0 &&
		     dir_block_decode(&check, block, &expect, dir_ignore_entry, dir_ignore_leaf, NULL, &data);
		break;
	case DA_DIR_DATA:
		is = dir_data_decode(&check, block, &expect, dir_ignore_entry, NULL, &data);
		break;
	case DA_ATTR_LEAF:
		is = attr_leaf_decode(&check, block, &expect, attr_ignore, NULL, &leaf);
		break;
	case DA_NODE:
		is = da_node_decode(&check, block, geo->block_size, &expect, da_ignore_node, NULL, &node);
		break;
	case DA_ATTR_REMOTE:
		is = geo->crc && attr_remote_decode(&check, block, &expect, &remote);
		break;
	default:
		is = decodes_as_bmbt(m, &check, place, block);
		break;
	}
	return is && !problems;
}

/* ---- setting it right ---- */

static void put_magic(const struct geometry *geo, const struct kind *kind, uint8_t *block)
{
	uint32_t magic = geo->crc ? kind->magic : kind->magic_v4;

	for (unsigned i = 0; i < kind->width; i++)
		block[kind->offset + i] = (uint8_t)(magic >> 8 * (kind->width - 1 - i));
}

/*
 * Set the magic of this kind; *ret_sure: how certain it is.  False: it has that already, or does not decode as that;
 * the block is unchanged.
 */
static bool set_right(struct mend *m, const struct kind *kind, const struct place *place, uint8_t *block, size_t size,
		      enum sure *ret_sure)
{
	const struct geometry *geo = &m->now->geo;
	bool was_right = geo->crc && crc_is_right(block, size, kind->crc);
	uint8_t before[4];

	memcpy(before, block + kind->offset, kind->width);
	put_magic(geo, kind, block);
	/* another mender may have set it right in the meantime */
	if (!memcmp(before, block + kind->offset, kind->width))
		return false;
	if (!decodes(m, kind, place, block)) {
		memcpy(block + kind->offset, before, kind->width);
		return false;
	}
	*ret_sure = geo->crc && crc_is_right(block, size, kind->crc) ? SURE_CERTAIN : SURE_LIKELY;
	/* a checksum that was wrong stays wrong, and is a finding of its own */
	if (was_right)
		crc_store(block, size, kind->crc);
	return true;
}

bool mend_block_decodes(struct mend *m, const struct place *place, const uint8_t *block)
{
	for (size_t i = 0; i < KINDS; i++)
		if (is_of_kind(&kinds[i], place) && decodes(m, &kinds[i], place, block))
			return true;
	return false;
}

static int mend_one(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct place *place = &found->place;
	size_t size = is_dir(place->object) ? geo->dir_block_size : geo->block_size;
	uint64_t offset = bytes_of_daddr(daddr_of(geo, place->agno, place->agbno));
	enum sure sure = SURE_LIKELY;
	bool done = false;
	uint8_t *block;
	int ret = 0;

	if (!agbno_valid(geo, place->agno, place->agbno) ||
	    (place->fileoff.v > UINT32_MAX && place->object != OBJ_BMBT))
		return 0;
	block = malloc(size);
	if (!block)
		return -ENOMEM;
	if (!mend_read(m, block, offset, size))
		for (size_t i = 0; i < KINDS && !done; i++)
			done = is_of_kind(&kinds[i], place) && set_right(m, &kinds[i], place, block, size, &sure);
	if (done) {
		ret = mend_write(m, block, offset, size);
		if (!ret)
			mend_done_sure(m, found, sure);
	}
	free(block);
	return ret;
}

int mend_magic(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(m); i++)
		if (found[i].place.ino.v != NULL_INO)
			ret = mend_one(m, &found[i]);
	return ret;
}
