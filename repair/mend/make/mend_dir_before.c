/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mend_dir_before.h"

#include <errno.h>

#include "libxfs/crc.h"
#include "disk/inode.h"
#include "mend/base/mend.h"
#include "mend/collect/group_age.h"
#include "mend_pptrs.h"
#include "repair.h"

static void forget(struct dir_before *before)
{
	if (before->open) {
		dir_dates_free(&before->dates);
		dir_edit_end(&before->dir);
	}
	before->open = before->known = false;
}

/* Read the directory as it was. 0 or -ENOMEM. */
static int look_at(struct dir_before *before, xino_t ino)
{
	struct mend *m = before->m;
	int ret;

	forget(before);
	before->ino = ino;
	ret = dir_edit_begin(m, ino, &before->dir);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	before->open = true;
	ret = dir_dates_collect(m, &before->dir.inode, &before->dates);
	before->known = !ret && before->dir.names.whole && !before->dates.index_broken;
	return ret == -ENOMEM ? ret : 0;
}

/* The date of the child as it was; NULL_LSN: it is unknown.  *ret_free: that is when it was deleted. */
static lsn_t child_date(struct mend *m, xino_t ino, bool *ret_free)
{
	const struct geometry *geo = &m->now->geo;
	lsn_t date = { NULL_LSN };
	struct mend_inode child;

	*ret_free = false;
	if (mend_inode_read(m, ino, &child))
		return date;
	if (be16_get(mend_inode_disk(&child)->magic) == DINODE_MAGIC &&
	    be64_get(mend_inode_disk(&child)->ino) == ino.v &&
	    crc_is_right(child.bytes, geo->inode_size, offsetof(struct dinode_disk, crc))) {
		date.v = be64_get(mend_inode_disk(&child)->lsn);
		*ret_free = !be16_get(mend_inode_disk(&child)->mode);
	}
	mend_inode_free(&child);
	return date;
}

int dir_before_removed(struct dir_before *before, const struct pptr_name *name, bool *ret_removed)
{
	struct mend *m = before->m;
	const struct geometry *geo = &m->now->geo;
	const uint32_t hash = da_hashname(name->name, name->namelen, geo->ascii_ci);
	lsn_t date, child;
	bool is_free;
	int ret = 0;

	*ret_removed = false;
	if (ino_set_has(&m->notes.map_mended, name->parent) || ino_set_has(&m->notes.made_anew, name->parent))
		return 0;
	m->before = true;
	if (before->ino.v != name->parent.v)
		ret = look_at(before, name->parent);
	child = child_date(m, name->child, &is_free);
	m->before = false;
	if (ret || !before->known)
		return ret;
	date = dir_dates_of_hash(&before->dates, hash);
	*ret_removed = date.v != NULL_LSN && child.v < date.v && !dir_dates_has_hash(&before->dates, hash) &&
		       dir_names_find(geo, &before->dir.names, name->name, name->namelen) == before->dir.names.count;
	return 0;
}

int dir_before_outlived(struct dir_before *before, xino_t dir, const struct name_view *name, xino_t child,
			bool *ret_outlived)
{
	struct mend *m = before->m;
	const struct geometry *geo = &m->now->geo;
	struct dir_names *names = &before->dir.names;
	lsn_t date = { NULL_LSN }, deleted;
	bool is_free;
	int ret = 0;

	*ret_outlived = false;
	if (!geo->crc || inode_is_older_than_inobt(m, child, false))
		return 0;
	m->before = true;
	if (before->ino.v != dir.v)
		ret = look_at(before, dir);
	deleted = child_date(m, child, &is_free);
	m->before = false;
	for (size_t i = names->count; !ret && before->open && (i = dir_names_next(geo, names, name, i)) < names->count;)
		if (names->names[i].ino.v == child.v)
			date = dir_dates_of_name(geo, &before->dates, &names->names[i]);
	*ret_outlived = is_free && date.v && date.v != NULL_LSN && deleted.v != NULL_LSN && date.v < deleted.v;
	return ret;
}

void dir_before_free(struct dir_before *before)
{
	forget(before);
}
