/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The btrees of a realtime group, built from what files claim of it (ondisk 09; 12, S14 to S16).  Their blocks are on
 * the data device, below a root in an inode of the metadata tree.
 */
#include <errno.h>
#include <stdlib.h>

#include "libxfs/btree_build.h"
#include "mend/base/mend_map.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend_records.h"
#include "mend_rt.h"
#include "repair.h"
#include "check/walk/walker.h"

static void rmap_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->rmap = ag_rmap_of(&((const struct ag_records *)ctx)->rmaps[index]);
}

static void refcount_source(void *ctx, uint64_t index, union btree_record *ret_record)
{
	ret_record->refcount = ((const struct ag_records *)ctx)->refcounts[index];
}

static int take_blocks(struct mend *m, uint64_t *blocks, uint32_t count)
{
	uint32_t done = 0;
	int ret = 0;

	while (done < count && !ret) {
		fsbno_t start;
		uint32_t len = 0;

		ret = mend_space_take(m, count - done, &start, &len);
		for (uint32_t i = 0; i < len && !ret; i++)
			blocks[done++] = start.v + i;
	}
	return ret;
}

static int write_blocks(struct mend *m, struct btree_build *build)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *block = malloc(geo->block_size);
	int ret = block ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < build->shape.blocks && !ret; i++) {
		const fsbno_t fsbno = { build->blocks[i] };

		btree_build_next(build, block);
		ret = mend_write(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size);
	}
	free(block);
	return ret;
}

/* Set the inode's nblocks: the attribute fork stays, and the tree has `blocks` now; with zones, also the blocks in use.
 */
static void put_counts(const struct geometry *geo, struct mend_inode *inode, enum btree_kind kind,
		       const struct ag_records *records, uint32_t blocks)
{
	struct dinode_disk *disk = mend_inode_disk(inode);
	const struct mend_fork *attr = &inode->fork[ATTR_FORK];
	uint64_t used = 0;

	for (size_t i = 0; i < records->nrmaps; i++)
		used += records->rmaps[i].len;
	disk->nblocks = be64_put(blocks + attr->nodes + mend_map_blocks(attr->extents, attr->count));
	if (geo->zoned && kind == BT_RTRMAP)
		disk->cowextsize = be32_put((uint32_t)used); /* this field, a hint in other inodes, has it: ondisk 09 */
}

static int write_tree(struct mend *m, struct mend_inode *inode, enum btree_kind kind, struct ag_records *records)
{
	const struct geometry *geo = &m->now->geo;
	const struct dinode_fork *of = &inode->inode.fork[DATA_FORK];
	struct btree_build build = { .geo = geo, .kind = kind, .owner = inode->ino.v, .ctx = records };
	uint64_t count = kind == BT_RTRMAP ? records->nrmaps : records->nrefcounts, *blocks;
	int ret = -ENOMEM;

	if (!bmdr_shape(geo, kind, count, SLACK_USUAL, of->size, &build.shape) &&
	    !bmdr_shape(geo, kind, count, SLACK_NONE, of->size, &build.shape))
		return -ENOSPC;
	build.source = kind == BT_RTRMAP ? rmap_source : refcount_source;
	build.blocks = blocks = calloc(build.shape.blocks + 1, sizeof(*blocks));
	build.children = calloc(build.shape.blocks + 1, sizeof(*build.children));
	if (build.blocks && build.children)
		ret = take_blocks(m, blocks, build.shape.blocks);
	if (!ret)
		ret = write_blocks(m, &build);
	if (!ret) {
		bmdr_build(&build, inode->bytes + (of->bytes - inode->bytes), of->size);
		put_counts(geo, inode, kind, records, build.shape.blocks);
		ret = mend_inode_store(m, inode);
	}
	free(blocks);
	free(build.children);
	return ret;
}

int mend_rt_tree(struct mend *m, uint32_t rgno, enum btree_kind kind, struct use *claims, size_t *nclaims)
{
	const struct geometry *geo = &m->now->geo;
	const enum rtfile file = kind == BT_RTRMAP ? RTFILE_RMAP : RTFILE_REFCOUNT;
	const struct rt_group *group = &m->now->traverse->rt.group[rgno];
	struct ag_records records = { 0 };
	struct mend_inode inode;
	uint64_t collision;
	int ret = group->file[file].count == 1 ? mend_inode_load(m, group->file[file].ino, &inode) : -ENOENT;

	if (ret)
		return ret;
	if (inode.inode.fork[DATA_FORK].format != FMT_META_BTREE || !inode.inode.fork[DATA_FORK].ok)
		ret = -ENOENT;
	if (!ret)
		ret = ag_records_derive(geo, group_of_rg(geo, rgno), claims, nclaims, &records, &collision);
	if (!ret)
		ret = write_tree(m, &inode, kind, &records);
	ag_records_free(&records);
	mend_inode_free(&inode);
	return ret;
}
