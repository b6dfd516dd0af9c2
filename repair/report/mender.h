/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the row of a mender (include/mends.h) tells the user; mend/base/mend_table.h has when its turn is. */
#ifndef XFSCK_REPAIR_MENDER_H
#define XFSCK_REPAIR_MENDER_H

#include "mends.h"

/* "inode_fork"; of MEND_NOTHING, "nobody" */
const char *mender_name(enum mend_kind kind);
/* What was done to an object that it has mended; of MEND_NOTHING, nothing: "". */
const char *mender_text(enum mend_kind kind);
/* What its fixes are sure of, most of the time. */
enum sure mender_sure(enum mend_kind kind);

#endif
