/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the log by its record in the rmapbt of the AG that holds it. */
#include "sb_derive.h"

#include "disk/rmapbt.h"
#include "libxfs/btree.h"

static void put_log(struct sb_derive *d, uint32_t agno, const struct rmap_rec_disk *r)
{
	d->sb->logstart = be64_put((uint64_t)agno << d->sb->agblklog | be32_get(r->startblock));
	d->sb->logblocks = r->blockcount;
}

/* Look for the log in the first leaf of an AG's rmapbt: mkfs puts it right behind the AG headers, or at the next
 * stripe. */
static bool log_in_ag(struct sb_derive *d, uint32_t agno, uint64_t start)
{
	struct agf_disk agf;
	uint32_t numrecs;
	const uint8_t *records;

	if (!sb_derive_read(d, &agf, start + d->sector_size, sizeof(agf)) || be32_get(agf.magicnum) != AGF_MAGIC)
		return false;
	records = sb_derive_first_leaf(d, start, be32_get(agf.rmap_root), RMAPBT_MAGIC, sizeof(struct rmap_range_disk),
				       &numrecs);
	if (!records)
		return false;
	for (uint32_t i = 0; i < numrecs; i++) {
		const struct rmap_rec_disk *r = (const struct rmap_rec_disk *)records + i;

		if ((const uint8_t *)(r + 1) > d->block + d->block_size)
			return false;
		if (be64_get(r->owner) != OWNER_LOG)
			continue;
		put_log(d, agno, r);
		return true;
	}
	return false;
}

void sb_derive_log(struct sb_derive *d)
{
	uint64_t ag_bytes = (uint64_t)be32_get(d->sb->agblocks) * d->block_size;
	uint32_t agcount = be32_get(d->sb->agcount);

	if (!(be32_get(d->sb->features_ro_compat) & SB_RO_COMPAT_RMAPBT))
		return;
	d->log_known = be32_get(d->log_record.blockcount) != 0;
	if (d->log_known)
		put_log(d, d->log_agno, &d->log_record);
	/* mkfs puts the log into an AG in the middle, so begin there */
	for (uint32_t i = 0; i < agcount && !d->log_known; i++) {
		uint32_t agno = (agcount / 2 + i) % agcount;

		d->log_known = log_in_ag(d, agno, agno * ag_bytes);
	}
}
