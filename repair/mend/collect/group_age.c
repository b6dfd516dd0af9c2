/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells old groups by dates: one inode that contradicts the trees may be damaged, but not several, all of them later.
 */
#include "group_age.h"

#include <errno.h>
#include <stdlib.h>

#include "disk/inode.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/log_stamp.h"
#include "repair.h"

#define SEVERAL 4u /* inodes that contradict the trees of a group */

int group_note_old(struct mend *m, agno_t agno)
{
	return group_set_put(&m->notes.old_groups, agno);
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

/* Whether the inode was written later than that. */
static bool is_later(struct mend *m, xino_t ino, lsn_t date)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t bytes[DINODE_SIZE_MAX];

	return date.v != NULL_LSN && ino_valid(geo, ino) &&
	       !mend_read(m, bytes, bytes_of_ino(geo, ino), geo->inode_size) &&
	       be64_get(((const struct dinode_disk *)bytes)->lsn) > date.v;
}

int group_judge_claims(struct mend *m, const struct found *found, size_t count)
{
	struct per_ag {
		unsigned later; /* inodes written later */
		xino_t last;	/* the one that was counted last */
		bool known;	/* date is */
		lsn_t date;
	} *ags = calloc(m->now->geo.agcount, sizeof(*ags));
	int ret = ags ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret && m->now->geo.crc; i++) {
		const agno_t agno = found[i].place.agno;
		const xino_t ino = found[i].place.ino;
		struct per_ag *ag;

		if (found[i].problem.finding != F_SPACE_FREE_IN_USE || agno.v >= m->now->geo.agcount)
			continue;
		ag = &ags[agno.v];
		if (ag->last.v == ino.v || ag->later == SEVERAL)
			continue;
		if (!ag->known)
			ag->date = group_header_date(m, agno, AGF_SECTOR);
		ag->known = true;
		ag->last = ino;
		ag->later += is_later(m, ino, ag->date);
		if (ag->later == SEVERAL)
			ret = group_note_old(m, agno);
	}
	free(ags);
	return ret;
}
