/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_HISTOGRAM_JSON_H
#define XFSCK_REPAIR_HISTOGRAM_JSON_H

#include <jansson.h>

#include "histogram.h"

struct report_json;

/* Its classes that are not empty, each with "from" and "to", and its count and sum under these names. */
json_t *histogram_array(struct report_json *json, const struct histogram *histogram, const char *count,
			const char *sum);

#endif
