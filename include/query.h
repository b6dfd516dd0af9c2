/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions of the user about the files of a file system, apart from checks (--list and the like): read from the
 * command line once, constant afterwards.  A run with questions writes nothing to the devices.
 */
#ifndef XFSCK_QUERY_H
#define XFSCK_QUERY_H

#include <stdbool.h>
#include <stdint.h>

/* --list */
enum list_format {
	LIST_NONE, /* not given */
	LIST_TEXT,
	LIST_TSV,
	LIST_CSV,
	LIST_JSON,
	LIST_PATHS0,
};

/* Properties of a file, in order, as x(name): names of --fields. */
#define LIST_FIELD_TABLE(x)                                                                                            \
	x(path) x(ino) x(gen) x(type) x(mode) x(uid) x(gid) x(projid) x(nlink) x(size) x(blocks) x(extents)            \
		x(aextents) x(atime) x(mtime) x(ctime) x(crtime) x(flags) x(rdev) x(target)

enum list_field {
#define x(name) LIST_FIELD_##name,
	LIST_FIELD_TABLE(x)
#undef x
		LIST_FIELD_NR,
};

/* Conditions on files that are listed or extracted, all of which must hold. */
struct list_filter {
	unsigned types;	       /* 1 << enum ftype for each type; 0: all */
	bool newer, older;     /* modified after, or before, ... */
	int64_t after, before; /* ... these seconds since 1970 */
	bool larger, smaller;  /* their size is more, or less, than ... */
	uint64_t above, below; /* ... so many bytes */
	bool user, group, project;
	uint32_t uid, gid, projid;
	const char *under; /* this path, or below it; NULL: anywhere */
	const char *name;  /* pattern for the last component of the path; NULL: any */
};

struct query {
	const char *name_of; /* --name-of: inode numbers, or @FILE; NULL: not given */
	const char *extract; /* --extract: a list of paths and inode numbers, or @FILE; NULL: not given */
	const char *exclude; /* --exclude: a list of paths and patterns, or @FILE; NULL: none */
	const char *to;	     /* --to: a folder, FILE.tar, or "-" for an archive on standard output */
	bool skip_damaged;   /* --skip-damaged: leave out files that can't be read completely */
	bool with_flags;     /* --with: extract inode flags as well, ... */
	bool with_projects;  /* ... project ids */
	enum list_format list;
	bool one_name;		       /* --list-names=one: only one name of each file */
	uint8_t fields[LIST_FIELD_NR]; /* enum list_field */
	unsigned nfields;	       /* 0: all */
	struct list_filter filter;
	const char *owner_of;	 /* --owner-of: places; NULL */
	const char *bad;	 /* --bad: a file with a list of places; NULL */
	uint64_t bad_block_size; /* --bad-block-size: bytes per block in it; 0: default */
	const char *map;	 /* --map: a path or an inode; NULL */
	bool map_attributes;	 /* -a: its attribute fork */
	unsigned top;		 /* --limit, default 10: number of the worst or largest that are listed */
	bool frag;		 /* --frag */
	bool summary;		 /* --summary, ... */
	unsigned summary_depth;	 /* ... for directories down to this depth */
};

/* True if only some files pass the filter. */
static inline bool list_filter_any(const struct list_filter *f)
{
	return f->types || f->newer || f->older || f->larger || f->smaller || f->user || f->group || f->project ||
	       f->under || f->name;
}

/*
 * All questions, in the order of the answers, as x(name, asked): `const struct question question_<name>` answers it, if
 * the condition on `q` is true.
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

/* Returns 1 << enum question_number for each question that was asked, or 0. */
static inline unsigned query_asked(const struct query *q)
{
#define x(name, asked) | (unsigned)!!(asked) << QUESTION_##name
	return 0 QUESTION_TABLE(x);
#undef x
}

/* True if any question was asked. */
static inline bool query_any(const struct query *q)
{
	return query_asked(q);
}

/* True if any question other than --name-of was asked. */
static inline bool query_any_but_names(const struct query *q)
{
	return query_asked(q) & ~(1u << QUESTION_name_of);
}

#endif
