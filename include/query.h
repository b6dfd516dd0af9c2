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

/* What can be told of a file, in the order in which it is, as x(name): names of --fields. */
#define LIST_FIELD_TABLE(x)                                                                                            \
	x(path) x(ino) x(gen) x(type) x(mode) x(uid) x(gid) x(projid) x(nlink) x(size) x(blocks) x(extents)            \
		x(aextents) x(atime) x(mtime) x(ctime) x(crtime) x(flags) x(rdev) x(target)

enum list_field {
#define x(name) LIST_FIELD_##name,
	LIST_FIELD_TABLE(x)
#undef x
		LIST_FIELD_NR,
};

/* Which files are listed: those for which all holds. */
struct list_filter {
	unsigned types;	       /* 1 << enum ftype for each type; 0: all */
	bool newer, older;     /* modified after, or before, ... */
	int64_t after, before; /* ... these seconds since 1970 */
	bool larger, smaller;  /* their size is more, or less, than ... */
	uint64_t above, below; /* ... so many bytes */
	bool user, group, project;
	uint32_t uid, gid, projid;
	const char *under; /* below this path, or it; NULL: anywhere */
	const char *name;  /* with a last name that matches this pattern; NULL: any */
};

struct query {
	const char *name_of; /* --name-of: inode numbers, or @FILE; NULL: not asked for */
	const char *extract; /* --extract: a list of paths; NULL: not asked for */
	const char *to;	     /* --to: a folder, FILE.tar, or "-" for an archive on standard output */
	bool skip_damaged;   /* --skip-damaged: leave out files that can't be read whole */
	enum list_format list;
	bool one_name;		       /* --list-names=one: of a file with several */
	uint8_t fields[LIST_FIELD_NR]; /* enum list_field */
	unsigned nfields;	       /* 0: all */
	struct list_filter filter;
	const char *owner_of;	 /* --owner-of: places; NULL */
	const char *bad;	 /* --bad: a file with places; NULL */
	uint64_t bad_block_size; /* --bad-block-size: bytes of a block in it; 0: as usual */
	const char *map;	 /* --map: a path or an inode; NULL */
	bool map_attributes;	 /* -a: of its attribute fork */
	unsigned top;		 /* --limit, or 10: so many of the worst or largest are listed */
	bool frag;		 /* --frag */
	bool summary;		 /* --summary, ... */
	unsigned summary_depth;	 /* ... of directories down to this depth */
};

/* True if anything is asked beside names. */
static inline bool query_any_but_names(const struct query *q)
{
	return q->list || q->owner_of || q->bad || q->map || q->frag || q->summary || q->extract;
}

/* True if anything is asked. */
static inline bool query_any(const struct query *q)
{
	return q->name_of || query_any_but_names(q);
}

#endif
