/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder that files are extracted to. Nothing that is done through this leads out of it. */
#ifndef XFSCK_REPAIR_EXTRACT_TREE_H
#define XFSCK_REPAIR_EXTRACT_TREE_H

#include <sys/types.h>

#include "safe_name.h"
#include "sets/byte_buffer.h"

/* Where files wait until they are whole, in the folder: nothing of the file system is put there. */
#define TREE_STAGE ".xfsck-extract"

/* A folder on the way to the one that was used last. */
struct tree_level {
	dev_t dev;
	ino_t ino;
	size_t end; /* of its path, in the path of that */
};

struct out_tree {
	int root;  /* the folder */
	bool made; /* it was made now */
	dev_t stage_dev;
	ino_t stage_ino;	   /* of TREE_STAGE; 0: it is not open */
	int dir;		   /* the folder below it that was used last, or -1 */
	struct byte_buffer path;   /* of that */
	struct tree_level *levels; /* from the root to it */
	size_t depth, room;	   /* how many there are; 0: dir is -1 */
};

/* Open the folder, and make it if there is none. 0 or negative errno. */
int tree_open(struct out_tree *tree, const char *path);
void tree_close(struct out_tree *tree);
/*
 * A descriptor (O_PATH) of the folder at a path from the root, "" or "/a/b", without a "/" at its end.  Folders that
 * are missing are made, with access for their owner only.  Symbolic links are never followed.  It stays the tree's,
 * until the next call.  0 or negative errno: -ENOTDIR, -ELOOP: something else is in the way.
 */
int tree_dir(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd);
/* The same for the folder that a path's last name is in, and that name. The path must have one. */
int tree_parent(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd,
		char ret_name[static SAFE_NAME_ROOM]);

#endif
