/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The menders, one row each:
 *
 *   x(name, stage, sure, "what was done")
 *
 * The mender is the function mend_<name>() in a file mend_<name>.c below repair/mend/ (named_again is in mend_nlink.c).
 * repair/mend/base/mend_table.c has which findings lead to it.  The text is what the user is told of an object mended
 * by it.
 *
 * What a mender is sure of is told with each fix.  A mender whose outcomes differ says it of each of them
 * (mend_done_so()), and has the most usual one here.
 *
 * What an earlier stage mends changes what later ones find, so a round of mending goes no further than the earliest
 * stage in which anything is wrong; then everything is checked again.
 */
#ifndef XFSCK_MENDS_H
#define XFSCK_MENDS_H

/* clang-format off */
#define MEND_TABLE(x)                                                                              \
	x(shrink, LOG, LIKELY, "file system made to end where the device does")                    \
	x(log, LOG, CERTAIN, "made clean")                                                         \
	x(resume, GEOMETRY, CERTAIN, "what the interrupted repair had yet to write is written")    \
	x(ag_header, GEOMETRY, CERTAIN, "header written anew")                                     \
	x(sb, GEOMETRY, LIKELY, "primary superblock set right")                                    \
	x(sb_copy, GEOMETRY, CERTAIN, "written anew as a copy of the primary")                     \
	x(quota_named, GEOMETRY, LIKELY, "not taken for a quota file any more: directories know it as something else") \
	x(block_place, GEOMETRY, CERTAIN, "the block that belongs here put back from another place") \
	x(magic, GEOMETRY, LIKELY, "magic number set right: nothing else was wrong with it")       \
	x(inode_place, GEOMETRY, CERTAIN, "inodes put where they belong")                          \
	x(logged, GEOMETRY, CERTAIN, "written again, as the log still has it")                     \
	x(byte, GEOMETRY, CERTAIN, "the one byte that has changed put back, as its checksum tells") \
	x(inode_named, TREES, GUESS, "made anew from what others know of it")                      \
	x(ag_inodes, TREES, CERTAIN, "inode btrees of the allocation group rebuilt")               \
	x(inode_chunk, TREES, GUESS, "chunk of inodes made anew, with those that others lead to")  \
	x(inode_core, CORES, LIKELY, "set right by what the rest of it says")                      \
	x(inode_mode, CORES, CERTAIN, "made a directory again: its first block is a directory's, and its own") \
	x(extent_place, CORES, GUESS, "extents made to lead to the only lost blocks that fit")     \
	x(inode_border, CORES, LIKELY, "border between its forks set right")                       \
	x(quota_dir, INODES, LIKELY, "quota directory made to lead to the quota files")            \
	x(quota_file, INODES, LIKELY, "quota file set right")                                      \
	x(inode_counts, INODES, CERTAIN, "extents counted again that lie in it, and whose blocks lack an owner") \
	x(inode_fork, INODES, LIKELY, "extent map set right")                                      \
	x(rt_file, INODES, LIKELY, "files of realtime groups put where their names say")           \
	x(fork_lost, INODES, LIKELY, "extents found again in blocks that nobody had")              \
	x(dir_lost, INODES, LIKELY, "names found again in blocks that nobody had")                 \
	x(named_again, INODES, LIKELY, "not deleted: a directory has a name for it")               \
	x(rtsb, GEOMETRY, CERTAIN, "realtime superblock written anew")                             \
	x(rt_space, REALTIME, CERTAIN, "what the realtime group says of its blocks written anew")  \
	x(surplus, NAMES, GUESS, "name dropped: the directory is older than the inode, which has it no more") \
	x(outdated, NAMES, LIKELY, "names made those that it knows itself: the directory is older") \
	x(dir, NAMES, LIKELY, "directory written anew, from all its names")                        \
	x(attr, NAMES, LIKELY, "attributes written anew, all that can be made out")                \
	x(symlink, NAMES, LIKELY, "target written anew")                                           \
	x(quota_sb, QUOTAS, LIKELY, "superblock set right by the quota files that there are")      \
	x(circle, ORPHANS, GUESS, "taken out of the circle of directories that it was in")         \
	x(orphan, ORPHANS, LIKELY, "given a name again")                                           \
	x(pptr, LINKS, CERTAIN, "parent pointers made to say what directories say")                \
	x(dquot, LINKS, CERTAIN, "records set right")                                              \
	x(inode_shared, LINKS, CERTAIN, "marked as one that shares blocks")                        \
	x(nlink, LINKS, CERTAIN, "link count set right")                                           \
	x(ag_space, SPACE, CERTAIN, "btrees and free list of the allocation group rebuilt")        \
	x(ag_unlinked, COUNTERS, CERTAIN, "lists of deleted inodes of the allocation group linked anew") \
	x(field, COUNTERS, CERTAIN, "value set right")

/* Whether what a fix makes is what was there, or must be: the words that the user is told. */
enum sure {
	SURE_CERTAIN, /* a checksum, two witnesses, or a count of all facts says so */
	SURE_LIKELY,  /* one witness says so, and none contradicts that is as good */
	SURE_GUESS,   /* nothing tells: it is what fits, or what is left */
	SURE_NR,
};

enum mend_stage {
	STAGE_LOG,	/* the log, whose head is the latest date (LSN) that metadata may have */
	STAGE_GEOMETRY, /* superblocks, headers, contents of single blocks */
	STAGE_TREES,    /* inode btrees, which lead to inodes, and inodes that are lost */
	STAGE_CORES,    /* inode cores, and where forks lie in inodes */
	STAGE_INODES,   /* forks of inodes */
	STAGE_REALTIME, /* who owns which realtime block: the groups' bitmaps, summaries, btrees */
	STAGE_NAMES,    /* directories, attributes */
	STAGE_QUOTAS,   /* quota files, which the superblock names */
	STAGE_ORPHANS,  /* inodes that no directory names */
	STAGE_LINKS,    /* link counts, parent pointers, quota records */
	STAGE_SPACE,    /* space btrees of AGs: after all menders that take blocks */
	STAGE_COUNTERS, /* counters, and lists of deleted inodes */
	STAGE_NR,
};

enum mend_kind {
	MEND_NOTHING, /* there is no way to mend it */
#define x(name, stage, sure, text) MEND_##name,
	MEND_TABLE(x)
#undef x
	MEND_NR,
};
/* clang-format on */

#endif
