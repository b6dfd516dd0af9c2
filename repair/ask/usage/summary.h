/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --summary: space used by files, by owner and directory, and how files are stored. summary.c and summary_files.c
 * collect it, summary_tell.c prints it.
 */
#ifndef XFSCK_REPAIR_SUMMARY_H
#define XFSCK_REPAIR_SUMMARY_H

#include "ask/files.h"
#include "ask/histogram.h"
#include "ask/ranking.h"
#include "usage.h"

struct answer;
struct html;
struct paths;

/* Classes of files by the time since their modification, as x(days, text); days: the upper limit. */
/* clang-format off */
#define AGE_TABLE(x)                                                                                                   \
	x(0, "in the future")                                                                                          \
	x(1, "up to a day")                                                                                            \
	x(7, "up to a week")                                                                                           \
	x(30, "up to 30 days")                                                                                         \
	x(90, "up to 90 days")                                                                                         \
	x(365, "up to a year")                                                                                         \
	x(730, "up to 2 years")                                                                                        \
	x(1825, "up to 5 years")                                                                                       \
	x(3650, "up to 10 years")                                                                                      \
	x(UINT32_MAX, "longer")
/* clang-format on */

enum {
#define x(days, text) AGE_##days,
	AGE_TABLE(x)
#undef x
		AGE_NR,
};

/* How files are stored, as x(symbol, JSON key, text), with numbers of files and bytes. */
/* clang-format off */
#define STORED_TABLE(x)                                                                                                \
	x(SPARSE, "sparse", "sparse files, and holes in them")                                                         \
	x(UNWRITTEN, "unwritten", "with preallocated space, in the file or beyond it")                                 \
	x(BEYOND, "beyond", "with space beyond their end")                                                             \
	x(REFLINK, "reflink", "that may share data (reflink)")                                                         \
	x(FILE_EXTENTS, "file_extents", "regular files: extents in the inode")                                         \
	x(FILE_BTREE, "file_btree", "regular files: extents in a btree")                                               \
	x(DIR_INLINE, "directory_inline", "directories in the inode")                                                  \
	x(DIR_EXTENTS, "directory_extents", "directories in extents")                                                  \
	x(DIR_BTREE, "directory_btree", "directories in extents of a btree")                                           \
	x(LINK_INLINE, "link_inline", "symbolic links in the inode")                                                   \
	x(LINK_EXTENTS, "link_extents", "symbolic links in blocks")                                                    \
	x(ATTR_INLINE, "attributes_inline", "with attributes in the inode")                                            \
	x(ATTR_EXTENTS, "attributes_extents", "with attributes in extents")                                            \
	x(ATTR_BTREE, "attributes_btree", "with attributes in extents of a btree")
/* clang-format on */

enum stored {
#define x(symbol, key, text) STORED_##symbol,
	STORED_TABLE(x)
#undef x
		STORED_NR,
};

struct stored_sums {
	uint64_t files;
	uint64_t bytes; /* as the text says; else used bytes */
};

/* Types as listed; those without space of their own are combined. */
enum summary_type {
	TYPE_FILE,
	TYPE_DIRECTORY,
	TYPE_LINK,
	TYPE_OTHER,
	TYPE_NR,
};

enum owner_kind {
	OWNER_USERS,
	OWNER_GROUPS,
	OWNER_PROJECTS,
	OWNER_KINDS,
};

/* Indexes of ranked.fact[] for a file or directory. */
enum { TOP_FILES, TOP_APPARENT, TOP_USED, TOP_NAMES };

/* The result, when all facts are in. */
struct summary {
	const struct geometry *geo;
	int64_t now; /* seconds since 1970, for ages */
	unsigned depth;
	struct usage all;
	struct usage by_type[TYPE_NR];
	struct usage_table owners[OWNER_KINDS];
	struct histogram sizes; /* of regular files; weights are used bytes */
	struct usage ages[AGE_NR];
	struct tree_usage tree;
	uint64_t nameless; /* files without a directory entry */
	struct stored_sums stored[STORED_NR];
	uint64_t shared_blocks; /* shared by several files ... */
	uint64_t saved_blocks;	/* ... and saved by that */
	struct ranking largest; /* files by used bytes */
	struct ranking fullest; /* directories by used bytes of themselves and their files */
	struct ranking longest; /* directories by number of entries */
};

const char *summary_age_text(unsigned age);
const char *summary_stored_text(enum stored stored);
const char *summary_stored_key(enum stored stored);
const char *summary_type_name(enum summary_type type);
const char *summary_owner_name(enum owner_kind kind);

/* summary_files.c: adds up all files, which must be settled. 0 or negative errno. */
int summary_add_files(struct summary *summary, struct files *files);
/* Ranks directories down to the requested depth by used bytes; fact[] as above. 0 or -ENOMEM. */
int summary_trees(const struct summary *summary, struct ranking *ret_trees);

/* Prints the result; paths: those of its rankings. 0 or negative errno. */
int summary_tell(const struct summary *summary, const struct files *files, struct paths *paths,
		 const struct answer *to);
/* Draws the directory tree; page: NULL, or in the right section. 0 or negative errno. */
int summary_treemap(const struct summary *summary, const struct files *files, struct html *page);

#endif
