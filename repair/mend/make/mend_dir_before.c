/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mend_dir_before.h"

#include <errno.h>

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

/* Reads the directory as it was before the repair, unless it is the last one. 0 or -ENOMEM. */
static int look_at(struct dir_before *before, xino_t ino)
{
	struct mend *m = before->m;
	int ret;

	if (before->ino.v == ino.v)
		return 0;
	forget(before);
	before->ino = ino;
	m->before = true;
	ret = dir_edit_begin(m, ino, &before->dir);
	before->open = !ret;
	if (!ret)
		ret = dir_dates_collect(m, &before->dir.inode, &before->dates);
	m->before = false;
	before->known = !ret && before->dir.names.whole && !before->dates.index_broken;
	return ret == -ENOMEM ? ret : 0;
}

/* True if the directory that was read last has no such name, nor its index. */
static bool has_not(struct dir_before *before, const struct pptr_name *name, uint32_t hash)
{
	return !dir_dates_has_hash(&before->dates, hash) &&
	       dir_names_find(&before->m->now->geo, &before->dir.names, name->name, name->namelen) ==
		       before->dir.names.count;
}

static uint32_t hash_of(const struct dir_before *before, const struct pptr_name *name)
{
	return da_hashname(name->name, name->namelen, before->m->now->geo.ascii_ci);
}

int dir_before_lacks(struct dir_before *before, const struct pptr_name *name, bool *ret_lacks)
{
	const int ret = look_at(before, name->parent);

	*ret_lacks = !ret && before->known && has_not(before, name, hash_of(before, name));
	return ret;
}

int dir_before_removed(struct dir_before *before, const struct pptr_name *name, bool *ret_removed)
{
	struct mend *m = before->m;
	const uint32_t hash = hash_of(before, name);
	lsn_t date;
	uint16_t mode;
	int ret;

	*ret_removed = false;
	if (ino_set_has(&m->notes.map_mended, name->parent) || ino_set_has(&m->notes.rebuilt, name->parent))
		return 0;
	ret = look_at(before, name->parent);
	if (ret || !before->known)
		return ret;
	date = dir_dates_of_hash(&before->dates, hash);
	*ret_removed = date.v != NULL_LSN && inode_date_before(m, name->child, &mode).v < date.v &&
		       has_not(before, name, hash);
	return 0;
}

int dir_before_outlived(struct dir_before *before, xino_t dir, const struct name_view *name, xino_t child,
			bool *ret_outlived)
{
	struct mend *m = before->m;
	const struct geometry *geo = &m->now->geo;
	struct dir_names *names = &before->dir.names;
	lsn_t date = { NULL_LSN };
	uint16_t mode;
	const lsn_t deleted = inode_date_before(m, child, &mode);
	int ret;

	*ret_outlived = false;
	if (deleted.v == NULL_LSN || mode || inode_is_older_than_inobt(m, child, false))
		return 0;
	ret = look_at(before, dir);
	for (size_t i = names->count; !ret && before->open && (i = dir_names_next(geo, names, name, i)) < names->count;)
		if (names->names[i].ino.v == child.v)
			date = dir_dates_of_name(geo, &before->dates, &names->names[i]);
	*ret_outlived = date.v && date.v < deleted.v;
	return ret;
}

void dir_before_free(struct dir_before *before)
{
	forget(before);
}
