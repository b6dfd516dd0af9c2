/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file system that is computed: each block of it follows from its address and from a few options, so that one of a
 * billion files takes a few megabytes of memory and no disk.
 *
 * Every group is laid out alike (group.h), and most of it is one cell, some thousand inodes and all that belongs to
 * them, again and again (cell.h).  Records of btrees are numbered, and the one of a number is found by arithmetic
 * (records.h).
 */
#ifndef XFSCK_TESTS_COMPUTED_H
#define XFSCK_TESTS_COMPUTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPUTED_PREFIX "computed:" /* of a path that names one: the options follow */

struct computed_options {
	uint64_t inodes; /* at least so many */
	uint64_t seed;
	uint64_t group_size;  /* blocks; 0: as large as is needed */
	uint32_t groups;      /* at least 2 */
	bool parent;	      /* with parent pointers */
	bool damaged;	      /* each tenth group has a damaged directory, a leaking block and a wrong link count */
	uint64_t wrong_links; /* about so many files of group 1 have a wrong link count */
	uint64_t huge_file;   /* one file has so many extents in each cell, with as many free ones between them */
	uint64_t huge_dir;    /* one directory has so many names for each file; not with parent pointers */
	uint64_t shared;      /* each cell has so many more shared ranges */
};

struct computed;

/*
 * Options as "inodes=1000000,groups=4,seed=1,parent,damaged", each of which may be left out.  False, with a sentence in
 * message: they are none.
 */
bool computed_parse(const char *text, struct computed_options *ret_options, char *message, size_t size);

/* NULL, with a sentence in message: there is no such file system, or no memory for its pattern. */
struct computed *computed_create(const struct computed_options *options, char *message, size_t size);
void computed_destroy(struct computed *computed);

uint64_t computed_bytes(const struct computed *computed); /* size of the device */

/* Compute len bytes at offset, all of them within the device; both are multiples of 512.  Any thread may ask. */
void computed_read(const struct computed *computed, void *buf, uint64_t offset, size_t len);

/*
 * The next byte from offset on, a multiple of the block size, at which a block of metadata begins, or the size of the
 * device; all else is zeroes.
 */
uint64_t computed_next(const struct computed *computed, uint64_t offset);

/* What there is, for those who want to know whether all was found. */
struct computed_facts {
	uint64_t inodes; /* in use, without the two of the realtime section */
	uint64_t directories;
	uint64_t names;	   /* entries of directories, without `.` and `..` */
	uint64_t blocks;   /* of the device */
	uint64_t metadata; /* of these, blocks of metadata */
	uint64_t wrong;	   /* findings that damage makes */
};
struct computed_facts computed_facts(const struct computed *computed);

#endif
