/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes what a block is used for from the facts of the first check, so that the map costs no reading of its own. */
#include "map_sink.h"

#include "report/group_map.h"

static enum map_use use_of(const struct claim *claim)
{
	if (claim->owner == OWNER_LOG)
		return MAP_LOG;
	return claim->owner > OWNER_COW || claim->flags & (RMAP_ATTR | RMAP_BMBT) ? MAP_METADATA : MAP_DATA;
}

static void map_claim(void *ctx, unsigned lane, const struct claim *claim)
{
	(void)lane;
	group_map_add(ctx, use_of(claim), claim->at.group, claim->at.start, claim->at.len);
}

/* The two free-space btrees tell the same. */
static void map_free_extent(void *ctx, unsigned lane, enum btree_kind kind, const struct blocks *blocks)
{
	(void)lane;
	if (kind == BT_BNO)
		group_map_add(ctx, MAP_FREE, blocks->group, blocks->start, blocks->len);
}

struct sink map_sink(struct group_map *map, const struct hash_key *key)
{
	static const struct sink_ops ops = { .claim = map_claim, .free_extent = map_free_extent };

	return (struct sink){ &ops, map, key };
}
