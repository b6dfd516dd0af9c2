/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files that interrupted operations are about. */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend_intents.h"

static int copy_map(const struct mend_fork *fork, struct mend_map *ret_map)
{
	for (size_t i = 0; i < fork->count; i++)
		if (mend_map_add(ret_map, &fork->extents[i]))
			return -ENOMEM;
	return 0;
}

int finish_file(struct finish *f, xino_t ino, struct finish_file **ret_file)
{
	struct finish_file *file;
	int ret;

	for (size_t i = 0; i < f->count; i++) {
		if (f->files[i]->inode.ino.v == ino.v) {
			*ret_file = f->files[i];
			return 0;
		}
	}
	if (array_grow(&f->files, &f->room, f->count, sizeof(struct finish_file *)))
		return -ENOMEM;
	file = calloc(1, sizeof(*file));
	if (!file)
		return -ENOMEM;
	ret = mend_inode_load(f->m, ino, &file->inode);
	if (ret) {
		free(file);
		return ret == -ENOENT ? FINISH_IMPOSSIBLE : ret;
	}
	f->files[f->count++] = file;
	ret = copy_map(&file->inode.fork[DATA_FORK], &file->map[DATA_FORK]);
	if (!ret)
		ret = copy_map(&file->inode.fork[ATTR_FORK], &file->map[ATTR_FORK]);
	*ret_file = file;
	return ret;
}
