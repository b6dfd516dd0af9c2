/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects the border between the forks of an inode (ondisk 04).  A valid but wrong border shows in the contents of the
 * forks: the pointers of a bmbt root are elsewhere, and the attribute fork starts in the middle of something.
 */
#include <stdlib.h>

#include "disk/btree.h"
#include "disk/da.h"
#include "libxfs/da.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "report.h"
#include "mend/base/menders.h"

static bool read_block(struct mend *m, uint8_t *block, xdaddr_t daddr)
{
	return block && !mend_read(m, block, bytes_of_daddr(daddr), m->now->geo.block_size);
}

/* For struct dinode_witness: true if the block is that child of a bmbt. */
static bool is_node(void *ctx, const struct btree_expect *child)
{
	struct mend *m = ctx;
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const struct btree_visitor visitor = { NULL, btree_ignore_record, btree_ignore_child, NULL };
	uint8_t *block = malloc(geo->block_size);
	const struct btree_long_disk *header = (const void *)block;
	struct btree_block found;
	bool is = read_block(m, block, daddr_of(geo, child->agno, child->agbno)) &&
		  (!geo->crc || be64_get(header->owner) == child->owner) &&
		  btree_decode(&check, block, child, &visitor, &found);

	free(block);
	return is;
}

/* Likewise: true if the inode's attributes can start with the block; in version 4, the owner is unknown. */
static bool is_attr(void *ctx, xino_t ino, fsbno_t fsbno)
{
	struct mend *m = ctx;
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t *block = malloc(geo->block_size);
	const struct da_blkinfo_disk *info = (const void *)block;
	bool is = false;

	if (read_block(m, block, daddr_of_fsbno(geo, fsbno))) {
		enum da_magic magic = da_identify(&check, block, geo->block_size);

		is = (magic == DA_ATTR_LEAF || magic == DA_NODE) && (!geo->crc || be64_get(info->owner) == ino.v);
	}
	free(block);
	return is;
}

struct dinode_witness mend_inode_witness(struct mend *m)
{
	return (struct dinode_witness){ m, is_node, is_attr };
}

static int mend_border(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	const struct dinode_witness witness = mend_inode_witness(m);

	if (mend_exhausted(m) || !dinode_recognize(&m->now->geo, inode->bytes, inode->ino) ||
	    !dinode_set_border(&m->now->geo, inode->bytes, inode->ino, &witness))
		return 0;
	return mend_inode_store_done(m, inode, found);
}

bool mend_inode_border_wants(const struct found *found)
{
	/* damaged contents of a fork: it may have been read from the wrong offset in its inode */
	switch (found->place.object) {
	case OBJ_DATA_FORK:
	case OBJ_ATTR_FORK:
	case OBJ_BMBT:
	case OBJ_ATTR_LEAF:
		return finding_severity(found->problem.finding) == SEV_CORRUPT;
	default:
		return false;
	}
}

int mend_inode_border(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_read, mend_border);
}
