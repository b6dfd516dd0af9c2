/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file system that is computed: each block follows from its address and a few options, so that one of a billion files
 * takes a few megabytes of memory and no disk.
 *
 * All groups have the same layout (group.h), and most of it is one cell, repeated: some thousand inodes and their
 * blocks (cell.h).  Records of btrees are numbered, and record n is computed from n (records.h).
 */
#ifndef XFSCK_TESTS_COMPUTED_H
#define XFSCK_TESTS_COMPUTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPUTED_PREFIX "computed:" /* prefix of a path to one: the options follow */

struct computed_options {
	uint64_t inodes; /* least number */
	uint64_t seed;
	uint64_t group_size;  /* blocks; 0: as large as necessary */
	uint32_t groups;      /* at least 2 */
	bool parent;	      /* with parent pointers */
	bool damaged;	      /* each tenth group has a damaged directory, a leaked block and a wrong link count */
	uint64_t wrong_links; /* approximate number of files of group 1 with a wrong link count */
	uint64_t huge_file;   /* number of extents of one file in each cell, with as many free ones between them */
	uint64_t huge_dir;    /* number of names for each file in one directory; not with parent pointers */
	uint64_t shared;      /* number of additional shared ranges in each cell */
};

struct computed;

/*
 * Parses options such as "inodes=1000000,groups=4,seed=1,parent,damaged", all of which are optional.  False, with a
 * sentence in message: they are invalid.
 */
bool computed_parse(const char *text, struct computed_options *ret_options, char *message, size_t size);

/* NULL, with a sentence in message: there is no such file system, or no memory for its pattern. */
struct computed *computed_create(const struct computed_options *options, char *message, size_t size);
void computed_destroy(struct computed *computed);

uint64_t computed_bytes(const struct computed *computed); /* size of the device */

/* Computes len bytes at offset, within the device; both are multiples of 512.  Thread-safe. */
void computed_read(const struct computed *computed, void *buf, uint64_t offset, size_t len);

/*
 * The next byte from offset on, a multiple of the block size, where a metadata block begins, or the size of the device;
 * everything else is zeroes.
 */
uint64_t computed_next(const struct computed *computed, uint64_t offset);

/* Its contents, to compare with the results of a check. */
struct computed_facts {
	uint64_t inodes; /* in use, without the two of the realtime section */
	uint64_t directories;
	uint64_t names;	   /* entries of directories, without `.` and `..` */
	uint64_t blocks;   /* of the device */
	uint64_t metadata; /* of these, metadata blocks */
	uint64_t wrong;	   /* findings caused by damage */
};
struct computed_facts computed_facts(const struct computed *computed);

#endif
