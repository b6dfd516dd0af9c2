/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Provides the context of objects, from the overlay: the forks of the inode that a bmbt block may belong to, the AGF
 * that gives the active slots of the AGFL, and the realtime group of a file.
 */
#include "mend_object.h"

#include <stdlib.h>

#include "libxfs/ag.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend_inode.h"
#include "repair.h"
#include "check/walk/walker.h"

/* True if this is a bmbt block of one of the inode's forks. */
static bool is_of_fork(struct mend *m, const struct object_kind *kind, const struct object_at *at, const uint8_t *bytes)
{
	struct object_at in_fork = *at;
	struct mend_inode inode;
	bool is = false;

	if (mend_inode_decode(m, at->place.ino, &inode))
		return false;
	for (enum fork which = DATA_FORK; which <= ATTR_FORK && !is; which++) {
		const struct dinode_fork *fork = &inode.inode.fork[which];

		in_fork.rules = &fork->rules;
		is = fork->present && fork->format == FMT_BTREE && object_decodes(&m->now->geo, kind, bytes, &in_fork);
	}
	mend_inode_free(&inode);
	return is;
}

/* True if this is the AGFL that the AGF describes. Without an intact AGF, all slots count as inactive. */
static bool is_freelist(struct mend *m, const struct object_kind *kind, const struct place *place, const uint8_t *bytes)
{
	const struct geometry *geo = &m->now->geo;
	const struct check silent = check_silent(geo);
	const uint64_t offset = ag_sector_offset(geo, place->agno, AGF_SECTOR);
	uint8_t *sector = malloc(geo->sector_size);
	struct agf agf = { 0 };
	const struct object_at at = { .place = *place, .agf = &agf };
	bool is;

	if (!sector)
		return false;
	if (mend_read(m, sector, offset, geo->sector_size) || !agf_decode(&silent, sector, place->agno, &agf))
		agf.freelist_ok = false;
	is = object_decodes(geo, kind, bytes, &at);
	free(sector);
	return is;
}

bool mend_object_is(struct mend *m, const struct object_kind *kind, const struct place *place, const uint8_t *bytes)
{
	struct object_at at = { .place = *place };

	mend_rt_group_of(m, place, &at.place.rgno);
	if (kind->tree == BT_BMAP)
		return is_of_fork(m, kind, &at, bytes);
	if (kind->object == OBJ_AGFL)
		return is_freelist(m, kind, place, bytes);
	return object_decodes(&m->now->geo, kind, bytes, &at);
}

bool mend_object_decodes(struct mend *m, const struct place *place, const uint8_t *bytes)
{
	const struct object_kind *kind = NULL;

	while ((kind = object_next(place->object, kind)))
		if (mend_object_is(m, kind, place, bytes))
			return true;
	return false;
}

bool mend_is_tree_block(struct mend *m, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;
	struct place place = place_of(OBJ_AG);
	uint8_t *block = malloc(geo->block_size);
	bool is = false;

	place.agno = agno_of_fsbno(geo, fsbno);
	place.agbno = agbno_of_fsbno(geo, fsbno);
	if (block && !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size))
		for (enum btree_kind kind = 0; kind < BT_AG_NR && !is; kind++) {
			place.object = object_of_btree(kind);
			is = mend_object_decodes(m, &place, block);
		}
	free(block);
	return is;
}

bool mend_rt_group_of(const struct mend *m, const struct place *place, uint32_t *ret_rgno)
{
	const struct geometry *geo = &m->now->geo;

	if (place->rgno != NO_RGNO) {
		*ret_rgno = place->rgno;
		return *ret_rgno < geo->rgcount;
	}
	for (uint32_t rg = 0; rg < geo->rgcount && place->ino.v != NULL_INO; rg++)
		for (enum rtfile kind = 0; kind < RTFILE_NR; kind++)
			if (m->now->traverse->rt.group[rg].file[kind].ino.v == place->ino.v) {
				*ret_rgno = rg;
				return true;
			}
	return false;
}
