/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds paths of the inodes that an answer lists. */
#ifndef XFSCK_REPAIR_RANKED_PATHS_H
#define XFSCK_REPAIR_RANKED_PATHS_H

#include "names/name_places.h"
#include "names/paths.h"
#include "ranking.h"

/* Returns the bytes of memory for where names are, as noted during the first check. */
size_t ranked_places_most(const struct repair *rc);
/* Creates the record of where names are, filled in the first check to save a traversal. NULL: out of memory. */
struct name_places *ranked_places(const struct repair *rc);
/* Finds the paths of the inodes in `count` rankings; the caller frees them. 0 or negative errno. */
int ranked_paths(struct repair *rc, const struct name_places *places, const struct ranking *const *rankings,
		 size_t count, struct paths **ret_paths);

#endif
