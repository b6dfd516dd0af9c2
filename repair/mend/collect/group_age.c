/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects old AGs by LSNs: a single inode that contradicts the btrees may be damaged, but not several, all of them
 * newer.  A lost write leaves one stale block, which the other free-space btree, the AGF and the inodes contradict.
 */
#include "group_age.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/btree.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "libxfs/ag.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/log_stamp.h"
#include "mend/base/mend_drop.h"
#include "repair.h"

#define SEVERAL 4u /* number of inodes that must contradict the btrees of an AG */

int group_note_old(struct mend *m, agno_t agno)
{
	return group_set_put(&m->notes.old_groups, agno);
}

void group_note_new(struct mend *m, agno_t agno)
{
	group_set_drop(&m->notes.old_groups, agno);
	group_set_drop(&m->notes.doubted_groups, agno);
}

bool group_is_old(const struct mend *m, agno_t agno)
{
	return group_set_has(&m->notes.old_groups, agno);
}

lsn_t group_header_date(struct mend *m, agno_t agno, enum ag_sector sector)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t offset = ag_offset(geo, agno) + (uint64_t)sector * geo->sector_size;
	uint8_t *bytes = malloc(geo->sector_size);
	lsn_t date = { NULL_LSN };

	if (bytes && !mend_read(m, bytes, offset, geo->sector_size))
		date = log_stamp_lsn(geo, log_stamp_type_of(sector), bytes);
	free(bytes);
	return date;
}

lsn_t inode_date(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t bytes[DINODE_SIZE_MAX] = { 0 };
	const struct dinode_disk *disk = (const void *)bytes;

	if (!geo->crc || !ino_valid(geo, ino) || mend_read(m, bytes, bytes_of_ino(geo, ino), geo->inode_size) ||
	    be64_get(disk->ino) != ino.v)
		return (lsn_t){ 0 };
	return (lsn_t){ be64_get(disk->lsn) };
}

bool group_is_doubted(const struct mend *m, agno_t agno)
{
	return group_set_has(&m->notes.doubted_groups, agno);
}

bool group_contradicts_itself(const struct found *found)
{
	switch (found->problem.finding) {
	case F_AGF_FREEBLKS_COUNT:
	case F_AGF_LONGEST_COUNT:
	case F_BNOBT_LACKS:
	case F_CNTBT_LACKS:
		return true;
	default:
		return false;
	}
}

/* ---- the btree leaf that covers a block ---- */

struct descent {
	uint64_t to; /* the block, or inode, searched for */
	struct btree_expect next;
	bool any;	 /* next is set */
	bool free, used; /* of an inode, by its record in the inobt; neither: there is none */
};

/* Called in key order: the last child that starts up to the key covers it, or else the first one. */
static void child_found(void *ctx, const struct btree_expect *child)
{
	struct descent *d = ctx;

	if (d->any && child->low.k[0] > d->to)
		return;
	d->next = *child;
	d->any = true;
}

static void record_found(void *ctx, const union btree_record *record, uint32_t index)
{
	struct descent *d = ctx;
	const struct inobt_record *chunk = &record->inobt;

	(void)index;
	if (d->next.kind != BT_INO || chunk->start.v > d->to || d->to - chunk->start.v >= INODES_PER_CHUNK)
		return;
	d->free = chunk->free >> (d->to - chunk->start.v) & 1;
	d->used = !d->free;
}

/* Sets what to expect of the root of a btree. False: the AGF, or the AGI for the inobt, can't tell. */
static bool root_of(struct mend *m, enum btree_kind kind, agno_t agno, uint8_t *buffer, struct btree_expect *ret)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const bool inodes = kind == BT_INO;
	const uint64_t offset = ag_sector_offset(geo, agno, inodes ? AGI_SECTOR : AGF_SECTOR);
	struct agf agf;
	struct agi agi;

	if (mend_read(m, buffer, offset, geo->sector_size) ||
	    !(inodes ? agi_decode(&check, buffer, agno, &agi) && agi.root_ok[kind]
		     : agf_decode(&check, buffer, agno, &agf) && agf.root_ok[kind]))
		return false;
	*ret = (struct btree_expect){ .kind = kind,
				      .agno = agno,
				      .agbno = inodes ? agi.root[kind] : agf.root[kind],
				      .owner = agno.v,
				      .level = (uint8_t)((inodes ? agi.level[kind] : agf.level[kind]) - 1),
				      .keys_ok = true,
				      .root = true };
	return true;
}

/*
 * Returns the LSN of the btree leaf that covers a block, or an inode, whether or not it has a record; 0: unknown.
 * *ret_descent: if the btree is the inobt, whether the inode is free or in use.
 */
static lsn_t leaf_of(struct mend *m, enum btree_kind kind, agno_t agno, uint32_t key, struct descent *ret_descent)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	struct descent d = { .to = key };
	const struct btree_visitor visitor = { &d, record_found, child_found, NULL };
	uint8_t *buffer = malloc(geo->block_size > geo->sector_size ? geo->block_size : geo->sector_size);
	struct btree_block block;
	lsn_t date = { 0 };

	d.any = geo->crc && buffer && root_of(m, kind, agno, buffer, &d.next);
	while (d.any) {
		const struct btree_expect expect = d.next;

		d.any = false;
		if (mend_read(m, buffer, bytes_of_daddr(daddr_of(geo, agno, expect.agbno)), geo->block_size) ||
		    !btree_decode(&check, buffer, &expect, &visitor, &block))
			break;
		/* if keys are out of order, this need not be the leaf for the key */
		if (!expect.level && block.keys_ok &&
		    crc_is_right(buffer, geo->block_size, offsetof(struct btree_short_disk, crc)))
			date.v = be64_get(((const struct btree_short_disk *)buffer)->lsn);
	}
	free(buffer);
	*ret_descent = d;
	return date;
}

bool group_is_older_there(struct mend *m, enum btree_kind kind, agno_t agno, agbno_t agbno, xino_t ino)
{
	const lsn_t date = inode_date(m, ino);
	struct descent d;
	const lsn_t leaf = date.v ? leaf_of(m, kind, agno, agbno.v, &d) : (lsn_t){ 0 };

	return leaf.v && date.v > leaf.v;
}

#define DATES 8192u /* for as many inodes that were read last, by the end of their number */

/* The date of an inode, as inode_date_before() returns it. */
struct inode_date {
	xino_t ino;
	lsn_t date;
	uint16_t mode;
};

static struct inode_date date_in(const struct geometry *geo, xino_t ino, const uint8_t *bytes)
{
	const struct dinode_disk *disk = (const void *)bytes;

	if (be64_get(disk->ino) != ino.v || !crc_is_right(bytes, geo->inode_size, offsetof(struct dinode_disk, crc)))
		return (struct inode_date){ ino, { NULL_LSN }, 0 };
	return (struct inode_date){ ino, { be64_get(disk->lsn) }, be16_get(disk->mode) };
}

/* Notes the dates of all inodes in the block of this one, which is valid.  Nothing, if the block can't be read. */
static void note_dates(struct mend *m, xino_t ino, struct inode_date *dates)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t at = bytes_of_ino(geo, ino), start = at - at % geo->block_size;
	const uint64_t first = ino.v - ((at - start) >> geo->inode_log);
	uint8_t *block = malloc(geo->block_size);

	if (block && !mend_read_before(m, block, start, geo->block_size))
		for (uint32_t i = 0; i < geo->inodes_per_block; i++)
			dates[(first + i) % DATES] =
				date_in(geo, (xino_t){ first + i }, block + ((size_t)i << geo->inode_log));
	free(block);
}

lsn_t inode_date_before(struct mend *m, xino_t ino, uint16_t *ret_mode)
{
	const struct geometry *geo = &m->now->geo;
	struct mend_dates_before *before = &m->dates_before;
	struct inode_date date = { ino, { NULL_LSN }, 0 };
	uint8_t bytes[DINODE_SIZE_MAX];

	*ret_mode = 0;
	if (!geo->crc || !ino_valid(geo, ino))
		return (lsn_t){ NULL_LSN };
	/* neighbours are often asked for, too */
	if (before->on && !before->dates)
		before->dates = calloc(DATES, sizeof(*before->dates));
	if (before->dates && before->dates[ino.v % DATES].ino.v != ino.v)
		note_dates(m, ino, before->dates);
	m->bytes_read += geo->inode_size; /* what was asked for, whatever was read */
	if (before->dates && before->dates[ino.v % DATES].ino.v == ino.v)
		date = before->dates[ino.v % DATES];
	else if (!mend_read_before(m, bytes, bytes_of_ino(geo, ino), geo->inode_size))
		date = date_in(geo, ino, bytes);
	*ret_mode = date.mode;
	return date.date;
}

/* Returns the LSN, before the repair, of the inobt leaf that covers this inode; 0: unknown. */
static lsn_t inobt_before(struct mend *m, xino_t ino, struct descent *ret_descent)
{
	const struct geometry *geo = &m->now->geo;
	lsn_t date;

	m->before = true;
	date = leaf_of(m, BT_INO, agno_of_ino(geo, ino), agino_of_ino(geo, ino).v, ret_descent);
	m->before = false;
	return date;
}

bool inode_is_older_than_inobt(struct mend *m, xino_t ino, bool used)
{
	struct descent d;
	uint16_t mode;
	const lsn_t date = inode_date_before(m, ino, &mode);

	return date.v != NULL_LSN && (mode != 0) == used && date.v < inobt_before(m, ino, &d).v &&
	       !(used ? d.used : d.free);
}

xino_t inode_cluster(const struct geometry *geo, xino_t ino)
{
	const uint32_t count = geo->cluster_blocks << geo->inopb_log;

	return (xino_t){ ino.v - agino_of_ino(geo, ino).v % count };
}

int inode_doubt_stale(struct mend *m, xino_t ino, lsn_t evidence)
{
	const struct geometry *geo = &m->now->geo;
	const xino_t start = inode_cluster(geo, ino);
	struct descent d;
	const lsn_t leaf = inobt_before(m, ino, &d), date = leaf.v > evidence.v ? leaf : evidence;
	int ret = ino_set_add(&m->notes.stale, start);

	for (uint32_t i = 0; ret > 0 && i < geo->cluster_blocks << geo->inopb_log; i++) {
		const xino_t one = { start.v + i };
		uint16_t mode;

		if (inode_date_before(m, one, &mode).v < date.v && mode)
			mend_drop_inode(m, one, DROP_STALE);
	}
	if (date.v > m->notes.stale_date.v)
		m->notes.stale_date = date;
	return ret < 0 ? ret : 0;
}

/* ---- findings ---- */

/* Evidence about one AG. */
struct group_claims {
	unsigned asked;		     /* inodes examined */
	unsigned later, later_there; /* of these, newer than the AGF; newer than their bnobt leaf */
	xino_t last;		     /* the one examined last */
	bool known;		     /* date is set */
	lsn_t date;		     /* LSN of the AGF; 0: unknown */
};

#define ASKED_MAX 1024u /* maximum number of inodes to examine per AG */

/* Examines a claim on blocks that are free in the bnobt. 0 or -ENOMEM. */
static int judge_claim(struct mend *m, const struct found *found, struct group_claims *g)
{
	const agno_t agno = found->place.agno;
	const xino_t ino = found->place.ino;
	int ret = 0;

	if (g->last.v == ino.v || g->asked == ASKED_MAX || g->later == SEVERAL)
		return 0;
	if (!g->known) {
		const lsn_t date = group_header_date(m, agno, AGF_SECTOR);

		g->date.v = date.v == NULL_LSN ? 0 : date.v;
	}
	g->known = true;
	g->last = ino;
	g->asked++;
	g->later += g->date.v && inode_date(m, ino).v > g->date.v;
	g->later_there += g->later_there < SEVERAL && group_is_older_there(m, BT_BNO, agno, found->place.agbno, ino);
	if (g->later == SEVERAL)
		ret = group_note_old(m, agno);
	if (!ret && g->later_there == SEVERAL)
		ret = group_set_put(&m->notes.doubted_groups, agno);
	return ret;
}

int group_judge_claims(struct mend *m, const struct found *found, size_t count)
{
	struct group_claims *groups = calloc(m->now->geo.agcount, sizeof(*groups));
	int ret = groups ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++) {
		const agno_t agno = found[i].place.agno;

		if (agno.v >= m->now->geo.agcount)
			continue;
		if (group_contradicts_itself(&found[i]))
			ret = group_set_put(&m->notes.doubted_groups, agno);
		else if (found[i].problem.finding == F_SPACE_FREE_IN_USE && m->now->geo.crc)
			ret = judge_claim(m, &found[i], &groups[agno.v]);
	}
	free(groups);
	return ret;
}

void group_leave_out_doubted(const struct mend *m, struct unowned_ranges *ranges)
{
	size_t n = 0;

	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->v[i].shared ||
		    !group_is_doubted(m, agno_of_fsbno(&m->now->geo, (fsbno_t){ ranges->v[i].start })))
			ranges->v[n++] = ranges->v[i];
	ranges->count = n;
}
