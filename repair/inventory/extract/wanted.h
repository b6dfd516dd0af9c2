/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths that the user wants. */
#ifndef XFSCK_REPAIR_EXTRACT_WANTED_H
#define XFSCK_REPAIR_EXTRACT_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wanted_path {
	uint8_t *path; /* "" for the root, else "/a/b" */
	size_t len;
	bool met; /* a file has it, or is below it */
};

struct wanted {
	struct wanted_path *paths;
	size_t count, room;
	bool all; /* the root is among them */
};

enum wanted_how {
	WANTED_NOT,
	WANTED_WAY, /* it is a directory that leads to what is wanted */
	WANTED_YES,
};

/* True if what --to names is an archive, and no folder. */
bool wanted_is_archive(const char *to);
/* Parse a list of paths, "/a,/b": a comma in a path has a "\" in front, as has a "\".  0, -ENOMEM or -EINVAL. */
int wanted_parse(const char *list, struct wanted *w);
void wanted_free(struct wanted *wanted);
/* Whether this path is wanted, and remember that it was met. */
enum wanted_how wanted_look(struct wanted *wanted, const uint8_t *path, size_t len);

#endif
