/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and texts of menders (include/mends.h) for the user; mend/base/mend_table.h has their order. */
#ifndef XFSCK_REPAIR_MENDER_H
#define XFSCK_REPAIR_MENDER_H

#include "mends.h"

/* Returns a name such as "inode_fork"; MEND_NOTHING: "nobody". */
const char *mender_name(enum mend_kind kind);
/* Returns what the mender does to an object, in words; MEND_NOTHING: "". */
const char *mender_text(enum mend_kind kind);
/* Returns the usual certainty of its fixes. */
enum sure mender_sure(enum mend_kind kind);

#endif
