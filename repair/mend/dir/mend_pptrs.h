/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What parent pointers say of directories that have lost names. */
#ifndef XFSCK_REPAIR_MEND_PPTRS_H
#define XFSCK_REPAIR_MEND_PPTRS_H

#include "mend_dir.h"
#include "sets/ino_set.h"

/* What one parent pointer says. */
struct pptr_name {
	xino_t parent, child;
	uint32_t parent_gen;
	uint8_t ftype; /* of the child, as its mode has it */
	uint8_t namelen;
	uint8_t *name;
};

/* One more name in an array (array.h), with bytes of its own, to be freed. 0 or -ENOMEM. */
int pptr_names_add(struct pptr_name **names, size_t *room, size_t *count, const struct pptr_name *name,
		   const uint8_t *bytes);
/* By parent, then child, then name. */
int pptr_name_order(const void *a, const void *b);

/* The parent pointers that somebody wants to know of: as many at a time as fit into memory. */
struct mend_pptrs {
	struct mend *m;
	bool own;	       /* all that is asked is what inodes say themselves: they need not be known as parents */
	struct ino_set wanted; /* inodes to be asked about */
	xino_t *inos;	       /* the same, sorted, when some were collected last */
	size_t ninos;
	size_t first, end;	 /* of these the parent pointers that are known, as child or parent */
	struct pptr_name *names; /* by parent, then child */
	size_t count;
	struct pptr_name **children; /* the same by child, then parent */
};

/* This inode will be asked about: best said of all before the first question. 0 or -ENOMEM. */
int mend_pptrs_want(struct mend_pptrs *pptrs, xino_t ino);
/*
 * Have those that lead to or from this inode: mend_pptrs_confirm() only knows then.  What was handed out of others is
 * gone.  0 or negative errno.
 */
int mend_pptrs_know(struct mend_pptrs *pptrs, xino_t ino);
/* Those of a child: *ret_first[0] to [count - 1]. 0 or negative errno. */
int mend_pptrs_of_child(struct mend_pptrs *pptrs, xino_t child, struct pptr_name *const **ret_first, size_t *ret_count);
/*
 * The directory that a name is to be in, as mend_inode_decode() has it, for the caller to free: one that the last check
 * has seen, or of these others (NULL: none), in which it found something. 0 or negative errno; -ENOENT: it is none, or
 * lies below the child.
 */
int pptr_name_parent(struct mend *m, const struct pptr_name *name, const struct ino_set *others,
		     struct mend_inode *ret_parent);
/*
 * Whether a parent pointer leads to a directory that is there, and still the same one. Inodes that are asked about are
 * in use. 0 or negative errno.
 */
int mend_pptrs_is_home(const struct mend_pptrs *pptrs, const struct pptr_name *name, bool *ret_is);
/* Whether a child says that it has this name there; the directory's are known. */
bool mend_pptrs_confirm(const struct mend_pptrs *pptrs, xino_t directory, const struct dir_name *name);

/*
 * Add the names that children say they have in this directory, and that are not there.  A name that leads to another
 * inode, which does not say so, was changed: it leads to the child again.  0 or negative errno.
 */
int mend_pptrs_names(struct mend_pptrs *pptrs, xino_t directory, struct dir_names *names);
void mend_pptrs_free(struct mend_pptrs *pptrs);

#endif
