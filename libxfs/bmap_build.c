/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds extent maps (ondisk 05). */
#include "libxfs/bmap_build.h"

#include "disk/btree.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"

struct bmbt_rec_disk bmap_record_put(const struct bmap_record *r)
{
	const unsigned start_in_l1 = BMBT_START_BITS - BMBT_START_BITS_IN_L0;

	return (struct bmbt_rec_disk){
		be64_put((uint64_t)r->unwritten << 63 | r->off.v << BMBT_START_BITS_IN_L0 | r->start.v >> start_in_l1),
		be64_put(r->start.v << BMBT_LEN_BITS | r->len),
	};
}

static uint32_t header_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct btree_long_disk) : (uint32_t)offsetof(struct btree_long_disk, blkno);
}

uint32_t bmbt_leaf_room(const struct geometry *g)
{
	return (g->block_size - header_size(g)) / (uint32_t)sizeof(struct bmbt_rec_disk);
}

uint32_t bmbt_node_room(const struct geometry *g)
{
	return (g->block_size - header_size(g)) / (uint32_t)(sizeof(struct bmbt_key_disk) + sizeof(be64_t));
}

uint32_t bmbt_root_room(uint32_t fork_size)
{
	return (fork_size - (uint32_t)sizeof(struct bmdr_disk)) /
	       (uint32_t)(sizeof(struct bmbt_key_disk) + sizeof(be64_t));
}

static void put_header(const struct geometry *g, uint8_t *block, const struct bmbt_place *place, unsigned level,
		       uint32_t count)
{
	struct btree_long_disk *hdr = (void *)block;

	memset(block, 0, g->block_size);
	hdr->magic = be32_put(g->crc ? BMBT_MAGIC : BMBT_MAGIC_V4);
	hdr->level = be16_put((uint16_t)level);
	hdr->numrecs = be16_put((uint16_t)count);
	hdr->leftsib = be64_put(place->left.v);
	hdr->rightsib = be64_put(place->right.v);
	if (!g->crc)
		return;
	hdr->blkno = be64_put(daddr_of_fsbno(g, place->block).v);
	memcpy(hdr->uuid, g->meta_uuid, sizeof(hdr->uuid));
	hdr->owner = be64_put(place->owner.v);
}

static void seal(const struct geometry *g, uint8_t *block)
{
	if (g->crc)
		crc_store(block, g->block_size, offsetof(struct btree_long_disk, crc));
}

void bmbt_build_leaf(const struct geometry *g, uint8_t *block, const struct bmbt_place *place,
		     const struct bmap_record *records, uint32_t count)
{
	struct bmbt_rec_disk *disk = (void *)(block + header_size(g));

	put_header(g, block, place, 0, count);
	for (uint32_t i = 0; i < count; i++)
		disk[i] = bmap_record_put(&records[i]);
	seal(g, block);
}

static void put_children(uint8_t *at, uint32_t room, const struct bmbt_child *children, uint32_t count)
{
	struct bmbt_key_disk *keys = (void *)at;
	be64_t *pointers = (void *)(keys + room);

	for (uint32_t i = 0; i < count; i++) {
		keys[i].startoff = be64_put(children[i].first.v);
		pointers[i] = be64_put(children[i].block.v);
	}
}

void bmbt_build_node(const struct geometry *g, uint8_t *block, const struct bmbt_place *place, unsigned level,
		     const struct bmbt_child *children, uint32_t count)
{
	put_header(g, block, place, level, count);
	put_children(block + header_size(g), bmbt_node_room(g), children, count);
	seal(g, block);
}

void bmbt_build_root(uint8_t *fork, uint32_t fork_size, unsigned level, const struct bmbt_child *children,
		     uint32_t count)
{
	struct bmdr_disk *root = (void *)fork;

	memset(fork, 0, fork_size);
	*root = (struct bmdr_disk){ be16_put((uint16_t)level), be16_put((uint16_t)count) };
	put_children(fork + sizeof(*root), bmbt_root_room(fork_size), children, count);
}
