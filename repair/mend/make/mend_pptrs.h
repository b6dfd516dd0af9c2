/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parent pointers as menders of directories ask for them: by parent or by child, and names that directories lack. */
#ifndef XFSCK_REPAIR_MEND_PPTRS_H
#define XFSCK_REPAIR_MEND_PPTRS_H

#include "sets/number_set.h"

struct dir_name;
struct dir_names;
struct mend_inode;

/* What one parent pointer says. */
struct pptr_name {
	xino_t parent, child;
	uint32_t parent_gen;
	uint8_t ftype; /* of the child, as its mode has it */
	uint8_t namelen;
	uint8_t *name;
};

/* Add a name to an array (array.h), with a copy of its bytes, which the caller frees. 0 or -ENOMEM. */
int pptr_names_add(struct pptr_name **names, size_t *room, size_t *count, const struct pptr_name *name,
		   const uint8_t *bytes);
/* By parent, then child, then name. */
int pptr_name_order(const void *a, const void *b);

/* Parent pointers of and to certain inodes: those of as many inodes at a time as fit into memory. Start with { .m = }.
 */
struct mend_pptrs {
	struct mend *m;
	bool own;	       /* only what inodes say themselves is asked for, not what leads to them as parents */
	struct ino_set wanted; /* all inodes that will be asked about */
	xino_t *inos;	       /* the same, sorted, as they were when parent pointers were collected last */
	size_t ninos;
	size_t first, end;	 /* parent pointers of and to inos[first] to [end - 1] are in memory */
	struct pptr_name *names; /* these, by parent, then child */
	size_t count;
	struct pptr_name **children; /* the same by child, then parent */
};

/* Announce that this inode will be asked about, best of all inodes before the first question. 0 or -ENOMEM. */
int mend_pptrs_want(struct mend_pptrs *pptrs, xino_t ino);
/*
 * Have the parent pointers of and to this inode in memory, as mend_pptrs_confirm() needs them.  Those of others that
 * were returned before may be freed by this.  0 or negative errno; also 0 if those of this inode alone don't fit into
 * memory: then none are known.
 */
int mend_pptrs_know(struct mend_pptrs *pptrs, xino_t ino);
/* The parent pointers of a child: (*ret_first)[0] to [*ret_count - 1], until the next question. 0 or negative errno. */
int mend_pptrs_of_child(struct mend_pptrs *pptrs, xino_t child, struct pptr_name *const **ret_first, size_t *ret_count);
/*
 * The directory that a parent pointer names, by mend_inode_decode(), for the caller to free.  It must be one that the
 * last check has in its table of directories, or one of `others` (NULL: none).  0; -ENOENT: it is no directory, or lies
 * below the child; or another negative errno.
 */
int pptr_name_parent(struct mend *m, const struct pptr_name *name, const struct ino_set *others,
		     struct mend_inode *ret_parent);
/*
 * Whether a parent pointer leads to a directory that is there, and has the same generation still.  Wanted inodes count
 * as in use.  0 or negative errno.
 */
int mend_pptrs_is_home(const struct mend_pptrs *pptrs, const struct pptr_name *name, bool *ret_is);
/* Whether the inode that a name leads to has a parent pointer for it; after mend_pptrs_know() of the directory. */
bool mend_pptrs_confirm(const struct mend_pptrs *pptrs, xino_t directory, const struct dir_name *name);

/*
 * Add to a directory's names those that parent pointers have and that are missing.  If an entry with such a name leads
 * to another inode, which has no parent pointer for it, it is changed to lead to the child.  0 or negative errno.
 */
int mend_pptrs_names(struct mend_pptrs *pptrs, xino_t directory, struct dir_names *names);
void mend_pptrs_free(struct mend_pptrs *pptrs);

#endif
