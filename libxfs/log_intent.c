/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes intent items in the log, which announce operations on extents, and done items, which complete them (ondisk
 * 11, "Intents/dones").  Checks extents against the sizes of groups, but not whether the groups exist: see log_item.h.
 * log_intent_file.c decodes intents about attributes and exchanged mappings.
 */
#include "libxfs/btree.h"
#include "log_item.h"

enum { EXTENTS = 16, COUNT = 4, ID = 8, DONE_BYTES = 16, EFI_PACKED = 12 };

/* One row per pair of intent and done item. */
static const struct intent_type {
	enum log_item_type intent, done;
	uint8_t extent_bytes; /* 0: the item has no extents */
	uint8_t fixed_bytes;  /* length of the item if it has no extents */
	uint8_t last_op;      /* highest operation in the flags of an extent; 0: extents have no flags */
	bool realtime;
} types[] = {
	{ LI_EFI, LI_EFD, 16, 0, 0, false },
	{ LI_RUI, LI_RUD, 32, 0, RUI_FREE, false },
	{ LI_CUI, LI_CUD, 16, 0, CUI_FREE_COW, false },
	{ LI_BUI, LI_BUD, 32, 0, BUI_UNMAP, false },
	{ LI_ATTRI, LI_ATTRD, 0, 40, 0, false },
	{ LI_XMI, LI_XMD, 0, 88, 0, false },
	{ LI_EFI_RT, LI_EFD_RT, 16, 0, 0, true },
	{ LI_RUI_RT, LI_RUD_RT, 32, 0, RUI_FREE, true },
	{ LI_CUI_RT, LI_CUD_RT, 16, 0, CUI_FREE_COW, true },
};

static const struct intent_type *type_of(enum log_item_type type)
{
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].intent == type || types[i].done == type)
			return &types[i];
	return NULL;
}

static bool frees(const struct intent_type *type)
{
	return type->intent == LI_EFI || type->intent == LI_EFI_RT;
}

/*
 * Size in bytes of each of `count` extents in an item of len bytes; 0: the item has another length.  32-bit machines do
 * not pad the extents of an EFI.
 */
static uint32_t extent_bytes(const struct intent_type *type, uint64_t count, uint32_t len)
{
	if (len == EXTENTS + count * type->extent_bytes)
		return type->extent_bytes;
	if (frees(type) && len == EXTENTS + count * EFI_PACKED)
		return EFI_PACKED;
	return 0;
}

bool log_intent_decode(const struct check *c, const struct log_item *item, struct log_intent *ret_intent)
{
	const struct intent_type *type = type_of(item->type);
	const struct log_region *region = &item->regions[0];
	struct log_intent intent = { .count = 0 };
	uint32_t want;

	if (!type)
		return problem_at(c, F_LOG_ITEM_TYPE, 0, 0, item->type, 0);
	intent.type = type->intent;
	intent.done = item->type == type->done;
	/* names and values of attributes are regions of their own */
	if (item->nregions != 1 && (item->type != LI_ATTRI || item->nregions < 2))
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, 1);
	want = intent.done || type->extent_bytes ? DONE_BYTES : type->fixed_bytes;
	if (region->len < want || (region->len != want && !type->extent_bytes))
		return problem_at(c, F_LOG_ITEM_LEN, 0, 0, region->len, want);
	intent.id = log_get64(region->bytes + ID, item->big_endian);
	if (!intent.done)
		intent.count = type->extent_bytes ? log_get32(region->bytes + COUNT, item->big_endian) : 1;
	if (!intent.done && type->extent_bytes &&
	    (intent.count == 0 || !extent_bytes(type, intent.count, region->len) ||
	     (type->intent == LI_BUI && intent.count != 1)))
		return problem_at(c, F_LOG_INTENT_COUNT, COUNT, 0, intent.count, region->len);
	*ret_intent = intent;
	return true;
}

/* True if the blocks fit into one group of full size. */
static bool extent_possible(const struct geometry *g, bool realtime, uint64_t start, uint64_t len)
{
	uint64_t rgbno = start & ((1ull << g->rgblklog) - 1);

	if (!realtime)
		return log_extent_possible(g, start >> g->agblock_log, start & ((1ull << g->agblock_log) - 1), len);
	if (!has_rtgroups(g)) /* the section may still grow to any size */
		return len > 0 && start < 1ull << 52;
	return len > 0 && start >> g->rgblklog < UINT32_MAX && rgbno < g->rgblocks && len <= g->rgblocks - rgbno;
}

static bool owner_possible(const struct geometry *g, enum log_item_type type, uint64_t owner)
{
	uint64_t agno = owner >> (g->agblock_log + g->inopb_log);
	bool special = owner >= OWNER_COW && owner <= OWNER_FS;

	if (special)
		return type != LI_BUI;
	return log_extent_possible(g, agno, agbno_of_agino(g, agino_of_ino(g, (xino_t){ owner })).v, 1);
}

/* The known bits in the flags of an extent.  BUI and RUI use the same bits, some of them under other names. */
static uint32_t known_flags(enum log_item_type type)
{
	switch (type) {
	case LI_RUI:
	case LI_RUI_RT:
	case LI_BUI:
		return INTENT_ATTR_FORK | INTENT_BMBT | INTENT_UNWRITTEN | 0xff;
	default:
		return 0xff;
	}
}

/* Reads an extent of this type of intent. */
static struct log_intent_extent get_extent(const struct intent_type *type, const uint8_t *at, bool be)
{
	switch (type->intent) {
	case LI_RUI:
	case LI_RUI_RT:
	case LI_BUI:
		return (struct log_intent_extent){ log_get64(at, be), log_get64(at + 8, be), log_get64(at + 16, be),
						   log_get32(at + 24, be), log_get32(at + 28, be) };
	case LI_CUI:
	case LI_CUI_RT:
		return (struct log_intent_extent){ 0, log_get64(at, be), 0, log_get32(at + 8, be),
						   log_get32(at + 12, be) };
	default:
		return (struct log_intent_extent){ 0, log_get64(at, be), 0, log_get32(at + 8, be), 0 };
	}
}

bool log_intent_extent(const struct check *c, const struct log_item *item, uint32_t index,
		       struct log_intent_extent *ret_extent)
{
	const struct intent_type *type = type_of(item->type);
	const struct log_region *region = &item->regions[0];
	uint32_t count = log_get32(region->bytes + COUNT, item->big_endian);
	uint32_t size = extent_bytes(type, count, region->len), at = EXTENTS + index * size;
	struct log_intent_extent extent = get_extent(type, region->bytes + at, item->big_endian);
	bool realtime = type->realtime || (type->intent == LI_BUI && extent.flags & BUI_REALTIME);
	uint8_t op = extent.flags & 0xff;

	if (type->last_op && (op == 0 || op > type->last_op || extent.flags & ~known_flags(type->intent)))
		return problem_at(c, F_LOG_INTENT_FLAGS, at, 0, extent.flags, known_flags(type->intent));
	if (!extent_possible(c->geo, realtime, extent.startblock, extent.len))
		return problem_at(c, F_LOG_INTENT_EXTENT, at, 0, extent.startblock, extent.len);
	if (type->extent_bytes == 32 && !owner_possible(c->geo, type->intent, extent.owner))
		return problem_at(c, F_LOG_INTENT_OWNER, at, 0, extent.owner, 0);
	*ret_extent = extent;
	return true;
}
