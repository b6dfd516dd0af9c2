/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds paths of files, including those cut off from the root. */
#include "file_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "disk/inode.h"
#include "ask/list/list.h"

void file_paths_begin(struct file_paths *p, const struct file *file)
{
	p->file = *file;
	p->named = p->over = false;
}

/* Sets a path to where a repair would reconnect an orphan. */
static int lost_path(struct byte_buffer *path, xino_t ino)
{
	char text[48];

	path->len = 0;
	return byte_buffer_add(path, text, (size_t)snprintf(text, sizeof(text), "/lost+found/%" PRIu64, ino.v));
}

int file_paths_dir(struct file_paths *p, xino_t dir)
{
	int ret;

	p->way.table = files_paths(p->files);
	ret = path_way_to(&p->way, dir);
	p->path.len = 0;
	if (!ret && p->way.top.v != p->geo->rootino.v)
		ret = lost_path(&p->path, p->way.top);
	return ret ? ret : byte_buffer_add(&p->path, p->way.path.bytes, p->way.path.len);
}

void file_paths_free(struct file_paths *p)
{
	free(p->path.bytes);
	free(p->way.path.bytes);
	free(p->way.steps);
}

/* Sets the path to the next one of the file, wanted or not. 1, 0 or negative errno. */
static int next(struct file_paths *p)
{
	struct file_name name;
	int ret;

	if (p->over)
		return 0;
	if ((p->file.record.mode & MODE_TYPE) == MODE_DIR) {
		p->over = true;
		ret = file_paths_dir(p, p->file.ino);
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
	ret = file_paths_dir(p, name.dir);
	if (!ret)
		ret = byte_buffer_add(&p->path, "/", 1);
	if (!ret)
		ret = byte_buffer_add(&p->path, name.name, name.len);
	return ret ? ret : 1;
}

/*
 * True if the current path passes the filter. Directories pass, since they may contain files, except those that are
 * neither below --under nor above it.
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
