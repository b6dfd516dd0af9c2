/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes paths of inodes from the names that lead to them, the directory table and parent pointers. */
#ifndef XFSCK_REPAIR_PATHS_H
#define XFSCK_REPAIR_PATHS_H

#include "dir_table.h"
#include "sets/number_set.h"

struct names;
struct names_seen;
struct paths;
struct repair;

#define PATH_ROOM 4096 /* bytes; the middle of longer paths is left out */

enum path_kind {
	PATH_UNSOUGHT, /* it was not looked for */
	PATH_NONE,     /* it has no name */
	PATH_WHOLE,    /* from the root: "/a/b" */
	PATH_METADATA, /* from the root of the metadata tree: "/rtgroups/0.bitmap" */
	PATH_INTERNAL, /* the superblock names it: "(user quota)" */
	PATH_PARTIAL,  /* its beginning is not known: "…/a/b" */
	PATH_FORMER,   /* some name on it is known only from a parent pointer: where it was, "/a/b" or "…/a/b" */
};

struct path {
	enum path_kind kind;
	size_t len;	/* 0 if there is none */
	bool shortened; /* names in its middle are left out */
	uint8_t bytes[PATH_ROOM];
};

/* "whole", "metadata" ... */
const char *path_kind_name(enum path_kind kind);

/*
 * Takes over names, which must be settled.  geo and dirs must live as long.  NULL: out of memory; then the caller still
 * has to free names.
 */
struct paths *paths_new(const struct geometry *geo, const struct dir_table *dirs, struct names *names);
void paths_free(struct paths *paths);

/*
 * The path of an inode whose names were wanted; if it has several, the best kind in the order of enum path_kind, and of
 * these the smallest.  PATH_UNSOUGHT if its names were not wanted, or paths is NULL.  Only one thread may call it at a
 * time.
 */
void paths_find(struct paths *paths, xino_t ino, struct path *ret_path);

/*
 * Tell all paths of an inode whose names were wanted, one for each of its names, in no order.  Of those that are known
 * from a parent pointer, only those that no entry has are told.
 */
void paths_each(struct paths *paths, xino_t ino, void (*each)(void *ctx, const struct path *path), void *ctx);

/* Add the directories that have an entry for an inode whose names were wanted. 0 or -ENOMEM. */
int paths_directories(const struct paths *paths, xino_t ino, struct ino_set *directories);

/* For an inode that only the superblock names, what it is: "(user quota)"; NULL: it is no such inode. */
const char *paths_internal(const struct geometry *geo, xino_t ino);

/*
 * Find the paths of these inodes, in what the devices show now; for the caller to free.  near: directories that are
 * read first, since all their names are likely to be there; NULL: none is known. 0 or -errno.
 */
int paths_seek(struct repair *rc, const struct ino_set *inos, const struct ino_set *near, struct paths **ret_paths);
/* The same where all names have been seen: only if one of the inodes has none, the devices are looked at. */
int paths_seek_seen(struct repair *rc, const struct ino_set *inos, const struct names_seen *seen,
		    struct paths **ret_paths);

/* Names of some inodes: a sink that keeps, of all names that a traversal meets, those of the inodes that are wanted. */

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
