/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds directories from their entries (ondisk 06): the blocks of each form, with checksums and without an LSN.  The
 * caller provides memory and block addresses; nothing is read.
 *
 * `.` and `..` are the first two names.  Data blocks are built first, in order, which gives every name its address.
 * Then the names are sorted by hash (dir_name_order) for the blocks of the index; da_build.h builds its nodes.
 */
#ifndef XFSCK_LIBXFS_DIR_BUILD_H
#define XFSCK_LIBXFS_DIR_BUILD_H

#include "libxfs/da_build.h"

struct dir_name {
	xino_t ino;
	const uint8_t *name; /* 1 to 255 bytes */
	uint8_t namelen;
	uint8_t ftype;	  /* enum ftype of libxfs/dinode.h; left out if the file system has none */
	uint32_t hash;	  /* da_hashname() */
	uint32_t address; /* set by dir_build_data() and dir_build_block() */
	bool doubted;	  /* the hash index has another hash for the entry with this name, ... */
	bool altered;	  /* ... and the name is the damaged one of the two */
	bool unconfirmed; /* ... and either of the two may be damaged */
};

/* The longest free region of each of a sequence of data blocks, in bytes. */
struct dir_bests {
	const uint16_t *v;
	size_t count;
};

/* Compares by hash, then address, for qsort(). */
int dir_name_order(const void *a, const void *b);

/*
 * Builds the shortform of a directory in a fork of room bytes and sets *ret_size, the bytes used.  False: it does not
 * fit, or an entry would not when the directory is converted to block form.
 */
bool dir_build_sf(const struct geometry *g, uint8_t *fork, uint32_t room, const struct dir_name *names, size_t count,
		  uint32_t *ret_size);

/* Below, a block has dir_block_size bytes, all of which are set, and place is its address and owner. */

/*
 * Sets the header of a block: the magic, and in version 5 address, uuid and owner.  Does not change anything else,
 * neither checksum nor bestfree.
 */
void dir_build_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind);

/* True if all names fit into the one block of a block-format directory. */
bool dir_build_fits_block(const struct geometry *g, const struct dir_name *names, size_t count);
/* Builds that block.  Sorts the names. */
void dir_build_block(const struct geometry *g, uint8_t *block, const struct da_expect *place, struct dir_name *names,
		     size_t count);

/*
 * Builds a data block of as many names, from the first on, as fit, at least one; returns their number.  *ret_best: its
 * longest free region in bytes.
 */
size_t dir_build_data(const struct geometry *g, uint8_t *block, const struct da_expect *place, struct dir_name *names,
		      size_t count, uint16_t *ret_best);

/* Capacity in names of a leaf1 with the bests of nbests data blocks; of a leafn, if nbests is 0. */
size_t dir_build_leaf_room(const struct geometry *g, size_t nbests);
/* Builds a leafn, one of several leaves, from sorted names. */
void dir_build_leafn(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct dir_name *names, size_t count, struct da_siblings siblings);
/* Builds a leaf1, the only leaf of a directory, from all its sorted names and the bests of all its data blocks. */
void dir_build_leaf1(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct dir_name *names, size_t count, struct dir_bests bests);

/* Number of data blocks in one free index block. */
size_t dir_build_free_room(const struct geometry *g);
/* Builds the free index block for bests.count data blocks, from number firstdb on. */
void dir_build_free(const struct geometry *g, uint8_t *block, const struct da_expect *place, uint32_t firstdb,
		    struct dir_bests bests);

#endif
