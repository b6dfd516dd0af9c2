/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes and builds the AGI (ondisk 02).  Checks number and length of the AG, roots and heights of its inode btrees,
 * ranges of counters, hints, and that each unlinked list begins with an inode of its own bucket.  repair/check/books/
 * compares counters with the btrees, and follows the lists.
 */
#include "ag_header.h"
#include "disk/agi.h"
#include "disk/inobt.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/v5.h"

#define AGI_OFFSET(field) ((uint32_t)offsetof(struct agi_disk, field))

_Static_assert(sizeof(((struct agi *)0)->unlinked) == AGI_UNLINKED_BUCKETS * sizeof(agino_t), "one head per bucket");

static const struct ag_header_tree inobt = { BT_INO, AGI_OFFSET(root), AGI_OFFSET(level), F_AGI_ROOT, F_AGI_LEVEL };
static const struct ag_header_tree finobt = { BT_FINO, AGI_OFFSET(free_root), AGI_OFFSET(free_level), F_AGI_FREE_ROOT,
					      F_AGI_FREE_LEVEL };

static bool agino_valid(const struct geometry *g, agno_t agno, agino_t agino)
{
	return agbno_valid(g, agno, agbno_of_agino(g, agino));
}

/* Checks the ranges of counters: invariants 4 and 5, within one sector. */
static void decode_counters(const struct check *c, const struct agi_disk *disk, uint32_t data_blocks, struct agi *agi)
{
	const struct geometry *g = c->geo;
	uint64_t max_count = (uint64_t)data_blocks << g->inopb_log;
	uint32_t step = g->sparse ? INODES_PER_HOLEMASKBIT : INODES_PER_CHUNK;

	agi->count = be32_get(disk->count);
	agi->freecount = be32_get(disk->freecount);
	if (agi->count > max_count || agi->count % step != 0)
		problem(c, F_AGI_COUNT, AGI_OFFSET(count), agi->count, max_count);
	else
		ag_header_at_most(c, F_AGI_FREECOUNT, AGI_OFFSET(freecount), agi->freecount, agi->count);
	if (!g->inobtcnt)
		return;
	agi->iblocks = be32_get(disk->iblocks);
	agi->fblocks = be32_get(disk->fblocks);
	ag_header_at_most(c, F_AGI_IBLOCKS, AGI_OFFSET(iblocks), agi->iblocks, data_blocks);
	ag_header_at_most(c, F_AGI_FBLOCKS, AGI_OFFSET(fblocks), agi->fblocks, data_blocks);
}

/* Reports an invalid hint; returns the value that it must have. */
static uint32_t bad_hint(const struct check *c, enum finding finding, uint32_t offset, agino_t got)
{
	problem(c, finding, offset, got.v, NULL_AGINO);
	return NULL_AGINO;
}

/* Checks the hints newino and dirino, on which nothing depends (invariant 5). */
static void decode_hints(const struct check *c, const struct agi_disk *disk, agno_t agno, struct agi *agi)
{
	const struct geometry *g = c->geo;
	agino_t newino = { be32_get(disk->newino) };
	agino_t dirino = { be32_get(disk->dirino) };
	uint32_t step = g->inodes_per_block < INODES_PER_CHUNK ? g->inodes_per_block : INODES_PER_CHUNK;

	/* chunks, even sparse ones, start at a block; several in one block start at multiples of their size */
	if (newino.v != NULL_AGINO && (!agino_valid(g, agno, newino) || newino.v % step != 0))
		newino.v = bad_hint(c, F_AGI_NEWINO, AGI_OFFSET(newino), newino);
	if (dirino.v != NULL_AGINO && !agino_valid(g, agno, dirino))
		dirino.v = bad_hint(c, F_AGI_DIRINO, AGI_OFFSET(dirino), dirino);
	agi->newino = newino;
	agi->dirino = dirino;
}

/* Checks the heads of the unlinked lists: invariant 6, within one sector. */
static void decode_unlinked(const struct check *c, const struct agi_disk *disk, agno_t agno, struct agi *agi)
{
	for (uint32_t i = 0; i < AGI_UNLINKED_BUCKETS; i++) {
		agino_t head = { be32_get(disk->unlinked[i]) };
		uint32_t offset = AGI_OFFSET(unlinked) + i * (uint32_t)sizeof(be32_t);

		agi->unlinked[i] = head;
		if (head.v == NULL_AGINO || (agino_valid(c->geo, agno, head) && head.v % AGI_UNLINKED_BUCKETS == i))
			continue;
		problem_at(c, F_AGI_UNLINKED, offset, i, head.v, NULL_AGINO);
		agi->unlinked[i].v = NULL_AGINO;
	}
}

/* Checks that unused bytes, and fields of features that the file system does not have, are zero: invariant 7. */
static void check_unused(const struct check *c, const struct agi_disk *disk)
{
	const struct geometry *g = c->geo;

	if (!g->finobt) {
		check_eq(c, F_AGI_UNUSED, AGI_OFFSET(free_root), be32_get(disk->free_root), 0);
		check_eq(c, F_AGI_UNUSED, AGI_OFFSET(free_level), be32_get(disk->free_level), 0);
	}
	if (!g->inobtcnt) {
		check_eq(c, F_AGI_UNUSED, AGI_OFFSET(iblocks), be32_get(disk->iblocks), 0);
		check_eq(c, F_AGI_UNUSED, AGI_OFFSET(fblocks), be32_get(disk->fblocks), 0);
	}
	/* the fields of version 4 end before the uuid */
	if (g->crc)
		ag_header_zero(c, F_AGI_SPARE, disk, AGI_OFFSET(pad32), AGI_OFFSET(lsn));
	else
		ag_header_zero(c, F_AGI_SPARE, disk, AGI_OFFSET(uuid), AGI_OFFSET(free_root));
	ag_header_zero(c, F_AGI_SPARE, disk, sizeof(*disk), g->sector_size);
}

bool agi_decode(const struct check *c, const void *sector, agno_t agno, struct agi *ret_agi)
{
	const struct agi_disk *disk = sector;
	const struct geometry *g = c->geo;
	uint32_t length = ag_length(g, agno);
	struct agi agi = { 0 };

	if (!check_eq(c, F_BLOCK_MAGIC, AGI_OFFSET(magicnum), be32_get(disk->magicnum), AGI_MAGIC))
		return false;
	if (g->crc) {
		crc_check(c, sector, g->sector_size, AGI_OFFSET(crc));
		v5_check_uuid(c, disk->uuid, AGI_OFFSET(uuid));
		v5_check_lsn(c, be64_get(disk->lsn), AGI_OFFSET(lsn));
	}
	check_eq(c, F_AGI_VERSIONNUM, AGI_OFFSET(versionnum), be32_get(disk->versionnum), AGI_VERSION);
	check_eq(c, F_AGI_SEQNO, AGI_OFFSET(seqno), be32_get(disk->seqno), agno.v);
	check_eq(c, F_AGI_LENGTH, AGI_OFFSET(length), be32_get(disk->length), length);
	agi.root_ok[BT_INO] = ag_header_tree(c, sector, agno, &inobt, &agi.root[BT_INO], &agi.level[BT_INO]);
	if (g->finobt)
		agi.root_ok[BT_FINO] =
			ag_header_tree(c, sector, agno, &finobt, &agi.root[BT_FINO], &agi.level[BT_FINO]);
	decode_counters(c, disk, length - g->first_data_agbno, &agi);
	decode_hints(c, disk, agno, &agi);
	decode_unlinked(c, disk, agno, &agi);
	check_unused(c, disk);
	*ret_agi = agi;
	return true;
}

void agi_encode(const struct geometry *g, agno_t agno, const struct agi *agi, void *sector)
{
	struct agi_disk *disk = sector;

	memset(sector, 0, g->sector_size);
	disk->magicnum = be32_put(AGI_MAGIC);
	disk->versionnum = be32_put(AGI_VERSION);
	disk->seqno = be32_put(agno.v);
	disk->length = be32_put(ag_length(g, agno));
	disk->count = be32_put(agi->count);
	disk->freecount = be32_put(agi->freecount);
	disk->newino = be32_put(agi->newino.v);
	disk->dirino = be32_put(agi->dirino.v);
	for (uint32_t i = 0; i < AGI_UNLINKED_BUCKETS; i++)
		disk->unlinked[i] = be32_put(agi->unlinked[i].v);
	ag_header_put_tree(sector, &inobt, agi->root[BT_INO], agi->level[BT_INO]);
	if (g->finobt)
		ag_header_put_tree(sector, &finobt, agi->root[BT_FINO], agi->level[BT_FINO]);
	if (g->inobtcnt) {
		disk->iblocks = be32_put(agi->iblocks);
		disk->fblocks = be32_put(agi->fblocks);
	}
	if (!g->crc)
		return;
	memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
	crc_store(sector, g->sector_size, AGI_OFFSET(crc));
}
