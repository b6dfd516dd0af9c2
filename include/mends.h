/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The menders, one row each:
 *
 *   x(name, stage, rank, joins, wants, space, sure, "what was done")
 *
 * The mender is the function mend_<name>() in a file mend_<name>.c below repair/mend/ (named_again is in mend_nlink.c,
 * group_byte in mend_byte.c).  It gets the findings whose row in findings.h names it.  The text is what the user is
 * told of an object mended by it.
 *
 * stage, rank: when its turn is.  What an earlier stage mends changes what later ones find, so a round of mending goes
 *        no further than the earliest stage in which anything is wrong; then everything is checked again.  Within a
 *        stage the lower rank comes first; ranks leave room for others between them.
 * joins: the earlier work after which its turn comes in the same round all the same (enum mend_joins).
 * wants: MORE: it may know better what is wrong than the mender that a finding's row names, so it also gets findings
 *        for which its function mend_<name>_wants() is true.  OWN: there is no such function.
 * space: TELLS: it tells of all blocks that inodes have which it brings back (mend_space_claim()).  FORGETS: which
 *        blocks are free must be looked for again after it.
 * sure:  what a fix of its is sure of, which is told with it.  A mender whose outcomes differ says it of each of them
 *        (mend_done_so()), and has the most usual one here.
 */
#ifndef XFSCK_MENDS_H
#define XFSCK_MENDS_H

/* clang-format off */
#define MEND_TABLE(x)                                                                               \
	x(exchanged, HEADERS, 5, NONE, MORE, FORGETS, CERTAIN, "two exchanged areas put back in their places") \
	x(group_byte, HEADERS, 10, NONE, MORE, FORGETS, CERTAIN, "one changed byte restored, confirmed by the checksum") \
	x(shrink, LOG, 10, NONE, OWN, FORGETS, LIKELY, "file system shrunk to the size of the device") \
	x(log, LOG, 20, NONE, MORE, FORGETS, CERTAIN, "made clean")                                 \
	x(resume, GEOMETRY, 10, NONE, OWN, FORGETS, CERTAIN, "interrupted repair completed") \
	x(ag_header, GEOMETRY, 20, NONE, OWN, FORGETS, CERTAIN, "header rebuilt")              \
	x(sb, GEOMETRY, 30, NONE, MORE, FORGETS, LIKELY, "primary superblock corrected")            \
	x(sb_copy, GEOMETRY, 40, NONE, OWN, FORGETS, CERTAIN, "rewritten as a copy of the primary superblock") \
	x(quota_named, GEOMETRY, 50, NONE, MORE, FORGETS, LIKELY, "no longer used as a quota file: directories name it as another file") \
	x(block_place, GEOMETRY, 60, NONE, MORE, FORGETS, CERTAIN, "block restored from another place on the device") \
	x(magic, GEOMETRY, 70, NONE, MORE, FORGETS, LIKELY, "magic number corrected: the rest of the block was correct") \
	x(inode_place, GEOMETRY, 80, NONE, MORE, FORGETS, CERTAIN, "inodes moved to their places")  \
	x(logged, GEOMETRY, 90, NONE, MORE, TELLS, CERTAIN, "restored from the log") \
	x(byte, GEOMETRY, 100, NONE, MORE, FORGETS, CERTAIN, "one changed byte restored, confirmed by the checksum") \
	x(rtsb, GEOMETRY, 110, NONE, OWN, FORGETS, CERTAIN, "realtime superblock rewritten")     \
	x(inode_named, TREES, 10, NONE, MORE, TELLS, GUESS, "recreated from other metadata") \
	x(ag_inodes, TREES, 20, NONE, MORE, TELLS, CERTAIN, "inode btrees of the AG rebuilt") \
	x(inode_chunk, TREES, 30, NONE, MORE, FORGETS, GUESS, "inode chunk rebuilt; inodes that are referenced elsewhere recreated") \
	x(inode_core, CORES, 10, NONE, MORE, TELLS, LIKELY, "field corrected from the rest of the object") \
	x(inode_mode, CORES, 20, NONE, MORE, FORGETS, CERTAIN, "file type reset to directory: its first block is a directory block of this inode") \
	x(extent_place, CORES, 30, NONE, MORE, FORGETS, GUESS, "extents pointed at the only unowned blocks of the right length") \
	x(inode_border, CORES, 40, NONE, MORE, FORGETS, LIKELY, "attribute fork offset corrected") \
	x(quota_dir, INODES, 10, NONE, OWN, FORGETS, LIKELY, "entries of the quota directory corrected") \
	x(quota_file, INODES, 20, NONE, MORE, FORGETS, LIKELY, "quota file corrected")              \
	x(inode_counts, INODES, 30, CORES, MORE, FORGETS, CERTAIN, "extent count restored: its extents map blocks that have no other owner") \
	x(inode_fork, INODES, 40, CORES, MORE, FORGETS, LIKELY, "extent map corrected")             \
	x(rt_file, INODES, 50, NONE, MORE, FORGETS, LIKELY, "metadata files of realtime groups matched to their names") \
	x(fork_lost, INODES, 60, CORES, MORE, FORGETS, LIKELY, "extents restored from unowned bmbt blocks") \
	x(dir_lost, INODES, 70, CORES, MORE, FORGETS, LIKELY, "entries restored from unowned directory blocks") \
	x(named_again, INODES, 80, CORES, MORE, FORGETS, LIKELY, "kept: a directory names it") \
	x(rt_space, REALTIME, 10, NONE, MORE, FORGETS, CERTAIN, "space records of the realtime group rebuilt") \
	x(surplus, NAMES, 10, NONE, OWN, FORGETS, GUESS, "entry removed: the inode is newer than the directory and no longer has that name") \
	x(outdated, NAMES, 20, NONE, MORE, FORGETS, LIKELY, "entries corrected from the parent pointers: the directory is older") \
	x(dir, NAMES, 30, NONE, MORE, FORGETS, LIKELY, "directory rebuilt from all its entries") \
	x(attr, NAMES, 40, NONE, OWN, FORGETS, LIKELY, "attributes rebuilt from all that are readable") \
	x(symlink, NAMES, 50, NONE, MORE, FORGETS, LIKELY, "target rewritten")                   \
	x(quota_sb, QUOTAS, 10, NONE, MORE, FORGETS, LIKELY, "quota fields of the superblock corrected from the quota files") \
	x(circle, ORPHANS, 10, NAMES, OWN, FORGETS, GUESS, "removed from a loop of directories") \
	x(orphan, ORPHANS, 20, NAMES, OWN, FORGETS, LIKELY, "reconnected")                   \
	x(pptr, LINKS, 10, LINKS, OWN, FORGETS, CERTAIN, "parent pointers corrected to match the directories") \
	x(dquot, LINKS, 20, NONE, OWN, FORGETS, CERTAIN, "quota records corrected")                       \
	x(inode_shared, LINKS, 30, LINKS, OWN, FORGETS, CERTAIN, "reflink flag set") \
	x(nlink, LINKS, 40, LINKS, OWN, FORGETS, CERTAIN, "link count corrected")                   \
	x(ag_space, SPACE, 10, CLAIMS, MORE, FORGETS, CERTAIN, "space btrees and free list of the AG rebuilt") \
	x(ag_unlinked, COUNTERS, 10, NONE, OWN, FORGETS, CERTAIN, "unlinked lists of the AG rebuilt") \
	x(field, COUNTERS, 20, NONE, OWN, FORGETS, CERTAIN, "counter corrected")

/*
 * The stages, in their order: x(name, in words, depths).  depths: after which checks that don't go all the way its
 * menders have a turn (enum depth).
 */
#define MEND_STAGES(x)                                                                              \
	x(HEADERS, "headers", BLOCKS | NAMES) /* headers and btrees of groups in which one byte is wrong: nothing that they lead to is lost */ \
	x(LOG, "log", BLOCKS | NAMES) /* the log, before whose head all dates (LSNs) of metadata must lie */ \
	x(GEOMETRY, "geometry", BLOCKS | NAMES) /* superblocks, headers, contents of single blocks */ \
	x(TREES, "trees", BLOCKS | NAMES) /* inode btrees, which lead to inodes, and inodes that are lost */ \
	x(CORES, "cores", BLOCKS | NAMES) /* inode cores, and where forks lie in inodes */          \
	x(INODES, "inodes", BLOCKS | NAMES) /* forks of inodes */                                   \
	x(REALTIME, "realtime", ACCOUNTS) /* who owns which realtime block: the groups' bitmaps, summaries, btrees */ \
	x(NAMES, "names", NAMES) /* directories, attributes */                                      \
	x(QUOTAS, "quotas", NAMES) /* quota files, which the superblock names */                    \
	x(ORPHANS, "orphans", NAMES) /* inodes that no directory names */                           \
	x(LINKS, "links", NAMES) /* link counts, parent pointers, quota records */                  \
	x(SPACE, "space", ACCOUNTS) /* space btrees of AGs: after all menders that take blocks */   \
	x(COUNTERS, "counters", NONE) /* counters, and lists of deleted inodes */

enum mend_kind {
	MEND_NOTHING, /* there is no way to mend it */
#define x(name, stage, rank, joins, wants, space, sure, text) MEND_##name,
	MEND_TABLE(x)
#undef x
	MEND_NR,
	/* in the rows of findings.h only */
	MEND_NONE = MEND_NOTHING,
	MEND_CONTENTS = MEND_NR, /* whoever mends the contents of the object that the finding is about: place.h ... */
	MEND_TREE,		 /* ... or the tree that this is the root of, or the claims that it makes */
};

enum mend_stage {
#define x(name, words, depths) STAGE_##name,
	MEND_STAGES(x)
#undef x
	STAGE_NR,
};
/* clang-format on */

/* The work after which a mender has a turn in the same round, without another check: goes_along() of round.c. */
enum mend_joins {
	JOINS_NONE,
	/*
	 * That on cores: what blocks say of an inode's forks does not change with the cores of other inodes.  Files and
	 * directories of the metadata tree wait: one whose core was mended is known by the next check only, and another
	 * one would be made in its place.
	 */
	JOINS_CORES,
	/*
	 * That on inodes or names, if it settles all claims: groups' trees are built from what owners claim by then. If
	 * claims are not settled yet, the trees stay: they may be witnesses of who should have which blocks.
	 */
	JOINS_CLAIMS,
	/* That on names that stay as they are: the links of other inodes do not depend on orphans that get a name. */
	JOINS_NAMES,
	JOINS_LINKS, /* The same, or that on orphans. */
};

/* Whether what a fix makes is what was there, or must be: the words that the user is told. */
enum sure {
	SURE_CERTAIN, /* a checksum, two witnesses, or a count of all facts says so */
	SURE_LIKELY,  /* one witness says so, and none contradicts that is as good */
	SURE_GUESS,   /* nothing tells: it is what fits, or what is left */
	SURE_NR,
};

#endif
