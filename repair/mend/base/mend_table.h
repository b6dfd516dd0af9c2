/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When each mender has its turn, by its row in include/mends.h. For its texts see report/mender.h. */
#ifndef XFSCK_REPAIR_MEND_TABLE_H
#define XFSCK_REPAIR_MEND_TABLE_H

#include <stdbool.h>

#include "mends.h"

struct found;

enum mend_stage mend_stage(enum mend_kind kind);
const char *mend_stage_words(enum mend_stage stage);
enum mend_joins mend_joins(enum mend_kind kind);
bool mend_tells_claims(enum mend_kind kind);
/* Returns the next mender of the stage after `before`; MEND_NOTHING is before the first and after the last one. */
enum mend_kind mend_next(enum mend_stage stage, enum mend_kind before);

/* Returns the mender that settles a finding, by the rows of findings.h and place.h. */
enum mend_kind mend_of(const struct found *found);

#endif
