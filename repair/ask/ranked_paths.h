/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the inodes that an answer lists. */
#ifndef XFSCK_REPAIR_RANKED_PATHS_H
#define XFSCK_REPAIR_RANKED_PATHS_H

#include <jansson.h>

#include "names/name_places.h"
#include "names/paths.h"
#include "ranking.h"

struct report_json;
struct table;

/* Bytes of memory for what is noted in the first check of names. */
size_t ranked_places_most(const struct repair *rc);
/* Make what notes in the first check where names are, so that they are found without another one. NULL: no memory. */
struct name_places *ranked_places(const struct repair *rc);
/* Find the paths of the inodes of so many rankings, in one go; for the caller to free. 0 or negative errno. */
int ranked_paths(struct repair *rc, const struct name_places *places, const struct ranking *const *rankings,
		 size_t count, struct paths **ret_paths);
/* Add a cell with the path of an inode. */
void ranked_path_cell(struct table *table, struct paths *paths, uint64_t ino);
/* Set "ino", "path" and "path_kind". */
void ranked_path_json(struct report_json *json, json_t *object, struct paths *paths, uint64_t ino);

#endif
