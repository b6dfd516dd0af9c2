/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads remote values (ondisk 07, "Remote values") when their attribute comes. */
#include "attributes.h"

#include "cache.h"
#include "contents.h"
#include "repair.h"
#include "run.h"

#define VALUE_MOST 65536u /* bytes: ondisk 07 */

void attributes_free(struct attributes *a)
{
	free(a->map.bytes);
	free(a->block.bytes);
	free(a->value.bytes);
}

/* Finds a block of the attribute fork; false: not mapped. */
static bool find_block(const struct attributes *a, uint64_t dablk, fsbno_t *ret)
{
	const size_t count = a->map.len / sizeof(struct contents_record);

	for (size_t i = 0; i < count; i++) {
		struct contents_record r;

		memcpy(&r, a->map.bytes + i * sizeof(r), sizeof(r));
		if (dablk < r.offset || dablk - r.offset >= r.at.len || group_is_rt(&a->rc->geo, r.at.group))
			continue;
		*ret = fsbno_of(&a->rc->geo, (agno_t){ r.at.group.v },
				(agbno_t){ (uint32_t)(r.at.start.v + (dablk - r.offset)) });
		return true;
	}
	return false;
}

/* Reads a block of a value, and appends its bytes. 0; -EIO: unreadable or invalid; or another negative errno. */
static int add_block(struct attributes *a, xino_t ino, uint64_t dablk, uint32_t valuelen)
{
	const struct geometry *geo = &a->rc->geo;
	const uint32_t capacity = attr_remote_capacity(geo);
	const uint32_t left = valuelen - (uint32_t)a->value.len, bytes = left < capacity ? left : capacity;
	fsbno_t block;
	int ret;

	if (!find_block(a, dablk, &block))
		return -EIO;
	a->block.len = 0;
	if (byte_buffer_reserve(&a->block, geo->block_size))
		return -ENOMEM;
	ret = device_read(a->rc->run->device, a->block.bytes, bytes_of_daddr(daddr_of_fsbno(geo, block)),
			  geo->block_size);
	if (ret)
		return ret == -ENOMEM ? ret : -EIO;
	if (geo->crc) {
		const struct check check = check_silent(geo);
		const struct da_expect expect = { ino, daddr_of_fsbno(geo, block), { (uint32_t)dablk }, ATTR_FORK };
		struct attr_remote part;

		if (!attr_remote_decode(&check, a->block.bytes, &expect, &part) || part.offset != a->value.len ||
		    part.bytes != bytes)
			return -EIO;
	}
	return byte_buffer_add(&a->value, a->block.bytes + (geo->block_size - capacity), bytes);
}

static int read_value(struct attributes *a, xino_t ino, const struct attr_entry *e)
{
	int ret = e->valuelen <= VALUE_MOST ? 0 : -EIO;

	a->value.len = 0;
	for (uint64_t dablk = e->valueblk.v; !ret && a->value.len < e->valuelen; dablk++)
		ret = add_block(a, ino, dablk, e->valuelen);
	return ret;
}

int attributes_each(struct attributes *a, xino_t ino, int (*each)(void *ctx, const struct attribute *attribute),
		    void *ctx)
{
	struct contents_record r;
	int ret = 0, more;

	a->map.len = 0;
	a->lost = 0;
	while (!ret && (more = contents_next(a->contents, ino, CONTENTS_ATTR_LOST, &r)) != 0) {
		struct attribute one = { .value = r.attribute.value, .valuelen = r.attribute.valuelen };

		if (more < 0)
			return more;
		if (r.kind == CONTENTS_ATTR_MAP) {
			ret = byte_buffer_add(&a->map, &r, sizeof(r));
			continue;
		}
		one.kind = r.kind == CONTENTS_ATTRIBUTE ? xattr_name_of(&r.attribute, one.name) : XATTR_NONE;
		if (one.kind != XATTR_NONE && r.attribute.remote) {
			ret = read_value(a, ino, &r.attribute);
			one.value = a->value.bytes;
		}
		if (ret == -EIO || one.kind == XATTR_NONE) {
			a->lost++;
			ret = 0;
		} else if (!ret) {
			ret = each(ctx, &one);
		}
	}
	return ret;
}
