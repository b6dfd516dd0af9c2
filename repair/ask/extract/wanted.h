/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user wants to be extracted: paths and inode numbers, without what is excluded. */
#ifndef XFSCK_REPAIR_EXTRACT_WANTED_H
#define XFSCK_REPAIR_EXTRACT_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct wanted_path {
	uint8_t *path; /* "" for the root, else "/a/b" */
	size_t len;
	bool met; /* a file has it, or is below it */
};

struct wanted_ino {
	xino_t ino;
	bool met; /* there is such a file */
};

struct wanted {
	struct wanted_path *paths; /* sorted */
	size_t count, room;
	struct wanted_path *excluded; /* sorted */
	size_t nexcluded, excluded_room;
	char **patterns; /* that exclude names */
	size_t npatterns, patterns_room;
	struct wanted_ino *inos;
	size_t ninos, inos_room;
	bool all; /* the root is among the paths */
};

enum wanted_how {
	WANTED_NOT,
	WANTED_WAY, /* it is a directory that leads to what is wanted */
	WANTED_YES,
};

#define WANTED_WHY 256u

/* True if what --to names is an archive, and no folder. */
bool wanted_is_archive(const char *to);
/*
 * Parse what is wanted: a list "/a,/b,133" of paths and inode numbers, where a comma in a path has a "\" in front, as
 * has a
 * "\"; or "@FILE", with such paths and numbers in the file, as they are, each with a NUL behind it.  excluded: a list
 * of the same kind, or NULL; what does not begin with "/" is a pattern of names.  0, or a negative errno with the
 * reason in why.
 */
int wanted_parse(const char *list, const char *excluded, struct wanted *ret_wanted, char why[static WANTED_WHY]);
void wanted_free(struct wanted *wanted);
/* Add a path of a file whose number is wanted; wanted_sort() when all are added. 0 or -ENOMEM. */
int wanted_add(struct wanted *wanted, const uint8_t *path, size_t len);
void wanted_sort(struct wanted *wanted);
/* Begin again: nothing was met so far. */
void wanted_forget(struct wanted *wanted);
/* Say how this path is wanted, and remember that it was met. */
enum wanted_how wanted_look(struct wanted *wanted, const uint8_t *path, size_t len);

#endif
