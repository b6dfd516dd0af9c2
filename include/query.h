/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user asks about the files of a file system, beside whether it is sound (--list and the like): read from the
 * command line once, constant afterwards.  Whatever is asked, nothing is written to the devices.
 */
#ifndef XFSCK_QUERY_H
#define XFSCK_QUERY_H

#include <stdbool.h>
#include <stdint.h>

/* --list */
enum list_format {
	LIST_NONE, /* not asked for */
	LIST_TEXT,
	LIST_TSV,
	LIST_CSV,
	LIST_JSON,
	LIST_PATHS0,
};

struct query {
	enum list_format list;
	const char *name_of;	/* --name-of: inode numbers, or @FILE; NULL: not asked for */
	const char *owner_of;	/* --owner-of: places; NULL */
	const char *bad;	/* --bad: a file with places; NULL */
	const char *map;	/* --map: a path or an inode; NULL */
	bool map_attributes;	/* -a: of its attribute fork */
	bool frag;		/* --frag */
	bool summary;		/* --summary, ... */
	unsigned summary_depth; /* ... of directories down to this depth */
};

/* True if anything is asked beside names. */
static inline bool query_any_but_names(const struct query *q)
{
	return q->list || q->owner_of || q->bad || q->map || q->frag || q->summary;
}

/* True if anything is asked. */
static inline bool query_any(const struct query *q)
{
	return q->name_of || query_any_but_names(q);
}

#endif
