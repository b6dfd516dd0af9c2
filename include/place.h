/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a finding is: filled once by the traversal, so that messages say only
 * what is wrong.  Numbers that don't apply hold the NO_/NULL_ value.
 */
#ifndef XFSCK_PLACE_H
#define XFSCK_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

/*
 * x(symbol, name as the user reads it, contents, tree)
 *
 * contents, tree: the menders (mends.h) of findings whose row in findings.h leaves that to the object: of those about
 * what it says, and of those about the tree that it is the root of, or about the blocks that it claims.
 */
/* clang-format off */
#define OBJECT_TABLE(x)                                                                             \
	x(DEVICE, "device", NONE, NONE)                                                             \
	x(SUPERBLOCK, "superblock", sb, sb)                                                         \
	x(AGF, "AGF", ag_header, ag_space)                                                          \
	x(AGFL, "AGFL", ag_header, ag_space)                                                        \
	x(AGI, "AGI", ag_header, ag_inodes)                                                         \
	x(BNOBT, "bnobt", ag_space, ag_space)                                                       \
	x(CNTBT, "cntbt", ag_space, ag_space)                                                       \
	x(INOBT, "inobt", ag_inodes, ag_inodes)                                                     \
	x(FINOBT, "finobt", ag_inodes, ag_inodes)                                                   \
	x(RMAPBT, "rmapbt", ag_space, ag_space)                                                     \
	x(REFCBT, "refcountbt", ag_space, ag_space)                                                 \
	x(INODE, "inode", inode_core, NONE)                                                         \
	x(CLUSTER, "inode chunk", inode_core, NONE)                                                 \
	x(DATA_FORK, "data fork", NONE, inode_fork)                                                 \
	x(ATTR_FORK, "attribute fork", attr, inode_fork)                                            \
	x(BMBT, "bmbt block", inode_fork, inode_fork)                                               \
	x(DIRECTORY, "directory", dir, NONE)                                                        \
	x(DIR_BLOCK, "directory block", dir, NONE)                                                  \
	x(DIR_DATA, "directory data block", dir, NONE)                                              \
	x(DIR_LEAF, "directory leaf", dir, NONE)                                                    \
	x(DIR_FREE, "directory free index", dir, NONE)                                              \
	x(DA_NODE, "da node", attr, NONE)                                                           \
	x(ATTR_LEAF, "attribute leaf", attr, NONE)                                                  \
	x(ATTR_REMOTE, "attribute value block", attr, NONE)                                         \
	x(SYMLINK, "symlink block", symlink, NONE)                                                  \
	x(QUOTA_USER, "user quota", dquot, NONE)                                                    \
	x(QUOTA_GROUP, "group quota", dquot, NONE)                                                  \
	x(QUOTA_PROJECT, "project quota", dquot, NONE)                                              \
	x(RT_DEVICE, "realtime device", NONE, NONE)                                                 \
	x(RTSB, "realtime superblock", rtsb, NONE)                                                  \
	x(RTGROUP, "realtime group", NONE, NONE)                                                    \
	x(RTBITMAP, "realtime bitmap block", rt_space, rt_space)                                    \
	x(RTSUMMARY, "realtime summary block", rt_space, rt_space)                                  \
	x(RTRMAPBT, "rtrmapbt", rt_space, rt_space)                                                 \
	x(RTREFCBT, "rtrefcountbt", rt_space, rt_space)                                             \
	x(LOG, "log", log, log)                                                                     \
	x(AG, "allocation group", NONE, ag_space)                                                   \
	x(FILESYSTEM, "file system", NONE, NONE)

enum object {
#define x(symbol, name, contents, tree) OBJ_##symbol,
	OBJECT_TABLE(x)
#undef x
	OBJECT_NR,
};
/* clang-format on */

/* True if it is a block of a btree of an AG. */
static inline bool object_is_ag_btree(enum object object)
{
	return object >= OBJ_BNOBT && object <= OBJ_REFCBT;
}

/* True if it is one of a realtime group's own files, which follow from what all other files use. */
static inline bool object_is_of_rtgroup(enum object object)
{
	return object >= OBJ_RTBITMAP && object <= OBJ_RTREFCBT;
}

/* True if it is a header or a btree of an AG, or one of a realtime group's own files. */
static inline bool object_is_of_group(enum object object)
{
	return (object >= OBJ_AGF && object <= OBJ_REFCBT) || object_is_of_rtgroup(object);
}

/* True if it is a metadata block that belongs to a file, with a header of its own in version 5. */
static inline bool object_is_file_block(enum object object)
{
	return object == OBJ_BMBT || (object >= OBJ_DIR_BLOCK && object <= OBJ_SYMLINK);
}

#define NO_AGNO	   UINT32_MAX
#define NO_RGNO	   UINT32_MAX
#define NO_RGBNO   UINT64_MAX
#define NO_FILEOFF UINT64_MAX

/* A name as it is on the disk, without a NUL; len 0: none.  It does not own the bytes. */
struct name_view {
	const uint8_t *bytes;
	uint8_t len;
};

struct place {
	enum object object;
	agno_t agno;	       /* NO_AGNO: none */
	agbno_t agbno;	       /* NULL_AGBNO: none */
	xino_t ino;	       /* inode that owns the object, NULL_INO: none */
	fileoff_t fileoff;     /* block in the fork, NO_FILEOFF: none */
	struct name_view name; /* of the directory entry or attribute concerned */
	uint32_t rgno;	       /* realtime group, NO_RGNO: none */
	gbno_t rgbno;	       /* block in it, NO_RGBNO: none */
};

static inline struct place place_of(enum object object)
{
	return (struct place){ object,	       { NO_AGNO }, { NULL_AGBNO }, { NULL_INO },
			       { NO_FILEOFF }, { NULL, 0 }, NO_RGNO,	    { NO_RGBNO } };
}

#endif
