/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds AGF, AGI and AGFL from what is left in them or in the log (ondisk 02).  Identity, length and unused fields
 * follow from the geometry; counters and levels from the btrees that could be walked.  Roots stay as they were read.  A
 * header is certain, because the next check detects anything wrong, and the btrees are rebuilt then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/walk/walker.h"
#include "disk/agfl.h"
#include "libxfs/crc.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "log/log_history.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/restore/mend_logged.h"
#include "repair.h"

/*
 * Headers as the last mount logged them.  The log has those 128-byte chunks that the mount changed.  The first chunk of
 * an AGF has all fields; the first and third of an AGI have all except some heads of unlinked lists.
 */

/* True if the finding says that a header is not as it was written. */
static bool says_lost(enum finding finding)
{
	return finding == F_BLOCK_MAGIC || finding == F_BLOCK_CRC || finding == F_BLOCK_UUID ||
	       finding == F_IO_UNREADABLE;
}

static xdaddr_t daddr_of_header(const struct geometry *geo, agno_t agno, enum ag_sector number)
{
	return (xdaddr_t){ ag_sector_offset(geo, agno, number) >> SECTOR_LOG };
}

/*
 * Reads the logged contents of the headers that these findings report as lost, unless searched for before; if memory is
 * short, only of some.  0 or negative errno; call log_history_free() in any case.
 */
static int mend_headers_logged(struct mend *m, const struct found *found, size_t count, struct log_history *ret)
{
	const struct geometry *geo = &m->now->geo;
	int error = 0;

	*ret = (struct log_history){ .geo = geo, .limit = log_history_limit(m->now) };
	if (!log_history_there(m->rc))
		return 0;
	for (size_t i = 0; i < count && error >= 0; i++) {
		const struct place *place = &found[i].place;
		xdaddr_t daddr;

		if (!says_lost(found[i].problem.finding) || place->agno.v >= geo->agcount)
			continue;
		daddr = daddr_of_header(geo, place->agno, object_kind(place->object)->sector);
		error = mend_ask_log(m, daddr);
		if (error > 0)
			error = log_history_want(ret, daddr, geo->sector_size >> SECTOR_LOG);
	}
	return error < 0 || !ret->count ? error : log_history_read(ret, m->rc);
}

/* True if a header, whose magic number was set, is not intact, and not newer than the logged version. */
static bool is_lost(const struct geometry *geo, enum log_buf_type type, lsn_t logged, const uint8_t *sector)
{
	const lsn_t date = log_stamp_lsn(geo, type, sector);

	if (!log_stamp_torn(geo, type, sector, geo->sector_size))
		return false;
	/* writes by tools, which have no LSN, are not in the log */
	return log_stamp_foreign(geo, type, sector) || (date.v != NULL_LSN && date.v <= logged.v);
}

/*
 * Sets the magic number of a header, of sector_size bytes, and copies what the log has of it, unless it is newer than
 * that, or has lost only its magic number.  True: its counters are from the log.
 */
static bool mend_header_from_log(const struct log_history *history, agno_t agno, enum ag_sector number, uint8_t *sector)
{
	const struct geometry *geo = history->geo;
	const struct object_kind *kind = object_of_sector(number);
	const enum log_buf_type type = kind->logged;
	struct log_trace *trace =
		log_history_find(history, daddr_of_header(geo, agno, number), geo->sector_size >> SECTOR_LOG);

	object_put_magic(geo, kind, sector);
	if (!trace || !trace->known || trace->type != type || !is_lost(geo, type, trace->lsn, sector))
		return false;
	log_trace_complete(trace, sector);
	memcpy(sector, trace->bytes, geo->sector_size);
	return trace->chunks[0] & 1;
}

/* Notes the counts of an AGI from the log: if the inobt is lost, too, they show how many files may be missing. */
static void note_logged_agi(const struct check *c, agno_t agno, struct ag_state *ag, const uint8_t *sector)
{
	if (ag->have_agi)
		return;
	agi_decode(c, sector, agno, &ag->agi);
	ag->agi_logged = true;
}

/* Sets the levels of those btrees that could be walked. */
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
 * Rebuilds an AGFL.  All slots with blocks within an AG are kept, others become empty.  If an active one is among
 * these, the next check finds it, and the AG is rebuilt.  Without memory, the sector stays as it is.  0 or -ENOMEM.
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
	bool readable, logged;
	int ret = 0;

	if (!sector || !before) {
		free(sector);
		free(before);
		return -ENOMEM;
	}
	/* an unreadable sector counts as zeroes, and is always written */
	readable = !mend_read(m, sector, offset, g->sector_size);
	memcpy(before, sector, g->sector_size);
	logged = mend_header_from_log(history, agno, number, sector);
	if (logged && number == AGI_SECTOR && agno.v < m->rc->geo.agcount)
		note_logged_agi(&check, agno, &m->rc->traverse->ags[agno.v], sector);
	if (number == AGF_SECTOR)
		restore_agf(&check, agno, &m->now->traverse->ags[agno.v], sector);
	else if (number == AGI_SECTOR)
		restore_agi(&check, agno, &m->now->traverse->ags[agno.v], sector);
	else
		ret = restore_agfl(g, agno, sector);
	/* if nothing changes, something else is wrong, such as a root: that needs a rebuild */
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
