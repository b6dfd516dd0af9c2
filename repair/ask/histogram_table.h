/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The class of a histogram as cells of a table. */
#ifndef XFSCK_REPAIR_HISTOGRAM_TABLE_H
#define XFSCK_REPAIR_HISTOGRAM_TABLE_H

#include <jansson.h>

#include "histogram.h"

struct histogram;
struct table;

/* Add the cells of class i, which is not empty: its least number, "to" its greatest if that is another, count, sum. */
void histogram_cells(struct table *table, const struct histogram *histogram, unsigned i);

struct report_json;

/* Its classes that are not empty, each with "from" and "to", and its count and sum under these names. */
json_t *histogram_array(struct report_json *json, const struct histogram *histogram, const char *count,
			const char *sum);

#endif
