/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes whose names are sought, and what traversals find about them; private to name_search.c and sought.c. */
#ifndef XFSCK_REPAIR_SOUGHT_H
#define XFSCK_REPAIR_SOUGHT_H

#include "mend/base/mend_lanes.h"
#include "name_search.h"

/* Progress of an inode. */
enum stage {
	STAGE_NEW,
	STAGE_READ,   /* its parent pointers or `..` are known, but the directories were not read yet */
	STAGE_LOOKED, /* the directories were read */
};

struct sought {
	xino_t ino;
	xino_t up; /* target of `..`; 0: none */
	uint32_t links;
	enum stage stage;
	enum name_state state;
	bool asked; /* by the user; else a directory above such an inode */
	bool in_use, is_dir;
};

struct name_search {
	struct repair *rc;
	bool after_check;
	struct names *names;
	struct paths *paths; /* set at the end, when it takes over `names` */
	struct dir_table none;
	struct sought *all; /* sorted by inode number */
	size_t count, room, sorted;
	struct ino_set known; /* the inodes in `all` */
	size_t most;	      /* names kept per inode */
	struct mend_lanes answers;
	bool doubtful;
};

/* Initializes the lanes. 0 or -ENOMEM. */
int sought_begin(struct name_search *s, struct repair *rc);
/* Returns an inode in the sorted part of s->all; NULL: not there. */
struct sought *sought_find(const struct name_search *s, xino_t ino);

/* Each of these traverses, and updates s->all. 0 or negative errno. */

/* Reads the inodes themselves, and which are in use. */
int sought_read_inodes(struct name_search *s);
/* Reads the names in these directories, and those of the inodes that are sought; NULL: all. */
int sought_read_names(struct name_search *s, const struct ino_set *inos);
/* Reads all inobts for inodes in use. */
int sought_read_inobts(struct name_search *s);

#endif
