/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints extents in the columns of `xfs_bmap -v -p`. */
#ifndef XFSCK_REPAIR_MAP_TABLE_H
#define XFSCK_REPAIR_MAP_TABLE_H

#include <stdio.h>

#include "extents.h"

struct map_shape {
	const struct geometry *geo;
	bool realtime;	/* it is of a realtime file's data: there are no AGs to tell */
	uint64_t unit;	/* stripe unit, in sectors; 0: none */
	uint64_t width; /* stripe width, in sectors; 0: none */
};

void map_table_print(FILE *out, const struct map_shape *shape, const struct extents *extents);

#endif
