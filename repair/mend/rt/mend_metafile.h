/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What files of the metadata directory tree are, by their names. */
#ifndef XFSCK_REPAIR_MEND_METAFILE_H
#define XFSCK_REPAIR_MEND_METAFILE_H

#include "libxfs/dinode_meta.h"
#include "mend/mend_facts.h"

/* True if the inode's name, or who names it, tells that it is one. facts: of that inode among others. */
bool mend_metafile_of(const struct mend *m, const struct mend_facts *facts, xino_t ino, struct metafile *ret_metafile);
/* The same for files of realtime groups only. */
bool mend_metafile_of_group(const struct mend *m, xino_t ino, struct metafile *ret_metafile);

#endif
