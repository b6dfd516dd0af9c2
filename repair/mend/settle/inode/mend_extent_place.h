/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extents that lead to the wrong place. */
#ifndef XFSCK_REPAIR_MEND_EXTENT_PLACE_H
#define XFSCK_REPAIR_MEND_EXTENT_PLACE_H

#include <stdbool.h>

struct found;
struct mend;

/* True if the extent that makes this claim leads to the wrong place. */
bool mend_extent_is_wrong(const struct mend *m, const struct found *claim);

#endif
