/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of blocks, of sectors, and of allocation groups. */
#ifndef XFSCK_REPAIR_BLOCK_SET_H
#define XFSCK_REPAIR_BLOCK_SET_H

#include "number_set.h"
#include "units.h"

NUMBER_SET(fsblock_set, fsbno_t)
NUMBER_SET(sector_set, xdaddr_t)
NUMBER_SET(group_set, agno_t)

#endif
