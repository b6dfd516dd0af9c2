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

/* x(symbol, name as the user reads it) */
/* clang-format off */
#define OBJECT_TABLE(x)                                                                             \
	x(DEVICE, "device")                                                                         \
	x(SUPERBLOCK, "superblock")                                                                 \
	x(AGF, "AGF")                                                                               \
	x(AGFL, "AGFL")                                                                             \
	x(AGI, "AGI")                                                                               \
	x(BNOBT, "bnobt")                                                                           \
	x(CNTBT, "cntbt")                                                                           \
	x(INOBT, "inobt")                                                                           \
	x(FINOBT, "finobt")                                                                         \
	x(RMAPBT, "rmapbt")                                                                         \
	x(REFCBT, "refcountbt")                                                                     \
	x(INODE, "inode")                                                                           \
	x(CLUSTER, "inode chunk")                                                                   \
	x(DATA_FORK, "data fork")                                                                   \
	x(ATTR_FORK, "attribute fork")                                                              \
	x(BMBT, "bmbt block")                                                                       \
	x(DIRECTORY, "directory")                                                                   \
	x(DIR_BLOCK, "directory block")                                                             \
	x(DIR_DATA, "directory data block")                                                         \
	x(DIR_LEAF, "directory leaf")                                                               \
	x(DIR_FREE, "directory free index")                                                         \
	x(DA_NODE, "da node")                                                                       \
	x(ATTR_LEAF, "attribute leaf")                                                              \
	x(ATTR_REMOTE, "attribute value block")                                                     \
	x(SYMLINK, "symlink block")                                                                 \
	x(QUOTA_USER, "user quota")                                                                 \
	x(QUOTA_GROUP, "group quota")                                                               \
	x(QUOTA_PROJECT, "project quota")                                                           \
	x(RT_DEVICE, "realtime device")                                                             \
	x(RTSB, "realtime superblock")                                                              \
	x(RTGROUP, "realtime group")                                                                \
	x(RTBITMAP, "realtime bitmap block")                                                        \
	x(RTSUMMARY, "realtime summary block")                                                      \
	x(RTRMAPBT, "rtrmapbt")                                                               \
	x(RTREFCBT, "rtrefcountbt")                                                           \
	x(LOG, "log")                                                                               \
	x(AG, "allocation group")                                                                   \
	x(FILESYSTEM, "file system")

enum object {
#define x(symbol, name) OBJ_##symbol,
	OBJECT_TABLE(x)
#undef x
	OBJECT_NR,
};
/* clang-format on */

/* Whether it is a block of a btree of an AG. */
static inline bool object_is_ag_btree(enum object object)
{
	return object >= OBJ_BNOBT && object <= OBJ_REFCBT;
}

/* Whether it is a metadata block that belongs to a file, with a header of its own in version 5. */
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
