/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves the border between the forks of an inode, to make room for attributes (ondisk 04, invariant 4). */
#include <string.h>

#include "libxfs/bmap_build.h"
#include "mend/collect/mend_inode.h"
#include "mend_attr.h"

#define FORKOFF_UNIT   8u
#define INODE_MAX_SIZE 2048u
/* bytes that the kernel leaves for the data fork when it makes an attribute fork along with the inode (ondisk 04) */
#define DATA_USUAL 192u
/*
 * Minimum size of a data fork: room for a bmbt root with three children.  A smaller fork gets such a root nevertheless
 * when its extents no longer fit, over the attributes after it, because the kernel leaves room in every fork.
 */
#define DATA_ROOT_MIN 56u

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + FORKOFF_UNIT - 1) & ~(FORKOFF_UNIT - 1);
}

/* The root of the data fork's bmbt; the place of its pointers depends on the fork size, so it has to be moved. */
struct root {
	unsigned level;
	uint32_t count;
	struct bmbt_child children[INODE_MAX_SIZE / (sizeof(struct bmbt_key_disk) + sizeof(be64_t))];
};

static bool read_root(const struct dinode_fork *fork, struct root *ret)
{
	const struct bmdr_disk *disk = (const void *)fork->bytes;
	uint32_t room = bmbt_root_room(fork->size);
	const struct bmbt_key_disk *keys = (const void *)(disk + 1);
	const be64_t *pointers = (const void *)(keys + room);

	ret->level = be16_get(disk->level);
	ret->count = be16_get(disk->numrecs);
	if (ret->count > room)
		return false;
	for (uint32_t i = 0; i < ret->count; i++)
		ret->children[i] = (struct bmbt_child){ { be64_get(keys[i].startoff) }, { be64_get(pointers[i]) } };
	return true;
}

/* Sets how many bytes the data fork needs; root: set for a bmbt. False: the fork is damaged, and its size must stay. */
static bool data_needs(const struct mend_inode *inode, struct root *root, uint32_t *ret_bytes)
{
	const struct dinode_fork *data = &inode->inode.fork[DATA_FORK];
	uint64_t bytes;

	if (!data->ok)
		return false;
	switch (data->format) {
	case FMT_LOCAL:
		bytes = inode->inode.size;
		break;
	case FMT_EXTENTS:
		bytes = data->nextents * sizeof(struct bmbt_rec_disk);
		break;
	case FMT_BTREE:
		if (!read_root(data, root))
			return false;
		bytes = sizeof(struct bmdr_disk) +
			(uint64_t)root->count * (sizeof(struct bmbt_key_disk) + sizeof(be64_t));
		break;
	case FMT_DEV:
		bytes = FORKOFF_UNIT;
		break;
	default:
		return false;
	}
	if (bytes > data->size)
		return false;
	if (data->format != FMT_DEV && bytes < DATA_ROOT_MIN)
		bytes = data->size < DATA_ROOT_MIN ? data->size : DATA_ROOT_MIN;
	*ret_bytes = bytes < FORKOFF_UNIT ? FORKOFF_UNIT : round_up((uint32_t)bytes);
	return true;
}

bool attr_room_make(struct mend_inode *inode, const struct geometry *geo, uint32_t bytes)
{
	struct dinode_fork *data = &inode->inode.fork[DATA_FORK], *attr = &inode->inode.fork[ATTR_FORK];
	uint8_t *start = inode->bytes + (data->bytes - inode->bytes);
	uint32_t area = geo->inode_size - (uint32_t)(start - inode->bytes), least, border;
	struct root root;

	if (attr->present && attr->size >= bytes)
		return true;
	if (!data_needs(inode, &root, &least) || bytes > area - least)
		return false;
	border = (area - bytes) & ~(FORKOFF_UNIT - 1);
	if (!attr->present && border > DATA_USUAL)
		border = least > DATA_USUAL ? least : DATA_USUAL;
	if (data->format == FMT_DEV)
		border = FORKOFF_UNIT; /* always, for device numbers (ondisk 04) */
	if (data->format == FMT_BTREE)
		bmbt_build_root(start, border, root.level, root.children, root.count);
	memset(start + border, 0, area - border);
	mend_inode_disk(inode)->forkoff = (uint8_t)(border / FORKOFF_UNIT);
	data->size = border;
	*attr = (struct dinode_fork){
		.present = true, .ok = true, .format = FMT_EXTENTS, .bytes = start + border, .size = area - border
	};
	return true;
}
