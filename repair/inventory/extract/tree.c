/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes down to a folder name by name, without following links, so that neither what a damaged directory says nor what
 * somebody has put into the target in the meantime leads elsewhere.
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
	*tree = (struct out_tree){ .root = -1, .dir = -1 };
	tree->root = output_folder_make(path, &tree->made);
	return tree->root < 0 ? tree->root : 0;
}

static void forget(struct out_tree *tree)
{
	if (tree->dir >= 0)
		close(tree->dir);
	tree->dir = -1;
	tree->path.len = 0;
}

void tree_close(struct out_tree *tree)
{
	forget(tree);
	if (tree->root >= 0)
		close(tree->root);
	tree->root = -1;
	free(tree->path.bytes);
	tree->path = (struct byte_buffer){ 0 };
}

/* True if this is the folder where files wait, by whatever name it was found. */
static bool is_stage(const struct out_tree *tree, int fd)
{
	struct stat st;

	return tree->stage_ino && !fstat(fd, &st) && st.st_ino == tree->stage_ino && st.st_dev == tree->stage_dev;
}

/* Open a folder in another, and make it if it is missing. A descriptor or negative errno. */
static int step(const struct out_tree *tree, int from, const char *name)
{
	int fd = openat(from, name, STEP);

	if (fd < 0 && errno == ENOENT) {
		if (mkdirat(from, name, 0700) && errno != EEXIST)
			return -errno;
		fd = openat(from, name, STEP);
	}
	if (fd < 0)
		return -errno;
	if (!is_stage(tree, fd))
		return fd;
	close(fd);
	return -EEXIST;
}

/* True if the folder that was used last is this one, or leads to it. */
static bool leads_to(const struct out_tree *tree, const uint8_t *path, size_t len)
{
	const size_t known = tree->path.len;

	return tree->dir >= 0 && known <= len && (known == 0 || !memcmp(tree->path.bytes, path, known)) &&
	       (known == len || path[known] == '/');
}

int tree_dir(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd)
{
	const uint8_t *at = path, *end = path + len;
	char name[SAFE_NAME_ROOM];
	int ret, fd;

	if (!leads_to(tree, path, len)) {
		forget(tree);
		tree->dir = openat(tree->root, ".", STEP);
		if (tree->dir < 0)
			return -errno;
	}
	at += tree->path.len;
	while ((ret = safe_name_next(&at, end, name)) > 0) {
		fd = step(tree, tree->dir, name);
		if (fd < 0)
			return fd;
		close(tree->dir);
		tree->dir = fd;
		tree->path.len = 0;
		if (byte_buffer_add(&tree->path, path, (size_t)(at - path))) {
			forget(tree);
			return -ENOMEM;
		}
	}
	*ret_fd = tree->dir;
	return ret;
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
