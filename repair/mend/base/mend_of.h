/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which mender settles a finding. */
#ifndef XFSCK_REPAIR_MEND_OF_H
#define XFSCK_REPAIR_MEND_OF_H

#include "mends.h"

struct found;

/* Returns the mender that settles a finding, by the rows of findings.h and place.h. */
enum mend_kind mend_of(const struct found *found);

#endif
