/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths and inode numbers that the user wants to extract, without those excluded. */
#ifndef XFSCK_REPAIR_EXTRACT_WANTED_H
#define XFSCK_REPAIR_EXTRACT_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units.h"

struct wanted_path {
	uint8_t *path; /* "" for the root, else "/a/b" */
	size_t len;
	bool met; /* a file has this path, or is below it */
};

struct wanted_ino {
	xino_t ino;
	bool met; /* such a file exists */
};

struct wanted {
	struct wanted_path *paths; /* sorted */
	size_t count, room;
	struct wanted_path *excluded; /* sorted */
	size_t nexcluded, excluded_room;
	char **patterns; /* of excluded names */
	size_t npatterns, patterns_room;
	struct wanted_ino *inos;
	size_t ninos, inos_room;
	bool all; /* the root is among the paths */
};

enum wanted_how {
	WANTED_NOT,
	WANTED_WAY, /* a directory above wanted paths */
	WANTED_YES,
};

#define WANTED_WHY 256u

/* True if --to means an archive, not a directory. */
bool wanted_is_archive(const char *to);
/*
 * Parses a list "/a,/b,133" of paths and inode numbers, with "\" before a comma or "\" in a path; or "@FILE", with
 * unescaped items that end with a NUL. excluded: likewise, or NULL; items that don't begin with "/" are patterns for
 * names. 0, or a negative errno with the reason in why.
 */
int wanted_parse(const char *list, const char *excluded, struct wanted *ret_wanted, char why[static WANTED_WHY]);
void wanted_free(struct wanted *wanted);
/* Adds a path of a file wanted by number; call wanted_sort() after the last. 0 or -ENOMEM. */
int wanted_add(struct wanted *wanted, const uint8_t *path, size_t len);
void wanted_sort(struct wanted *wanted);
/* Resets all `met` members. */
void wanted_forget(struct wanted *wanted);
/* Returns how a path is wanted, and records that it exists. */
enum wanted_how wanted_look(struct wanted *wanted, const uint8_t *path, size_t len);

#endif
