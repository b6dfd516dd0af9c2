/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the inodes that an answer lists. */
#ifndef XFSCK_REPAIR_RANKED_PATHS_H
#define XFSCK_REPAIR_RANKED_PATHS_H

#include "names/name_places.h"
#include "names/paths.h"
#include "ranking.h"

/* Bytes of memory for what is noted in the first check of names. */
size_t ranked_places_most(const struct repair *rc);
/* Make what notes in the first check where names are, so that they are found without another one. NULL: no memory. */
struct name_places *ranked_places(const struct repair *rc);
/* Find the paths of the inodes of so many rankings, in one go; for the caller to free. 0 or negative errno. */
int ranked_paths(struct repair *rc, const struct name_places *places, const struct ranking *const *rankings,
		 size_t count, struct paths **ret_paths);

#endif
