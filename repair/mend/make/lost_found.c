/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the directory lost+found, or makes it. */
#include <errno.h>
#include <string.h>

#include "lost_found.h"
#include "mend/base/mend_follows.h"
#include "mend_dir.h"
#include "mend_new_inode.h"
#include "mend_nlink.h"
#include "repair.h"

static const uint8_t lost_found_name[] = "lost+found";
#define LOST_FOUND_LEN (sizeof(lost_found_name) - 1)

bool lost_found_is_name(const uint8_t *name, size_t len)
{
	return len == LOST_FOUND_LEN && !memcmp(name, lost_found_name, len);
}

/* Make lost+found of a free inode, and name it in the root. 0; -ENOSPC: no room for its name; or a negative errno. */
static int make_lost_found(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	const struct dir_name name = { ino, lost_found_name, LOST_FOUND_LEN, FT_DIR, 0, 0, false, false };
	struct mend_inode inode;
	struct dir_edit root;
	int ret = mend_inode_read(m, ino, &inode); /* it must be readable before it gets a name */

	if (ret)
		return ret;
	mend_inode_free(&inode);
	ret = dir_edit_begin(m, geo->rootino, &root);
	if (ret)
		return ret;
	ret = dir_names_add(geo, &root.names, &name);
	if (!ret)
		ret = mend_nlink_add(m, &root.inode, 1);
	if (!ret)
		ret = dir_edit_write(m, &root);
	if (!ret)
		ret = mend_follows_pptr(m, ino, geo->rootino, name.name, name.namelen);
	dir_edit_end(&root);
	return ret ? ret : mend_new_inode(m, ino, FT_DIR, geo->rootino, NULL);
}

int lost_found_find(struct mend *m, xino_t home, xino_t *ret_ino)
{
	const struct geometry *geo = &m->now->geo;
	struct dir_edit root;
	enum ftype type;
	xino_t named = home;
	size_t at;
	int ret = dir_edit_begin(m, geo->rootino, &root);

	ret_ino->v = NULL_INO;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	at = dir_names_find(geo, &root.names, lost_found_name, LOST_FOUND_LEN);
	if (at < root.names.count)
		named = root.names.names[at].ino;
	dir_edit_end(&root);
	if (named.v == NULL_INO) {
		ret = mend_new_inodes_find(m, &named, 1);
		if (ret == -ENOSPC || ret == -ENOENT)
			*ret_ino = geo->rootino;
		if (!ret)
			ret = make_lost_found(m, named);
		if (!ret)
			*ret_ino = named;
		return ret == -ENOSPC || ret == -ENOENT ? 0 : ret;
	}
	ret = mend_inode_type(m, named, &type);
	*ret_ino = type == FT_DIR ? named : geo->rootino;
	return ret;
}
