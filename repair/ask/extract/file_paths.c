/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the paths of files, also of those that damage has cut off from the root. */
#include "file_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "disk/inode.h"
#include "ask/list/list_filter.h"

void file_paths_begin(struct file_paths *p, const struct file *file)
{
	p->file = *file;
	p->named = p->over = false;
}

/* Set a path to where a repair would put what nothing leads to. */
static int lost_path(struct byte_buffer *path, xino_t ino)
{
	char text[48];

	path->len = 0;
	return byte_buffer_add(path, text, (size_t)snprintf(text, sizeof(text), "/lost+found/%" PRIu64, ino.v));
}

/* Set a path to that of a directory. 0 or -ENOMEM. */
static int path_of_dir(const struct file_paths *p, xino_t dir, struct byte_buffer *path)
{
	const struct path_table *table = files_paths(p->files);
	const xino_t top = path_table_top(table, dir);
	struct byte_buffer below = { 0 };
	size_t known;
	int ret;

	if (top.v == p->geo->rootino.v)
		return path_table_path(table, dir, path);
	/* the path begins with a sign for what is not known, which is no name of a file */
	ret = path_table_path(table, dir, &below);
	for (known = 0; !ret && known < below.len && below.bytes[known] != '/'; known++)
		;
	if (!ret)
		ret = lost_path(path, top);
	if (!ret)
		ret = byte_buffer_add(path, below.bytes + known, below.len - known);
	free(below.bytes);
	return ret;
}

static int set_dir(struct file_paths *p, xino_t dir)
{
	int ret = 0;

	if (p->dir.v != dir.v) {
		p->dir = (xino_t){ 0 };
		ret = path_of_dir(p, dir, &p->dir_path);
		if (!ret)
			p->dir = dir;
	}
	return ret;
}

/* Set the path to the next one of the file, wanted or not. 1, 0 or negative errno. */
static int next(struct file_paths *p)
{
	struct file_name name;
	int ret;

	if (p->over)
		return 0;
	if ((p->file.record.mode & MODE_TYPE) == MODE_DIR) {
		p->over = true;
		ret = path_of_dir(p, p->file.ino, &p->path);
		return ret ? ret : 1;
	}
	ret = files_next_name(p->files, &name);
	if (ret < 0)
		return ret;
	if (ret == 0 || name.dir.v == NULL_INO) {
		p->over = true;
		if (p->named)
			return 0;
		ret = lost_path(&p->path, p->file.ino);
		return ret ? ret : 1;
	}
	p->named = true;
	ret = set_dir(p, name.dir);
	p->path.len = 0;
	if (!ret)
		ret = byte_buffer_add(&p->path, p->dir_path.bytes, p->dir_path.len);
	if (!ret)
		ret = byte_buffer_add(&p->path, "/", 1);
	if (!ret)
		ret = byte_buffer_add(&p->path, name.name, name.len);
	return ret ? ret : 1;
}

/*
 * True if the filter lets the current path pass.  Directories pass, since files may be below them, but where they are
 * neither below --under nor lead there.
 */
static bool passes(const struct file_paths *p, bool dir)
{
	const struct list_filter place = { .under = p->filter ? p->filter->under : NULL };
	struct file_name name = { .name = p->path.bytes, .len = 0 };
	size_t at = p->path.len;

	if (!p->filter)
		return true;
	if (dir)
		return list_wants_path(&place, &name, &p->path) ||
		       (strlen(place.under) > p->path.len &&
			(!p->path.len || !memcmp(place.under, p->path.bytes, p->path.len)) &&
			place.under[p->path.len] == '/');
	while (at && p->path.bytes[at - 1] != '/')
		at--;
	name = (struct file_name){ .name = p->path.bytes + at, .len = (uint8_t)(p->path.len - at) };
	return list_wants_file(p->filter, &p->file.record) && list_wants_path(p->filter, &name, &p->path);
}

int file_paths_next(struct file_paths *p, enum wanted_how *ret_how)
{
	const bool dir = (p->file.record.mode & MODE_TYPE) == MODE_DIR;
	int ret;

	while ((ret = next(p)) > 0) {
		*ret_how = wanted_look(p->wanted, p->path.bytes, p->path.len);
		if ((*ret_how == WANTED_YES || (*ret_how == WANTED_WAY && dir)) && passes(p, dir))
			return 1;
	}
	return ret;
}
