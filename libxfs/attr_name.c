/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes an entry of an attribute leaf and its name (ondisk 07, "Leaf block").  Finds the name in the block, with its
 * local value or the place of its remote value, and checks all fields of this one entry.
 */
#include "attr_leaf.h"

#define ENTRY_FLAGS (ATTR_LOCAL | ATTR_NAMESPACES | ATTR_INCOMPLETE)

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + ATTR_LEAF_NAME_ALIGN - 1) & ~(ATTR_LEAF_NAME_ALIGN - 1);
}

static void read_local(const uint8_t *bytes, struct attr_name *name)
{
	struct attr_name_local_disk disk;

	memcpy(&disk, bytes, sizeof(disk));
	name->attr.namelen = disk.namelen;
	name->attr.name = bytes + sizeof(disk);
	name->attr.valuelen = be16_get(disk.valuelen);
	name->attr.value = name->attr.name + disk.namelen;
	name->len = round_up((uint32_t)sizeof(disk) + disk.namelen + name->attr.valuelen);
}

static void read_remote(const uint8_t *bytes, struct attr_name *name)
{
	struct attr_name_remote_disk disk;

	memcpy(&disk, bytes, sizeof(disk));
	name->attr.remote = true;
	name->attr.namelen = disk.namelen;
	name->attr.name = bytes + sizeof(disk);
	name->attr.valuelen = be32_get(disk.valuelen);
	name->attr.valueblk.v = be32_get(disk.valueblk);
	name->len = round_up(ATTR_NAME_REMOTE_FIXED + disk.namelen);
}

/* Finds the name of an entry.  False, after a report: it is not in the block, after the entry. */
static bool find_name(const struct attr_leaf_block *b, const struct check *c, uint32_t index,
		      struct attr_name *ret_name)
{
	const struct attr_leaf_entry_disk *disk = &b->entries[index];
	uint32_t offset = attr_leaf_entry_offset(b, index);
	uint32_t start = be16_get(disk->nameidx);
	bool local = disk->flags & ATTR_LOCAL;
	uint32_t last = b->size - (local ? ATTR_LEAF_NAME_ALIGN : round_up(ATTR_NAME_REMOTE_FIXED + 1));

	if (start % ATTR_LEAF_NAME_ALIGN != 0 || start < offset + sizeof(*disk) || start > last)
		return problem_at(c, F_ATTR_LEAF_NAMEIDX, offset, index, start, last);
	*ret_name = (struct attr_name){ .start = start, .hash = be32_get(disk->hashval) };
	ret_name->attr.flags = disk->flags;
	if (local)
		read_local(b->bytes + start, ret_name);
	else
		read_remote(b->bytes + start, ret_name);
	if (ret_name->len > b->size - start)
		return problem_at(c, F_ATTR_LEAF_SIZE, start, index, ret_name->len, b->size - start);
	return true;
}

/* Checks length and place of a remote value; block 0 of the fork is the root of the tree. */
static bool check_remote(const struct check *c, uint32_t index, const struct attr_name *name)
{
	uint32_t capacity = attr_remote_capacity(c->geo);
	uint32_t valuelen = name->attr.valuelen;
	uint32_t blocks;

	/* the value of an incomplete attribute was being written or removed, so it is not checked */
	if (!name->attr.remote || (name->attr.flags & ATTR_INCOMPLETE))
		return true;
	if (valuelen == 0 || valuelen > ATTR_MAX_VALUE)
		return problem_at(c, F_ATTR_REMOTE_VALUELEN, name->start, index, valuelen, ATTR_MAX_VALUE);
	blocks = (valuelen + capacity - 1) / capacity;
	if (name->attr.valueblk.v == 0 || blocks - 1 > UINT32_MAX - name->attr.valueblk.v)
		return problem_at(c, F_ATTR_REMOTE_VALUEBLK, name->start, index, name->attr.valueblk.v, 1);
	return true;
}

bool attr_name_read(const struct attr_leaf_block *b, const struct check *c, uint32_t index, struct attr_name *ret_name)
{
	if (!find_name(b, c, index, ret_name) ||
	    !attr_check(c, b->owner, ENTRY_FLAGS, ret_name->start, index, &ret_name->attr))
		return false;
	ret_name->want_hash = attr_hash(c->geo, &ret_name->attr);
	return check_remote(c, index, ret_name);
}

bool attr_name_certain(const struct attr_leaf_block *b, uint32_t index, struct attr_name *ret_name)
{
	return attr_name_read(b, &b->quiet, index, ret_name) && ret_name->hash == ret_name->want_hash;
}
