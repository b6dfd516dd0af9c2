/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AGFL (ondisk 02): the blocks that an AG keeps for its own trees, in a
 * ring of slots whose active part the AGF describes.  Slots that are not
 * active hold stale values, but the kernel refuses the sector if one of those
 * lies beyond the AG size.
 */
#include "disk/agfl.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/v5.h"

#define AGFL_OFFSET(field) ((uint32_t)offsetof(struct agfl_disk, field))

static uint32_t slot_offset(uint32_t slot)
{
	return AGFL_OFFSET(bno) + slot * (uint32_t)sizeof(be32_t);
}

/* The slot i steps behind the first. */
static uint32_t active_slot(const struct agf *agf, uint32_t slots, uint32_t i)
{
	return (uint32_t)(((uint64_t)agf->flfirst + i) % slots);
}

/* The step at which the ring has the same block before step n; n: nowhere. */
static uint32_t find_before(const struct agfl_disk *disk, const struct agf *agf, uint32_t slots, uint32_t n,
			    agbno_t agbno)
{
	for (uint32_t i = 0; i < n; i++)
		if (be32_get(disk->bno[active_slot(agf, slots, i)]) == agbno.v)
			return i;
	return n;
}

static void visit_active(const struct check *c, const struct agfl_disk *disk, agno_t agno, const struct agf *agf,
			 uint32_t slots, void (*visit)(void *ctx, agbno_t agbno), void *ctx)
{
	for (uint32_t i = 0; i < agf->flcount; i++) {
		uint32_t slot = active_slot(agf, slots, i);
		agbno_t agbno = { be32_get(disk->bno[slot]) };
		uint32_t same;

		if (!agbno_valid(c->geo, agno, agbno)) {
			problem_at(c, F_AGFL_BNO, slot_offset(slot), slot, agbno.v, 0);
			continue;
		}
		same = find_before(disk, agf, slots, i, agbno);
		if (same < i)
			problem_at(c, F_AGFL_DUPLICATE, slot_offset(slot), slot, agbno.v,
				   active_slot(agf, slots, same));
		else
			visit(ctx, agbno);
	}
}

/* The slots of the ring outside of the active part: all of them where that is not known. */
static void check_inactive(const struct check *c, const struct agfl_disk *disk, const struct agf *agf, uint32_t slots)
{
	uint32_t active = agf->freelist_ok ? agf->flcount : 0;
	uint32_t first = agf->freelist_ok ? agf->flfirst : 0;

	for (uint32_t i = active; i < slots; i++) {
		uint32_t slot = (first + i) % slots;
		uint32_t bno = be32_get(disk->bno[slot]);

		if (bno != NULL_AGBNO && bno >= c->geo->agblocks)
			problem_at(c, F_AGFL_UNUSED, slot_offset(slot), slot, bno, c->geo->agblocks);
	}
}

bool agfl_decode(const struct check *c, const void *sector, agno_t agno, const struct agf *agf,
		 void (*visit)(void *ctx, agbno_t agbno), void *ctx)
{
	const struct agfl_disk *disk = sector;
	uint32_t slots = agfl_slots(c->geo->sector_size);

	if (!check_eq(c, F_BLOCK_MAGIC, AGFL_OFFSET(magicnum), be32_get(disk->magicnum), AGFL_MAGIC))
		return false;
	crc_check(c, sector, c->geo->sector_size, AGFL_OFFSET(crc));
	v5_check_uuid(c, disk->uuid, AGFL_OFFSET(uuid));
	v5_check_lsn(c, be64_get(disk->lsn), AGFL_OFFSET(lsn));
	check_eq(c, F_AGFL_SEQNO, AGFL_OFFSET(seqno), be32_get(disk->seqno), agno.v);
	if (agf->freelist_ok)
		visit_active(c, disk, agno, agf, slots, visit, ctx);
	check_inactive(c, disk, agf, slots);
	return true;
}
