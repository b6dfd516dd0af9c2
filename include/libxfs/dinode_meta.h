/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns inodes into the metadata files that they are by their names (ondisk 04, invariant 6; 09). */
#ifndef XFSCK_LIBXFS_DINODE_META_H
#define XFSCK_LIBXFS_DINODE_META_H

#include "libxfs/dinode.h"

struct metafile {
	uint16_t metatype; /* METAFILE_* */
	uint32_t projid;   /* METAFILE_RTBITMAP and up: the realtime group, else 0 */
};

static inline bool dinode_is_metafile(const struct dinode *inode, const struct metafile *metafile)
{
	return inode->metadata && inode->metatype == metafile->metatype && inode->projid == metafile->projid;
}

/*
 * Make the inode this metadata file: set type, flags, owner and size, whatever they were.  A data fork of a format that
 * such a file can't have is emptied, and its blocks, if it had any, are then nobody's.  The caller sets the checksum.
 */
void dinode_make_metafile(const struct geometry *g, void *bytes, const struct metafile *metafile);

#endif
