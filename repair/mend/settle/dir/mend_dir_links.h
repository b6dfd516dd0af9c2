/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories with several entries pointing to them, and inodes with none (ondisk 12, D7, D10). */
#ifndef XFSCK_REPAIR_MEND_DIR_LINKS_H
#define XFSCK_REPAIR_MEND_DIR_LINKS_H

#include "libxfs/dinode.h"
#include "mend/make/mend_pptrs.h"

/* One of several entries that point to the same directory. */
struct dir_link {
	const struct found *found; /* F_DIR_LINKED_AGAIN */
	lsn_t date;		   /* the latest LSN of what says that the entry is right; 0: unknown */
	unsigned doubt;		   /* among those with the latest date, the entry with the lowest value stays */
};

/* A directory without an entry, and its `..`. */
struct dir_orphan {
	xino_t ino, parent;
};

struct dir_links {
	struct dir_link *v; /* all such entries, by target directory; the first one for each stays */
	size_t count;
	struct dir_orphan *orphans; /* by parent */
	size_t norphans;
	const struct found **mistyped; /* entries whose type differs from their inode's, by directory and name */
	size_t nmistyped;
	/* The only orphan, if it is not a directory, and only one directory has to be mended. */
	xino_t file; /* NULL_INO: none */
	enum ftype file_type;
};

/* found: all findings that mend_dir() got; they must outlive the links. 0, then free the links; or negative errno. */
int dir_links_settle(struct mend *m, struct mend_pptrs *pptrs, const struct found *found, size_t count,
		     struct dir_links *ret_links);
void dir_links_free(struct dir_links *links);

/* Returns the only orphaned directory with this `..`; NULL_INO: none, or several. */
xino_t dir_links_orphan(const struct dir_links *links, xino_t parent);

/* True if the entry of an F_DIR_LINKED_AGAIN finding (a copy of one of those passed above) stays. */
bool dir_links_stays(const struct dir_links *links, const struct found *found);

#endif
