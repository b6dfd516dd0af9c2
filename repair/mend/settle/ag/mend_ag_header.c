/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AGF, AGI and AGFL: written anew with all that can still be made out in them, or that the log still has (ondisk 02).
 * Identity, length and unused fields follow from the geometry; counters and heights from the trees, as far as these
 * could be walked.  Roots stay as they were read; the next check tells whether they are right.
 * So the header is certain: what is not, the next check refutes, and the btrees are built anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/agfl.h"
#include "libxfs/crc.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/restore/mend_header_logged.h"
#include "repair.h"
#include "check/walk/walker.h"

/* Set the heights of those trees that could be walked. */
static void restore_levels(const struct ag_state *ag, const uint32_t *walked, uint32_t *levels)
{
	for (unsigned kind = 0; kind < BT_AG_NR; kind++)
		if (ag_tree_whole(ag, kind))
			levels[kind] = walked[kind];
}

static void restore_agf(const struct check *c, agno_t agno, const struct ag_state *ag, uint8_t *sector)
{
	struct agf agf;

	agf_decode(c, sector, agno, &agf);
	restore_levels(ag, ag->agf.level, agf.level);
	if (ag_tree_whole(ag, BT_BNO)) {
		agf.freeblks = (uint32_t)ag->free_blocks;
		agf.longest = ag->longest;
	}
	if (ag_btreeblks_known(c->geo, ag))
		agf.btreeblks = (uint32_t)ag_btreeblks(c->geo, ag);
	if (ag_tree_whole(ag, BT_RMAP))
		agf.rmap_blocks = (uint32_t)ag->tree[BT_RMAP].blocks;
	if (ag_tree_whole(ag, BT_REFC))
		agf.refcount_blocks = (uint32_t)ag->tree[BT_REFC].blocks;
	agf_encode(c->geo, agno, &agf, sector);
}

static void restore_agi(const struct check *c, agno_t agno, const struct ag_state *ag, uint8_t *sector)
{
	struct agi agi;

	agi_decode(c, sector, agno, &agi);
	restore_levels(ag, ag->agi.level, agi.level);
	if (ag_tree_whole(ag, BT_INO)) {
		agi.count = (uint32_t)ag->inodes;
		agi.freecount = (uint32_t)ag->free_inodes;
		agi.iblocks = (uint32_t)ag->tree[BT_INO].blocks;
	}
	if (ag_tree_whole(ag, BT_FINO))
		agi.fblocks = (uint32_t)ag->tree[BT_FINO].blocks;
	agi_encode(c->geo, agno, &agi, sector);
}

/*
 * All slots keep their blocks but those that hold no block of a group: these become empty.  If an active one is among
 * them, the next check finds it, and the group is rebuilt.  Without memory the sector stays as it is.
 */
static int restore_agfl(const struct geometry *g, agno_t agno, uint8_t *sector)
{
	uint32_t header = agfl_header_size(g->crc), slots = agfl_slots(g->crc, g->sector_size);
	uint8_t *kept = malloc(g->sector_size);
	be32_t slot;

	if (!kept)
		return -ENOMEM;
	memcpy(kept, sector, g->sector_size);
	agfl_encode(g, agno, NULL, 0, sector);
	for (uint32_t i = 0; i < slots; i++) {
		memcpy(&slot, kept + header + i * sizeof(slot), sizeof(slot));
		if (be32_get(slot) < g->agblocks)
			memcpy(sector + header + i * sizeof(slot), &slot, sizeof(slot));
	}
	if (g->crc)
		crc_store(sector, g->sector_size, offsetof(struct agfl_disk, crc));
	free(kept);
	return 0;
}

static int restore(struct mend *m, const struct log_history *history, const struct found *found)
{
	const struct check check = check_silent(&m->now->geo);
	const struct geometry *g = check.geo;
	agno_t agno = found->place.agno;
	enum ag_sector number = object_kind(found->place.object)->sector;
	uint64_t offset = ag_sector_offset(g, agno, number);
	uint8_t *sector = calloc(1, g->sector_size), *before = malloc(g->sector_size);
	bool readable;
	int ret = 0;

	if (!sector || !before) {
		free(sector);
		free(before);
		return -ENOMEM;
	}
	/* a sector that can't be read counts as zeroes, and is always written */
	readable = !mend_read(m, sector, offset, g->sector_size);
	memcpy(before, sector, g->sector_size);
	mend_header_from_log(history, agno, number, sector);
	if (number == AGF_SECTOR)
		restore_agf(&check, agno, &m->now->traverse->ags[agno.v], sector);
	else if (number == AGI_SECTOR)
		restore_agi(&check, agno, &m->now->traverse->ags[agno.v], sector);
	else
		ret = restore_agfl(g, agno, sector);
	/* if nothing changes, something else is wrong, such as a root, which needs a rebuild */
	if (!ret && (!readable || memcmp(before, sector, g->sector_size) != 0)) {
		ret = mend_write(m, sector, offset, g->sector_size);
		if (!ret)
			mend_done(m, found);
	}
	free(before);
	free(sector);
	return ret;
}

int mend_ag_header(struct mend *m, const struct found *found, size_t count)
{
	bool done[OBJECT_NR];
	struct log_history history;
	int ret = mend_headers_logged(m, found, count, &history);

	for (size_t i = 0; i < count && !ret; i++) {
		if (i == 0 || found[i].place.agno.v != found[i - 1].place.agno.v)
			memset(done, 0, sizeof(done));
		if (done[found[i].place.object] || found[i].place.agno.v >= m->now->geo.agcount)
			continue;
		ret = restore(m, &history, &found[i]);
		done[found[i].place.object] = true;
	}
	log_history_free(&history);
	return ret;
}
