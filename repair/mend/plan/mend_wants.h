/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which menders want a finding of another one. */
#ifndef XFSCK_REPAIR_MEND_WANTS_H
#define XFSCK_REPAIR_MEND_WANTS_H

#include <stdbool.h>

#include "mends.h"

struct found;

/* Returns true if a mender wants the finding, which mend_of() may give to another one. */
bool mend_wants(const struct found *found, enum mend_kind kind);

#endif
