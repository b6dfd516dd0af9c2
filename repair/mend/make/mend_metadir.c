/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories of the metadata tree, known by their names in its root, and their entries (ondisk 09, 10). */
#include "mend_metadir.h"

#include <errno.h>
#include <string.h>

#include "check/walk/quota.h"
#include "check/walk/walker.h"
#include "mend/collect/mend_facts.h"
#include "mend_new_inode.h"
#include "repair.h"

/* Names of the metadata tree (ondisk 09, 10) fully describe their files, so that lost ones can be recreated. */

bool mend_metafile_of_group(const struct mend *m, xino_t ino, struct metafile *ret)
{
	const struct rt_state *rt = &m->now->traverse->rt;

	for (uint32_t rg = 0; rg < m->now->geo.rgcount; rg++) {
		for (enum rtfile kind = 0; kind < RTFILE_NR; kind++) {
			if (rt->group[rg].name[kind].count != 1 || rt->group[rg].name[kind].ino.v != ino.v)
				continue;
			*ret = (struct metafile){ rtfile_metatype(kind), rg };
			return true;
		}
	}
	return false;
}

static bool is_quota_file(const struct mend *m, xino_t ino, struct metafile *ret)
{
	const struct quota *quota = m->now->quota;

	for (unsigned i = 0; quota && i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];

			if (name->target.v != ino.v || name->directory.v != quota->lanes[0].directory.v)
				continue;
			*ret = (struct metafile){ (uint16_t)(METAFILE_USER_QUOTA + name->type), 0 };
			return true;
		}
	}
	return false;
}

/*
 * True if the inode is a directory of the metadata tree: a directory of that tree names it as such; or no directory
 * names it, and its child is an inode of that tree.
 */
static bool is_directory(const struct mend *m, const struct mend_facts *facts, xino_t ino)
{
	const struct ino_fact *children;
	size_t count, nchildren;
	const struct ino_fact *entries = mend_facts_of(facts, ino, FACT_ENTRY, &count);

	if (ino.v == m->now->geo.metadirino.v)
		return true;
	for (size_t i = 0; i < count; i++)
		if (entries[i].metadata && entries[i].ftype == FT_DIR)
			return true;
	children = mend_facts_of(facts, ino, FACT_CHILD, &nchildren);
	return !count && nchildren && children->metadata;
}

bool mend_metafile_of(const struct mend *m, const struct mend_facts *facts, xino_t ino, struct metafile *ret)
{
	if (!m->now->geo.metadir || ino.v == m->now->geo.rootino.v)
		return false;
	if (is_directory(m, facts, ino)) {
		*ret = (struct metafile){ METAFILE_DIR, 0 };
		return true;
	}
	return mend_metafile_of_group(m, ino, ret) || is_quota_file(m, ino, ret);
}

/* ---- names ---- */

static size_t index_of(const struct mend *m, struct dir_names *names, const char *name)
{
	return dir_names_find(&m->now->geo, names, (const uint8_t *)name, (uint8_t)strlen(name));
}

/* Points a name at an inode. If the name does not exist, another name of the inode is renamed. 0 or -ENOMEM. */
static int put_name(const struct mend *m, struct dir_names *names, const char *name, xino_t ino, enum ftype ftype)
{
	const uint8_t *bytes = (const uint8_t *)name, len = (uint8_t)strlen(name);
	const struct dir_name entry = { .ino = ino, .name = bytes, .namelen = len, .ftype = ftype };
	size_t at = index_of(m, names, name), other = 2; /* after `.` and `..` */

	if (at < names->count) {
		names->names[at].ino = ino;
		names->names[at].ftype = ftype;
		return 0;
	}
	while (other < names->count && names->names[other].ino.v != ino.v)
		other++;
	return other < names->count ? dir_names_rename(&m->now->geo, names, other, bytes, len)
				    : dir_names_add(&m->now->geo, names, &entry);
}

xino_t metadir_find(const struct mend *m, struct metadir *dir, const char *name)
{
	size_t at = index_of(m, &dir->dir.names, name);

	return at < dir->dir.names.count ? dir->dir.names.names[at].ino : (xino_t){ NULL_INO };
}

int metadir_put(const struct mend *m, struct metadir *dir, const char *name, xino_t ino)
{
	dir->renamed = true;
	return put_name(m, &dir->dir.names, name, ino, FT_REG);
}

bool metadir_drop(const struct mend *m, struct metadir *dir, const char *name)
{
	size_t at = index_of(m, &dir->dir.names, name);

	if (at == dir->dir.names.count)
		return false;
	dir_names_remove(&dir->dir.names, at, DROP_NO_PLACE);
	dir->renamed = true;
	return true;
}

/* ---- the directory ---- */

/* Sets *ret_is if an inode is a directory other than the root of the metadata tree. 0 or negative errno. */
static int is_directory_now(struct mend *m, xino_t ino, bool *ret_is)
{
	enum ftype type;
	int ret = mend_inode_type(m, ino, &type);

	*ret_is = type == FT_DIR && ino.v != m->now->geo.metadirino.v;
	return ret;
}

/* Adds the entry of a directory to the root of the metadata tree. 0 or negative errno. */
static int name_directory(struct mend *m, const char *name, xino_t ino)
{
	struct dir_edit root;
	int ret = dir_edit_begin(m, m->now->geo.metadirino, &root);

	if (ret)
		return ret;
	ret = put_name(m, &root.names, name, ino, FT_DIR);
	if (!ret)
		ret = dir_edit_write(m, &root);
	dir_edit_end(&root);
	return ret;
}

/* Chooses or makes the directory for metadir_begin(). 0 or negative errno. */
static int find_directory(struct mend *m, const char *name, xino_t known, xino_t by_names, xino_t *ret_ino,
			  bool *ret_changed)
{
	const struct metafile directory = { METAFILE_DIR, 0 };
	bool is;
	int ret;

	*ret_ino = known;
	ret = is_directory_now(m, *ret_ino, &is);
	*ret_changed = !is;
	if (ret || is)
		return ret;
	*ret_ino = by_names;
	ret = is_directory_now(m, *ret_ino, &is);
	if (!ret && !is) {
		ret = mend_new_inodes_find(m, ret_ino, 1);
		if (!ret)
			ret = mend_new_inode(m, *ret_ino, FT_DIR, m->now->geo.metadirino, &directory);
	}
	return ret ? ret : name_directory(m, name, *ret_ino);
}

int metadir_begin(struct mend *m, const char *name, xino_t known, xino_t by_names, struct metadir *ret,
		  bool *ret_changed)
{
	xino_t ino;
	int error = find_directory(m, name, known, by_names, &ino, ret_changed);

	ret->renamed = false;
	return error ? error : dir_edit_begin(m, ino, &ret->dir);
}

int metadir_write(struct mend *m, struct metadir *dir)
{
	return dir->renamed ? dir_edit_write(m, &dir->dir) : 0;
}

void metadir_end(struct metadir *dir)
{
	dir_edit_end(&dir->dir);
}

/* ---- files ---- */

/* Sets *ret_is if at most one entry points to the inode, so that it is no other file. 0 or negative errno. */
static int named_once(struct mend *m, xino_t ino, bool *ret_is)
{
	struct mend_facts facts;
	size_t count;
	int ret = mend_facts_collect(m, &ino, 1, FACTS_NAMES, &facts);

	if (ret)
		return ret;
	mend_facts_of(&facts, ino, FACT_ENTRY, &count);
	mend_facts_free(&facts);
	*ret_is = count <= 1;
	return 0;
}

int metadir_adopt(struct mend *m, struct mend_inode *inode, const struct metafile *metafile, bool *ret_done)
{
	bool may;
	int ret = named_once(m, inode->ino, &may);

	*ret_done = false;
	if (ret || !may)
		return ret;
	dinode_make_metafile(&m->now->geo, inode->bytes, metafile);
	ret = mend_inode_store(m, inode);
	*ret_done = !ret;
	return ret;
}

int metadir_free_file(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	int ret;

	dinode_set_free(&m->now->geo, inode->bytes);
	ret = mend_inode_store(m, inode);
	if (!ret)
		mend_done_so(m, found, SURE_LIKELY, "freed: its place is taken or does not exist");
	return ret;
}

int metadir_free_empty(struct mend *m, const struct found *orphan)
{
	struct dir_edit dir;
	int ret = dir_edit_begin(m, orphan->place.ino, &dir);

	if (ret)
		return mend_left(m, orphan, 1, ret);
	if (dir.inode.inode.metadata && dir.names.count == 2) /* `.` and `..` */
		ret = metadir_free_file(m, &dir.inode, orphan);
	dir_edit_end(&dir);
	return ret;
}
