/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The menders, one row each:
 *
 *   x(name, stage, "what was done")
 *
 * The mender is the function mend_<name>() in a file mend_<name>.c below repair/mend/ (named_again is in mend_nlink.c).
 * repair/mend/mend_table.c has which findings lead to it.  The text is what the user is told of an object mended by it.
 *
 * What an earlier stage mends changes what later ones find, so a round of mending goes no further than the earliest
 * stage in which anything is wrong; then everything is checked again.
 */
#ifndef XFSCK_MENDS_H
#define XFSCK_MENDS_H

/* clang-format off */
#define MEND_TABLE(x)                                                                              \
	x(shrink, LOG, "file system made to end where the device does")                            \
	x(log, LOG, "made clean")                                                                  \
	x(resume, GEOMETRY, "what the interrupted repair had yet to write is written")             \
	x(ag_header, GEOMETRY, "header written anew")                                              \
	x(sb, GEOMETRY, "primary superblock set right")                                            \
	x(sb_copy, GEOMETRY, "written anew as a copy of the primary")                              \
	x(quota_named, GEOMETRY, "not taken for a quota file any more: directories know it as something else") \
	x(block_place, GEOMETRY, "the block that belongs here put back from another place")        \
	x(magic, GEOMETRY, "magic number set right: nothing else was wrong with it")               \
	x(inode_place, GEOMETRY, "inodes put where they belong")                                   \
	x(logged, GEOMETRY, "written again, as the log still has it")                              \
	x(byte, GEOMETRY, "the one byte that has changed put back, as its checksum tells")         \
	x(inode_named, TREES, "made anew from what others know of it")                             \
	x(ag_inodes, TREES, "inode btrees of the allocation group rebuilt")                        \
	x(inode_chunk, TREES, "chunk of inodes made anew, with those that others lead to")         \
	x(inode_core, CORES, "set right by what the rest of it says")                              \
	x(inode_mode, CORES, "made a directory again: its first block is a directory's, and its own") \
	x(extent_place, CORES, "extents made to lead to the only lost blocks that fit")            \
	x(inode_border, CORES, "border between its forks set right")                               \
	x(quota_dir, INODES, "quota directory made to lead to the quota files")                    \
	x(quota_file, INODES, "quota file set right")                                              \
	x(inode_counts, INODES, "extents counted again that lie in it, and whose blocks lack an owner") \
	x(inode_fork, INODES, "extent map set right")                                              \
	x(rt_file, INODES, "files of realtime groups put where their names say")                   \
	x(fork_lost, INODES, "extents found again in blocks that nobody had")                      \
	x(dir_lost, INODES, "names found again in blocks that nobody had")                         \
	x(named_again, INODES, "not deleted: a directory has a name for it")                       \
	x(rtsb, GEOMETRY, "realtime superblock written anew")                                      \
	x(rt_space, REALTIME, "what the realtime group says of its blocks written anew")           \
	x(surplus, NAMES, "name dropped: the directory is older than the inode, which has it no more") \
	x(outdated, NAMES, "names made those that it knows itself: the directory is older")        \
	x(dir, NAMES, "directory written anew, from all its names")                                \
	x(attr, NAMES, "attributes written anew, all that can be made out")                        \
	x(symlink, NAMES, "target written anew")                                                   \
	x(quota_sb, QUOTAS, "superblock set right by the quota files that there are")              \
	x(circle, ORPHANS, "taken out of the circle of directories that it was in")                \
	x(orphan, ORPHANS, "given a name again")                                                   \
	x(pptr, LINKS, "parent pointers made to say what directories say")                         \
	x(dquot, LINKS, "records set right")                                                       \
	x(inode_shared, LINKS, "marked as one that shares blocks")                                 \
	x(nlink, LINKS, "link count set right")                                                    \
	x(ag_space, SPACE, "btrees and free list of the allocation group rebuilt")                 \
	x(ag_unlinked, COUNTERS, "lists of deleted inodes of the allocation group linked anew")    \
	x(field, COUNTERS, "value set right")

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
#define x(name, stage, text) MEND_##name,
	MEND_TABLE(x)
#undef x
	MEND_NR,
};
/* clang-format on */

#endif
