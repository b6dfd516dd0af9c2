/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building directories from their names (ondisk 06): each form's blocks, with checksums, dated with no LSN.  The caller
 * has the memory and knows where blocks lie; nothing is read.
 *
 * Names come with `.` and `..` as the first two.  First the data blocks are filled, in order, which gives every name
 * its address; then the names are sorted by hash (dir_name_order), for the blocks of the index, whose nodes da_build.h
 * builds.
 */
#ifndef XFSCK_LIBXFS_DIR_BUILD_H
#define XFSCK_LIBXFS_DIR_BUILD_H

#include "libxfs/da_build.h"

struct dir_name {
	xino_t ino;
	const uint8_t *name; /* 1 to 255 bytes */
	uint8_t namelen;
	uint8_t ftype;	  /* enum ftype of libxfs/dinode.h; left out where the file system has none */
	uint32_t hash;	  /* da_hashname() */
	uint32_t address; /* set by dir_build_data() and dir_build_block() */
	bool doubted;	  /* the hash index has another hash for the entry from which the name was read, */
	bool altered;	  /* and of the two, the name is what is damaged */
};

/* The bytes of the longest free region of each of a sequence of data blocks. */
struct dir_bests {
	const uint16_t *v;
	size_t count;
};

/* By hash, then address: for qsort(). */
int dir_name_order(const void *a, const void *b);

/*
 * The shortform of a directory in a fork of room bytes: *ret_size bytes of it are used.  False: it does not fit, or an
 * entry would not, once the directory has block form.
 */
bool dir_build_sf(const struct geometry *g, uint8_t *fork, uint32_t room, const struct dir_name *names, size_t count,
		  uint32_t *ret_size);

/*
 * In all that follows a block has dir_block_size bytes, all of which are set, and place says where it is and whose.
 */

/*
 * Give a block the header of such a block: the magic, and in version 5 address, uuid and owner.  Nothing else changes,
 * neither checksum nor bestfrees.
 */
void dir_build_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind);

/* Whether all names fit into the one block of a block-format directory. */
bool dir_build_fits_block(const struct geometry *g, const struct dir_name *names, size_t count);
/* Build that block. Sorts the names. */
void dir_build_block(const struct geometry *g, uint8_t *block, const struct da_expect *place, struct dir_name *names,
		     size_t count);

/*
 * Build a data block of as many names, from the first on, as fit, at least one; returns how many.  *ret_best: bytes of
 * its longest free region.
 */
size_t dir_build_data(const struct geometry *g, uint8_t *block, const struct da_expect *place, struct dir_name *names,
		      size_t count, uint16_t *ret_best);

/* How many names a leaf1 has room for beside the lengths of nbests data blocks; a leafn, with nbests 0. */
size_t dir_build_leaf_room(const struct geometry *g, size_t nbests);
/* Build a leafn, one of several leaves, from sorted names. */
void dir_build_leafn(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct dir_name *names, size_t count, struct da_siblings siblings);
/* Build a leaf1, the only leaf of a directory, from all its sorted names and the bests of all its data blocks. */
void dir_build_leaf1(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct dir_name *names, size_t count, struct dir_bests bests);

/* How many data blocks one free index block describes. */
size_t dir_build_free_room(const struct geometry *g);
/* Build the free index block for bests.count data blocks, from number firstdb on. */
void dir_build_free(const struct geometry *g, uint8_t *block, const struct da_expect *place, uint32_t firstdb,
		    struct dir_bests bests);

#endif
