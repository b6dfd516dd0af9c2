/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The menders, one row each:
 *
 * x(name, stage, rank, joins, wants, space, sure, "what was done")
 *
 * The mender is the function mend_<name>() in a file mend_<name>.c below repair/mend/ (named_again is in mend_nlink.c,
 * group_byte in mend_byte.c).  It gets the findings whose row in findings.h names it.  The text is what the report says
 * of an object that it repaired.
 *
 * stage, rank: the order of menders.  Repairs of an early stage change what later stages find.  So a round of repair
 * stops at the first stage in which anything is wrong, and everything is checked again.  Within a stage the lower rank
 * comes first; ranks leave room for others between them.
 * joins: earlier work after which the mender runs in the same round, without another check (enum mend_joins).
 * wants: MORE: the mender also gets findings of other menders for which its function mend_<name>_wants() is true, since
 * it may know the cause.  OWN: it has no such function.
 * space: TELLS: it reports all blocks of the inodes that it restores (mend_space_claim()).  FORGETS: free blocks have
 * to be searched for again after it.
 * sure: how certain its fixes are, which the report says.  A mender whose outcomes differ passes it for each of them
 * (mend_done_so()), and has the most common one here.
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
 * The stages, in order: x(name, words, depths).  depths: the shallow checks after which its menders may run (enum
 * depth).
 */
#define MEND_STAGES(x)                                                                              \
	x(HEADERS, "headers", BLOCKS | NAMES) /* AG headers and btrees with a single wrong byte */ \
	x(LOG, "log", BLOCKS | NAMES) /* the log: LSNs of metadata must lie before its head */ \
	x(GEOMETRY, "geometry", BLOCKS | NAMES) /* superblocks, headers, contents of single blocks */ \
	x(TREES, "trees", BLOCKS | NAMES) /* inode btrees, which locate inodes, and lost inodes */ \
	x(CORES, "cores", BLOCKS | NAMES) /* inode cores, and the offsets of forks in inodes */          \
	x(INODES, "inodes", BLOCKS | NAMES) /* forks of inodes */                                   \
	x(REALTIME, "realtime", ACCOUNTS) /* bitmaps, summaries and btrees of realtime groups */ \
	x(NAMES, "names", NAMES) /* directories, attributes */                                      \
	x(QUOTAS, "quotas", NAMES) /* quota files, which the superblock names */                    \
	x(ORPHANS, "orphans", NAMES) /* inodes without a directory entry */                           \
	x(LINKS, "links", NAMES) /* link counts, parent pointers, quota records */                  \
	x(SPACE, "space", ACCOUNTS) /* space btrees of AGs: after all menders that allocate blocks */   \
	x(COUNTERS, "counters", NONE) /* counters, and unlinked lists */

enum mend_kind {
	MEND_NOTHING, /* there is no mender */
#define x(name, stage, rank, joins, wants, space, sure, text) MEND_##name,
	MEND_TABLE(x)
#undef x
	MEND_NR,
	/* in the rows of findings.h only */
	MEND_NONE = MEND_NOTHING,
	MEND_CONTENTS = MEND_NR, /* the mender of the object's contents (place.h) */
	MEND_TREE,		 /* the mender of its tree, if it is the root, or of its claims to blocks (place.h) */
};

enum mend_stage {
#define x(name, words, depths) STAGE_##name,
	MEND_STAGES(x)
#undef x
	STAGE_NR,
};
/* clang-format on */

/* The work after which a mender runs in the same round, without another check: goes_along() of round.c. */
enum mend_joins {
	JOINS_NONE,
	/*
	 * Work on cores: the contents of an inode's forks don't depend on the cores of other inodes.  Files and
	 * directories of the metadata directory tree have to wait: only the next check sees a repaired one, and a
	 * second one would be created in its place.
	 */
	JOINS_CORES,
	/*
	 * Work on inodes or names, if it settles all claims: AG btrees are rebuilt from the final claims of owners.
	 * While claims are disputed, the btrees stay, since they are evidence of ownership.
	 */
	JOINS_CLAIMS,
	/*
	 * Work on names that leaves them as they are: the link counts of other inodes don't depend on orphans that are
	 * named.
	 */
	JOINS_NAMES,
	JOINS_LINKS, /* The same, or work on orphans. */
};

/* How certain it is that a fix restores what was there, or what must be there; the report uses these words. */
enum sure {
	SURE_CERTAIN, /* confirmed by a checksum, by two witnesses, or by a count of all facts */
	SURE_LIKELY,  /* confirmed by one witness, and contradicted by none as good */
	SURE_GUESS,   /* confirmed by nothing: it fits, or it is what remains */
	SURE_NR,
};

#endif
