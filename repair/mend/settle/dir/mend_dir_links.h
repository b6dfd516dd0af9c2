/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories that several entries lead to, and inodes that none leads to (ondisk 12, D7, D10). */
#ifndef XFSCK_REPAIR_MEND_DIR_LINKS_H
#define XFSCK_REPAIR_MEND_DIR_LINKS_H

#include "libxfs/dinode.h"
#include "mend/make/mend_pptrs.h"

/* An entry that leads to a directory which others lead to as well. */
struct dir_link {
	const struct found *found; /* F_DIR_LINKED_AGAIN */
	unsigned doubt;		   /* the entry with the least stays */
};

/* A directory that no entry leads to, with its `..`. */
struct dir_orphan {
	xino_t ino, parent;
};

struct dir_links {
	struct dir_link *v; /* all such entries, by the directory that they lead to; the first of each stays */
	size_t count;
	struct dir_orphan *orphans; /* by parent */
	size_t norphans;
	const struct found **mistyped; /* entries with another type than what they lead to, by directory and name */
	size_t nmistyped;
	/* The inode without a name, if there is just one, which is no directory, and just one directory to be mended.
	 */
	xino_t file; /* NULL_INO: there is no such inode */
	enum ftype file_type;
};

/* found: all that mend_dir() was given, which must outlive the links. 0 or negative errno; free them after 0. */
int dir_links_settle(struct mend *m, struct mend_pptrs *pptrs, const struct found *found, size_t count,
		     struct dir_links *ret_links);
void dir_links_free(struct dir_links *links);

/* The one directory without a name whose `..` is this one; NULL_INO: there is none, or there are several. */
xino_t dir_links_orphan(const struct dir_links *links, xino_t parent);

/* Whether the entry of a finding F_DIR_LINKED_AGAIN, a copy of one of those that were given above, stays. */
bool dir_links_stays(const struct dir_links *links, const struct found *found);

#endif
