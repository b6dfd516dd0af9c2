/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells whether a block is one of its allocation group's btrees, by what is in it. */
#ifndef XFSCK_REPAIR_MEND_TREE_BLOCK_H
#define XFSCK_REPAIR_MEND_TREE_BLOCK_H

#include "mend/base/mend.h"

/* Whether a block decodes as one of its AG's btrees; in version 5 its header says so, with its address. */
bool mend_is_tree_block(struct mend *m, fsbno_t fsbno);

#endif
