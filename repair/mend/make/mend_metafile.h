/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What inodes of the metadata tree are, by their names. */
#ifndef XFSCK_REPAIR_MEND_METAFILE_H
#define XFSCK_REPAIR_MEND_METAFILE_H

#include "libxfs/dinode_meta.h"

struct mend;
struct mend_facts;

/*
 * Whether the inode's name, or the directories that name it, tell that it belongs to the metadata tree, and as what.
 * facts: all names of that inode are among them.
 */
bool mend_metafile_of(const struct mend *m, const struct mend_facts *facts, xino_t ino, struct metafile *ret_metafile);
/* The same for files of realtime groups only, as the last check has found their names. */
bool mend_metafile_of_group(const struct mend *m, xino_t ino, struct metafile *ret_metafile);

#endif
