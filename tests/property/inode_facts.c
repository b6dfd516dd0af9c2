/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk/bmbt.h"
#include "disk/refcountbt.h"
#include "inode.h"
#include "table.h"

/* Blocks of one AG. */
struct blocks {
	uint64_t agno;
	uint64_t start;
	uint64_t end;
};

uint64_t inode_extents(const struct dinode_disk *inode, bool attr)
{
	bool large = be64_get(inode->flags2) & DIFLAG2_NREXT64;

	if (!attr)
		return large ? be64_get(inode->large_nextents) : be32_get(inode->nextents);
	return large ? be32_get(inode->nextents) : be16_get(inode->anextents);
}

uint64_t inode_hint_max(const struct image *image)
{
	uint64_t extent = (1u << BMBT_LEN_BITS) - 1;

	return image->agblocks / 2 < extent ? image->agblocks / 2 : extent;
}

static struct blocks blocks_of_extent(const struct image *image, const struct bmbt_rec_disk *extent)
{
	uint64_t l0 = be64_get(extent->l0), l1 = be64_get(extent->l1);
	uint64_t fsbno = (l0 & ((1u << BMBT_START_BITS_IN_L0) - 1)) << (64 - BMBT_LEN_BITS) | l1 >> BMBT_LEN_BITS;
	uint64_t start = fsbno & ((1ull << image->agblock_log) - 1);

	return (struct blocks){ fsbno >> image->agblock_log, start, start + (l1 & ((1u << BMBT_LEN_BITS) - 1)) };
}

/* True if one of the refcount records of a place has some of the blocks. */
static bool place_shares(const struct catalog *catalog, const struct place *place, const struct blocks *b)
{
	const struct image *image = catalog->image;
	uint64_t block = catalog->objects[place->object].start;
	const struct refcount_rec_disk *rec = (const void *)(image->sound + block + place->offset);

	if ((block >> image->block_log) / image->agblocks != b->agno)
		return false;
	for (unsigned i = 0; i < place->count; i++) {
		uint64_t start = be32_get(rec[i].startblock);

		if (start < b->end && start + be32_get(rec[i].blockcount) > b->start)
			return true;
	}
	return false;
}

bool inode_shares_blocks(const struct catalog *catalog, const struct object *object)
{
	const struct dinode_disk *inode = (const struct dinode_disk *)(catalog->image->sound + object->start);
	const struct bmbt_rec_disk *extents = (const struct bmbt_rec_disk *)(inode + 1);
	const struct group *shared = catalog_group(catalog, KIND_REFCOUNTBT, &refcount_rec_structure);

	if (inode->format != DINODE_FMT_EXTENTS || !shared)
		return false;
	for (uint64_t i = 0; i < inode_extents(inode, false); i++) {
		struct blocks b = blocks_of_extent(catalog->image, &extents[i]);

		for (size_t p = 0; p < shared->nplaces; p++)
			if (place_shares(catalog, &shared->places[p], &b))
				return true;
	}
	return false;
}
