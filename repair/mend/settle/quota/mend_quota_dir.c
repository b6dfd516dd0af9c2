/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects the quota directory of the metadata tree (ondisk 10, invariant 1), which has an entry for each quota file,
 * named by its type.  An entry is pointed at the inode that is of this metadata type.  If there is none, the inode of
 * the entry becomes that file, unless it is another metadata file under its own name.  A second file of a type is
 * freed.  Records in the files may be of another type, or misplaced: mend_quota_file.c.
 */
#include <errno.h>

#include "disk/inode.h"
#include "mend/base/mend.h"
#include "mend/make/mend_metadir.h"
#include "repair.h"
#include "check/walk/quota.h"
#include "mend/base/menders.h"

struct quota_dir_work {
	struct mend *m;
	const struct found *found;
	size_t count;
	struct metadir dir;
	xino_t file[QUOTA_TYPES]; /* inode of this metadata type; NULL_INO: none */
};

/* True if it can be a quota file: a regular file without a name of a realtime group's file. */
static bool is_possible(const struct mend *m, xino_t ino, enum ftype type)
{
	struct metafile metafile;

	return type == FT_REG && !mend_metafile_of_group(m, ino, &metafile);
}

/* Sets w->file: the first possible one of up to two inodes that the check found for each type. */
static int choose_files(struct quota_dir_work *w)
{
	int ret = 0;

	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		const xino_t *file = w->m->now->quota->lanes[0].file[type];
		enum ftype ftype;
		bool is = false;

		for (unsigned i = 0; i < 2 && !is && !ret; i++) {
			w->file[type] = file[i];
			ret = mend_inode_type(w->m, file[i], &ftype);
			is = is_possible(w->m, file[i], ftype);
		}
		if (!is)
			w->file[type].v = NULL_INO;
	}
	return ret;
}

/* Returns the first finding about a type's file, or else the first of all. */
static const struct found *found_of(const struct quota_dir_work *w, enum quota_type type)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->found[i].place.object == OBJ_QUOTA_USER + type)
			return &w->found[i];
	return w->found;
}

/* True if the inode is a quota file by its metadata type, and the entry of that type points to it. */
static bool named_rightly(struct quota_dir_work *w, const struct mend_inode *inode)
{
	unsigned type = inode->inode.metatype - METAFILE_USER_QUOTA;

	return inode->inode.metadata && type < QUOTA_TYPES &&
	       metadir_find(w->m, &w->dir, quota_file_names[type]).v == inode->ino.v;
}

/*
 * Turns the inode of a type's entry into that type's file, because there is no other; if it can't be one, drops the
 * entry.  0 or negative errno.
 */
static int adopt_file(struct quota_dir_work *w, enum quota_type type, xino_t ino)
{
	const struct metafile metafile = { (uint16_t)(METAFILE_USER_QUOTA + type), 0 };
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, ino, &inode);
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

/* Points the entry of a type at its file. 0 or negative errno. */
static int settle_name(struct quota_dir_work *w, enum quota_type type)
{
	const xino_t *all = w->m->now->quota->lanes[0].file[type], file = w->file[type];
	xino_t named = metadir_find(w->m, &w->dir, quota_file_names[type]);

	if (file.v == NULL_INO)
		return named.v == NULL_INO ? 0 : adopt_file(w, type, named);
	if (named.v != NULL_INO && (named.v == all[0].v || named.v == all[1].v))
		return 0;
	mend_done(w->m, found_of(w, type));
	return metadir_put(w->m, &w->dir, quota_file_names[type], file);
}

/* Frees a quota file without an entry. Its records are found again in lost blocks. */
static int free_surplus(struct quota_dir_work *w, const struct found *found)
{
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, found->place.ino, &inode);

	if (ret)
		return mend_left(w->m, found, 1, ret);
	if (is_possible(w->m, inode.ino, inode.inode.ftype) && !named_rightly(w, &inode))
		ret = metadir_free_file(w->m, &inode, found);
	mend_inode_free(&inode);
	return ret;
}

static int settle_directory(struct quota_dir_work *w)
{
	int ret = 0;

	for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++)
		ret = settle_name(w, type);
	for (size_t i = 0; i < w->count && !ret; i++)
		if (w->found[i].problem.finding == F_QUOTA_FILE_UNNAMED)
			ret = free_surplus(w, &w->found[i]);
	return ret ? ret : metadir_write(w->m, &w->dir);
}

/* Returns the directory with an entry for one of the files; NULL_INO: none. */
static xino_t directory_by_names(const struct quota_dir_work *w)
{
	const struct quota *quota = w->m->now->quota;

	for (unsigned i = 0; i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];

			if (name->target.v == w->file[name->type].v)
				return name->directory;
		}
	}
	return (xino_t){ NULL_INO };
}

static bool any_file(const struct quota_dir_work *w)
{
	for (unsigned type = 0; type < QUOTA_TYPES; type++)
		if (w->file[type].v != NULL_INO)
			return true;
	return false;
}

int mend_quota_dir(struct mend *m, const struct found *found, size_t count)
{
	const xino_t known = m->now->quota->lanes[0].directory;
	struct quota_dir_work w = { .m = m, .found = found, .count = count };
	bool changed = false;
	int ret;

	if (!m->now->geo.metadir)
		return 0;
	ret = choose_files(&w);
	if (ret || (known.v == NULL_INO && !any_file(&w)))
		return ret;
	ret = metadir_begin(m, "quota", known, directory_by_names(&w), &w.dir, &changed);
	if (changed && !ret)
		mend_done(m, found);
	if (!ret) {
		ret = settle_directory(&w);
		metadir_end(&w.dir);
	}
	return mend_left(m, found, 1, ret);
}
