/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks and inodes in which a single byte has changed since their checksum was stored, as a failing disk or bad memory
 * may do: the checksum tells which byte, and what it was.  In a block of 4 KiB, one of 4,000 other changes looks like
 * that by chance, so the byte is put back only if nothing else is wrong with the block then.  This comes before menders
 * that keep only what they can make out, because nothing else knows names, values, symlink targets and inode cores; and
 * what other structures know need not be built anew.
 */
#include <errno.h>
#include <stdlib.h>

#include "disk/btree.h"
#include "disk/dir.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"
#include "libxfs/da.h"
#include "mend/collect/mend_inode.h"

#define TARGET_BLOCKS 2u /* at most: 1024 bytes and headers, in blocks of 1 KiB */

bool mend_byte_wants(const struct found *found)
{
	const enum object object = found->place.object;

	if (found->problem.finding != F_BLOCK_CRC)
		return false;
	if (object == OBJ_INODE || object_is_file_block(object))
		return found->place.ino.v != NULL_INO;
	return object_is_ag_btree(object);
}

/* Bytes of a symlink's remote block: an extent has one header and one checksum as a whole. 0: it is not known. */
static size_t target_size(struct mend *m, const struct place *place)
{
	const struct geometry *geo = &m->now->geo;
	const fsbno_t start = fsbno_of(geo, place->agno, place->agbno);
	struct mend_inode inode;
	size_t size = 0;

	if (mend_inode_load(m, place->ino, &inode))
		return 0;
	for (size_t i = 0; i < inode.fork[DATA_FORK].count; i++) {
		const struct bmap_record *extent = &inode.fork[DATA_FORK].extents[i];

		if (extent->start.v == start.v && extent->len <= TARGET_BLOCKS)
			size = (size_t)extent->len << geo->block_log;
	}
	mend_inode_free(&inode);
	return size;
}

/* Whether a da node is a directory's: it lies where only the hash index of a directory does. */
static bool is_dir_index(const struct geometry *geo, const struct place *place)
{
	return place->fileoff.v >= DIR_LEAF_OFFSET >> geo->block_log;
}

/* How many bytes the object's checksum is of; 0: it is not known. */
static size_t size_of(struct mend *m, const struct place *place)
{
	switch (place->object) {
	case OBJ_INODE:
		return m->now->geo.inode_size;
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
		return m->now->geo.dir_block_size;
	case OBJ_DA_NODE:
		return is_dir_index(&m->now->geo, place) ? m->now->geo.dir_block_size : m->now->geo.block_size;
	case OBJ_SYMLINK:
		return target_size(m, place);
	default:
		return m->now->geo.block_size;
	}
}

static void count_problem(void *ctx, const struct problem *problem)
{
	if (problem->finding != F_BLOCK_LSN)
		++*(unsigned *)ctx;
}

/* Whether a block decodes as one of a directory's index, or as a da node of a directory or of attributes. */
static bool index_decodes(const struct check *check, const struct place *place, const uint8_t *block, size_t size)
{
	const struct geometry *geo = check->geo;
	const struct da_expect expect = { place->ino,
					  daddr_of(geo, place->agno, place->agbno),
					  { (uint32_t)place->fileoff.v },
					  is_dir_index(geo, place) ? DATA_FORK : ATTR_FORK };
	struct dir_leaf leaf;
	struct dir_free index;
	struct da_node node;

	switch (place->object) {
	case OBJ_DIR_LEAF:
		return dir_leaf_decode(check, block, &expect, dir_ignore_leaf, NULL, &leaf);
	case OBJ_DIR_FREE:
		return dir_free_decode(check, block, &expect, &index);
	case OBJ_DA_NODE:
		return da_node_decode(check, block, (uint32_t)size, &expect, da_ignore_node, NULL, &node);
	default:
		return false;
	}
}

/* Which btree of an AG it is a block of, if any. */
static bool kind_of(enum object object, enum btree_kind *ret)
{
	for (unsigned kind = 0; kind < BT_AG_NR; kind++) {
		*ret = (enum btree_kind)kind;
		if (object_of_btree(*ret) == object)
			return true;
	}
	return false;
}

/* Whether a block decodes as one of an AG's btree. */
static bool btree_decodes(const struct check *check, const struct place *place, const uint8_t *block)
{
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	const struct btree_short_disk *disk = (const void *)block;
	const bool left = be32_get(disk->leftsib) != NULL_AGBNO, right = be32_get(disk->rightsib) != NULL_AGBNO;
	struct btree_expect expect = { .agno = place->agno,
				       .agbno = place->agbno,
				       .owner = place->agno.v,
				       .level = (uint8_t)be16_get(disk->level),
				       .unsure = true,
				       .root = !left && !right,
				       .has_bound = right,
				       .bound = { { UINT64_MAX, UINT64_MAX, UINT64_MAX } } };
	struct btree_block decoded;

	return kind_of(place->object, &expect.kind) && btree_decode(check, block, &expect, &visitor, &decoded);
}

static bool inode_decodes(const struct check *check, const struct place *place, const uint8_t *bytes)
{
	const struct dinode_disk *disk = (const void *)bytes;
	struct dinode inode;

	return dinode_decode(check, bytes, place->ino, be16_get(disk->mode) != 0, &inode);
}

/* Whether nothing is wrong with the object but perhaps its date (LSN), for which the log has to be asked. */
static bool decodes(struct mend *m, const struct place *place, const uint8_t *bytes, size_t size)
{
	unsigned problems = 0;
	const struct check check = { &m->now->geo, count_problem, &problems };

	switch (place->object) {
	case OBJ_SYMLINK: /* any text may be a target; what else may be wrong with the block is for mend_symlink() */
		return true;
	case OBJ_INODE:
		return inode_decodes(&check, place, bytes) && !problems;
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
	case OBJ_DA_NODE:
		return index_decodes(&check, place, bytes, size) && !problems;
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_ATTR_LEAF:
	case OBJ_ATTR_REMOTE:
	case OBJ_BMBT:
		return mend_block_decodes(m, place, bytes);
	default:
		return btree_decodes(&check, place, bytes) && !problems;
	}
}

/* Put the byte back. False: no single byte explains the checksum, or something else is wrong with the object, too. */
static bool change_back(struct mend *m, const struct found *found, uint8_t *block, size_t size)
{
	const size_t crc_offset = found->problem.offset;
	uint8_t was;
	size_t at;

	if (crc_offset + sizeof(le32_t) > size || !crc_find_byte(block, size, crc_offset, &at, &was))
		return false;
	block[at] = was;
	return decodes(m, &found->place, block, size);
}

static bool is_on_device(const struct geometry *geo, const struct place *place)
{
	if (place->object == OBJ_INODE)
		return ino_valid(geo, place->ino);
	return agbno_valid(geo, place->agno, place->agbno) &&
	       (place->fileoff.v <= UINT32_MAX || place->object == OBJ_BMBT || place->ino.v == NULL_INO);
}

static int mend_one(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct place *place = &found->place;
	uint64_t offset;
	uint8_t *block;
	size_t size;
	int ret = 0;

	if (!geo->crc || !is_on_device(geo, place))
		return 0;
	size = size_of(m, place);
	offset = place->object == OBJ_INODE ? bytes_of_ino(geo, place->ino)
					    : bytes_of_daddr(daddr_of(geo, place->agno, place->agbno));
	block = malloc(size + 1);
	if (!block)
		return -ENOMEM;
	if (size && !mend_read(m, block, offset, size) && change_back(m, found, block, size)) {
		ret = mend_write(m, block, offset, size);
		if (!ret)
			mend_done(m, found);
	}
	free(block);
	return ret;
}

int mend_byte(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(m); i++)
		ret = mend_one(m, &found[i]);
	return ret;
}
