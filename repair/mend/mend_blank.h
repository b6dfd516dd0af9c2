/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks for what must be written before anything is known to be free, where nothing else helps. */
#ifndef XFSCK_REPAIR_MEND_BLANK_H
#define XFSCK_REPAIR_MEND_BLANK_H

#include "mend_survey.h"

/* So many blocks that hold nothing, by a survey of all who have any, if m->blank says so. 0 or negative errno. */
int mend_blank(struct mend *m, const struct mend_survey *owners, fsbno_t *blocks, uint32_t need);

#endif
