/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers on what a repair keeps and loses, and the reasons for losses.  The contents before the repair, as far as
 * readable, are compared with those of the proven repair (repair/mend/loss/).
 */
#ifndef XFSCK_LOSSES_H
#define XFSCK_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
/* Kinds of losses: x(symbol, id, one, many) */
#define LOSS_TABLE(x)                                                                               \
	x(NAME, "name", "name", "names")                                                            \
	x(DATA, "data", "byte of file data", "bytes of file data")                                  \
	x(ATTRIBUTE, "attribute", "attribute", "attributes")                                        \
	x(TARGET, "target", "target of a symbolic link", "targets of symbolic links")               \
	x(INODE, "inode", "inode", "inodes")

enum loss_kind {
#define x(symbol, id, one, many) LOSS_##symbol,
	LOSS_TABLE(x)
#undef x
	LOSS_NR,
};

/*
 * Why something is dropped: x(symbol, id, words).  The words follow a colon: "/srv/a: inode lost".  The id is printed
 * in JSON, and neither renamed nor reused.
 */
#define DROP_TABLE(x)                                                                               \
	x(UNKNOWN, "unknown", "damaged block")                                            \
	x(UNREADABLE, "unreadable", "unreadable block")                                   \
	x(INODE_LOST, "inode_lost", "inode lost")                                            \
	x(INODE_FREE, "inode_free", "inode not in use")                                      \
	x(RECREATED, "made_anew", "inode destroyed and recreated; owner, permissions and times are lost")      \
	x(NOTHING_TELLS, "nothing_tells", "destroyed, contents unknown")                              \
	x(INODE_IMPOSSIBLE, "inode_impossible", "entry had an invalid inode number")              \
	x(NAME_IMPOSSIBLE, "name_impossible", "invalid name")                                \
	x(NAME_TWICE, "name_twice", "the directory has two entries of that name")                            \
	x(DIRECTORY_TWICE, "directory_twice", "a directory can have only one entry")                 \
	x(NO_PLACE, "no_place", "the inode cannot be in this directory")                              \
	x(CIRCLE, "circle", "part of a loop of directories")                                       \
	x(OTHERS_BLOCKS, "others_blocks", "the blocks belong to another owner")                     \
	x(BLOCKS_IMPOSSIBLE, "blocks_impossible", "invalid block numbers")        \
	x(OVERLAP, "overlap", "overlap with another part of the file")                          \
	x(CUT_OFF, "cut_off", "behind the end of the device")                               \
	x(GARBAGE, "garbage", "remains are invalid")                                  \
	x(VALUE_LOST, "value_lost", "value lost")                                            \
	x(OUTDATED, "outdated", "contradicted by newer metadata")                                     \
	x(FORMER, "former", "the inode was in the missing part of the log")                         \
	x(NO_ROOM, "no_room", "no space for it")                                            \
	x(OTHER_FILE, "other_file", "the inode may be that of an older file; the blocks are in lost+found")\
	x(GUESSED, "guessed", "the blocks were chosen because they fit")                            \
	x(ALTERED, "altered", "the hash index shows another name")                   \
	x(UNCONFIRMED, "unconfirmed", "its checksum was wrong, and nothing else confirms it") \
	x(STALE, "stale", "inode block older than other metadata") \
	x(AMID, "amid", "it lies among destroyed blocks") \
	x(PERHAPS_FREE, "perhaps_free", "inode and directory are destroyed, unless they were removed before")

enum drop_reason {
#define x(symbol, id, words) DROP_##symbol,
	DROP_TABLE(x)
#undef x
	DROP_NR,
};

/* Counts of one kind; those of LOSS_DATA are bytes of users' regular files. */
struct loss_count {
	uint64_t all;	  /* the number before the repair, as far as known: what is still there, plus what is lost */
	uint64_t lost;	  /* gone; includes `hidden` */
	uint64_t hidden;  /* of these, those known only from a counter or an index */
	uint64_t changed; /* still there, with another value */
	uint64_t gained;  /* not there before, as far as readable */
};

/* What became of the paths: an object with several names counts once for each, and the root does not count. */
struct loss_figures {
	uint64_t in_place; /* same path and same content */
	uint64_t moved;	   /* content intact, under another path, or its path names another directory now */
	uint64_t damaged;  /* data, attributes, fields or target are partly lost or changed, or may be */
	uint64_t unconfirmed; /* of these, those that may be unchanged, but nothing confirms it */
	uint64_t lost;	   /* gone; the name or the inode number is known */
	uint64_t missing, missing_most; /* gone, and known only from counters: least and greatest number */
	bool missing_known;		/* false: the number has no upper bound */
	bool counters_old;		/* these counters may be older than the rest, so the number is approximate */
};

/* The greatest possible number of paths before the repair. */
static inline uint64_t figures_all(const struct loss_figures *f)
{
	return f->in_place + f->moved + f->damaged + f->lost + f->missing_most;
}

static inline uint64_t figures_gone(const struct loss_figures *f)
{
	return f->lost + f->missing_most;
}

struct losses {
	bool known; /* the comparison was made; false: nothing was repaired, or the comparison failed */
	struct loss_figures figures;
	struct loss_count of[LOSS_NR];
	uint64_t files;	    /* inodes that lost something, or have something changed */
	bool top_directory; /* a directory directly below the root lost its name or its inode */
};

/* Contents of a log that is not replayed. */
struct log_losses {
	uint64_t transactions, items;
	uint64_t inodes;  /* that these items change */
	uint64_t records; /* whole records, including those of incomplete transactions; at least */
	uint64_t names;	 /* that they add, by link counts; at least, since renames are not counted */
	bool at_least;	 /* parts of the log are damaged or missing and can't be counted */
};

static inline bool log_losses_any(const struct log_losses *l)
{
	return l->transactions || l->at_least;
}

/* True if anything is lost. */
static inline bool losses_any(const struct losses *l)
{
	if (figures_gone(&l->figures) || (l->known && !l->figures.missing_known))
		return true;
	for (unsigned kind = 0; kind < LOSS_NR; kind++)
		if (l->of[kind].lost)
			return true;
	return false;
}

/*
 * True if the losses are so heavy that the user must consent: more than 1 % of files, of names or of file data, an
 * unknown number of files, or a directory directly below the root.
 */
static inline bool losses_heavy(const struct losses *l)
{
	return l->top_directory || !l->figures.missing_known ||
	       figures_gone(&l->figures) > figures_all(&l->figures) / 100 || l->of[LOSS_NAME].lost > l->of[LOSS_NAME].all / 100 ||
	       l->of[LOSS_DATA].lost > l->of[LOSS_DATA].all / 100;
}
/* clang-format on */

#endif
