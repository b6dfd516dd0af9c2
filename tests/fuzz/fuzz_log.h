/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every decoder of log items, and reads everything that they return. */
#ifndef XFSCK_TESTS_FUZZ_LOG_H
#define XFSCK_TESTS_FUZZ_LOG_H

#include "fuzz.h"
#include "libxfs/log_item.h"

static inline void fuzz_log_region(const struct log_region *region)
{
	if (region->len)
		fuzz_touch(region->bytes, region->len);
}

static inline void fuzz_log_buf(const struct check *c, const struct log_item *item)
{
	struct log_buf_position position = { 0 };
	struct log_buf_range range;
	struct log_buf buf;

	if (!log_buf_decode(c, item, &buf))
		return;
	fuzz_promise(buf.len > 0 && buf.type < LB_TYPES);
	while (log_buf_next(item, &position, &range)) {
		fuzz_promise(range.len > 0 && range.offset + range.len <= buf.len * 512);
		fuzz_touch(range.bytes, range.len);
	}
}

static inline void fuzz_log_inode(const struct check *c, const struct log_item *item)
{
	struct log_inode inode;
	uint8_t root[512];

	if (!log_inode_decode(c, item, &inode))
		return;
	fuzz_promise(inode.core_len <= sizeof(inode.core));
	fuzz_promise(inode.offset + c->geo->inode_size <= inode.len * 512);
	fuzz_touch(inode.core, inode.core_len);
	fuzz_log_region(&inode.data);
	fuzz_log_region(&inode.attr);
	for (uint32_t len = 8; len <= sizeof(root); len *= 2) {
		if (inode.fields & LOG_INODE_DBROOT && log_root_to_disk(c, &inode, DATA_FORK, root, len))
			fuzz_touch(root, len);
		if (inode.fields & LOG_INODE_ABROOT && log_root_to_disk(c, &inode, ATTR_FORK, root, len))
			fuzz_touch(root, len);
	}
}

static inline void fuzz_log_intent(const struct check *c, const struct log_item *item)
{
	struct log_intent intent;
	struct log_intent_extent extent;
	struct log_attri attri;
	struct log_xmi xmi;

	if (!log_intent_decode(c, item, &intent) || intent.done)
		return;
	if (intent.type == LI_ATTRI && log_attri_decode(c, item, &attri)) {
		fuzz_log_region(&attri.name);
		fuzz_log_region(&attri.new_name);
		fuzz_log_region(&attri.value);
		fuzz_log_region(&attri.new_value);
	}
	if (intent.type == LI_XMI)
		log_xmi_decode(c, item, &xmi);
	if (intent.type == LI_ATTRI || intent.type == LI_XMI)
		return;
	for (uint32_t i = 0; i < intent.count; i++)
		if (log_intent_extent(c, item, i, &extent))
			fuzz_promise(extent.len > 0);
}

static inline void fuzz_log_item(const struct check *c, const struct log_item *item)
{
	struct log_icreate icreate;
	struct log_dquot dquot;
	uint32_t types;

	for (uint32_t i = 0; i < item->nregions; i++)
		fuzz_log_region(&item->regions[i]);
	switch (item->type) {
	case LI_BUF:
		fuzz_log_buf(c, item);
		break;
	case LI_INODE:
		fuzz_log_inode(c, item);
		break;
	case LI_ICREATE:
		log_icreate_decode(c, item, &icreate);
		break;
	case LI_DQUOT:
		if (log_dquot_decode(c, item, &dquot))
			fuzz_touch(dquot.dquot, 104);
		break;
	case LI_QUOTAOFF:
		log_quotaoff_decode(c, item, &types);
		break;
	default:
		fuzz_log_intent(c, item);
		break;
	}
}

#endif
