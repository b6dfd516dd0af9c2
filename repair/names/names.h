/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What some inodes are called: a sink that keeps, of all names that a
 * traversal meets, those of the inodes that are wanted.
 */
#ifndef XFSCK_REPAIR_NAMES_H
#define XFSCK_REPAIR_NAMES_H

#include "sets/ino_set.h"
#include "sink.h"

#define NAMES_KEPT 8 /* of one inode: those with the smallest directory, then name */

/* A directory calls an inode so; or, if former, only the inode says so (a parent pointer). */
struct known_name {
	xino_t target;
	xino_t directory;
	bool former;
	uint8_t len;
	unsigned visit; /* paths.c: the path that went through here last */
	uint8_t bytes[];
};

struct names;

/* lanes: threads that may add at the same time. NULL: out of memory. */
struct names *names_new(unsigned lanes);
void names_free(struct names *names);

/* Names of this inode are wanted from now on; not while a traversal runs. 1: now, 0: they were already, or -ENOMEM. */
int names_want(struct names *names, xino_t ino);
/* The same of an inode that nobody wants: what it is called is there if it is wanted later. */
int names_keep(struct names *names, xino_t ino);
/* In the next traversal the same of whoever an entry says is a directory, if there are no more than so many others. */
void names_keep_directories(struct names *names, size_t most);
/* There were no more. */
bool names_know_directories(const struct names *names);
/* Those that are wanted or kept. */
const struct ino_set *names_kept(const struct names *names);
const struct ino_set *names_wanted(const struct names *names);

/* The sink that collects; names must outlive it. key: as in struct sink. */
struct sink names_sink(struct names *names, const struct hash_key *key);

/* A traversal is over: make what was collected known. 0, or -ENOMEM if some of it was lost. */
int names_settle(struct names *names);

/* After names_settle(): the names of an inode, entries first, then former ones; NULL: none. */
struct known_name *const *names_of(const struct names *names, xino_t ino, size_t *ret_count);

#endif
