/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a target holds each name as it is. Some targets store another name without an error, or find a file by
 * another name: FAT drops dots at the end; FAT, exFAT, NTFS and folders with case folding ignore case; others normalize
 * Unicode.
 */
#ifndef XFSCK_REPAIR_EXTRACT_EXACT_NAME_H
#define XFSCK_REPAIR_EXTRACT_EXACT_NAME_H

#include <sys/types.h>

#include "sets/number_set.h"

struct exact_names {
	bool folds;		/* the target does that: without it, no name is looked at */
	int trial;		/* a folder in which names are tried; -1: none */
	struct hash_key key;	/* of the sets */
	struct number_set dirs; /* names of directories that are there exactly, with their parents */
	dev_t dev;		/* the directory that was listed last ... */
	ino_t ino;
	struct number_set listed; /* ... and its names */
};

/* The folder in the staging directory that exact_names_open() creates and exact_names_close() removes. */
#define EXACT_NAMES_TRIAL "names"

/* Tries what the target does, in this directory, which is ours. 0 or negative errno. */
int exact_names_open(struct exact_names *names, int dir);
/* Removes the folder from that directory. What was found remains. */
void exact_names_close(struct exact_names *names, int dir);
void exact_names_free(struct exact_names *names);

/*
 * Checks that a name in a directory (O_PATH) is unused, or used by a file of exactly that name. 0; -EILSEQ: the target
 * holds it only as another name; -ENOTUNIQ: a file of another name is found by it; or another negative errno.
 */
int exact_name_check(struct exact_names *names, int dir, const char *name);
/* Notes a directory that was made under a name that had been checked. */
void exact_name_made_dir(struct exact_names *names, int dir, const char *name);

#endif
