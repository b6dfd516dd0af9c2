/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a mounted tree, each inode once, however many names it has. */
#define _GNU_SOURCE
#include "tree.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "array.h"
#include "libxfs/crc.h"

#define FLAGS2_VISIBLE (FS_XFLAG_DAX | FS_XFLAG_COWEXTSIZE)

const char *field_id(enum field field)
{
	static const char *const ids[] = {
#define x(symbol, id) [FIELD_##symbol] = (id),
		FIELDS(x)
#undef x
	};

	return ids[field];
}

/* ---- one inode ---- */

static void set(struct inode *inode, enum field field, uint64_t value)
{
	inode->field[field] = value;
	inode->known |= 1u << field;
}

static void set_time(struct inode *inode, enum field field, const struct statx_timestamp *time)
{
	set(inode, field, (uint64_t)time->tv_sec);
	inode->nanoseconds[field] = time->tv_nsec;
}

static void read_stat(struct inode *inode, const struct statx *st)
{
	inode->ino = st->stx_ino;
	inode->nlink = st->stx_nlink;
	inode->device = makedev(st->stx_rdev_major, st->stx_rdev_minor);
	set(inode, FIELD_MODE, st->stx_mode);
	set(inode, FIELD_UID, st->stx_uid);
	set(inode, FIELD_GID, st->stx_gid);
	set_time(inode, FIELD_ATIME, &st->stx_atime);
	set_time(inode, FIELD_MTIME, &st->stx_mtime);
	set_time(inode, FIELD_CTIME, &st->stx_ctime);
	if (S_ISREG(st->stx_mode)) /* of other types it follows from the contents */
		set(inode, FIELD_SIZE, st->stx_size);
	if (st->stx_mask & STATX_BTIME)
		set_time(inode, FIELD_BTIME, &st->stx_btime);
}

/* Reads the facts that only an open file or directory shows. */
static void read_flags(struct inode *inode, int fd)
{
	struct fsxattr attr;
	unsigned generation[2]; /* some write a long */

	if (ioctl(fd, FS_IOC_GETVERSION, generation) == 0)
		set(inode, FIELD_GENERATION, generation[0]);
	if (ioctl(fd, FS_IOC_FSGETXATTR, &attr) < 0)
		return;
	set(inode, FIELD_PROJECT, attr.fsx_projid);
	set(inode, FIELD_FLAGS, attr.fsx_xflags & ~(unsigned)(FS_XFLAG_HASATTR | FLAGS2_VISIBLE));
	set(inode, FIELD_FLAGS2, attr.fsx_xflags & FLAGS2_VISIBLE);
	if (attr.fsx_xflags & (FS_XFLAG_EXTSIZE | FS_XFLAG_EXTSZINHERIT))
		set(inode, FIELD_EXTSIZE, attr.fsx_extsize);
	if (attr.fsx_xflags & FS_XFLAG_COWEXTSIZE)
		set(inode, FIELD_COWEXTSIZE, attr.fsx_cowextsize);
}

static struct attribute attribute_of(const char *path, const char *name)
{
	static char value[XATTR_SIZE_MAX];
	struct attribute a = { .name = strdup(name), .len = lgetxattr(path, name, value, sizeof(value)) };

	a.hash = crc_add(CRC_SEED, value, a.len > 0 ? (size_t)a.len : 0);
	return a;
}

static void read_attributes(struct inode *inode, const char *path)
{
	static char list[XATTR_LIST_MAX];
	const ssize_t len = llistxattr(path, list, sizeof(list));
	size_t room = 0;

	inode->no_attributes = len < 0;
	for (const char *name = list; name < list + len; name += strlen(name) + 1)
		if (array_add(inode->attributes, room, inode->nattributes, attribute_of(path, name)))
			err(2, "%s", path);
}

static void read_target(struct inode *inode, const char *path)
{
	char target[PATH_MAX];
	const ssize_t len = readlink(path, target, sizeof(target));

	if (len >= 0)
		inode->target = strndup(target, (size_t)len);
}

/* ---- the tree ---- */

/*
 * Adds the inode at a path, relative to the working directory, unless it is known.  Returns whether it is a new
 * directory.
 */
static bool take(struct tree *tree, const char *path, uint64_t *ret_ino)
{
	struct inode *inode;
	struct statx st;
	int fd;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &st) < 0)
		return false;
	*ret_ino = st.stx_ino;
	if (array_add(tree->inodes, tree->inodes_room, tree->ninodes, (struct inode){ 0 }))
		err(2, "%s", path);
	inode = &tree->inodes[tree->ninodes - 1];
	read_stat(inode, &st);
	inode->path = strdup(path);
	if (S_ISLNK(st.stx_mode))
		read_target(inode, path);
	fd = S_ISREG(st.stx_mode) || S_ISDIR(st.stx_mode) ? open(path, O_RDONLY | O_NOFOLLOW | O_NOATIME) : -1;
	if (fd >= 0) {
		read_flags(inode, fd);
		close(fd);
	}
	read_attributes(inode, path);
	tree->unreadable += inode->no_attributes;
	return S_ISDIR(st.stx_mode);
}

/* True if an inode with several names has been added.  Those with one name never have. */
static bool is_taken(const struct tree *tree, uint64_t ino)
{
	for (size_t i = tree->ninodes; i-- > 0;)
		if (tree->inodes[i].ino == ino)
			return true;
	return false;
}

static void walk(struct tree *tree, const char *path, uint64_t ino, uint64_t parent);

/* Adds a directory entry, even if its inode is unreadable. */
static void take_entry(struct tree *tree, const char *dir_path, uint64_t dir, const struct dirent *entry)
{
	const struct name name = { .dir = dir, .ino = entry->d_ino, .text = strdup(entry->d_name) };
	struct stat st;
	uint64_t ino;
	char *path;

	if (asprintf(&path, "%s/%s", dir_path, entry->d_name) < 0)
		err(2, "%s", entry->d_name);
	if (array_add(tree->names, tree->names_room, tree->nnames, name))
		err(2, "%s", path);
	if (lstat(path, &st) < 0)
		tree->unreadable++;
	else if (!((S_ISDIR(st.st_mode) || st.st_nlink != 1) && is_taken(tree, st.st_ino)) && take(tree, path, &ino))
		walk(tree, path, ino, dir);
	free(path);
}

/* True if it is the `.` or `..` of each directory; damage may have given such a name to another entry. */
static bool is_dots(const struct dirent *entry, uint64_t ino, uint64_t parent)
{
	return (!strcmp(entry->d_name, ".") && entry->d_ino == ino) ||
	       (!strcmp(entry->d_name, "..") && entry->d_ino == parent);
}

/* Adds the contents of the directory that was added last. */
static void walk(struct tree *tree, const char *path, uint64_t ino, uint64_t parent)
{
	const size_t at = tree->ninodes - 1;
	const struct dirent *entry = NULL;
	DIR *dir = opendir(path);

	while (dir) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			break;
		if (!is_dots(entry, ino, parent))
			take_entry(tree, path, ino, entry);
	}
	tree->inodes[at].no_names = !dir || errno;
	tree->unreadable += tree->inodes[at].no_names;
	if (dir)
		closedir(dir);
}

static int name_order(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->dir != y->dir)
		return x->dir < y->dir ? -1 : 1;
	return strcmp(x->text, y->text);
}

static int inode_order(const void *a, const void *b)
{
	const struct inode *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

void tree_read(struct tree *tree, const char *folder)
{
	const int here = open(".", O_PATH | O_DIRECTORY);
	uint64_t ino;

	*tree = (struct tree){ .root = open(folder, O_RDONLY | O_DIRECTORY) };
	if (tree->root < 0 || here < 0 || fchdir(tree->root) < 0)
		err(2, "%s", folder);
	if (take(tree, ".", &ino))
		walk(tree, ".", ino, ino);
	else
		err(2, "%s", folder);
	qsort(tree->names, tree->nnames, sizeof(*tree->names), name_order);
	qsort(tree->inodes, tree->ninodes, sizeof(*tree->inodes), inode_order);
	if (fchdir(here) < 0)
		err(2, "the working directory");
	close(here);
}

const struct name *tree_name(const struct tree *tree, uint64_t dir, const char *text)
{
	const struct name sought = { .dir = dir, .text = (char *)text };

	return bsearch(&sought, tree->names, tree->nnames, sizeof(sought), name_order);
}

const struct inode *tree_inode(const struct tree *tree, uint64_t ino)
{
	const struct inode sought = { .ino = ino };

	return bsearch(&sought, tree->inodes, tree->ninodes, sizeof(sought), inode_order);
}

const struct attribute *inode_attribute(const struct inode *inode, const char *name)
{
	for (size_t i = 0; i < inode->nattributes; i++)
		if (!strcmp(inode->attributes[i].name, name))
			return &inode->attributes[i];
	return NULL;
}

int tree_open(const struct tree *tree, const struct inode *inode)
{
	return openat(tree->root, inode->path, O_RDONLY | O_NOFOLLOW | O_NOATIME);
}

/* ---- the same in two trees ---- */

bool same_field(const struct inode *a, const struct inode *b, enum field field)
{
	return !(a->known & b->known & 1u << field) ||
	       (a->field[field] == b->field[field] && a->nanoseconds[field] == b->nanoseconds[field]);
}

bool same_attribute(const struct attribute *a, const struct attribute *b)
{
	return !a == !b && (!a || (a->len == b->len && a->hash == b->hash));
}

bool same_target(const struct inode *a, const struct inode *b)
{
	return !a->target == !b->target && (!a->target || !strcmp(a->target, b->target));
}
