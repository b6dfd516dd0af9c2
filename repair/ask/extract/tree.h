/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory tree that files are extracted to. No access through it leads out of it. */
#ifndef XFSCK_REPAIR_EXTRACT_TREE_H
#define XFSCK_REPAIR_EXTRACT_TREE_H

#include <sys/types.h>

#include "exact_name.h"
#include "safe_name.h"
#include "sets/byte_buffer.h"

/* The staging directory in the tree; no extracted file may use this name. */
#define TREE_STAGE ".xfsck-extract"

/* A directory on the path to the current one. */
struct tree_level {
	dev_t dev;
	ino_t ino;
	size_t end; /* length of its path */
};

struct out_tree {
	int root;  /* the target directory */
	bool made; /* created by this run */
	dev_t stage_dev;
	ino_t stage_ino;	   /* of TREE_STAGE; 0: not open */
	int dir;		   /* the current directory, or -1 */
	struct byte_buffer path;   /* of the current directory */
	struct tree_level *levels; /* from the root to the current directory */
	size_t depth, room;	   /* number of levels; 0: dir is -1 */
	struct exact_names names;  /* set by stage_open() */
};

/* Opens the target directory, creating it if necessary. 0 or negative errno. */
int tree_open(struct out_tree *tree, const char *path);
void tree_close(struct out_tree *tree);
/*
 * Gets a descriptor (O_PATH) of a directory by its path from the root, "" or "/a/b", without a trailing "/". Creates
 * missing directories, accessible only to their owner. Never follows symlinks. The tree owns the descriptor, valid
 * until the next call. 0 or negative errno; -ENOTDIR, -ELOOP: something else has this name;
 * -EILSEQ, -ENOTUNIQ: see exact_name_check().
 */
int tree_dir(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd);
/* The same for the parent directory of a path, and its last component, which must exist. */
int tree_parent(struct out_tree *tree, const uint8_t *path, size_t len, int *ret_fd,
		char ret_name[static SAFE_NAME_ROOM]);

#endif
