/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parent pointers, looked up by parent or by child for menders of directories, and names that directories lack. */
#ifndef XFSCK_REPAIR_MEND_PPTRS_H
#define XFSCK_REPAIR_MEND_PPTRS_H

#include "sets/number_set.h"

struct dir_name;
struct dir_names;
struct mend_inode;

/* The content of a parent pointer. */
struct pptr_name {
	xino_t parent, child;
	uint32_t parent_gen;
	uint8_t ftype; /* of the child, by its mode */
	uint8_t namelen;
	uint8_t *name;
};

/* Adds a name to an array (array.h), with a copy of its bytes, which the caller frees. 0 or -ENOMEM. */
int pptr_names_add(struct pptr_name **names, size_t *room, size_t *count, const struct pptr_name *name,
		   const uint8_t *bytes);
/* Compares by parent, then child, then name. */
int pptr_name_order(const void *a, const void *b);

/*
 * The parent pointers of and to given inodes: those of as many inodes at a time as fit into memory.  Start with { .m =
 * }.
 */
struct mend_pptrs {
	struct mend *m;
	bool own; /* only parent pointers in these inodes are needed, not those that name them as parents */
	struct ino_set wanted; /* all inodes that will be queried */
	xino_t *inos;	       /* the same, sorted, when parent pointers were last collected */
	size_t ninos;
	size_t first, end;	 /* parent pointers of and to inos[first] to [end - 1] are in memory */
	struct pptr_name *names; /* by parent, then child */
	size_t count;
	struct pptr_name **children; /* the same by child, then parent */
};

/* Announces that this inode will be queried, ideally before the first query. 0 or -ENOMEM. */
int mend_pptrs_want(struct mend_pptrs *pptrs, xino_t ino);
/*
 * Loads the parent pointers of and to this inode, as mend_pptrs_confirm() needs them.  May free those returned before.
 * 0 or negative errno.  If those of this inode alone don't fit into memory, returns 0 with none.
 */
int mend_pptrs_know(struct mend_pptrs *pptrs, xino_t ino);
/* Gets the parent pointers of a child: (*ret_first)[0 .. *ret_count - 1], until the next query. 0 or negative errno. */
int mend_pptrs_of_child(struct mend_pptrs *pptrs, xino_t child, struct pptr_name *const **ret_first, size_t *ret_count);
/*
 * Gets the parent pointers that name a directory, in *ret_first, until the next query; returns how many.  Call
 * mend_pptrs_know() for the directory before.
 */
size_t mend_pptrs_to_directory(const struct mend_pptrs *pptrs, xino_t directory, const struct pptr_name **ret_first);
/*
 * Decodes the directory that a parent pointer names (mend_inode_decode()), for the caller to free.  It must be in the
 * last check's table of directories, or in `others` (NULL: none).  0; -ENOENT: not a directory, or below the child; or
 * another negative errno.
 */
int pptr_name_parent(struct mend *m, const struct pptr_name *name, const struct ino_set *others,
		     struct mend_inode *ret_parent);
/*
 * Sets *ret_is if a parent pointer names an existing directory of the same generation.  Wanted inodes count as in use.
 * 0 or negative errno.
 */
int mend_pptrs_is_home(const struct mend_pptrs *pptrs, const struct pptr_name *name, bool *ret_is);
/* True if the inode of an entry has a parent pointer for it. Call mend_pptrs_know() for the directory before. */
bool mend_pptrs_confirm(const struct mend_pptrs *pptrs, xino_t directory, const struct dir_name *name);

/*
 * Adds the names that parent pointers have and the directory lacks.  If an entry for the child has a garbled name,
 * renames it.  If the name belongs to an inode without a parent pointer for it, points it to the child.  0 or negative
 * errno.
 */
int mend_pptrs_names(struct mend_pptrs *pptrs, xino_t directory, struct dir_names *names);
void mend_pptrs_free(struct mend_pptrs *pptrs);

#endif
