/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a histogram as JSON. */
#include "histogram_json.h"

#include "report/json_out.h"

json_t *histogram_array(struct report_json *json, const struct histogram *histogram, const char *count, const char *sum)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		json_t *object;

		if (!histogram->of[i].count)
			continue;
		object = json_object();
		json_out_set(json, object, "from", json_out_number(histogram_from(i)));
		json_out_set(json, object, "to", json_out_number(histogram_to(i)));
		json_out_set(json, object, count, json_out_number(histogram->of[i].count));
		json_out_set(json, object, sum, json_out_number(histogram->of[i].sum));
		json_out_append(json, array, object);
	}
	return array;
}
