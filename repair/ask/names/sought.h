/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes whose names are searched for, and what traversals find about them: for name_search.c and sought.c only. */
#ifndef XFSCK_REPAIR_SOUGHT_H
#define XFSCK_REPAIR_SOUGHT_H

#include "mend/base/mend_lanes.h"
#include "name_search.h"

/* How far an inode has come. */
enum stage {
	STAGE_NEW,
	STAGE_READ,   /* what it says of where it is named is known, but the directories have not been asked */
	STAGE_LOOKED, /* they have */
};

struct sought {
	xino_t ino;
	xino_t up; /* where its `..` leads to; 0: nowhere */
	uint32_t links;
	enum stage stage;
	enum name_state state;
	bool asked; /* by the user; else it is a directory above such an inode */
	bool in_use, is_dir;
};

struct name_search {
	struct repair *rc;
	bool after_check;
	struct names *names;
	struct paths *paths; /* at the end: it has taken over names */
	struct dir_table none;
	struct sought *all; /* sorted by inode number */
	size_t count, room, sorted;
	struct ino_set known; /* those in `all` */
	size_t most;	      /* names of one inode that are kept */
	struct mend_lanes told;
	bool doubtful;
};

/* Have lanes for what is found. 0 or -ENOMEM. */
int sought_begin(struct name_search *s, struct repair *rc);
/* NULL: it is not in the part of s->all that is sorted. */
struct sought *sought_find(const struct name_search *s, xino_t ino);

/* The following traverse, and enter in s->all what is found. 0 or negative errno. */

/* Read which of those that are asked for are inodes in use by what they say themselves. */
int sought_read_inodes(struct name_search *s);
/* Read the names in these directories, and what the inodes among them that are sought say; NULL: in all. */
int sought_read_names(struct name_search *s, const struct ino_set *inos);
/* Read by all inobts which of those that are sought are in use. */
int sought_read_inobts(struct name_search *s);

#endif
