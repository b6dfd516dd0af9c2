/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mounted file system as the kernel shows it: its names, and its inodes with everything that a user can see. */
#ifndef XFSCK_TESTS_ACCOUNT_TREE_H
#define XFSCK_TESTS_ACCOUNT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Fields of an inode, named as in the records of --json: x(symbol, id) */
#define FIELDS(x)                                                                                                      \
	x(MODE, "mode") x(UID, "owner") x(GID, "group") x(PROJECT, "project") x(SIZE, "size") x(ATIME, "access time")  \
		x(MTIME, "modification time") x(CTIME, "change time") x(BTIME, "creation time")                        \
			x(GENERATION, "generation") x(FLAGS, "flags") x(FLAGS2, "more flags")                          \
				x(EXTSIZE, "extent size hint") x(COWEXTSIZE, "copy-on-write extent size hint")

enum field {
#define x(symbol, id) FIELD_##symbol,
	FIELDS(x)
#undef x
		FIELD_NR,
};

const char *field_id(enum field field);

struct name {
	uint64_t dir, ino;
	char *text;
};

struct attribute {
	char *name; /* as the kernel lists it: "user.x" */
	uint32_t hash;
	ssize_t len; /* negative: unreadable */
};

struct inode {
	uint64_t ino;
	uint64_t field[FIELD_NR]; /* a time: seconds */
	uint32_t nanoseconds[FIELD_NR];
	unsigned known; /* bits of the fields that are visible */
	unsigned nlink;
	dev_t device;
	char *path;   /* one of its paths, relative to the root; "." is the root */
	char *target; /* of a symbolic link; NULL: none, or unreadable */
	struct attribute *attributes;
	size_t nattributes;
	bool no_attributes; /* they are unreadable */
	bool no_names;	    /* of a directory: not all of them are readable */
};

struct tree {
	int root;
	struct name *names;   /* sorted by directory, then text */
	struct inode *inodes; /* sorted by number */
	size_t nnames, ninodes, names_room, inodes_room;
	unsigned unreadable; /* number of inodes and directories */
};

/* Reads everything below a folder.  Unreadable objects are counted and skipped.  Ends the program if it can't begin. */
void tree_read(struct tree *tree, const char *folder);

/* NULL: none. */
const struct name *tree_name(const struct tree *tree, uint64_t dir, const char *text);
const struct inode *tree_inode(const struct tree *tree, uint64_t ino);
const struct attribute *inode_attribute(const struct inode *inode, const char *name);

/* Opens a file for reading; negative on failure. */
int tree_open(const struct tree *tree, const struct inode *inode);

/* True if both have the same value of a field, or if it is unknown in one of them. */
bool same_field(const struct inode *a, const struct inode *b, enum field field);
bool same_attribute(const struct attribute *a, const struct attribute *b);
bool same_target(const struct inode *a, const struct inode *b);

#endif
