/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds headers and da nodes of the hash trees of directories and attributes (ondisk 06, 07). */
#include "libxfs/da_build.h"

#include "da_header.h"
#include "libxfs/crc.h"

void da_put_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind,
		   struct da_siblings siblings)
{
	struct da_blkinfo_disk *info = (void *)block;

	memset(block, 0, da_block_size(g, place->fork));
	info->forw = be32_put(siblings.forw.v);
	info->back = be32_put(siblings.back.v);
	info->magic = be16_put((uint16_t)da_magic_of(g, kind));
	if (!g->crc)
		return;
	info->blkno = be64_put(place->daddr.v);
	memcpy(info->uuid, g->meta_uuid, sizeof(info->uuid));
	info->owner = be64_put(place->owner.v);
}

void da_seal(const struct geometry *g, uint8_t *block, enum fork fork)
{
	if (g->crc)
		crc_store(block, da_block_size(g, fork), offsetof(struct da_blkinfo_disk, crc));
}

size_t da_build_node_room(const struct geometry *g, enum fork fork)
{
	return (da_block_size(g, fork) - da_header_size(g)) / sizeof(struct da_node_entry_disk);
}

void da_build_node(const struct geometry *g, uint8_t *block, const struct da_expect *place, unsigned level,
		   struct da_children children, struct da_siblings siblings)
{
	struct da_node_counts_disk *counts = (void *)(block + da_blkinfo_size(g));
	struct da_node_entry_disk *entries = (void *)(block + da_header_size(g));

	da_put_header(g, block, place, DA_NODE, siblings);
	*counts = (struct da_node_counts_disk){ be16_put((uint16_t)children.count), be16_put((uint16_t)level) };
	for (size_t i = 0; i < children.count; i++)
		entries[i] =
			(struct da_node_entry_disk){ be32_put(children.v[i].hash), be32_put(children.v[i].dablk.v) };
	da_seal(g, block, place->fork);
}
