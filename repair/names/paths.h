/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes paths of inodes from their names, the table of directories and parent pointers. */
#ifndef XFSCK_REPAIR_PATHS_H
#define XFSCK_REPAIR_PATHS_H

#include "dir_table.h"
#include "sets/number_set.h"

struct names;
struct paths;

#define PATH_ROOM 4096 /* bytes; the middle of longer paths is left out */

enum path_kind {
	PATH_UNSOUGHT, /* its names were not looked for */
	PATH_NONE,     /* it has no name */
	PATH_WHOLE,    /* from the root: "/a/b" */
	PATH_METADATA, /* from the root of the metadata tree: "/rtgroups/0.bitmap" */
	PATH_INTERNAL, /* the superblock names it: "(user quota)" */
	PATH_PARTIAL,  /* the start is unknown: "…/a/b" */
	PATH_FORMER,   /* some name is known only from a parent pointer: the former path, "/a/b" or "…/a/b" */
};

struct path {
	enum path_kind kind;
	size_t len;	/* 0: no path */
	bool shortened; /* names in its middle are left out */
	uint8_t bytes[PATH_ROOM];
};

/* Returns "whole", "metadata" ... */
const char *path_kind_name(enum path_kind kind);

/*
 * Makes paths, and takes over the names, which must be settled.  geo and dirs must outlive it.  NULL: out of memory;
 * then the caller still has to free the names.
 */
struct paths *paths_new(const struct geometry *geo, const struct dir_table *dirs, struct names *names);
void paths_free(struct paths *paths);

/*
 * Finds the path of an inode whose names were wanted: of several, the best kind by enum path_kind, and of these the
 * smallest.  PATH_UNSOUGHT if its names were not wanted, or paths is NULL.  Only one thread may call it at a time.
 */
void paths_find(struct paths *paths, xino_t ino, struct path *ret_path);

/*
 * Calls each() with all paths of an inode whose names were wanted, one for each of its names, in no order.  Names from
 * parent pointers are skipped if an entry has the same name.
 */
void paths_each(struct paths *paths, xino_t ino, void (*each)(void *ctx, const struct path *path), void *ctx);

/* Adds the directories that have an entry for an inode whose names were wanted.  Returns 0 or -ENOMEM. */
int paths_directories(const struct paths *paths, xino_t ino, struct ino_set *directories);

/* Returns the description of an inode that only the superblock names: "(user quota)"; NULL: it is not such an inode. */
const char *paths_internal(const struct geometry *geo, xino_t ino);

/* Names of some inodes: a sink that keeps the names of wanted inodes. */

#define NAMES_KEPT 8   /* names of one inode that are kept: those with the smallest directory, then name */
#define NAME_BYTES 128 /* of memory, for a name that is kept */

/* A name of an inode in a directory. */
struct known_name {
	xino_t target;
	xino_t directory;
	bool former; /* from a parent pointer of the inode, not from an entry of the directory */
	uint8_t len;
	unsigned visit; /* paths.c: the number of the last climb that used it */
	uint8_t bytes[];
};

/* Makes an empty collection.  workers: threads that may add at the same time.  Returns NULL if memory is out. */
struct names *names_new(unsigned workers);
void names_free(struct names *names);
/* Keeps up to so many names of each inode instead of NAMES_KEPT.  Call it before there are any. */
void names_keep_more(struct names *names, size_t most);

/* Wants the names of an inode from now on; not during a traversal.  Returns 1: added, 0: already wanted, or -ENOMEM. */
int names_want(struct names *names, xino_t ino);
/* Keeps the names of an inode, which may be wanted later.  Returns 1, 0 or -ENOMEM as above. */
int names_keep(struct names *names, xino_t ino);
/* Also keeps the names of inodes that are directories by their entries, in the next traversal, but at most so many. */
void names_keep_directories(struct names *names, size_t most);
/* True if that kept the names of all directories: there were not too many. */
bool names_know_directories(const struct names *names);
/* Return the inodes whose names are kept, which include the wanted ones; and the wanted ones. */
const struct ino_set *names_kept(const struct names *names);
const struct ino_set *names_wanted(const struct names *names);

/* Returns the sink that collects names; names must outlive it.  key: as in struct sink. */
struct sink names_sink(struct names *names, const struct hash_key *key);

/* Adds the collected names to the known names, after a traversal.  Returns 0, or -ENOMEM if some were lost. */
int names_settle(struct names *names);

/* Returns the names of an inode after names_settle(): entries first, then former ones; NULL: none. */
struct known_name *const *names_of(const struct names *names, xino_t ino, size_t *ret_count);
/* True if these names of an inode have an entry equal to one of its former names. */
bool names_has_entry(struct known_name *const *known, size_t count, const struct known_name *former);

#endif
