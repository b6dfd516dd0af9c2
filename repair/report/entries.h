/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups findings for people: findings of one kind near each other are one entry, and an entry has its possible
 * consequences below it. The result depends only on the order of findings, not on threads.
 */
#ifndef XFSCK_REPAIR_ENTRIES_H
#define XFSCK_REPAIR_ENTRIES_H

#include <stddef.h>

#include "finding.h"

#define NO_ENTRY   SIZE_MAX
#define OF_SEVERAL (SIZE_MAX - 1) /* the parent of an entry that may have several causes */
#define ENTRY_NEAR 64u		  /* blocks or inodes: the greatest distance of findings of one entry */

struct entry {
	enum finding finding;
	size_t first, last; /* findings; entries.next links them */
	size_t count;	    /* number of findings */
	uint64_t times;	    /* number of reports */
	xino_t ino;	    /* the inode of all of them; NULL_INO: none, or several */
	size_t parent;	    /* the entry that may cause it, OF_SEVERAL, or NO_ENTRY */
	size_t child, sibling;
	uint64_t weight; /* reports of this entry and all below it */
};

struct entries {
	const struct found **found;
	size_t *next;
	size_t nfound;
	struct entry *all;
	size_t count, room;
	struct entry **order; /* entries without parent, heaviest first; then those with OF_SEVERAL */
	size_t nroots, nseveral;
};

/*
 * Groups findings, which must be sorted by found_compare() and outlive the entries. Out of memory: entries_made() is
 * false, and only `found` and `nfound` are set.
 */
void entries_make(struct entries *entries, const struct found **found, size_t count);
static inline bool entries_made(const struct entries *entries)
{
	return entries->order;
}
void entries_free(struct entries *entries);

/* The entry and the cause of a finding. */
struct cause {
	size_t first; /* the finding that heads its entry: itself, or one of the same kind nearby */
	size_t cause; /* the finding that heads the entry of its cause; NO_ENTRY, or OF_SEVERAL */
};

/*
 * Finds entry and cause of each finding, as indexes of findings. If there are no entries, each finding is its own.
 * ret_causes has room for all findings.
 */
void causes_find(const struct entries *entries, struct cause *ret_causes);

#endif
