/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports what a repair loses: compares the content of all blocks before the repair, after log replay, with that of the
 * proven repair.  First by sums over small sets of inodes, then record by record where a sum is not zero.
 */
#ifndef XFSCK_REPAIR_LOSS_H
#define XFSCK_REPAIR_LOSS_H

#include "drops.h"
#include "losses.h"
#include "report/loss_list.h"

struct found;
struct geometry;
struct loss_tally;
struct names_noted;
struct paths;
struct repair;
struct totals;

/* Bytes [start, end) of the data device that may have been overwritten (loss_areas.c). */
struct loss_area {
	uint64_t start, end;
};

/* Begin with { 0 }. */
struct loss_areas {
	struct loss_area *all; /* ascending, apart from each other */
	size_t count, room;
	uint64_t *destroyed; /* bytes where blocks begin that are known to be destroyed */
	size_t ndestroyed, room_destroyed;
};

/*
 * Notes destroyed blocks of inodes that the first check, rc, could not find, by findings of a later one.  0 or -ENOMEM.
 */
int loss_areas_note(struct loss_areas *areas, const struct repair *rc, const struct found *found, size_t count);
/*
 * Finds the areas by what was noted, by rc->findings, which are those of the check before the repair, and by what was
 * dropped.  0 or negative errno.
 */
int loss_areas_find(const struct repair *rc, const struct drops *drops, struct loss_areas *areas);
void loss_areas_free(struct loss_areas *areas);
/* Sets *ret to the part of bytes [from, to) that is in the first area there. False: none. */
bool loss_areas_next(const struct loss_areas *areas, uint64_t from, uint64_t to, struct loss_area *ret);

/* Names that loss_account() has noted for loss_paths(): of directories, and of inodes in doubt; NULL: none. */
struct loss_names {
	struct names_noted *before, *after;
};

void loss_names_free(struct loss_names *names);

/*
 * Compares what rc saw with what `again`, the last check, sees.  rc->run->reattached must be settled.  The caller frees
 * *names and *ret, even after an error.  areas: of loss_areas_find().  0 or negative errno.
 */
int loss_account(struct repair *rc, struct repair *again, const struct drops *drops, const struct loss_areas *areas,
		 struct loss_names *names, struct loss_list *ret);

/* Changes since the first check, from the books that were kept open (open_books.c). */
struct loss_changes {
	const xino_t *inos; /* no other inode has changed, nor any name of one */
	size_t count;
	const struct totals *totals; /* totals after the repair */
};

/*
 * Likewise, but reads only these inodes.  *ret_whole false: that is not sufficient, for example for the names of files
 * with losses; call loss_account().
 */
int loss_account_of(struct repair *rc, struct repair *again, const struct drops *drops,
		    const struct loss_changes *changes, struct loss_list *ret, bool *ret_whole);

/*
 * Finds the paths of everything in the list, including gains only if `gained`: the old paths and, if these are unknown
 * or something has moved, the new ones.  NULL if they could not be found.  names: of loss_account(), or { 0 }.
 */
void loss_paths(struct repair *rc, struct repair *again, const struct loss_list *list, const struct loss_names *names,
		bool gained, struct paths **ret_before, struct paths **ret_after);

/* Starts the figures of the account (losses.h). 0 or -ENOMEM; call loss_tally_end() in either case. */
int loss_tally_begin(struct loss_tally *tally, const struct geometry *geo);
void loss_tally_end(struct loss_tally *tally);

/*
 * Computes the figures: paths in place, moved, damaged, lost and missing.  Call it when all inodes have been compared.
 * names: number of names after the repair.  unknown_names: how many more names hash indexes have than inodes with
 * unknown names.  0 or negative errno.
 */
int loss_figures(const struct repair *rc, const struct repair *again, const struct loss_tally *tally, uint64_t names,
		 uint64_t unknown_names, struct loss_figures *ret);

#endif
