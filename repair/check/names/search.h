/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches for names of inodes and of the directories above them: near the inodes first, then in all directories. */
#ifndef XFSCK_REPAIR_SEARCH_H
#define XFSCK_REPAIR_SEARCH_H

#include <pthread.h>

#include "names/noted.h"
#include "names/paths.h"

struct repair;
struct traverse;

/* Start with search_begin(). */
struct search {
	struct repair *rc;
	struct names *names;
	struct ino_set nameless;	 /* inodes without any entry, by findings */
	const struct ino_set *hints;	 /* directories to search first; NULL: none */
	const struct names_noted *noted; /* all names, searched before anything is read; NULL: none are there */
	/* names and parent pointers of wanted inodes and of all directories: directories are not read for these */
	const struct names_noted *whole;

	/*
	 * For all names of each inode, and parent pointers that match: true if any of that is missing.  NULL: one name
	 * will do.
	 */
	bool (*lacks)(const struct search *s, xino_t ino);
	bool wary;     /* stop at damage, ... */
	bool doubtful; /* ... which is noted here */

	/* private */
	struct ino_set itself;	/* inodes that were traversed for their own parent pointers and `..` */
	struct ino_set asked;	/* inodes whose entries were looked for in the directories that they point to */
	struct ino_set sought;	/* inodes whose names were looked for in all directories */
	size_t reads;		/* inodes that were traversed one by one */
	bool cut;		/* there were more of them than are worth it */
	struct dir_parent *ups; /* without a table of directories: `..` of wanted directories; sorted */
	size_t nups, ups_room;
	int error;			/* of adding to them */
	pthread_mutex_t lock;		/* for adding to them */
	bool sought_dirs;		/* the names of all directories were looked for there, too */
	struct traverse *near_traverse; /* for searching near the inodes; NULL: not made yet */
	xino_t *fresh;			/* inodes added since want_ancestors() emptied this list */
	size_t nfresh, fresh_room;
};

/* Makes a search in the current view of the devices.  Returns 0 or -ENOMEM. */
int search_begin(struct search *s, struct repair *rc);
/* Wants the names of an inode, except of roots and inodes that the superblock names.  Returns 0 or -ENOMEM. */
int search_want(struct search *s, xino_t ino);
/* Finds the names of wanted inodes.  Returns 0 or a negative errno. */
int search_run(struct search *s);
/* Notes whether a traversal of a wary search came upon damage. */
void search_doubt(struct search *s, const struct traverse *t);
/*
 * Ends the search, and returns the paths of the wanted inodes, for the caller to free, unless ret, from searching, is
 * negative.  Returns 0 or a negative errno.
 */
int search_end(struct search *s, int ret, struct paths **ret_paths);

/*
 * Finds the paths of these inodes, in the current view of the devices, for the caller to free.  near: directories that
 * are read first, since they probably have all the names; NULL: none.  whole: as in struct search; NULL: none were
 * noted, or not all.  Returns 0 or a negative errno.
 */
int paths_seek(struct repair *rc, const struct ino_set *inos, const struct ino_set *near,
	       const struct names_noted *whole, struct paths **ret_paths);
/*
 * Makes a collection of names, to be filled during a check: of entries, if there is room for all, unless the names of
 * few inodes will be needed.  Returns NULL if memory is out.
 */
struct names_noted *search_noted(const struct repair *rc, bool few);
/* As paths_seek(), with the names that were noted: if all were, reads the devices only for inodes without any. */
int paths_seek_noted(struct repair *rc, const struct ino_set *inos, const struct names_noted *noted,
		     struct paths **ret_paths);

/* Finds the inode of an absolute path, without following symlinks.  Returns 0, -ENOENT, or another negative errno. */
int resolve_path(const struct repair *rc, const char *path, xino_t *ret_ino);

#endif
