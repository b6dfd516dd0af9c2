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

/* Which files are listed or extracted: those for which all holds. */
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
	const char *extract; /* --extract: a list of paths and inode numbers, or @FILE; NULL: not asked for */
	const char *exclude; /* --exclude: a list of paths and patterns, or @FILE; NULL: nothing is */
	const char *to;	     /* --to: a folder, FILE.tar, or "-" for an archive on standard output */
	bool skip_damaged;   /* --skip-damaged: leave out files that can't be read whole */
	bool with_flags;     /* --with: of what is extracted, also inode flags, ... */
	bool with_projects;  /* ... project ids */
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

/* True if only some files pass the filter. */
static inline bool list_filter_any(const struct list_filter *f)
{
	return f->types || f->newer || f->older || f->larger || f->smaller || f->user || f->group || f->project ||
	       f->under || f->name;
}

/*
 * All questions, in the order in which they are answered, as x(name, asked): `const struct question question_<name>`
 * answers it, if that is true of `q`.
 */
#define QUESTION_TABLE(x)                                                                                              \
	x(list, q->list != LIST_NONE) x(name_of, q->name_of) x(owner, q->owner_of) x(bad, q->bad) x(map, q->map)       \
		x(frag, q->frag) x(free_space, q->frag) x(summary, q->summary) x(extract, q->extract)

enum question_number {
#define x(name, asked) QUESTION_##name,
	QUESTION_TABLE(x)
#undef x
		QUESTION_NR,
};

/* Returns 1 << enum question_number of each question that is asked; 0: none is. */
static inline unsigned query_asked(const struct query *q)
{
#define x(name, asked) | (unsigned)!!(asked) << QUESTION_##name
	return 0 QUESTION_TABLE(x);
#undef x
}

/* True if anything is asked. */
static inline bool query_any(const struct query *q)
{
	return query_asked(q);
}

/* True if anything is asked beside names. */
static inline bool query_any_but_names(const struct query *q)
{
	return query_asked(q) & ~(1u << QUESTION_name_of);
}

#endif
