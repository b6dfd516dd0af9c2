/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an account is held against. */
#ifndef XFSCK_TESTS_ACCOUNT_TRUTH_H
#define XFSCK_TESTS_ACCOUNT_TRUTH_H

#include "told.h"
#include "tree.h"

#define DAMAGED_MOST 2

struct truth {
	struct tree before, after;
	/* What the kernel shows of the damaged image: what is there so already, the damage has done, and no repair. */
	struct tree damaged[DAMAGED_MOST];
	size_t ndamaged;
	int damaged_image, repaired_image;
	struct account account;
	unsigned violations;
	uint64_t missing; /* inodes that nothing is told of, but their number */
};

/* Report something that is amiss, in one line. */
__attribute__((format(printf, 2, 3))) void violation(struct truth *t, const char *format, ...);

/* True if an inode is told to be lost. */
bool inode_is_lost(const struct truth *t, uint64_t ino);

/* True if nothing of an inode differs but what the damage itself has made so. */
bool inode_is_whole(const struct truth *t, const struct inode *was, const struct inode *is);
/* True if the kernel shows a name so in the damaged image; that there is none, only if all names can be read. */
bool is_damaged_so(const struct truth *t, uint64_t dir, const char *text, uint64_t ino);
/* True if the kernel shows the damaged image without this inode. */
bool is_damaged_away(const struct truth *t, uint64_t ino);

/* figures.c */
void compare_figures(struct truth *t);
/* names.c, inodes.c: both ways. */
void compare_names(struct truth *t);
void compare_inodes(struct truth *t);

#endif
