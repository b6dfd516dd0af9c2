/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares btrees of an AG that must have the same records, record by record (ondisk 12, S1 and I2), and its unlinked
 * lists (I8).  Both sides are sorted, and read in step.
 */
#include "locate.h"
#include "repair.h"
#include "check/walk/walker.h"

static int extent_cmp(const struct use *a, const struct use *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->len > b->len) - (a->len < b->len);
}

static void say_cntbt_lacks(struct locate *l, group_t group, const struct use *u)
{
	const struct btkey key = { { u->len, u->start, 0 } };

	locate_at_block(l, OBJ_AG, group, u->start);
	locate_say_unless(l, locate_record_unknown(l, group, BT_CNT, &key, &key), ACCOUNT_FREESIZE, F_CNTBT_LACKS,
			  NO_INDEX, u->len, 0);
}

static void say_bnobt_lacks(struct locate *l, group_t group, const struct use *u)
{
	locate_at_block(l, OBJ_AG, group, u->start);
	locate_say_unless(l, locate_start_unknown(l, group, BT_BNO, u->start), ACCOUNT_FREESIZE, F_BNOBT_LACKS,
			  NO_INDEX, u->len, 0);
}

void locate_freesize(struct locate *l, group_t group)
{
	size_t nbno, ncnt, i = 0, j = 0;
	const struct use *bno = locate_uses(l, group, USE_BNO, &nbno);
	const struct use *cnt = locate_uses(l, group, USE_CNT, &ncnt);

	while (i < nbno || j < ncnt) {
		int order = i == nbno ? 1 : j == ncnt ? -1 : extent_cmp(&bno[i], &cnt[j]);

		if (order < 0)
			say_cntbt_lacks(l, group, &bno[i]);
		else if (order > 0)
			say_bnobt_lacks(l, group, &cnt[j]);
		i += order <= 0;
		j += order >= 0;
	}
}

static int chunk_order(const struct inobt_record *a, const struct inobt_record *b)
{
	return (a->start.v > b->start.v) - (a->start.v < b->start.v);
}

static bool same_chunk(const struct inobt_record *a, const struct inobt_record *b)
{
	return a->holemask == b->holemask && a->count == b->count && a->freecount == b->freecount && a->free == b->free;
}

/* Reports a chunk.  lacks: the btree whose gaps may explain the difference. */
static void say_chunk(struct locate *l, enum finding finding, agno_t agno, const struct inobt_record *r,
		      enum btree_kind lacks)
{
	const struct geometry *geo = &l->rc->geo;
	bool explained = locate_start_unknown(l, group_of_ag(agno), lacks, r->start.v);

	l->w->place = place_of(OBJ_FINOBT);
	l->w->place.agno = agno;
	locate_say_unless(l, explained, ACCOUNT_FINOBT, finding, NO_INDEX, ino_of(geo, agno, r->start).v, 0);
}

void locate_finobt(struct locate *l, group_t group)
{
	agno_t agno = { group.v };
	size_t ninobt, nfinobt, i = 0, j = 0;
	const struct chunk_fact *inobt = locate_chunks(l, agno, BT_INO, &ninobt);
	const struct chunk_fact *finobt = locate_chunks(l, agno, BT_FINO, &nfinobt);

	if (!l->rc->geo.finobt || group_is_rt(&l->rc->geo, group))
		return;
	while (i < ninobt || j < nfinobt) {
		int order = i == ninobt ? 1 : j == nfinobt ? -1 : chunk_order(&inobt[i].record, &finobt[j].record);

		if (order < 0 && inobt[i].record.freecount)
			say_chunk(l, F_FINOBT_LACKS, agno, &inobt[i].record, BT_FINO);
		else if (order > 0 || (order == 0 && !inobt[i].record.freecount))
			say_chunk(l, F_FINOBT_EXTRA, agno, &finobt[j].record, BT_INO);
		else if (order == 0 && !same_chunk(&inobt[i].record, &finobt[j].record))
			say_chunk(l, F_FINOBT_DIFFERS, agno, &finobt[j].record, BT_INO);
		i += order <= 0;
		j += order >= 0;
	}
}

/* Counts the facts about the first inode: that it has no links, and pointers to it.  Returns their number. */
static size_t count_inode(const struct unlinked_fact *facts, size_t count, unsigned *ret_deleted,
			  unsigned *ret_pointers)
{
	size_t n;

	*ret_deleted = *ret_pointers = 0;
	for (n = 0; n < count && facts[n].agno.v == facts->agno.v && facts[n].agino.v == facts->agino.v; n++) {
		*ret_deleted += !facts[n].pointer;
		*ret_pointers += facts[n].pointer;
	}
	return n;
}

/* True if pointers of an AG's unlinked lists may be missing: the heads, or an inode on a list, are unknown. */
static bool pointers_unknown(const struct locate *l, agno_t agno)
{
	if (l->gaps.blind[agno.v])
		return true;
	for (size_t i = 0; i < l->gaps.ninodes; i++)
		if (l->gaps.inodes[i].what & GAP_POINTERS &&
		    agno_of_ino(&l->rc->geo, l->gaps.inodes[i].ino).v == agno.v)
			return true;
	return false;
}

void locate_unlinked(struct locate *l, group_t group)
{
	const struct unlinked_fact *facts = l->records.unlinked;
	unsigned deleted, pointers;

	for (size_t i = 0, n; i < l->records.nunlinked; i += n) {
		xino_t ino = ino_of(&l->rc->geo, facts[i].agno, facts[i].agino);

		n = count_inode(facts + i, l->records.nunlinked - i, &deleted, &pointers);
		if (facts[i].agno.v != group.v)
			continue;
		locate_at_inode(l, OBJ_INODE, ino);
		if (deleted > pointers)
			locate_say_unless(l, pointers_unknown(l, facts[i].agno), ACCOUNT_UNLINKED, F_UNLINKED_LACKS,
					  NO_INDEX, pointers, deleted);
		else if (deleted < pointers && deleted)
			locate_say(l, ACCOUNT_UNLINKED, F_UNLINKED_TWICE, NO_INDEX, pointers, deleted);
		else if (deleted < pointers)
			locate_say_unless(l, locate_inode_unknown(l, ino, GAP_CLAIMS), ACCOUNT_UNLINKED,
					  F_UNLINKED_STRAY, NO_INDEX, ino.v, 0);
	}
}
