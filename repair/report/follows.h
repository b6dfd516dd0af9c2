/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a finding may follow from, and what may follow from it, so that a report can put causes first. */
#ifndef XFSCK_REPAIR_FOLLOWS_H
#define XFSCK_REPAIR_FOLLOWS_H

#include "finding.h"

enum follows {
	FOLLOWS_NOTHING, /* it stands for itself */
	FOLLOWS_INODE,	 /* from damage to the inode that it is about */
	FOLLOWS_GOT,	 /* from damage to the inode that {got} is, or to whatever hides names */
	FOLLOWS_WANT,	 /* from damage to the inode that {want} is, or to whatever hides names */
	FOLLOWS_NAMES,	 /* from damage to whatever hides names */
	FOLLOWS_SPACE,	 /* from damage to whatever hides owners of blocks, or free blocks, of the same group */
	FOLLOWS_INODES,	 /* from damage to whatever hides which inodes of the same group are in use */
	FOLLOWS_ANY,	 /* from any damage: it is a sum */
};

enum follows finding_follows(enum finding finding);

/* What is hidden from the check if an object is damaged. */
struct hides {
	bool names, space, inodes;
};

/* All false: it is no finding from which others follow. */
struct hides finding_hides(const struct found *found);

#endif
