/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of a cell: its inodes, and the places of their blocks.  For the files that create cells. */
#ifndef XFSCK_TESTS_COMPUTED_PLAN_H
#define XFSCK_TESTS_COMPUTED_PLAN_H

#include "attrs.h"
#include "cell.h"
#include "dirs.h"
#include "libxfs/dinode.h"

#define LINKS_MAX 2u
#define NAME_ROOM 32u

struct link {
	uint32_t parent; /* index of a directory */
	uint8_t name[NAME_ROOM];
	uint8_t namelen;
};

/* An inode of the plan, by its index: inode index % 64 of chunk index / 64. */
struct file {
	bool used;
	enum ftype ftype;
	uint32_t nlink, gen;
	struct link links[LINKS_MAX];
	uint32_t nlinks;
	struct dir dir; /* of a directory */
	uint32_t room;	/* number of names that it may have */
	struct bmap_record *map;
	uint32_t extents, extents_room;
	uint32_t bmbt_at, bmbt_leaves; /* 0: the extents are in the inode */
	uint64_t size;
	uint32_t target; /* bytes of a symlink */
	bool shares;	 /* some blocks are shared */
	struct attrs attrs;
};

struct plan {
	const struct geometry *geo;
	struct cell_options options;
	uint64_t random;
	struct file *files;	      /* CELL_INODES */
	uint32_t chunks[CELL_CHUNKS]; /* first blocks */
	uint32_t cursor, gap;	      /* end of the blocks in use, and free ones right before it */
	struct cell *cell;
};

/* A number below `below` */
uint32_t plan_random(struct plan *plan, uint32_t below);
/* Chooses inodes, directories and names. */
void plan_files(struct plan *plan);
/* Chooses their places, and records the btree records. */
void plan_space(struct plan *plan);
/* Writes the cell. */
void plan_write(struct plan *plan, struct pattern *pattern, bool wide);

/* True for the few files whose extents need a bmbt. */
bool plan_is_fragmented(uint32_t index);
/* The inode's number, relative to the cell. */
uint64_t plan_ino(const struct plan *plan, uint32_t index);
/* Bytes of the data fork */
uint32_t plan_fork_room(const struct plan *plan, const struct file *file);

#endif
