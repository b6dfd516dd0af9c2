/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The quota directory of the metadata tree (ondisk 10, invariant 1): each quota file under the name of its type.  A
 * name leads to the file that says it is the one; where none does, what it leads to is made that file, unless it is
 * another one under its own name.  Leaves behind files whose records may be another type's (mend_quota_file.c).
 */
#include <errno.h>

#include "disk/inode.h"
#include "mend_metadir.h"

struct work {
	struct mend *m;
	const struct found *found;
	size_t count;
	struct metadir dir;
};

static const struct found *found_of(const struct work *w, enum quota_type type)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->found[i].place.object == OBJ_QUOTA_USER + type)
			return &w->found[i];
	return w->found;
}

static bool named_rightly(struct work *w, const struct mend_inode *inode)
{
	unsigned type = inode->inode.metatype - METAFILE_USER_QUOTA;

	return inode->inode.metadata && type < QUOTA_TYPES &&
	       metadir_find(w->m, &w->dir, quota_file_names[type]).v == inode->ino.v;
}

/* There is no file of the type but what its name leads to, if that can be one. */
static int adopt(struct work *w, enum quota_type type, xino_t ino)
{
	const struct metafile metafile = { (uint16_t)(METAFILE_USER_QUOTA + type), 0 };
	struct mend_inode inode;
	int ret = metadir_load_file(w->m, ino, &inode);
	bool done = false;

	if (ret && ret != -ENOENT)
		return ret;
	if (!ret) {
		if (inode.inode.ftype == FT_REG && !named_rightly(w, &inode))
			ret = metadir_adopt(w->m, &inode, &metafile, &done);
		mend_inode_free(&inode);
	} else {
		ret = 0;
	}
	if (!ret && (done || metadir_drop(w->m, &w->dir, quota_file_names[type])))
		mend_done(w->m, found_of(w, type));
	return ret;
}

static int settle_name(struct work *w, enum quota_type type)
{
	const xino_t *file = w->m->now->quota->lanes[0].file[type];
	xino_t named = metadir_find(w->m, &w->dir, quota_file_names[type]);

	if (file[0].v == NULL_INO)
		return named.v == NULL_INO ? 0 : adopt(w, type, named);
	if (named.v != NULL_INO && (named.v == file[0].v || named.v == file[1].v))
		return 0;
	mend_done(w->m, found_of(w, type));
	return metadir_put(w->m, &w->dir, quota_file_names[type], file[0]);
}

/* The directory in which one of the files has its name; NULL_INO: none. */
static xino_t directory_by_names(const struct mend *m)
{
	const struct quota *quota = m->now->quota;

	for (unsigned i = 0; i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];

			if (name->target.v == quota->lanes[0].file[name->type][0].v)
				return name->directory;
		}
	}
	return (xino_t){ NULL_INO };
}

int mend_quota_dir(struct mend *m, const struct found *found, size_t count)
{
	struct work w = { .m = m, .found = found, .count = count };
	bool changed = false;
	int ret;

	if (!m->now->geo.metadir)
		return 0;
	ret = metadir_begin(m, "quota", m->now->quota->lanes[0].directory, directory_by_names(m), &w.dir, &changed);
	if (changed && !ret)
		mend_done(m, found);
	if (!ret) {
		for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++)
			ret = settle_name(&w, type);
		if (!ret)
			ret = metadir_write(m, &w.dir);
		metadir_end(&w.dir);
	}
	return ret == -ENOENT || ret == -ENOSPC ? 0 : ret;
}
