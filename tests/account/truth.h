/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts with which an account is compared. */
#ifndef XFSCK_TESTS_ACCOUNT_TRUTH_H
#define XFSCK_TESTS_ACCOUNT_TRUTH_H

#include "told.h"
#include "tree.h"

#define DAMAGED_MOST 2

struct truth {
	struct tree before, after;
	/* What the kernel shows of the damaged image: the work of the damage, not of a repair. */
	struct tree damaged[DAMAGED_MOST];
	size_t ndamaged;
	int damaged_image, repaired_image;
	struct account account;
	unsigned violations;
	uint64_t missing; /* inodes that are reported only by number of missing ones */
};

/* Reports a violation, in one line. */
__attribute__((format(printf, 2, 3))) void violation(struct truth *t, const char *format, ...);

/* True if the report says that files are missing without their names or numbers, or may be. */
bool files_are_missing(const struct truth *t);

/* True if a record says that an inode is lost. */
bool inode_is_lost(const struct truth *t, uint64_t ino);

/* True if an inode differs only by the effects of the damage itself. */
bool inode_is_whole(const struct truth *t, const struct inode *was, const struct inode *is);
/*
 * True if the kernel shows a name like this in the damaged image; a missing one (NOTHING), only if all names are
 * readable.
 */
bool is_damaged_so(const struct truth *t, uint64_t dir, const char *text, uint64_t ino);
/* True if the kernel shows the damaged image without this inode. */
bool is_damaged_away(const struct truth *t, uint64_t ino);

/* figures.c */
void compare_figures(struct truth *t);
/* names.c, inodes.c: compare in both directions. */
void compare_names(struct truth *t);
void compare_inodes(struct truth *t);

#endif
