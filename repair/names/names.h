/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of some inodes: a sink that keeps, of all names that a traversal meets, those of the inodes that are wanted. */
#ifndef XFSCK_REPAIR_NAMES_H
#define XFSCK_REPAIR_NAMES_H

#include "sets/number_set.h"

#define NAMES_KEPT 8   /* so many names of one inode are kept: those with the smallest directory, then name */
#define NAME_BYTES 128 /* of memory, for a name that is kept */

/* A name of an inode in a directory. */
struct known_name {
	xino_t target;
	xino_t directory;
	bool former; /* it is known from a parent pointer of the inode, not from an entry of the directory */
	uint8_t len;
	unsigned visit; /* paths.c: the number of the climb that met it last */
	uint8_t bytes[];
};

struct names;

/* lanes: threads that may add at the same time. NULL: out of memory. */
struct names *names_new(unsigned lanes);
void names_free(struct names *names);
/* Keep up to so many names of each inode in place of NAMES_KEPT; to be called before there are any. */
void names_keep_more(struct names *names, size_t most);

/* Want the names of an inode from now on; not while a traversal runs. 1: added, 0: they were wanted before, or -ENOMEM.
 */
int names_want(struct names *names, xino_t ino);
/* Keep the names of an inode, in case they are wanted later. 1, 0 or -ENOMEM as above. */
int names_keep(struct names *names, xino_t ino);
/* In the next traversal, also keep the names of inodes that entries say are directories, of at most so many names. */
void names_keep_directories(struct names *names, size_t most);
/* Whether the names of all directories were kept because of that: there were no more than so many. */
bool names_know_directories(const struct names *names);
/* The inodes whose names are kept, which includes those that are wanted; and those whose names are wanted. */
const struct ino_set *names_kept(const struct names *names);
const struct ino_set *names_wanted(const struct names *names);

/* The sink that collects names; names must outlive it. key: as in struct sink. */
struct sink names_sink(struct names *names, const struct hash_key *key);

/* After a traversal: add what was collected to the known names. 0, or -ENOMEM if some of it was lost. */
int names_settle(struct names *names);

/* After names_settle(): the names of an inode, entries first, then former ones; NULL: none. */
struct known_name *const *names_of(const struct names *names, xino_t ino, size_t *ret_count);
/* Whether an entry is among these names of an inode that says what a former one of them does. */
bool names_has_entry(struct known_name *const *known, size_t count, const struct known_name *former);

#endif
