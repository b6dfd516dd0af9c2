/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts a histogram into a table. */
#ifndef XFSCK_REPAIR_HISTOGRAM_TABLE_H
#define XFSCK_REPAIR_HISTOGRAM_TABLE_H

#include "histogram.h"

struct histogram;
struct table;

/*
 * Adds the cells of class i, which is not empty: its least number, "to" its greatest if different, the greatest alone,
 * count and sum.
 */
void histogram_cells(struct table *table, const struct histogram *histogram, unsigned i);

#endif
