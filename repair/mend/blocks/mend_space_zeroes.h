/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A last resort: blocks for extent maps that must be written before any block is known to be free. */
#ifndef XFSCK_REPAIR_MEND_SPACE_ZEROES_H
#define XFSCK_REPAIR_MEND_SPACE_ZEROES_H

#include "mend/collect/mend_survey.h"

/*
 * Find `need` blocks of zeroes that nobody has by this survey, if m->zeroes allows it; else note there that it is
 * wanted. 0, -ENOSPC, or another negative errno.
 */
int mend_space_take_zeroes(struct mend *m, const struct mend_survey *owners, fsbno_t *blocks, uint32_t need);

#endif
