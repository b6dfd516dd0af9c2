/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks down to a directory component by component, without following links, so that neither a damaged directory nor
 * changes in the target lead elsewhere. From one directory to the next it goes up only as far as necessary, so that a
 * deep tree takes few calls per directory. A directory reached upwards must be the one that was passed on the way down.
 */
#define _GNU_SOURCE 1 /* O_PATH */

#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

#define STEP (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int tree_open(struct out_tree *tree, const char *path)
{
	*tree = (struct out_tree){ .root = -1, .dir = -1, .names = { .trial = -1 } };
	tree->root = output_folder_make(path, &tree->made);
	return tree->root < 0 ? tree->root : 0;
}

static void forget(struct out_tree *tree)
{
	if (tree->dir >= 0)
		close(tree->dir);
	tree->dir = -1;
	tree->path.len = 0;
	tree->depth = 0;
}

void tree_close(struct out_tree *tree)
{
	forget(tree);
	if (tree->root >= 0)
		close(tree->root);
	tree->root = -1;
	free(tree->path.bytes);
	free(tree->levels);
	exact_names_free(&tree->names);
	tree->path = (struct byte_buffer){ 0 };
	tree->levels = NULL;
	tree->room = 0;
}

/*
 * Makes this directory the current one, with a path up to `end`; passes a negative fd on as the error. 0 or negative
 * errno.
 */
static int take(struct out_tree *tree, int fd, size_t end)
{
	struct stat st;
	int ret = fd < 0 ? fd : fstat(fd, &st) ? -errno : 0;

	/* the staging directory must not be used, by whatever name */
	if (!ret && tree->stage_ino && st.st_ino == tree->stage_ino && st.st_dev == tree->stage_dev)
		ret = -EEXIST;
	if (!ret)
		ret = array_add(tree->levels, tree->room, tree->depth,
				(struct tree_level){ st.st_dev, st.st_ino, end });
	if (ret) {
		if (fd >= 0)
			close(fd);
		return ret;
	}
	if (tree->dir >= 0)
		close(tree->dir);
	tree->dir = fd;
	return 0;
}

/* Opens a directory in another one, creating it if missing. A descriptor or negative errno. */
static int step(struct exact_names *names, int from, const char *name)
{
	const int fd = openat(from, name, STEP);
	int ret;

	if (fd < 0 && errno != ENOENT)
		return -errno;
	ret = exact_name_check(names, from, name);
	if (ret || fd >= 0) {
		if (ret && fd >= 0)
			close(fd);
		return ret ? ret : fd;
	}
	if (!mkdirat(from, name, 0700))
		exact_name_made_dir(names, from, name);
	else if (errno != EEXIST)
		return -errno;
	return opened(openat(from, name, STEP));
}

/* Returns how many directories are both on the path to the current one and on this path. */
static size_t levels_to(const struct out_tree *tree, const uint8_t *path, size_t len)
{
	const size_t most = tree->path.len < len ? tree->path.len : len;
	size_t same = 0, n = tree->depth;

	if (most && !memcmp(tree->path.bytes, path, most)) /* the usual case */
		same = most;
	while (same < most && tree->path.bytes[same] == path[same])
		same++;
	while (n > 1 && !(tree->levels[n - 1].end <= same &&
			  (tree->levels[n - 1].end == len || path[tree->levels[n - 1].end] == '/')))
		n--;
	return n;
}

/* Goes up to the parent directory. False: ".." now leads elsewhere, so restart at the root. */
static bool climb(struct out_tree *tree)
{
	const struct tree_level *above = &tree->levels[tree->depth - 2];
	const int fd = openat(tree->dir, "..", STEP);
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || st.st_ino != above->ino || st.st_dev != above->dev) {
		close(fd);
		return false;
	}
	close(tree->dir);
	tree->dir = fd;
	tree->depth--;
	tree->path.len = above->end;
	return true;
}

/* Goes to where this path branches off: upwards, or to the root if that is nearer. 0 or negative errno. */
static int begin(struct out_tree *tree, const uint8_t *path, size_t len)
{
	const size_t shared = levels_to(tree, path, len);

	if (shared && tree->depth - shared <= shared)
		while (tree->depth > shared && climb(tree))
			;
	if (tree->depth && tree->depth == shared)
		return 0;
	forget(tree);
	return take(tree, opened(openat(tree->root, ".", STEP)), 0);
}

int tree_dir(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd)
{
	const uint8_t *at = path, *end = path + len;
	char name[SAFE_NAME_ROOM];
	int ret = begin(tree, path, len), next = 0;

	if (ret)
		return ret;
	for (at += tree->path.len; (next = safe_name_next(&at, end, name)) > 0;) {
		ret = take(tree, step(&tree->names, tree->dir, name), (size_t)(at - path));
		if (ret)
			return ret;
		if (byte_buffer_add(&tree->path, path + tree->path.len, (size_t)(at - path) - tree->path.len)) {
			forget(tree);
			return -ENOMEM;
		}
	}
	*ret_fd = tree->dir;
	return next;
}

int tree_parent(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd,
		char ret_name[static SAFE_NAME_ROOM])
{
	const uint8_t *last;
	size_t parent = len;
	int ret;

	while (parent && path[parent - 1] != '/')
		parent--;
	last = path + parent;
	if (parent)
		parent--;
	ret = safe_name_next(&last, path + len, ret_name);
	if (ret <= 0)
		return -EINVAL;
	return tree_dir(tree, path, parent, ret_fd);
}
