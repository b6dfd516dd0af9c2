/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The class of a histogram as cells of a table. */
#ifndef XFSCK_REPAIR_HISTOGRAM_TABLE_H
#define XFSCK_REPAIR_HISTOGRAM_TABLE_H

#include "histogram.h"

struct histogram;
struct table;

/*
 * Add the cells of class i, which is not empty: its least number, "to" its greatest if that is another, that alone, its
 * count and sum.
 */
void histogram_cells(struct table *table, const struct histogram *histogram, unsigned i);

#endif
