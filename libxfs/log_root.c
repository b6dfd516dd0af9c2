/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts logged roots of btrees in inodes from their form in memory: with the large header of a block, and with the
 * pointers after room for as many keys as memory had then (ondisk 11, DBROOT; 05 and 09 for the form in the fork).
 */
#include "btree_type.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/inode.h"
#include "log_item.h"

static bool root_kind(const struct log_inode *inode, enum fork fork, enum btree_kind *ret_kind)
{
	const struct dinode_disk *core = (const struct dinode_disk *)inode->core;

	*ret_kind = BT_BMAP;
	if (fork == ATTR_FORK || core->format != DINODE_FMT_META_BTREE)
		return true;
	switch (be16_get(core->metatype)) {
	case METAFILE_RTRMAP:
		*ret_kind = BT_RTRMAP;
		return true;
	case METAFILE_RTREFCOUNT:
		*ret_kind = BT_RTREFC;
		return true;
	default:
		return false;
	}
}

bool log_root_to_disk(const struct check *c, const struct log_inode *inode, enum fork fork, uint8_t *root,
		      uint32_t fork_len)
{
	const struct log_region *logged = fork == DATA_FORK ? &inode->data : &inode->attr;
	/* index of the region, for reports */
	const uint32_t index = fork == DATA_FORK || inode->data.len == 0 ? 2 : 3;
	const uint32_t header = c->geo->crc ? sizeof(struct btree_long_disk) : BTREE_LONG_SIZE_V4;
	struct bmdr_disk *disk = (struct bmdr_disk *)root;
	const struct btree_long_disk *block = (const struct btree_long_disk *)logged->bytes;
	const struct btree_type *type;
	enum btree_kind kind;
	uint32_t level, numrecs, from_max, to_max;

	if (logged->len < header || fork_len < sizeof(*disk))
		return problem_at(c, F_LOG_INODE_FORK, 0, index, logged->len, header);
	if (!root_kind(inode, fork, &kind))
		return problem_at(c, F_LOG_INODE_ROOT_KIND, offsetof(struct dinode_disk, metatype), 1,
				  be16_get(((const struct dinode_disk *)inode->core)->metatype), 0);
	type = btree_type_get(c->geo, kind);
	if (!type->layout)
		return problem_at(c, F_LOG_INODE_ROOT_KIND, offsetof(struct dinode_disk, metatype), 1, kind, 0);
	level = be16_get(block->level);
	numrecs = be16_get(block->numrecs);
	if (level == 0 && kind == BT_BMAP)
		return problem_at(c, F_LOG_INODE_ROOT, offsetof(struct btree_long_disk, level), index, level, 1);
	from_max = (logged->len - header) / (level ? type->key_size + (uint32_t)sizeof(be64_t) : type->rec_size);
	to_max = bmdr_max_entries(type, kind, fork_len, level);
	if (numrecs > from_max || numrecs > to_max)
		return problem_at(c, F_LOG_INODE_ROOT, offsetof(struct btree_long_disk, numrecs), index, numrecs,
				  from_max < to_max ? from_max : to_max);

	memset(root, 0, fork_len);
	disk->level = block->level;
	disk->numrecs = block->numrecs;
	if (level == 0) {
		memcpy(root + sizeof(*disk), logged->bytes + header, (size_t)numrecs * type->rec_size);
		return true;
	}
	memcpy(root + sizeof(*disk), logged->bytes + header, (size_t)numrecs * type->key_size);
	memcpy(root + sizeof(*disk) + (size_t)to_max * type->key_size,
	       logged->bytes + header + (size_t)from_max * type->key_size, (size_t)numrecs * sizeof(be64_t));
	return true;
}
