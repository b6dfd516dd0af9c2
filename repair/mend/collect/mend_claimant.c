/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who claims blocks by an extent map, and whether two who do seem to share them (mend_claims.h). */
#include "mend_claims.h"

#include "libxfs/dinode_mend.h"
#include "group_age.h"
#include "repair.h"

struct claimant claimant_of(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t bytes[DINODE_SIZE_MAX];
	struct claimant c = { 0 };
	struct dinode inode;

	if (found->place.object != OBJ_DATA_FORK || !ino_valid(geo, found->place.ino) ||
	    mend_read(m, bytes, bytes_of_ino(geo, found->place.ino), geo->inode_size) ||
	    !dinode_decode(&check, bytes, found->place.ino, true, &inode))
		return c;
	c.file = dinode_is_users_file(geo, &inode);
	c.beyond = c.file && found->place.fileoff.v >= (inode.size >> geo->block_log) + 1;
	c.shares = c.file && (inode.reflink || ino_set_has(&m->notes.made_anew, found->place.ino));
	c.date.v = geo->crc ? be64_get(inode.disk->lsn) : 0;
	return c;
}

/*
 * Whether two files may share blocks: both have the reflink flag; or one has it and was written later than the other,
 * which is as it was before.
 */
static bool may_have_shared(const struct claimant *x, const struct claimant *y)
{
	if (!x->file || !y->file || x->shares == y->shares)
		return x->file && y->file && x->shares;
	return x->date.v && y->date.v && (x->shares ? x->date.v > y->date.v : y->date.v > x->date.v);
}

bool claimants_seem_to_share(const struct mend *m, const struct found *one, const struct claimant *x,
			     const struct found *other, const struct claimant *y)
{
	return one->place.ino.v != other->place.ino.v && one->place.object == OBJ_DATA_FORK &&
	       one->place.agno.v < m->now->geo.agcount && one->place.fileoff.v == other->place.fileoff.v &&
	       group_is_old(m, one->place.agno) && may_have_shared(x, y);
}
