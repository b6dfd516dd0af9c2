/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which menders get a finding. */
#ifndef XFSCK_REPAIR_MEND_CONCERNS_H
#define XFSCK_REPAIR_MEND_CONCERNS_H

#include <stdbool.h>

#include "mends.h"

struct found;

/* Returns true if a mender gets the finding: it settles it (mend_of()), or wants it. */
bool mend_concerns(const struct found *found, enum mend_kind kind);

#endif
