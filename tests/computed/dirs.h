/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories of a pattern, in each form. */
#ifndef XFSCK_TESTS_COMPUTED_DIRS_H
#define XFSCK_TESTS_COMPUTED_DIRS_H

#include "libxfs/bmap.h"
#include "libxfs/dir_build.h"
#include "pattern.h"

enum dir_form { DIR_SHORT, DIR_BLOCK, DIR_LEAF, DIR_NODE };

struct dir {
	struct dir_name *names; /* `.` and `..` first */
	size_t count, room;
	enum shift down, up; /* of the inodes of entries, and of the parent */
	enum dir_form form;
	uint32_t data, index, frees;	     /* blocks of the three spaces */
	uint32_t leaves;		     /* of the index; plus one block for the node, if there are several */
	uint32_t data_at, index_at, free_at; /* blocks of the pattern */
	uint64_t size;			     /* bytes, as in its inode */
};

/* Begins with `.` and `..`.  Ends the program if memory runs out, as does dir_add(). */
void dir_begin(struct dir *dir, enum shift down, enum shift up);
/* Adds a name, which must live as long as the directory; its inode may be set later. */
void dir_add(struct dir *dir, const uint8_t *name, uint8_t namelen, uint8_t ftype, uint64_t ino);
/* Determines form and numbers of blocks.  room: bytes for the short form, 0: none. */
void dir_measure(const struct geometry *g, struct dir *dir, uint32_t room);
/* Blocks of all three spaces */
uint32_t dir_blocks(const struct dir *dir);
/* The extents of a directory that is not in short form, at most three. */
uint32_t dir_extents(const struct dir *dir, struct bmap_record *records);
/* Writes the short form into a fork at byte `at` of a block.  wide: inode numbers have 64 bits.  Sets dir->size. */
void dir_put_short(struct pattern *pattern, uint32_t block, size_t at, uint32_t room, struct dir *dir, bool wide);
/* Writes its blocks; owner is relative to the pattern. */
void dir_put_blocks(struct pattern *pattern, const struct dir *dir, uint64_t owner);
void dir_end(struct dir *dir);

#endif
