/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds all names of given inodes and of the directories above them. With parent pointers, it follows these from each
 * inode to the root, reading only what is on the way; from directories it follows `..`. Other files are searched for in
 * all directories, in one pass.
 */
#ifndef XFSCK_REPAIR_NAME_SEARCH_H
#define XFSCK_REPAIR_NAME_SEARCH_H

#include <stdio.h>

#include "names/paths.h"

struct repair;

enum name_state {
	NAME_IN_USE,
	NAME_IMPOSSIBLE, /* no inode can have this number here */
	NAME_NO_INODE,	 /* by the inobt */
	NAME_FREE,	 /* by the inobt */
	NAME_UNREAD,	 /* in use by the inobt, but unreadable */
};

/* What is known of a requested inode. */
struct named_inode {
	xino_t ino;
	enum name_state state;
	uint32_t links; /* its link count */
	size_t names;	/* entries that name it, limited by memory */
	bool cut;	/* there may be more */
	bool is_dir;
	bool needs_name; /* in use, and neither a root nor an inode of the superblock */
};

struct name_search;

/*
 * Searches for names. after_check: the devices were checked, and repaired if possible, so everything is searched; else
 * the search ends early at damage, and name_search_doubtful() is true. 0, -ENOMEM or another negative errno.
 */
int name_search_new(struct repair *rc, const uint64_t *numbers, size_t count, bool after_check,
		    struct name_search **ret_search);
void name_search_free(struct name_search *search);
/* True if damage or a contradiction was found, so that names may be missing. */
bool name_search_doubtful(const struct name_search *search);
/* Returns what is known of a number. */
struct named_inode name_search_inode(const struct name_search *search, uint64_t number);
/* Returns the paths, for paths_each(); the search owns them. */
struct paths *name_search_paths(const struct name_search *search);

/* --name-of: prints the results of the search for run->names_asked as text and JSON. 0 or -ENOMEM. */
int name_of_tell(struct repair *rc, const struct name_search *search, FILE *out);

#endif
