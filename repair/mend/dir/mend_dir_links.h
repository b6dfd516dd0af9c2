/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories that several entries name, and who has none (ondisk 12, D7, D10). */
#ifndef XFSCK_REPAIR_MEND_DIR_LINKS_H
#define XFSCK_REPAIR_MEND_DIR_LINKS_H

#include "mend_pptrs.h"

struct dir_link {
	const struct found *found; /* F_DIR_LINKED_AGAIN */
	unsigned doubt;		   /* the least stays */
};

/* A directory that no entry leads to, with its `..`. */
struct dir_orphan {
	xino_t ino, parent;
};

struct dir_links {
	struct dir_link *v; /* all such entries: by the directory they lead to, the one that stays first */
	size_t count;
	struct dir_orphan *orphans; /* by parent */
	size_t norphans;
	/* What has no name, if that is one inode, no directory, and if one directory alone has names to be mended. */
	xino_t lone; /* NULL_INO: it is not so */
	enum ftype lone_type;
};

/* found: all that mend_dir() was given, which must outlive it. 0 or negative errno; free it after 0. */
int dir_links_settle(struct mend *m, struct mend_pptrs *pptrs, const struct found *found, size_t count,
		     struct dir_links *ret_links);
void dir_links_free(struct dir_links *links);

/* The one directory without a name whose `..` is this one; NULL_INO: there is none, or there are several. */
xino_t dir_links_orphan(const struct dir_links *links, xino_t parent);

/* Whether the entry of a finding is one that stays; it is one of those found. */
bool dir_links_stays(const struct dir_links *links, const struct found *found);

#endif
