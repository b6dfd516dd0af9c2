/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings put together for people: those of one kind near each other are one entry, and below an entry are those that
 * may follow from it.  What does not depend on threads is the order, and so all of it.
 */
#ifndef XFSCK_REPAIR_ENTRIES_H
#define XFSCK_REPAIR_ENTRIES_H

#include "finding.h"

#define NO_ENTRY   SIZE_MAX
#define OF_SEVERAL (SIZE_MAX - 1) /* the parent of an entry that may follow from one of several */
#define ENTRY_NEAR 64u		  /* blocks, or inodes: findings of a kind no farther apart are one entry */

struct entry {
	enum finding finding;
	size_t first, last; /* findings; entries.next leads from one to the next */
	size_t count;	    /* of findings */
	uint64_t times;	    /* that they were reported */
	xino_t ino;	    /* that all of them are about; NULL_INO: different ones, or none */
	size_t parent;	    /* the entry that it may follow from, OF_SEVERAL, or NO_ENTRY */
	size_t child, sibling;
	uint64_t weight; /* times, with those of all entries below it */
};

struct entries {
	const struct found **found;
	size_t *next;
	size_t nfound;
	struct entry *all;
	size_t count, room;
	struct entry **order; /* those without parent, the weightiest first; then those OF_SEVERAL */
	size_t nroots, nseveral;
};

/*
 * Put `found` together, which must be sorted by found_compare(), and live as long.  No memory for it: there are only
 * the findings, and entries_made() is false.
 */
void entries_make(struct entries *entries, const struct found **found, size_t count);
static inline bool entries_made(const struct entries *entries)
{
	return entries->order;
}
void entries_free(struct entries *entries);

#endif
