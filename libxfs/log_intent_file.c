/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes intents about files: to set or remove an attribute (ATTRI), to exchange mappings of two files (XMI) (ondisk
 * 11).
 */
#include "log_item.h"

enum attri_field {
	ATTRI_IGEN = 4,
	ATTRI_INO = 16,
	ATTRI_OP = 24,
	ATTRI_NAME_LEN = 28,
	ATTRI_NEW_NAME_LEN = 30,
	ATTRI_VALUE_LEN = 32,
	ATTRI_FILTER = 36,
	ATTRI_BYTES = 40,
};

#define ATTRI_OP_MASK	   0xffu
#define ATTRI_FILTER_KNOWN (2u | 4u | 8u | 0x80u) /* root, secure, parent pointer, incomplete */
#define ATTR_NAME_MAX	   255u

static bool inode_possible(const struct geometry *g, uint64_t ino)
{
	return log_extent_possible(g, ino >> (g->agblock_log + g->inopb_log),
				   agbno_of_agino(g, agino_of_ino(g, (xino_t){ ino })).v, 1);
}

/* Takes a name or value of len bytes from region *index, which is padded, and advances *index.  len 0: no region. */
static bool take_bytes(const struct check *c, const struct log_item *item, uint32_t *index, uint64_t len,
		       struct log_region *ret_bytes)
{
	struct log_region region;

	if (len == 0)
		return true;
	if (*index >= item->nregions)
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, *index + 1);
	region = item->regions[*index];
	if (region.len != (len + 3) / 4 * 4)
		return problem_at(c, F_LOG_INTENT_NAME, 0, *index, len, region.len);
	region.len = (uint32_t)len;
	(*index)++;
	*ret_bytes = region;
	return true;
}

bool log_attri_decode(const struct check *c, const struct log_item *item, struct log_attri *ret_attri)
{
	const bool be = item->big_endian;
	const uint8_t *bytes = item->regions[0].bytes;
	struct log_attri attri = { .igen = 0 };
	uint32_t name_len, new_name_len = 0, value_len, next = 1, flags;

	if (item->regions[0].len != ATTRI_BYTES)
		return problem_at(c, F_LOG_ITEM_LEN, 0, 0, item->regions[0].len, ATTRI_BYTES);
	flags = log_get32(bytes + ATTRI_OP, be);
	if ((flags & ATTRI_OP_MASK) < ATTRI_SET || flags > ATTRI_PPTR_REPLACE)
		return problem_at(c, F_LOG_INTENT_FLAGS, ATTRI_OP, 0, flags, ATTRI_OP_MASK);
	attri.op = (enum log_attr_intent)flags;
	attri.ino.v = log_get64(bytes + ATTRI_INO, be);
	attri.igen = log_get32(bytes + ATTRI_IGEN, be);
	attri.filter = log_get32(bytes + ATTRI_FILTER, be);
	value_len = log_get32(bytes + ATTRI_VALUE_LEN, be);
	name_len = log_get32(bytes + ATTRI_NAME_LEN, be);
	if (attri.op == ATTRI_PPTR_REPLACE) {
		name_len = log_get16(bytes + ATTRI_NAME_LEN, be);
		new_name_len = log_get16(bytes + ATTRI_NEW_NAME_LEN, be);
	}
	if (!inode_possible(c->geo, attri.ino.v))
		return problem_at(c, F_LOG_INTENT_INODE, ATTRI_INO, 0, attri.ino.v, 0);
	if (attri.filter & ~ATTRI_FILTER_KNOWN)
		return problem_at(c, F_LOG_INTENT_FLAGS, ATTRI_FILTER, 0, attri.filter, ATTRI_FILTER_KNOWN);
	if (name_len == 0 || name_len > ATTR_NAME_MAX || new_name_len > ATTR_NAME_MAX)
		return problem_at(c, F_LOG_INTENT_NAME, ATTRI_NAME_LEN, 0, name_len, ATTR_NAME_MAX);
	if (value_len > LOG_REGION_MAX)
		return problem_at(c, F_LOG_INTENT_NAME, ATTRI_VALUE_LEN, 0, value_len, LOG_REGION_MAX);
	if (!take_bytes(c, item, &next, name_len, &attri.name) ||
	    !take_bytes(c, item, &next, new_name_len, &attri.new_name) ||
	    !take_bytes(c, item, &next, value_len, &attri.value) ||
	    !take_bytes(c, item, &next, attri.op == ATTRI_PPTR_REPLACE ? value_len : 0, &attri.new_value))
		return false;
	if (next != item->nregions)
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, next);
	*ret_attri = attri;
	return true;
}

enum xmi_field {
	XMI_INODE1 = 16,
	XMI_INODE2 = 24,
	XMI_IGEN1 = 32,
	XMI_IGEN2 = 36,
	XMI_STARTOFF1 = 40,
	XMI_STARTOFF2 = 48,
	XMI_BLOCKCOUNT = 56,
	XMI_FLAGS = 64,
	XMI_ISIZE1 = 72,
	XMI_ISIZE2 = 80,
	XMI_BYTES = 88,
};

#define XMI_FLAGS_KNOWN 0x1fu /* attribute fork, sizes, only written blocks, reflink flags of both */
#define FILEOFF_END	(1ull << 54)

static bool file_range_possible(uint64_t start, uint64_t len)
{
	return start < FILEOFF_END && len <= FILEOFF_END - start;
}

bool log_xmi_decode(const struct check *c, const struct log_item *item, struct log_xmi *ret_xmi)
{
	const bool be = item->big_endian;
	const uint8_t *bytes = item->regions[0].bytes;
	struct log_xmi xmi;

	if (!log_item_shape(c, item, 1, XMI_BYTES))
		return false;
	xmi = (struct log_xmi){
		.ino1 = { log_get64(bytes + XMI_INODE1, be) },
		.ino2 = { log_get64(bytes + XMI_INODE2, be) },
		.igen1 = log_get32(bytes + XMI_IGEN1, be),
		.igen2 = log_get32(bytes + XMI_IGEN2, be),
		.startoff1 = { log_get64(bytes + XMI_STARTOFF1, be) },
		.startoff2 = { log_get64(bytes + XMI_STARTOFF2, be) },
		.blockcount = log_get64(bytes + XMI_BLOCKCOUNT, be),
		.flags = log_get64(bytes + XMI_FLAGS, be),
		.isize1 = log_get64(bytes + XMI_ISIZE1, be),
		.isize2 = log_get64(bytes + XMI_ISIZE2, be),
	};
	if (!inode_possible(c->geo, xmi.ino1.v))
		return problem_at(c, F_LOG_INTENT_INODE, XMI_INODE1, 0, xmi.ino1.v, 0);
	if (!inode_possible(c->geo, xmi.ino2.v))
		return problem_at(c, F_LOG_INTENT_INODE, XMI_INODE2, 0, xmi.ino2.v, 0);
	if (xmi.flags & ~(uint64_t)XMI_FLAGS_KNOWN)
		return problem_at(c, F_LOG_INTENT_FLAGS, XMI_FLAGS, 0, xmi.flags, XMI_FLAGS_KNOWN);
	if (!file_range_possible(xmi.startoff1.v, xmi.blockcount) ||
	    !file_range_possible(xmi.startoff2.v, xmi.blockcount))
		return problem_at(c, F_LOG_INTENT_EXTENT, XMI_BLOCKCOUNT, 0, xmi.startoff1.v, xmi.blockcount);
	*ret_xmi = xmi;
	return true;
}
