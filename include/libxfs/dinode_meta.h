/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes of the metadata directory tree, made what their names say (ondisk 04, invariant 6; 09). */
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
 * Make the inode one of these, whatever it says now, but for its checksum: type, flags, owner, size.  A data fork of
 * another form than such a file has is emptied; its blocks, if it had any, are no longer its own.
 */
void dinode_make_metafile(const struct geometry *g, void *bytes, const struct metafile *metafile);

#endif
