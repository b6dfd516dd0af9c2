/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds all names of some inodes, and those of the directories above them.  Where there are parent pointers, these lead
 * from each inode up to the root, and only what lies on the way is read; so it is by `..` from a directory.  Other
 * files are looked for in all directories, in one pass.
 */
#ifndef XFSCK_REPAIR_NAME_SEARCH_H
#define XFSCK_REPAIR_NAME_SEARCH_H

#include "names/paths.h"

struct repair;

enum name_state {
	NAME_IN_USE,
	NAME_IMPOSSIBLE, /* no inode can have this number here */
	NAME_NO_INODE,	 /* no inode is there, by the inobt */
	NAME_FREE,	 /* by the inobt */
	NAME_UNREAD,	 /* it is in use by the inobt, but can't be read */
};

/* What has become known of an inode that is asked for. */
struct named_inode {
	xino_t ino;
	enum name_state state;
	uint32_t links; /* its link count */
	size_t names;	/* entries that name it, as far as they are kept */
	bool cut;	/* there may be more of them */
	bool is_dir;
	bool needs_name; /* it is in use, and it is no root, and no inode that the superblock names */
};

struct name_search;

/*
 * Search.  after_check: what the devices show has been checked, and mended where that can be done, so all that can be
 * found is looked for; else the search ends early where it meets damage, and name_search_doubtful() says so.
 * -ENOMEM or another negative errno.
 */
int name_search_new(struct repair *rc, const uint64_t *numbers, size_t count, bool after_check,
		    struct name_search **ret_search);
void name_search_free(struct name_search *search);
/* Whether anything was damaged, missing or contradicts something else, so that what was found need not be all. */
bool name_search_doubtful(const struct name_search *search);
/* What is known of one of the numbers. */
struct named_inode name_search_inode(const struct name_search *search, uint64_t number);
/* Their paths, for paths_each(). */
struct paths *name_search_paths(const struct name_search *search);

#endif
