/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extents of a fork as an rmapbt has them (mend_claims.h). */
#include "libxfs/btree.h"
#include "libxfs/dinode.h"
#include "mend_claims.h"

int mend_rmap_extents(const struct geometry *geo, const struct mend_facts *facts, xino_t ino, enum fork fork,
		      enum ino_fact_kind kind, struct mend_map *map)
{
	size_t count;
	const struct ino_fact *rmap = mend_facts_of(facts, ino, kind, &count);
	uint64_t end = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct bmap_record extent = {
			rmap[i].off, { rmap[i].value }, rmap[i].len, rmap[i].flags & RMAP_UNWRITTEN
		};
		const enum fork of = rmap[i].flags & RMAP_ATTR ? ATTR_FORK : DATA_FORK;

		/* an rmapbt's offsets may be larger than any file is: a wrong bit makes them so */
		if (of != fork || rmap[i].flags & RMAP_BMBT || extent.off.v < end ||
		    mend_map_end(&extent) > dinode_fork_end(geo, fork) || mend_facts_reaches_next(rmap, count, i))
			continue;
		ret = mend_map_add(map, &extent);
		end = mend_map_end(&extent);
	}
	return ret;
}
