/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of a finding, set by the traversal: messages say only what is wrong.  Numbers that don't apply have their
 * NO_ or NULL_ value.
 */
#ifndef XFSCK_PLACE_H
#define XFSCK_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

/*
 * x(symbol, name for the user, contents, tree, hides)
 *
 * contents, tree: the menders (mends.h) of findings whose row in findings.h refers to the object: of its contents; and
 * of the tree of which it is the root, or of its claims to blocks.
 * hides: facts that a check can't see while the object is damaged (enum hides): findings about them may follow from it.
 */
/* clang-format off */
#define OBJECT_TABLE(x)                                                                             \
	x(DEVICE, "device", NONE, NONE, ALL)                                                        \
	x(SUPERBLOCK, "superblock", sb, sb, NOTHING)                                                \
	x(AGF, "AGF", ag_header, ag_space, SPACE)                                                   \
	x(AGFL, "AGFL", ag_header, ag_space, SPACE)                                                 \
	x(AGI, "AGI", ag_header, ag_inodes, ALL)                                                    \
	x(BNOBT, "bnobt", ag_space, ag_space, SPACE)                                                \
	x(CNTBT, "cntbt", ag_space, ag_space, SPACE)                                                \
	x(INOBT, "inobt", ag_inodes, ag_inodes, ALL)                                                \
	x(FINOBT, "finobt", ag_inodes, ag_inodes, ALL)                                              \
	x(RMAPBT, "rmapbt", ag_space, ag_space, SPACE)                                              \
	x(REFCBT, "refcountbt", ag_space, ag_space, SPACE)                                          \
	x(INODE, "inode", inode_core, NONE, ALL)                                                    \
	x(CLUSTER, "inode chunk", inode_core, NONE, ALL)                                            \
	x(DATA_FORK, "data fork", NONE, inode_fork, ALL)                                            \
	x(ATTR_FORK, "attribute fork", attr, inode_fork, SPACE)                                     \
	x(BMBT, "bmbt block", inode_fork, inode_fork, ALL)                                          \
	x(DIRECTORY, "directory", dir, NONE, NAMES)                                                 \
	x(DIR_BLOCK, "directory block", dir, NONE, NAMES)                                           \
	x(DIR_DATA, "directory data block", dir, NONE, NAMES)                                       \
	x(DIR_LEAF, "directory leaf", dir, NONE, NAMES)                                             \
	x(DIR_FREE, "directory free index", dir, NONE, NAMES)                                       \
	x(DA_NODE, "da node", attr, NONE, NAMES)                                                    \
	x(ATTR_LEAF, "attribute leaf", attr, NONE, NAMES)                                           \
	x(ATTR_REMOTE, "attribute value block", attr, NONE, NAMES)                                  \
	x(SYMLINK, "symlink block", symlink, NONE, NOTHING)                                         \
	x(QUOTA_USER, "user quota", dquot, NONE, NOTHING)                                           \
	x(QUOTA_GROUP, "group quota", dquot, NONE, NOTHING)                                         \
	x(QUOTA_PROJECT, "project quota", dquot, NONE, NOTHING)                                     \
	x(RT_DEVICE, "realtime device", NONE, NONE, NOTHING)                                        \
	x(RTSB, "realtime superblock", rtsb, NONE, NOTHING)                                         \
	x(RTGROUP, "realtime group", NONE, NONE, NOTHING)                                           \
	x(RTBITMAP, "realtime bitmap block", rt_space, rt_space, RT)                                \
	x(RTSUMMARY, "realtime summary block", rt_space, rt_space, RT)                              \
	x(RTRMAPBT, "rtrmapbt", rt_space, rt_space, RT)                                             \
	x(RTREFCBT, "rtrefcountbt", rt_space, rt_space, RT)                                         \
	x(LOG, "log", log, log, NOTHING)                                                            \
	x(AG, "allocation group", NONE, ag_space, ALL)                                              \
	x(FILESYSTEM, "file system", NONE, NONE, NOTHING)

enum object {
#define x(symbol, name, contents, tree, hides) OBJ_##symbol,
	OBJECT_TABLE(x)
#undef x
	OBJECT_NR,
};

/*
 * x(mender, where, instead): the mender that replaces another one for some places (mend_of.c): a superblock in another
 * AG than the first, a realtime group, and the hash index of a directory, whose file offsets are beyond those of
 * attributes.
 */
#define MENDER_APART_TABLE(x)                                                                       \
	x(sb, IN_LATER_GROUP, sb_copy)                                                              \
	x(ag_space, IN_RTGROUP, rt_space)                                                           \
	x(attr, IN_DIR_INDEX, dir)
/* clang-format on */

/* Facts that are hidden from a check if an object is damaged. */
enum hides {
	HIDES_NOTHING = 0,
	HIDES_NAMES = 1,  /* directory entries, and the parents of inodes */
	HIDES_SPACE = 2,  /* owners of blocks, or free blocks */
	HIDES_INODES = 4, /* which inodes are in use */
	HIDES_RT = 8,	  /* owners of realtime blocks, or free ones */
	HIDES_ALL = HIDES_NAMES | HIDES_SPACE | HIDES_INODES,
};

/* True if it is a block of an AG btree. */
static inline bool object_is_ag_btree(enum object object)
{
	return object >= OBJ_BNOBT && object <= OBJ_REFCBT;
}

/* True if it belongs to a realtime group's own files, whose contents follow from those of all other files. */
static inline bool object_is_of_rtgroup(enum object object)
{
	return object >= OBJ_RTBITMAP && object <= OBJ_RTREFCBT;
}

/* True if it is a header or btree of an AG, or belongs to a realtime group's own files. */
static inline bool object_is_of_group(enum object object)
{
	return (object >= OBJ_AGF && object <= OBJ_REFCBT) || object_is_of_rtgroup(object);
}

/* True if it is a metadata block of a file, which has a header of its own in version 5. */
static inline bool object_is_file_block(enum object object)
{
	return object == OBJ_BMBT || (object >= OBJ_DIR_BLOCK && object <= OBJ_SYMLINK);
}

/* True if it is a block of a directory with names. */
static inline bool object_is_dir_block(enum object object)
{
	return object >= OBJ_DIR_BLOCK && object <= OBJ_DIR_DATA;
}

#define NO_AGNO	   UINT32_MAX
#define NO_RGNO	   UINT32_MAX
#define NO_RGBNO   UINT64_MAX
#define NO_FILEOFF UINT64_MAX

/* A name as on the disk, without NUL; len 0: none.  It does not own the bytes. */
struct name_view {
	const uint8_t *bytes;
	uint8_t len;
};

struct place {
	enum object object;
	agno_t agno;	       /* NO_AGNO: none */
	agbno_t agbno;	       /* NULL_AGBNO: none */
	xino_t ino;	       /* owner of the object, NULL_INO: none */
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
