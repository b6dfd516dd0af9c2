/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes paths of inodes from the names that lead to them, the directory table and parent pointers. */
#ifndef XFSCK_REPAIR_PATHS_H
#define XFSCK_REPAIR_PATHS_H

#include "dir_table.h"
#include "names.h"

struct names_seen;
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

struct paths;

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

#endif
