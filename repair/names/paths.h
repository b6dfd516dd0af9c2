/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of inodes: out of the names that lead to them, from the directory table and parent pointers. */
#ifndef XFSCK_REPAIR_PATHS_H
#define XFSCK_REPAIR_PATHS_H

#include "dir_table.h"
#include "names.h"

#define PATH_ROOM 4096 /* bytes; of a longer one the middle is left out */

enum path_kind {
	PATH_UNSOUGHT, /* nobody looked for it */
	PATH_NONE,     /* it has no name */
	PATH_WHOLE,    /* from the root: "/a/b" */
	PATH_METADATA, /* from the root of the metadata tree: "/rtgroups/0.bitmap" */
	PATH_INTERNAL, /* the superblock names it: "(user quota)" */
	PATH_PARTIAL,  /* where it begins is not known: "…/a/b" */
	PATH_FORMER,   /* no directory leads to it; it says itself where it was: "/a/b" or "…/a/b" */
};

struct path {
	enum path_kind kind;
	size_t len; /* 0 if there is none */
	uint8_t bytes[PATH_ROOM];
};

/* "whole", "metadata" ... */
const char *path_kind_name(enum path_kind kind);

struct paths;

/* Takes over names, which are settled. geo and dirs must live as long. NULL: out of memory, then names is the caller's.
 */
struct paths *paths_new(const struct geometry *geo, const struct dir_table *dirs, struct names *names);
void paths_free(struct paths *paths);

/*
 * The path of an inode whose names were wanted. Of several the smallest, those from the root first. paths NULL:
 * PATH_UNSOUGHT. For one thread.
 */
void paths_find(struct paths *paths, xino_t ino, struct path *ret_path);

/* What the superblock calls an inode that only it names: "(user quota)"; NULL: it names none such. */
const char *paths_internal(const struct geometry *geo, xino_t ino);

#endif
