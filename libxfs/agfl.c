/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds the AGFL (ondisk 02): the blocks that an AG reserves for its own btrees, in a ring of slots whose
 * active part the AGF describes.  Other slots hold stale values, but the kernel rejects the sector if one of them is
 * beyond the AG size.
 */
#include "disk/agfl.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/v5.h"

#define AGFL_OFFSET(field) ((uint32_t)offsetof(struct agfl_disk, field))

/* the slots, and the active ones according to the AGF */
struct ring {
	const be32_t *bno;
	uint32_t offset; /* of bno[] in the sector */
	uint32_t slots;
	uint32_t first;
	uint32_t active;
};

static uint32_t slot_offset(const struct ring *ring, uint32_t slot)
{
	return ring->offset + slot * (uint32_t)sizeof(be32_t);
}

/* The slot i steps after the first. */
static uint32_t slot_at(const struct ring *ring, uint32_t i)
{
	return (uint32_t)(((uint64_t)ring->first + i) % ring->slots);
}

/* The first step before n whose slot has the same block; n: none. */
static uint32_t find_before(const struct ring *ring, uint32_t n, agbno_t agbno)
{
	for (uint32_t i = 0; i < n; i++)
		if (be32_get(ring->bno[slot_at(ring, i)]) == agbno.v)
			return i;
	return n;
}

static void visit_active(const struct check *c, const struct ring *ring, agno_t agno,
			 void (*visit)(void *ctx, agbno_t agbno), void *ctx)
{
	for (uint32_t i = 0; i < ring->active; i++) {
		uint32_t slot = slot_at(ring, i);
		agbno_t agbno = { be32_get(ring->bno[slot]) };
		uint32_t same;

		if (!agbno_valid(c->geo, agno, agbno)) {
			problem_at(c, F_AGFL_BNO, slot_offset(ring, slot), slot, agbno.v, 0);
			continue;
		}
		same = find_before(ring, i, agbno);
		if (same < i)
			problem_at(c, F_AGFL_DUPLICATE, slot_offset(ring, slot), slot, agbno.v, slot_at(ring, same));
		else
			visit(ctx, agbno);
	}
}

/* Checks the slots outside of the active part; all slots, if that is unknown. */
static void check_inactive(const struct check *c, const struct ring *ring)
{
	for (uint32_t i = ring->active; i < ring->slots; i++) {
		uint32_t slot = slot_at(ring, i);
		uint32_t bno = be32_get(ring->bno[slot]);

		if (bno != NULL_AGBNO && bno >= c->geo->agblocks)
			problem_at(c, F_AGFL_UNUSED, slot_offset(ring, slot), slot, bno, c->geo->agblocks);
	}
}

static bool check_header(const struct check *c, const struct agfl_disk *disk, agno_t agno)
{
	if (!check_eq(c, F_BLOCK_MAGIC, AGFL_OFFSET(magicnum), be32_get(disk->magicnum), AGFL_MAGIC))
		return false;
	crc_check(c, disk, c->geo->sector_size, AGFL_OFFSET(crc));
	v5_check_uuid(c, disk->uuid, AGFL_OFFSET(uuid));
	v5_check_lsn(c, be64_get(disk->lsn), AGFL_OFFSET(lsn));
	check_eq(c, F_AGFL_SEQNO, AGFL_OFFSET(seqno), be32_get(disk->seqno), agno.v);
	return true;
}

bool agfl_decode(const struct check *c, const void *sector, agno_t agno, const struct agf *agf,
		 void (*visit)(void *ctx, agbno_t agbno), void *ctx)
{
	const struct geometry *g = c->geo;
	uint32_t header = agfl_header_size(g->crc);
	struct ring ring = {
		.bno = (const be32_t *)((const uint8_t *)sector + header),
		.offset = header,
		.slots = agfl_slots(g->crc, g->sector_size),
		.first = agf->freelist_ok ? agf->flfirst : 0,
		.active = agf->freelist_ok ? agf->flcount : 0,
	};

	if (g->crc && !check_header(c, sector, agno))
		return false;
	visit_active(c, &ring, agno, visit, ctx);
	/* in version 4 mkfs does not clear inactive slots, and they are never read */
	if (g->crc)
		check_inactive(c, &ring);
	return true;
}

void agfl_encode(const struct geometry *g, agno_t agno, const agbno_t *blocks, uint32_t count, void *sector)
{
	struct agfl_disk *disk = sector;
	be32_t *slots = (be32_t *)((uint8_t *)sector + agfl_header_size(g->crc));

	memset(sector, 0, g->sector_size);
	for (uint32_t i = 0; i < agfl_slots(g->crc, g->sector_size); i++)
		slots[i] = be32_put(i < count ? blocks[i].v : NULL_AGBNO);
	if (!g->crc)
		return;
	disk->magicnum = be32_put(AGFL_MAGIC);
	disk->seqno = be32_put(agno.v);
	memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
	crc_store(sector, g->sector_size, AGFL_OFFSET(crc));
}
